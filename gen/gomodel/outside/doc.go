// SPDX-License-Identifier: GPL-2.0-only

// Package model holds the Go models of mechanisms that are not about the core
// kernel's lookups, but about those in modules and about ftrace. Of a series of
// such mechanisms package gomodel copies what it needs into the series' folder,
// as a module of its own:
//
//	spec.go, tables_test.go           always
//	module_scan.go, ..._test.go       each of the series' mechanisms
//
// So no mechanism's file may use another one's, and nothing but the standard
// library.
package model
