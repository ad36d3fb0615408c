// SPDX-License-Identifier: GPL-2.0-only

package model

// Step says in which part of a lookup a probe was made.
type Step string

const (
	Search Step = "search" // halving the table in name order
	First  Step = "first"  // going down to the first of equal names
	Last   Step = "last"   // going up to the last of equal names
	Bucket Step = "bucket" // going through a bucket of the hash order
	Block  Step = "block"  // going through the records of a block
)

// Verdict is how the name looked up compares with a probe's symbol.
type Verdict string

const (
	Before  Verdict = "<" // the name comes before the symbol
	After   Verdict = ">" // the name comes after the symbol
	Equal   Verdict = "="
	Differs Verdict = "!=" // the fingerprint alone says they differ
)

// Probe is one symbol that a lookup looked at.
type Probe struct {
	Step     Step    `json:"step"`
	Position int     `json:"position"`         // in the 3-byte table
	Seq      int     `json:"seq"`              // the symbol's sequence number
	Offset   *int    `json:"offset,omitempty"` // of its record in the stream; nil if it was not looked for
	Symbol   string  `json:"symbol"`
	Bytes    int     `json:"bytes"` // of names compared
	Hops     int     `json:"hops"`
	Verdict  Verdict `json:"verdict"`
}

// Trace is one lookup, probe by probe.
type Trace struct {
	Name   string  `json:"name"`
	Probes []Probe `json:"probes"`
	// Start and End are the first and the last entry of the name in the 3-byte
	// table; without Found they mean nothing.
	Start int  `json:"start"`
	End   int  `json:"end"`
	Found bool `json:"found"`
	Cost  Cost `json:"cost"`
}

// probe is what a mechanism tells of a probe before it compares.
type probe struct {
	step  Step
	entry int
	seq   int // -1 until the design knows it
	off   int

	bytes, hops int // counted when the probe began
}

func (m *meter) probe(step Step, entry int) probe {
	return probe{step: step, entry: entry, seq: -1, off: -1, bytes: m.cost.NameBytes, hops: m.cost.Hops}
}

// note adds a probe to the trace, if there is one.
func (p *parts) note(m *meter, pr probe, verdict int) {
	if m.trace == nil {
		return
	}
	row := Probe{
		Step:     pr.step,
		Position: pr.entry,
		Seq:      pr.seq,
		Bytes:    m.cost.NameBytes - pr.bytes,
		Hops:     m.cost.Hops - pr.hops,
		Verdict:  Equal,
	}
	switch {
	case pr.off < 0:
		row.Verdict = Differs
	case verdict < 0:
		row.Verdict = Before
	case verdict > 0:
		row.Verdict = After
	}
	if pr.off >= 0 {
		off := pr.off // its own, so that no probe is in memory that is not traced
		row.Offset = &off
	}
	if row.Seq < 0 {
		row.Seq = p.stream.seqAt(pr.off)
	}
	row.Symbol = p.stream.symbols[row.Seq].Name
	m.trace.Probes = append(m.trace.Probes, row)
}
