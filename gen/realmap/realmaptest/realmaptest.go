// SPDX-License-Identifier: GPL-2.0-only

// Package realmaptest gives tests the real symbols of package realmap.
package realmaptest

import (
	"testing"

	"kgen/gen/realmap"
)

// Path returns the path of a real file, and fails the test where it is not
// fetched.
func Path(tb testing.TB, f realmap.File) string {
	tb.Helper()
	path, err := f.Path()
	if err != nil {
		tb.Fatal(err)
	}
	return path
}
