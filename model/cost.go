// SPDX-License-Identifier: GPL-2.0-only

package model

import "encoding/json"

// Cost is what one lookup does, counted. It does not depend on a machine, so
// it can be compared between designs where timings cannot.
type Cost struct {
	// Probes is how often the search compared its key: with a symbol's name,
	// or, in a lookup by address, with a symbol's address.
	Probes int `json:"probes"`
	// Entries is how many entries of the 3-byte table (kallsyms_seqs_of_names
	// or what stands in its place) were read.
	Entries int `json:"entries"`
	// Hops is how many records were passed on the way from a marker.
	Hops int `json:"hops"`
	// Sums is how many sizes of groups of records were added up.
	Sums int `json:"sums"`
	// HeaderBytes is how many length bytes were read, of records passed and of
	// records opened.
	HeaderBytes int `json:"header_bytes"`
	// Tokens is how many tokens were expanded or matched.
	Tokens int `json:"tokens"`
	// NameBytes is how many bytes of names were compared, the deciding one and
	// a terminator included.
	NameBytes int `json:"name_bytes"`
	// Recovery is how many markers, or entries of an index, were compared to
	// turn a stream offset back into a sequence number.
	Recovery int `json:"recovery"`
	// CacheLines is how many different cache lines of each table were read.
	CacheLines Lines `json:"cache_lines"`
}

// Add adds o to c.
func (c *Cost) Add(o Cost) {
	c.Probes += o.Probes
	c.Entries += o.Entries
	c.Hops += o.Hops
	c.Sums += o.Sums
	c.HeaderBytes += o.HeaderBytes
	c.Tokens += o.Tokens
	c.NameBytes += o.NameBytes
	c.Recovery += o.Recovery
	for i, n := range o.CacheLines {
		c.CacheLines[i] += n
	}
}

// Lines counts cache lines, one number a Table.
type Lines [numTables]int

// Total is the sum over all tables.
func (l Lines) Total() int {
	sum := 0
	for _, n := range l {
		sum += n
	}
	return sum
}

// MarshalJSON writes the tables that were read by their names, and the total.
func (l Lines) MarshalJSON() ([]byte, error) {
	read := map[string]int{"total": l.Total()}
	for table, n := range l {
		if n > 0 {
			read[Table(table).String()] = n
		}
	}
	return json.Marshal(read)
}

// Table is one of the arrays that a lookup reads.
type Table int

// String is the table's word in JSON.
func (t Table) String() string { return tableNames[t] }

var tableNames = [numTables]string{
	NamesTable:          "names",
	TokenTable:          "token_table",
	TokenIndexTable:     "token_index",
	AddressTable:        "offsets",
	OrderTable:          "seqs_of_names",
	MarkerTable:         "markers",
	SubMarkerTable:      "sub_markers",
	GroupSizeTable:      "group_sizes",
	IndexTable:          "index",
	BucketTable:         "bucket_starts",
	BucketBaseTable:     "bucket_bases",
	BucketExplicitTable: "explicit_starts",
}

// The arrays, each with its kernel name. The first four hold what every
// lookup needs; the others depend on the design.
const (
	NamesTable          Table = iota // kallsyms_names
	TokenTable                       // kallsyms_token_table
	TokenIndexTable                  // kallsyms_token_index
	AddressTable                     // kallsyms_offsets
	OrderTable                       // kallsyms_seqs_of_names, or the 3-byte table in its place
	MarkerTable                      // kallsyms_markers
	SubMarkerTable                   // the sub-markers
	GroupSizeTable                   // the sizes of groups of records
	IndexTable                       // the static or the batch index
	BucketTable                      // where the buckets of the hash order start
	BucketBaseTable                  // the base of each group of buckets
	BucketExplicitTable              // the starts of crowded groups
	numTables
)

// Space is what a design adds to a kernel with the stock tables.
type Space struct {
	TableBytes int `json:"table_bytes"` // read-only data; negative where it saves
	RAMBytes   int `json:"ram_bytes"`   // memory while a batch is open
}

// lineShift is log2 of the cache line that Cost counts in. Each table is taken
// to start on a line of its own.
const lineShift = 6

// meter counts one lookup. It is reused: stamps tell the lines of this lookup
// from those of earlier ones.
type meter struct {
	cost  Cost
	epoch uint32
	stamp [numTables][]uint32
	trace *Trace
}

func (m *meter) start() {
	m.cost, m.trace = Cost{}, nil
	m.epoch++
	if m.epoch == 0 { // 2^32 lookups later: old stamps could look new
		m.stamp, m.epoch = [numTables][]uint32{}, 1
	}
}

// read notes that size bytes of table at offset off are read.
func (m *meter) read(table Table, off, size int) {
	for end := off + size; off < end; off = (off>>lineShift + 1) << lineShift {
		m.readLine(table, off>>lineShift)
	}
}

func (m *meter) readLine(table Table, line int) {
	stamps := m.stamp[table]
	if line >= len(stamps) {
		grown := make([]uint32, 2*line+64)
		copy(grown, stamps)
		m.stamp[table], stamps = grown, grown
	}
	if stamps[line] != m.epoch {
		stamps[line] = m.epoch
		m.cost.CacheLines[table]++
	}
}
