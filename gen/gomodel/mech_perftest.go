// SPDX-License-Identifier: GPL-2.0-only

package gomodel

func init() {
	register("perf-test", mechanism{apply: func(d *design, _ map[string]int) error {
		d.change("perf-test", "adds a benchmark; every lookup stays as it is.")
		return nil
	}})
}
