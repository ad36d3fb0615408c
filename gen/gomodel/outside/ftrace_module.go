// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"slices"
	"sort"
)

// Addresses are those of a table's candidates in text, ascending.
type Addresses []uint64

// NewAddresses is ftrace_mod_syms_alloc() of the patch, for a module with
// records. Texts are the regions whose symbols are sorted; the first version of
// the patch sorts all, which no texts stand for.
func NewAddresses(t Table, texts ...Region) Addresses {
	in := func(addr uint64) bool {
		return len(texts) == 0 || slices.ContainsFunc(texts, func(r Region) bool { return r.Contains(addr) })
	}
	a := Addresses{}
	for i, s := range t {
		if i > 0 && in(s.Value) && s.Candidate() {
			a = append(a, s.Value)
		}
	}
	slices.Sort(a)
	return a
}

// Valid is ftrace_mod_rec_is_valid() of the patch. Scanned says that the array
// had no answer and the table was asked, as it is without an array.
func (a Addresses) Valid(t Table, r Region, record, maxOffset uint64) (valid, scanned bool) {
	if a == nil || !r.Text {
		return t.Valid(r, record, maxOffset), true
	}
	above := sort.Search(len(a), func(i int) bool { return a[i] > record })
	if above == 0 || a[above-1] < r.Base {
		return t.Valid(r, record, maxOffset), true
	}
	return record-a[above-1] <= maxOffset, false
}
