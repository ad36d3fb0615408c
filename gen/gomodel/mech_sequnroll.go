// SPDX-License-Identifier: GPL-2.0-only

package gomodel

func init() {
	register("seq-unroll", mechanism{apply: func(d *design, _ map[string]int) error {
		d.change("seq-unroll", "three shifts instead of a loop read an entry of three bytes.")
		return fill(&d.seq, seqPart("seq-unroll", `
b := table[3*i : 3*i+3]
return int(b[0])<<16 | int(b[1])<<8 | int(b[2])`))
	}})
}
