// SPDX-License-Identifier: GPL-2.0-only

package gomodel

// Mechanisms that leave the tables of the core kernel and their lookups alone.
// Beside others they are named in the package comment; on their own there is
// nothing to make a model of.
func init() {
	for name, text := range map[string]string{
		"module-scan":   "lookups in modules read fewer names; those in the core kernel stay as they are.",
		"module-index":  "lookups in modules search an index; those in the core kernel stay as they are.",
		"module-sort":   "lookups in modules search sorted functions; those in the core kernel stay as they are.",
		"ftrace-single": "ftrace looks a single name up in the table of names; every lookup stays as it is.",
		"ftrace-module": "ftrace checks a module's records in sorted addresses; every lookup stays as it is.",
	} {
		register(name, mechanism{outside: true, apply: func(d *design, _ map[string]int) error {
			d.change(name, text)
			return nil
		}})
	}
}
