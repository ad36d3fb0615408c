// SPDX-License-Identifier: GPL-2.0-only

// Package result is what one measuring run found, as kgen bench and kgen sweep
// write it (JSON) and as the reports read it. It holds raw samples; medians and
// intervals are computed by who prints them, so that there is one source.
package result

import "time"

// Run is one process's run: all variants interleaved, so that they can be
// compared with each other. Figures of different runs must not be.
type Run struct {
	Format   int       `json:"format"` // 1
	Kgen     string    `json:"kgen"`
	When     time.Time `json:"when"`
	Machine  Machine   `json:"machine"`
	Compiler string    `json:"compiler"`
	Flags    []string  `json:"flags"`
	Tree     string    `json:"tree"` // version of the kernel tree
	// Map names the symbols: a file, or how they were derived.
	Map     string `json:"map"`
	Symbols int    `json:"symbols"`
	// Module is set where lookups are those in a module: Map names its file then,
	// and Symbols counts the entries of its symbol table while its init runs.
	Module *Module `json:"module,omitempty"`
	// Stream is the size of kallsyms_names, in bytes.
	Stream   int       `json:"stream"`
	Verified int64     `json:"verified"` // lookups held against the specification before timing
	Columns  []Column  `json:"columns"`
	Variants []Variant `json:"variants"`
	// Noise is what the A/A control showed; Rankable says for each column
	// whether the machine was quiet enough to rank variants by it.
	Noise []Noise `json:"noise"`
}

// Module is what lookups were made in.
type Module struct {
	Name    string `json:"name"`    // as the kernel has it
	Records int    `json:"records"` // calls to the tracer, which ftrace takes in
	Valid   int    `json:"valid"`   // of those, the ones that it enables
}

// Machine is where it ran.
type Machine struct {
	CPU       string   `json:"cpu"`
	Cores     int      `json:"cores"`
	Pinned    int      `json:"pinned"`    // the CPU the child ran on
	HugePages string   `json:"hugepages"` // what backed the tables
	OS        string   `json:"os"`
	Load      float64  `json:"load"` // load average when it began
	Notes     []string `json:"notes,omitempty"`
}

// Column is one thing measured. Unit is "ns" for a time; counts have none.
type Column struct {
	Name    string `json:"name"`  // hit, hit-unique, miss, address, walk, cold8, dram1, p99, p99.9, duplicates, ftrace-one, build, ...
	Title   string `json:"title"` // at most 12 characters, for a table
	Meaning string `json:"meaning"`
	Unit    string `json:"unit"`
	// Warm says that the caches were warm: it decides what difference counts.
	Warm bool `json:"warm"`
}

// Variant is one design, built from one series.
type Variant struct {
	Name   string         `json:"name"`   // stock, stock (again), density+token-match 4, ...
	Series string         `json:"series"` // as for --series or --with; empty for stock
	Params map[string]int `json:"params,omitempty"`
	// Mechanisms are those that the series brings in and that bear on a lookup,
	// by the names of kgen list, in the order of the patches; none for stock.
	// By them a report tells families of designs and finds what a claim is about.
	Mechanisms []string `json:"mechanisms,omitempty"`
	Control    bool     `json:"control,omitempty"` // the A/A control: stock a second time
	// Rodata and RAM are bytes more than stock, read from the real tables.
	Rodata int64 `json:"rodata"`
	RAM    int64 `json:"ram"`
	// The following are of lookups in modules only, where RAM is held for as long
	// as the module is there. Peak is the most bytes at a time more than stock.
	// Asked is how many answers were held against the specification, Differ how
	// many of them are others, as the design declares, and Verdicts those of them
	// that are ftrace's on records.
	Peak     int64 `json:"peak,omitempty"`
	Asked    int64 `json:"asked,omitempty"`
	Differ   int64 `json:"differ,omitempty"`
	Verdicts int64 `json:"verdicts,omitempty"`
	// Tables is the size of each table in bytes.
	Tables map[string]int64 `json:"tables"`
	// Text is the size of the lookup code in bytes, more than stock.
	Text int64 `json:"text"`
	// Counts are exact and the same in every run: probes, hops, header bytes,
	// tokens, cache lines, records decoded for a lookup, by column name. They
	// are means over all lookups of that column.
	Counts map[string]Counts `json:"counts"`
	// Samples holds the measured values by column name, one a round, in the
	// column's unit for one lookup.
	Samples map[string][]float64 `json:"samples"`
	// Instructions holds those of one lookup by column name, where the machine
	// counts them.
	Instructions map[string][]float64 `json:"instructions,omitempty"`
	// SetUp and TearDown are samples of a batch index's, in ns; HostTool is the
	// host tool's time in ns.
	SetUp    []float64 `json:"setup,omitempty"`
	TearDown []float64 `json:"teardown,omitempty"`
	HostTool []float64 `json:"hosttool,omitempty"`
}

// Counts is the mean cost of a lookup, counted by the model.
type Counts struct {
	Probes  float64 `json:"probes"`
	Hops    float64 `json:"hops"`
	Bytes   float64 `json:"bytes"`
	Tokens  float64 `json:"tokens"`
	Lines   float64 `json:"lines"`
	Decodes float64 `json:"decodes"`
}

// Noise is the difference between stock and stock again in one column.
type Noise struct {
	Column string `json:"column"`
	// Ratio is the control's median over stock's.
	Ratio float64 `json:"ratio"`
	P     float64 `json:"p"`
	// Rankable: the difference is below the column's limit (5% warm, 15% cold).
	Rankable bool `json:"rankable"`
}
