// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package mutants

// modelFault is a fault in a mechanism of the model.
type modelFault struct {
	reason string
	file   string // in model/
	old    string // must be there once
	new    string
}

// modelFaults are grouped by the mechanism at fault.
var modelFaults = map[string][]modelFault{
	"model: density": {
		{"the walk is a hop short", "mech_density.go", "int(l.marker[at]), seq&WorstHops(l.shift))", "int(l.marker[at]), seq&(WorstHops(l.shift)>>1))"},
		{"the second length byte is not counted", "stream.go", "m.cost.HeaderBytes++\n\t\theader, size := recordHeader(s.Names, off)\n\t\toff += header + size\n", "_, size := recordHeader(s.Names, off)\n\t\toff += 1 + size\n"},
		{"hops are not counted", "stream.go", "m.cost.Hops += hops\n", "m.cost.Hops += hops + 256\n"},
	},
	"model: expand": {
		{"the type is skipped as a whole token", "mech_expand.go", "\t\t\tskipped = true\n\t\t\tat++\n", "\t\t\tskipped = true\n\t\t\tat = end\n"},
	},
	"model: token-match": {
		{"the type is skipped as a whole token", "mech_tokenmatch.go", "\t\t\t\tskipped = true\n\t\t\t\tcontinue\n", "\t\t\t\tskipped = true\n\t\t\t\tbreak\n"},
		{"bytes are compared as signed", "mech_tokenmatch.go", "name[matched] < char:", "int8(name[matched]) < int8(char) && name[matched] != char:"},
		{"a prefix of the name is taken for the name", "mech_tokenmatch.go", "if matched < len(name) {", "if matched < 0 {"},
	},
	"model: name order": {
		{"duplicates are grown from the lower end of the search", "mech_nameorder.go", "start, end = mid, mid\n", "start, end = low, mid\n"},
		{"duplicates are grown from the upper end of the search", "mech_nameorder.go", "start, end = mid, mid\n", "start, end = mid, high\n"},
		{"the last duplicate is left out", "mech_nameorder.go", "end < high &&", "end < high-1 &&"},
	},
	"model: seq-unroll": {
		{"sequence numbers are read little-endian", "mech_seq.go", "int(b[0])<<16 | int(b[1])<<8 | int(b[2])", "int(b[2])<<16 | int(b[1])<<8 | int(b[0])"},
	},
	"model: sub-markers": {
		{"the next sub-marker is read", "mech_submarkers.go", "at := block*l.perOne + step - 1\n", "at := min(block*l.perOne+step, len(l.sub)-1)\n"},
		{"a sub-marker is made for a marker too", "mech_submarkers.go", "if seq&WorstHops(StockMarkerShift) == 0 {", "if seq == 0 {"},
	},
	"model: hash-order": {
		{"the last entry of a bucket is not looked at", "mech_hashorder.go", "for i := low; i < high; i++ {", "for i := low; i < high-1; i++ {"},
		{"the fingerprint is believed without a look", "mech_hashorder.go", "return o.compare(m, p, name) == 0", "return o.compare(m, p, name) == 0 || true"},
		{"the fingerprint stays in the sequence number", "mech_hashorder.go", "return o.entry(m, o.entries, i) & (1<<o.seqBits - 1)\n", "return min(o.entry(m, o.entries, i), o.stream.count()-1)\n"},
	},
	"model: batch-index": {
		{"the first of two users to leave frees the index", "mech_batch.go", "if b.users == 0 && b.current != nil {", "if b.current != nil {"},
		{"an end without a start is taken", "mech_batch.go", "return ErrBatchNotOpen", "return nil"},
	},
}
