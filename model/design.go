// SPDX-License-Identifier: GPL-2.0-only

package model

import "sync"

// Design answers lookups the way a choice of mechanisms does, from the arrays
// such a kernel would have, and counts what each answer costs. It may be used
// by several goroutines at once.
type Design struct {
	parts
	choice Choice
	order  order
	batch  *Batch
	meters sync.Pool
}

// parts are what a design is put together from.
type parts struct {
	stream *stream
	locate locator
	match  comparer
	decode decoder
}

// NewDesign builds the arrays of a choice from encoded tables, whatever the
// density of their markers. It fails with ErrChoice for an illegal choice, with
// ErrTables for malformed tables, and with ErrSubMarker, ErrStreamOffset,
// ErrBucketStart or ErrBlockNumber where the symbols do not fit the arrays.
//
// With BatchIndex the batch is not open yet; see Batch.
func NewDesign(t *Tables, c Choice) (*Design, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	s, err := newStream(t)
	if err != nil {
		return nil, err
	}
	return newDesign(s, c)
}

// With is another design of the same tables, which are not decoded again.
func (d *Design) With(c Choice) (*Design, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	return newDesign(d.stream, c)
}

func newDesign(s *stream, c Choice) (d *Design, err error) {
	d = &Design{choice: c, parts: parts{stream: s, match: compareExpanded, decode: decodeLoop}}
	d.meters.New = func() any { return new(meter) }
	if c.TokenMatch {
		d.match = compareTokens
	}
	if c.SeqUnroll {
		d.decode = decodeUnrolled
	}
	if d.locate, err = newLocator(s, c, d.decode); err != nil {
		return nil, err
	}
	if c.Batch {
		d.batch = &Batch{stream: s, fallback: d.locate}
		d.locate = d.batch
	}
	d.order, err = newOrder(&d.parts, c)
	return d, err
}

func newLocator(s *stream, c Choice, decode decoder) (locator, error) {
	switch c.Locate {
	case SubMarkers:
		return newSubMarkers(s, c.Shift)
	case GroupSizes:
		return newGroupSizes(s, c.Shift), nil
	case StaticIndex:
		return newStaticIndex(s, decode)
	}
	return newMarkers(s, c.Shift), nil
}

func newOrder(p *parts, c Choice) (order, error) {
	switch c.Order {
	case NameOffsets:
		o, err := newOffsetsOfNames(p)
		return byRange{o}, err
	case HashOrder:
		o, err := newHashOrder(p, c.BucketShift, c.StartBits)
		return byRange{o}, err
	case HashBlocks:
		return newHashBlocks(p, c)
	}
	return byRange{&seqsOfNames{parts: p, entries: p.stream.SeqsOfNames}}, nil
}

// Choice is what the design was made from.
func (d *Design) Choice() Choice { return d.choice }

// Batch is the batch index of a design that has BatchIndex, and nil for others.
func (d *Design) Batch() *Batch { return d.batch }

// Space is what the design adds to the stock tables, with a batch open where
// there is one.
func (d *Design) Space() Space {
	space := d.locate.added()
	space.TableBytes += d.order.added().TableBytes
	return space
}

// entry reads an entry of the 3-byte table.
func (p *parts) entry(m *meter, entries packed, i int) int {
	m.cost.Entries++
	m.read(OrderTable, seqEntryBytes*i, seqEntryBytes)
	return p.decode(entries, i)
}

// compare compares a name with the record of a probe.
func (p *parts) compare(m *meter, pr probe, name string) int {
	m.cost.Probes++
	verdict := p.match(p.stream, m, name, pr.off)
	p.note(m, pr, verdict)
	return verdict
}

// counting runs one lookup and returns its cost.
func (d *Design) counting(lookup func(m *meter)) Cost {
	m := d.meters.Get().(*meter)
	defer d.meters.Put(m)
	m.start()
	lookup(m)
	return m.cost
}

// NamesRange mirrors kallsyms_lookup_names(): the first and last entry, in the
// design's 3-byte table, of the symbols of a name. Without one, ok is false,
// where the kernel returns -ESRCH. Positions are ranks in name order, or in
// hash order with HashOrder. With HashBlocks, which has no entry for each
// symbol, they count the symbols of the name from 0.
func (d *Design) NamesRange(name string) (start, end int, ok bool, cost Cost) {
	cost = d.counting(func(m *meter) { start, end, ok = d.namesRange(m, name) })
	return start, end, ok, cost
}

func (d *Design) namesRange(m *meter, name string) (start, end int, ok bool) {
	if o, ranged := d.order.(byRange); ranged {
		return o.find(m, name, true)
	}
	found := 0
	d.order.each(m, name, func(int) { found++ })
	return 0, max(found-1, 0), found > 0
}

// LookupName mirrors kallsyms_lookup_name(): the lowest address of a name. The
// empty name is never found.
func (d *Design) LookupName(name string) (addr uint64, ok bool, cost Cost) {
	if name == "" {
		return 0, false, Cost{}
	}
	cost = d.counting(func(m *meter) {
		var seq int
		if seq, ok = d.order.first(m, name); ok {
			addr = d.address(m, seq)
		}
	})
	return addr, ok, cost
}

// OnEachMatch mirrors kallsyms_on_each_match_symbol(): the addresses of all
// symbols of a name, ascending. The empty name finds symbols without a name.
func (d *Design) OnEachMatch(name string) (addrs []uint64, cost Cost) {
	cost = d.counting(func(m *meter) {
		d.order.each(m, name, func(seq int) { addrs = append(addrs, d.address(m, seq)) })
	})
	return addrs, cost
}

// TraceName looks up a name as NamesRange does and tells every probe.
func (d *Design) TraceName(name string) *Trace {
	t := &Trace{Name: name}
	t.Cost = d.counting(func(m *meter) {
		m.trace = t
		t.Start, t.End, t.Found = d.namesRange(m, name)
	})
	return t
}

// SymbolOffset mirrors get_symbol_offset(): where in the stream the record of
// symbol seq starts.
func (d *Design) SymbolOffset(seq int) (off int, cost Cost) {
	cost = d.counting(func(m *meter) { off = d.locate.offset(m, seq) })
	return off, cost
}
