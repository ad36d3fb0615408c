// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestItems(t *testing.T) {
	const source = `
#include <linux/list.h>
#define LIMIT 4
static DEFINE_MUTEX(big_lock);
struct page { struct page *next; int index; };
enum state { COLD = LIMIT, WARM };
static struct page *first, *last __read_mostly = NULL;
static int counts[LIMIT];
int declared(struct page *p);
#ifdef CONFIG_X
static int walk(struct page *p)
{
	goto out;
out:
	return p->index + counts[COLD];
}
#else
static int walk(struct page *p) { return 0; }
#endif
`
	tests := []struct {
		names, uses string
		branch      string
	}{
		{names: "LIMIT", uses: "LIMIT"},
		{names: "big_lock", uses: "DEFINE_MUTEX big_lock"},
		{names: "struct page", uses: "index next struct page"},
		{names: "COLD WARM enum state", uses: "COLD LIMIT WARM enum state"},
		{names: "first last", uses: "NULL __read_mostly first last struct page"},
		{names: "counts", uses: "LIMIT counts"},
		{names: "declared", uses: "declared p struct page"},
		{names: "walk", uses: "COLD counts out p struct page walk", branch: "CONFIG_X"},
		{names: "walk", uses: "p struct page walk", branch: "!CONFIG_X"},
	}
	items := Parse("x.c", []byte(source)).Items()
	if len(items) != len(tests) {
		t.Fatalf("%d items, expected %d: %+v", len(items), len(tests), items)
	}
	for i, tt := range tests {
		got := items[i]
		if !slices.Equal(got.Names, splitNames(tt.names)) || !slices.Equal(got.Uses, splitNames(tt.uses)) || strings.Join(got.Branch, " ") != tt.branch {
			t.Errorf("%q: defines %q, uses %q under %q; expected %q, %q, %q", got.Text, got.Names, got.Uses, got.Branch, tt.names, tt.uses, tt.branch)
		}
	}
}

func TestPart(t *testing.T) {
	const source = `
#define LIMIT 4
static int other(void) { return LIMIT; }
#ifdef CONFIG_X
static int stub(void) { return other(); }
#else
static int stub(void) { return 1; }
#endif
int root(void) { return stub(); }
`
	f := Parse("x.c", []byte(source))
	part, err := f.Part([]string{"root"}, map[string]bool{"other": true})
	if err != nil {
		t.Fatal(err)
	}
	const want = `#if defined(CONFIG_X)
#line 5 "x.c"
static int stub(void) { return other(); }
#endif
#if !defined(CONFIG_X)
#line 7 "x.c"
static int stub(void) { return 1; }
#endif
#line 9 "x.c"
int root(void) { return stub(); }
`
	if got := f.PartText(part); got != want {
		t.Errorf("got\n%s\nexpected\n%s", got, want)
	}
	if _, err := f.Part([]string{"gone"}, nil); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "x.c: ") || !strings.Contains(err.Error(), "gone") {
		t.Errorf("got %v, expected ErrMissing with the file and the name", err)
	}
}

// splitNames splits at blanks, but keeps "struct x" together.
func splitNames(text string) []string {
	var out []string
	for _, w := range strings.Fields(text) {
		if n := len(out) - 1; n >= 0 && (out[n] == "struct" || out[n] == "enum") {
			out[n] += " " + w
			continue
		}
		out = append(out, w)
	}
	return out
}
