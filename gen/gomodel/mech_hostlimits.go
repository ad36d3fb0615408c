// SPDX-License-Identifier: GPL-2.0-only

package gomodel

func init() {
	register("host-limits", mechanism{apply: func(d *design, _ map[string]int) error {
		d.change("host-limits", "refuses symbols that cannot be encoded; every lookup stays as it is.")
		return nil
	}})
}
