// SPDX-License-Identifier: GPL-2.0-only

package csrc

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUsers(t *testing.T) {
	const src = `/* table[0] */
extern const int table[];
static int get(int i);
const int table[] = { 1, 2 };
EXPORT_SYMBOL_GPL(table);
#define FIRST() \
	table[0]
static const int *const start = table;
struct s {
	int *table, n;
};
static int table_end(struct s *s)
{
	return s->table[s->n]; /* not the table */
}
#ifdef CONFIG_X
static int get(int i)
{
	printk("table");
	return 0;
}
#else
static int get(int i)
{
	int k = 0;

	return table[i] + table[k];
}
#endif
static int twice(int i) { return get(get(i)); }
`
	f := Parse("a.c", []byte(src))
	for _, tt := range []struct {
		name string
		want []User
	}{
		{"table", []User{
			{[]string{"table"}, "the declaration of table", 5, "EXPORT_SYMBOL_GPL(table);"},
			{[]string{"FIRST"}, "#define FIRST", 7, "table[0]"},
			{[]string{"start"}, "the declaration of start", 8, "static const int *const start = table;"},
			{[]string{"struct s"}, "the declaration of struct s", 10, "int *table, n;"},
			{[]string{"table_end"}, "table_end()", 14, "return s->table[s->n]; /* not the table */"},
			{[]string{"get"}, "get()", 27, "return table[i] + table[k];"},
		}},
		{"get", []User{{[]string{"twice"}, "twice()", 30, "static int twice(int i) { return get(get(i)); }"}}},
		{"CONFIG_X", []User{{nil, "#ifdef", 16, "#ifdef CONFIG_X"}}},
		{"tab", nil},
	} {
		if diff := cmp.Diff(tt.want, f.Users(tt.name)); diff != "" {
			t.Errorf("%s:\n%s", tt.name, diff)
		}
	}
}

func TestOverlap(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"i >> 8", "markers[i >> 8] = off", true},
		{"markers[i>>8] = off", "i >> 8", true},
		{"i >> 8", "i >> 80", false},
		{"markers", "markers_cnt = 1", false},
		{"a b", "a c b", false},
		{"", "a", false},
	} {
		if got := Overlap(tt.a, tt.b); got != tt.want {
			t.Errorf("Overlap(%q, %q) = %v", tt.a, tt.b, got)
		}
	}
}
