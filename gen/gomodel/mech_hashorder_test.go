// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package gomodel

func init() {
	params := func(bits int) map[string]int { return map[string]int{"bucket-shift": 4, "start-bits": bits} }
	infections = append(infections,
		infected{Series{"m-hash8", []string{"hash-order"}, params(8)}, []mutant{
			{"names of one hash mix", "encode.go",
				"strings.Compare(symbols[a].Name, symbols[b].Name))\n\t})\n\tvar starts", "a-b)\n\t})\n\tvar starts"},
			{"the last duplicate in a bucket is lost", "model.go", "for end+1 < high &&", "for end+2 < high &&"},
			{"fingerprints are not looked at", "model.go", "if unpack(t.Order, i)>>t.seqBits() != t.fingerprint(hash) {", "if false {"},
			{"the fingerprint comes from the bits of the bucket", "model.go", "int(hash & (1<<(24-t.seqBits()) - 1))", "int(hash >> (8 + t.seqBits()))"},
			{"the number keeps a bit of the fingerprint", "model.go", "(1<<t.seqBits() - 1)", "(1<<(t.seqBits()+1) - 1)"},
			{"the hash is FNV-1", "model.go", "hash = (hash ^ uint32(name[i])) * 0x01000193", "hash = hash*0x01000193 ^ uint32(name[i])"},
			{"crowded groups wrap around", "encode.go", "slices.Max(late)-base > 0xff", "slices.Max(late)-base > 0x1ff"},
			{"explicit starts are those of the group's first bucket", "model.go", "int(base&^Crowded)+i", "int(base&^Crowded)"},
		}},
		infected{Series{"m-hash16", []string{"hash-order"}, params(16)}, []mutant{
			{"distances wrap around", "encode.go", "if delta != int(int16(delta)) {", "if false {"},
			{"starts are taken for deltas", "model.go", "return bucket<<BucketShift + int(t.StartDeltas[bucket])", "return int(t.StartDeltas[bucket])"},
		}})
}
