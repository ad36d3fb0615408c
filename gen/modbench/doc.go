// SPDX-License-Identifier: GPL-2.0-only

// Package modbench measures what designs of the lookups in modules cost, ftrace's
// use of them included, with the C that would be merged. It is to modules what
// gen/bench is to the symbols of the core kernel, and its runs are reported by
// the same package.
//
//	Design (patched tree)            model.Object (a .ko)
//	    └───────────┬──────────────────────┘
//	                ▼ modharness.Measure: verified, then one life of the
//	                │ module after the other, the designs in turn
//	          []Measured ─ Run ─► result.Run ─► kgen report
//
// As there, the stock code is in every run twice, and what differs between the
// two is noise. Unlike there, each design is a process of its own, since modules
// are loaded into it; all are pinned to one CPU and wait for each other.
package modbench
