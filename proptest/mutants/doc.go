// SPDX-License-Identifier: GPL-2.0-only

// Package mutants seeds faults and sees to it that a check finds each.
//
// A fault is a small change of one file: of the C that a series leaves in a
// kernel tree, or of a mechanism in the model. The check that is meant to find
// it is run on the faulty code:
//
//	series ─► series.Edited ─► fault ─► harness.Agree      (C against the model)
//	                                └─► host tool          (limits of a table)
//	model  ─► copy of the module ─► fault ─► go test       (properties)
//
// A fault that no check finds is a hole in the checks. make mutants runs them
// all and writes docs/mutants.md; it takes some minutes, so the tests are under
// the build tag mutants.
package mutants
