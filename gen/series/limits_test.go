// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"

	"kgen/gen/harness"
	"kgen/gen/mechanism"
	"kgen/model"
	"kgen/templates"
)

// lowered is a tree in which a limit that takes a huge table to reach is lower.
type lowered struct {
	mechanism.Source
	old, new string
}

func (l lowered) ReadFile(name string) ([]byte, error) {
	text, err := l.Source.ReadFile(name)
	if err != nil || name != "scripts/kallsyms.c" || l.old == "" {
		return text, err
	}
	if strings.Count(string(text), l.old) != 1 {
		return nil, fmt.Errorf("%s: %q stands there %d times, want once", name, l.old, strings.Count(string(text), l.old))
	}
	return []byte(strings.Replace(string(text), l.old, l.new, 1)), nil
}

// names of n letters that do not repeat, as nothing compresses them.
func randomNames(count, n int) []model.Symbol {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	r := rand.New(rand.NewPCG(1, 2))
	symbols := make([]model.Symbol, count)
	for i := range symbols {
		name := make([]byte, n)
		for j := range name {
			name[j] = letters[r.IntN(len(letters))]
		}
		symbols[i] = model.Symbol{Addr: 0x100000 + uint64(i), Type: 'T', Name: string(name)}
	}
	return symbols
}

func one(name string) []model.Symbol {
	return []model.Symbol{{Addr: 0x100000, Type: 'T', Name: name}}
}

func sameName(count int) []model.Symbol {
	symbols := make([]model.Symbol, count)
	for i := range symbols {
		symbols[i] = model.Symbol{Addr: 0x100000 + uint64(i), Type: 't', Name: "crowd"}
	}
	return symbols
}

// longTokens are names of two runs of letters, whose tokens grow to hundreds of
// bytes each.
func longTokens() []model.Symbol {
	var symbols []model.Symbol
	for n := 0; n <= 510; n += 7 {
		name := strings.Repeat("a", n) + strings.Repeat("b", 510-n)
		symbols = append(symbols, model.Symbol{Addr: 0x100000 + uint64(n), Type: 'T', Name: name})
	}
	return symbols
}

