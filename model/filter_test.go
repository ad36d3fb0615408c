// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"slices"
	"strings"
	"testing"
)

// prepared reads a map and gives the names that Prepare keeps, in its order.
func prepared(t *testing.T, text string, opts PrepareOptions) ([]string, Bounds) {
	t.Helper()
	m, err := ReadText(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	symbols, bounds := Prepare(m.Symbols, opts)
	var kept []string
	for _, s := range symbols {
		kept = append(kept, string(s.Type)+s.Name)
	}
	return kept, bounds
}

const bounded = "10 T _stext\n20 T _etext\n40 T _sinittext\n50 T _einittext\n60 B _end\n"

func TestPrepareFilters(t *testing.T) {
	all := PrepareOptions{AllSymbols: true}
	for _, c := range []struct {
		reason, text string
		opts         PrepareOptions
		want         string
	}{
		{"text and init text", bounded + "18 t f\n48 t g\n", PrepareOptions{}, "T_stext tf T_etext T_sinittext tg T_einittext"},
		{"data only on request", bounded + "30 d v\n", PrepareOptions{}, "T_stext T_etext T_sinittext T_einittext"},
		{"data on request", bounded + "30 d v\n", all, "T_stext T_etext dv T_sinittext T_einittext B_end"},
		{"what shares the end of text may move", bounded + "20 t f\n50 t g\n", PrepareOptions{}, "T_stext T_etext T_sinittext T_einittext"},
		{"but is kept on request", bounded + "20 t f\n", all, "T_stext tf T_etext T_sinittext T_einittext B_end"},
		{"section boundaries always", bounded + "70 D __start_x\n80 D __stop_x\n90 D __end_x\n", PrepareOptions{}, "T_stext T_etext T_sinittext T_einittext D__start_x D__stop_x"},
		{"undefined, debugging, absolute", "1 u a\n2 n b\n3 a c\n4 A d\n", all, ""},
		{"the absolute ones that are useful", "1 A __gp\n2 a __kernel_sigtramp\n", all, "A__gp a__kernel_sigtramp"},
		{"per-CPU symbols become absolute", "0 D __per_cpu_start\n8 d v\n10 D __per_cpu_end\n20 w f\n", PrepareOptions{AllSymbols: true, AbsolutePercpu: true}, "A__per_cpu_start Av A__per_cpu_end wf"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			want := strings.Fields(c.want)
			if got, _ := prepared(t, c.text, c.opts); !slices.Equal(got, want) {
				t.Fatalf("got %q, want %q", got, want)
			}
		})
	}
}

func TestPrepareOrdersAliases(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"by address first", "2 T a\n1 T b\n", "Tb Ta"},
		{"strong before weak", "1 w a\n1 W b\n1 t c\n", "tc wa Wb"},
		{"real before linker-provided", "1 T __start_x\n1 T __stop_x\n1 T __end_xx\n1 T __x_start\n1 T __xx_end\n1 T ___f\n", "T___f T__start_x T__stop_x T__end_xx T__x_start T__xx_end"},
		{"linker-provided names have 8 bytes and two underscores", "1 T __aa_end\n1 T __a_end\n1 T _aaa_end\n", "T_aaa_end T__a_end T__aa_end"},
		{"fewer underscores first", "1 T __a\n1 T _a\n1 T a_\n", "Ta_ T_a T__a"},
		{"weakness before underscores", "1 w a\n1 t _a\n", "t_a wa"},
		{"the order of the map otherwise", "1 t b\n1 T a\n1 D c\n", "tb Ta Dc"},
	} {
		if got, _ := prepared(t, c.text, PrepareOptions{AllSymbols: true}); !slices.Equal(got, strings.Fields(c.want)) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestBounds(t *testing.T) {
	_, got := prepared(t, "5 A _text\n6 A _etext\n1 T _stext\n2 T _stext\n60 B _end\n70 T __init_begin\n80 T __init_end\n", PrepareOptions{})
	want := Bounds{Text: 5, Stext: 2, End: 0x60, InitBegin: 0x70, InitEnd: 0x80, PercpuStart: ^uint64(0)}
	if got != want {
		t.Errorf("got %+v, want %+v: _text counts whatever its type, the others only if kept, the last of a name wins", got, want)
	}
}
