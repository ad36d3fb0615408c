// SPDX-License-Identifier: GPL-2.0-only

//go:build ladder

package modharness

import (
	"testing"
	"time"

	"kgen/gen/realmap"
)

// Every symbol, boundary and record of eight real modules, asked of the sanitized
// C of every series that claims to change no answer, of both compilers. A linear
// scan for each of them takes minutes, so that kgen check asks a sample under
// sanitizers, and all without.
func TestWholeModulesAgree(t *testing.T) {
	tests := []struct{ version, compose string }{
		{"7.3", "module-index"}, {"7.3", "module-index,ftrace-module"}, {"7.3", "ftrace-module"}, {"7.3", "module-scan"}, {"7.3", "ftrace-bitmap"},
		{"6.12", "module-index"}, {"6.12", "ftrace-module"}, {"6.12", "ftrace-single"}, {"6.12", "module-scan"}, {"6.12", "ftrace-bitmap"},
	}
	all := modules(t, realmap.Modules...)
	for _, tt := range tests {
		for _, compiler := range []string{"gcc", "clang"} {
			v := Variant{Arch: X86, Compiler: compiler, AllSymbols: true}
			t.Run(tt.version+"/"+tt.compose+"/"+v.String(), func(t *testing.T) {
				rep, err := Agree(t.Context(), t.TempDir(), source(t, tt.version, tt.compose), Options{
					Seed: 1, Real: all, Whole: true, Variants: []Variant{v}, ReplayDir: t.TempDir(), Timeout: 15 * time.Minute,
				})
				if err != nil {
					t.Fatal(err)
				}
				t.Log(rep.Summary())
				for _, f := range rep.Findings {
					t.Error(f)
				}
				if rep.Lookups < 650_000 {
					t.Errorf("%d lookups, expected 650,000 or more", rep.Lookups)
				}
			})
		}
	}
}
