// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"strings"
	"testing"

	"kgen/gen/csrc"
	"kgen/gen/tree"
	"kgen/patches"
	"kgen/templates"
)

// What a hash order prefetches is what the composition reads: a walk of as many
// records as its markers are apart, or none. On a tree that has the markers already
// it is so too, or refused where they are not named.
func TestHashOrderPrefetches(t *testing.T) {
	for _, hash := range []string{"hash-order:prefetch=1", "token-match,hash-order=6:start-bits=16:prefetch=1"} {
		for _, name := range []string{"6.12", "7.3"} {
			stock := options(t, name, "", 0).Tree
			checkPrefetches(t, stock, hash, "pos & 0xFF")
			for markers, walk := range map[string]string{
				"density=4":     "pos & KALLSYMS_MARKER_MASK",
				"sub-markers=5": "pos & KALLSYMS_SUBMARKER_MASK",
				"static-index":  "",
			} {
				checkPrefetches(t, stock, markers+","+hash, walk)
				checkPrefetches(t, after(t, name, markers), markers+","+hash, walk)
				if _, err := composedOn(t, after(t, name, markers), hash); !errors.Is(err, csrc.ErrDrift) {
					t.Errorf("%s on %s, without its name: %v, want drift", hash, markers, err)
				}
			}
		}
	}
}

func checkPrefetches(t *testing.T, tr *tree.Tree, with, walk string) {
	t.Helper()
	s, values, err := Compose(templates.FS, with)
	if err != nil {
		t.Fatal(err)
	}
	files, err := Edited(Options{Series: s, Values: values, Tree: tr, Patches: patches.FS, Templates: templates.FS, Warn: func(string) {}})
	if err != nil {
		t.Fatalf("%s: %v", with, err)
	}
	text := string(files["kernel/kallsyms.c"])
	calls := strings.Count(text, "\tprefetch_records(")
	if walk != "" && (calls != 1 || !strings.Contains(text, "\tprefetch_records(name, "+walk+");\n")) ||
		walk == "" && strings.Contains(text, "prefetch_records") {
		t.Errorf("%s: %d walks are prefetched, expected one of %q", with, calls, walk)
	}
	for _, call := range []string{"prefetch_tokens();", "prefetch_line(&kallsyms_offsets[entry]);", "#include <linux/cache.h>"} {
		if strings.Count(text, call) != 1 {
			t.Errorf("%s: %q is there %d times, expected once", with, call, strings.Count(text, call))
		}
	}
}
