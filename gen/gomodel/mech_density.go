// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import "fmt"

func init() {
	register("density", mechanism{
		params: map[string]limits{"shift": {0, 8}},
		apply: func(d *design, params map[string]int) error {
			shift := params["shift"]
			d.change(fmt.Sprintf("density, shift %d", shift), fmt.Sprintf(
				"a marker every 1<<%d symbols instead of every 256, so that\nno walk takes more than %d hops.", shift, 1<<shift-1))
			l := markers(shift)
			l.by = "density"
			return d.locate(l)
		},
	})
}
