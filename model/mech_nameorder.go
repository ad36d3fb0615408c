// SPDX-License-Identifier: GPL-2.0-only

package model

// order is the table through which a name is found.
type order interface {
	// each calls visit with the sequence number of every symbol of a name, in
	// the order of addresses. It mirrors kallsyms_on_each_match_symbol().
	each(m *meter, name string, visit func(seq int))
	// first is the sequence number of the first symbol of a name. It mirrors
	// the search of kallsyms_lookup_name(), which stops there.
	first(m *meter, name string) (seq int, ok bool)
	// added is what the order's tables take over the stock ones.
	added() Space
}

// ranged is an order that keeps the entries of one name together.
type ranged interface {
	// find mirrors kallsyms_lookup_names(): the first entry of a name and, if
	// withEnd is set, the last.
	find(m *meter, name string, withEnd bool) (start, end int, ok bool)
	// seq is the sequence number of the symbol that entry i stands for.
	seq(m *meter, i int) int
	added() Space
}

// byRange makes each and first of a ranged order.
type byRange struct{ ranged }

func (o byRange) each(m *meter, name string, visit func(seq int)) {
	start, end, ok := o.find(m, name, true)
	for i := start; ok && i <= end; i++ {
		visit(o.seq(m, i))
	}
}

func (o byRange) first(m *meter, name string) (seq int, ok bool) {
	start, _, ok := o.find(m, name, false)
	if !ok {
		return 0, false
	}
	return o.seq(m, start), true
}

// seqsOfNames is the stock kernel's kallsyms_seqs_of_names: sequence numbers in
// the order of names.
type seqsOfNames struct {
	*parts
	entries packed
}

func (o *seqsOfNames) find(m *meter, name string, withEnd bool) (start, end int, ok bool) {
	compare := func(step Step, i int) int {
		p := m.probe(step, i)
		p.seq = o.seq(m, i)
		p.off = o.locate.offset(m, p.seq)
		return o.compare(m, p, name)
	}
	n := o.stream.count()
	if _, mid, _, found := halve(n, compare); found {
		start, end = spread(0, mid, n-1, withEnd, compare)
		return start, end, true
	}
	return 0, 0, false
}

func (o *seqsOfNames) seq(m *meter, i int) int { return o.entry(m, o.entries, i) }

func (o *seqsOfNames) added() Space { return Space{} }

// comparison compares the name looked up with entry i.
type comparison func(step Step, i int) int

// halve searches n sorted names. It mirrors the first loop of
// kallsyms_lookup_names(): where it ends, entry mid has the name, and what is
// before low or after high has not.
func halve(n int, compare comparison) (low, mid, high int, ok bool) {
	low, high = 0, n-1
	for low <= high {
		mid = low + (high-low)/2
		switch verdict := compare(Search, mid); {
		case verdict > 0:
			low = mid + 1
		case verdict < 0:
			high = mid - 1
		default:
			return low, mid, high, true
		}
	}
	return 0, 0, 0, false
}

// spread goes from entry mid down to the first entry of the same name and, if
// withEnd is set, up to the last, not beyond the entries low and high. It
// mirrors the other loops of kallsyms_lookup_names().
func spread(low, mid, high int, withEnd bool, compare comparison) (start, end int) {
	start, end = mid, mid
	for start > low && compare(First, start-1) == 0 {
		start--
	}
	for withEnd && end < high && compare(Last, end+1) == 0 {
		end++
	}
	return start, end
}