// TestHostToolRefuses builds the host tool as a series leaves it and feeds it
// what it cannot write. What is just within a limit has to be written.
func TestHostToolRefuses(t *testing.T) {
	tools := toolCache{dir: t.TempDir(), built: make(map[string]func() (builtTool, error))}
	for _, tt := range []struct {
		reason   string
		with     string // the mechanisms
		old, new string // a limit, and what it is lowered to
		symbols  []model.Symbol
		options  []string
		says     string // "" is written
		only     string // the tree that has the case
	}{
		{reason: "the longest name", with: "host-limits", symbols: one(strings.Repeat("a", 510))},
		{reason: "a byte more", with: "host-limits", symbols: one("b" + strings.Repeat("a", 510)), says: "symbol baaaaa"},
		{reason: "a quote", with: "host-limits", symbols: one(`say"it`), says: `symbol say"it at 0x100000 has a quote`},
		{reason: "a quote as type", with: "host-limits", symbols: []model.Symbol{{Addr: 1, Type: '"', Name: "f"}}, says: "symbol f at 0x1 has a quote"},
		{reason: "a backslash", with: "host-limits", symbols: one(`back\slash`), says: `symbol back\slash at 0x100000`},
		{reason: "a carriage return", with: "host-limits", symbols: one("dos\r"), says: "carriage return"},
		{reason: "the end of a comment", with: "host-limits", symbols: one("a*/b"), says: "symbol a*/b at 0x100000 has what ends a comment"},
		{reason: "... made of type and name", with: "host-limits", symbols: []model.Symbol{{Addr: 1, Type: '*', Name: "/b"}}, says: "symbol /b at 0x1 has what ends a comment"},
		{reason: "no type", with: "host-limits", symbols: []model.Symbol{{Addr: 1, Type: 0, Name: "f"}}, says: "symbol f at 0x1 has no type"},
		{reason: "what looks odd but is right", with: "host-limits", symbols: one("a/*b\x01\x7f\x80'%s")},
		{reason: "no name at all", with: "host-limits", symbols: one("")},
		{reason: "no symbol at all", with: "host-limits"},
		{reason: "tokens over 64 KiB", with: "host-limits", symbols: longTokens(), says: "over 16 bits"},
		{reason: "an address over 32 bits", with: "host-limits", only: "7.3", options: []string{}, symbols: []model.Symbol{{Addr: 0x100000001, Type: 'T', Name: "far"}}, says: "symbol far at 0x100000001 has an address over 32 bits"},
		{reason: "an address of 32 bits", with: "host-limits", only: "7.3", options: []string{}, symbols: []model.Symbol{{Addr: 0xffffffff, Type: 'T', Name: "far"}}},
		{reason: "more symbols than three bytes count", with: "host-limits", old: "1U << 24", new: "1U << 4", symbols: sameName(17), says: "17 symbols are over 24 bits"},
		{reason: "as many as they count", with: "host-limits", old: "1U << 24", new: "1U << 4", symbols: sameName(16)},
		{reason: "... also beside density", with: "host-limits,density", old: "1U << 24", new: "1U << 4", symbols: sameName(17), says: "17 symbols are over 24 bits"},
		{reason: "... and sub-markers", with: "host-limits,sub-markers", old: "1U << 24", new: "1U << 4", symbols: sameName(17), says: "17 symbols are over 24 bits"},
		{reason: "... and a hash order", with: "host-limits,hash-order", old: "1U << 24", new: "1U << 4", symbols: sameName(17), says: "17 symbols, an entry has 24 bits"},
		{reason: "256 records of more than 64 KiB", with: "sub-markers", symbols: randomNames(256, 400), says: "too far from its marker"},
		{reason: "a stream over 16 MiB", with: "static-index", old: "0xFFFFFF", new: "0xFFF", symbols: randomNames(20, 400), says: "over 24 bits"},
		{reason: "a stream over 16 MiB", with: "name-offsets", old: "0xFFFFFF", new: "0xFFF", symbols: randomNames(20, 400), says: "over 24 bits"},
		{reason: "a bucket of more than 32,768 symbols", with: "hash-order:start-bits=16", symbols: sameName(66000), says: "bucket"},
	} {
		for _, treeName := range []string{"6.12", "7.3"} {
			if tt.only != "" && tt.only != treeName {
				continue
			}
			t.Run(treeName+"/"+tt.with+"/"+tt.reason, func(t *testing.T) {
				t.Parallel()
				err := tools.run(t, treeName, tt.with, tt.old, tt.new, tt.options, tt.symbols)
				switch {
				case tt.says == "":
					if err != nil {
						t.Errorf("%v, want tables", err)
					}
				case !errors.Is(err, harness.ErrRefused) || !strings.Contains(err.Error(), tt.says):
					t.Errorf("%v, want a refusal with %q", err, tt.says)
				}
				if tt.says == "" || tt.old != "" || !strings.HasPrefix(tt.with, "host-limits") {
					return
				}
				if err := tools.run(t, treeName, "", "", "", tt.options, tt.symbols); errors.Is(err, harness.ErrRefused) {
					t.Errorf("the tool refuses it without the series: %v", err)
				}
			})
		}
	}
}

// toolCache builds each host tool once.
type toolCache struct {
	dir   string
	mu    sync.Mutex
	built map[string]func() (builtTool, error)
}

type builtTool struct {
	path string
	work *harness.Work
}

// run puts symbols to the host tool of a tree with mechanisms applied; without
// options, to that of a 64-bit kernel that keeps all symbols.
func (c *toolCache) run(t *testing.T, treeName, with, old, new string, args []string, symbols []model.Symbol) error {
	t.Helper()
	key := strings.Join([]string{treeName, with, old}, " ")
	c.mu.Lock()
	if c.built[key] == nil {
		c.built[key] = sync.OnceValues(func() (b builtTool, err error) {
			o := options(t, treeName, "", 4)
			patched := mechanism.Source(o.Tree)
			if with != "" {
				if o.Series, o.Values, err = Compose(templates.FS, with); err != nil {
					return b, err
				}
				if patched, err = Patched(o); err != nil {
					return b, err
				}
			}
			// Not the folder of this test: others use the tool when it is over.
			dir, err := os.MkdirTemp(c.dir, "")
			if err != nil {
				return b, err
			}
			b.work, err = harness.Prepare(dir, harness.Source{Patched: lowered{patched, old, new}, Base: o.Tree})
			if err != nil {
				return b, err
			}
			b.path, err = b.work.BuildHostTool(context.Background(), "gcc", false, harness.Sanitized)
			return b, err
		})
	}
	build := c.built[key]
	c.mu.Unlock()
	b, err := build()
	if err != nil {
		t.Fatal(err)
	}
	if args == nil {
		args = b.work.ToolOptions(harness.Variant{Bits: 64, AllSymbols: true})
	} else {
		args = append(args, "--all-symbols")
	}
	_, err = harness.RunHostTool(t.Context(), b.path, args, symbols)
	return err
}
