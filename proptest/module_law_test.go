// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"kgen/model"
)

// moduleLaw says what is wrong with a module, or "". Where not everything can be
// tried, pick decides.
type moduleLaw func(c moduleCase, pick int64) string

// holdModules holds a law to all modules that once failed, then to those of both
// generators.
func holdModules(t *testing.T, check moduleLaw) {
	t.Helper()
	guarded := func(c moduleCase, pick int64) (complaint string) {
		defer func() {
			if r := recover(); r != nil {
				complaint = fmt.Sprintf("panic: %v at %s", r, panicPlace(string(debug.Stack())))
			}
		}()
		return check(c, pick)
	}
	for file, c := range moduleRegressions(t) {
		if complaint := guarded(c, replayPick); complaint != "" {
			t.Errorf("%s\n%s:\n%v", complaint, file, c)
		}
	}
	for name, modules := range map[string]gopter.Gen{"adversarial": hardModules(), "fitted": fittedModules()} {
		t.Run(name, func(t *testing.T) {
			params := gopter.DefaultTestParametersWithSeed(seed)
			params.MinSuccessfulTests = runs(t)
			params.MaxShrinkCount = 500
			properties := gopter.NewProperties(params)
			properties.Property(t.Name(), prop.ForAll(guarded, modules, gen.Int64Range(0, 1<<40).WithShrinker(gopter.NoShrinker)))
			properties.TestingRun(t, moduleKeeper{t})
		})
	}
}

// moduleKeeper reports the smallest failing module, and keeps it for every later
// run.
type moduleKeeper struct{ t *testing.T }

func (k moduleKeeper) ReportTestResult(name string, result *gopter.TestResult) {
	if result.Passed() {
		return
	}
	k.t.Errorf("after %d modules: %v %s", result.Succeeded, result.Status, strings.Join(result.Labels, "\n"))
	if len(result.Args) == 0 {
		k.t.Error(result.Error)
		return
	}
	text := fmt.Sprint(result.Args[0].Arg)
	file := filepath.Join(moduleRegressDir, fmt.Sprintf("%s-%08x.module", strings.ReplaceAll(name, "/", "-"), FNV1a(text)))
	k.t.Errorf("kept as %s:\n%s", file, text)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		k.t.Error(err)
	}
}

const moduleRegressDir = "testdata/regress"

func moduleRegressions(tb testing.TB) map[string]moduleCase {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(moduleRegressDir, "*.module"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no modules in %s (%v); they belong to the repository", moduleRegressDir, err)
	}
	cases := map[string]moduleCase{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		if cases[file], err = parseModule(string(text)); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
	}
	return cases
}

// String is the module as text: whether it is a livepatch, the regions, and a
// line a symbol.
func (c moduleCase) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "livepatch %v\n", c.livepatch)
	for _, region := range c.mem {
		fmt.Fprintf(&text, "%#x %#x\n", region.Base, region.Size)
	}
	for i, s := range c.symbols {
		fmt.Fprintf(&text, "%#x %#x %#x %#x %#x %v %q\n", s.Value, s.Size, s.Info, s.Other, s.Shndx, c.core[i], s.Name)
	}
	return text.String()
}

func parseModule(text string) (c moduleCase, err error) {
	in := bufio.NewReader(strings.NewReader(text))
	if _, err := fmt.Fscanf(in, "livepatch %v\n", &c.livepatch); err != nil {
		return c, err
	}
	for mem := range c.mem {
		if _, err := fmt.Fscanf(in, "%v %v\n", &c.mem[mem].Base, &c.mem[mem].Size); err != nil {
			return c, err
		}
	}
	for {
		var s model.ElfSymbol
		var core bool
		if _, err := in.Peek(1); err != nil {
			return c, nil
		}
		if _, err := fmt.Fscanf(in, "%v %v %v %v %v %v %q\n", &s.Value, &s.Size, &s.Info, &s.Other, &s.Shndx, &core, &s.Name); err != nil {
			return c, fmt.Errorf("symbol %d: %w", len(c.symbols), err)
		}
		c.symbols, c.core = append(c.symbols, s), append(c.core, core)
	}
}

// TestModuleTexts: what is kept of a failing module is the whole of it.
func TestModuleTexts(t *testing.T) {
	holdModules(t, func(c moduleCase, _ int64) string {
		back, err := parseModule(c.String())
		if err != nil || back.String() != c.String() || !slices.Equal(back.symbols, c.symbols) {
			return fmt.Sprintf("reads back as %v, %v", back, err)
		}
		return ""
	})
}

// TestModuleCoverage: the generators reach what the laws are about.
func TestModuleCoverage(t *testing.T) {
	reached := map[string]int{}
	note := func(what string, is bool) {
		if is {
			reached[what]++
		}
	}
	for _, modules := range []gopter.Gen{hardModules(), fittedModules()} {
		params := gopter.DefaultGenParameters().CloneWithSeed(seed)
		for range runs(t) {
			c := modules(params).Result.(moduleCase)
			at := map[uint64]int{}
			for i, s := range c.symbols {
				note("undefined", s.Undefined())
				note("no name", s.Name == "")
				note("mapping symbol", model.IsMappingSymbol(s.Name))
				note("label", s.Candidate() && !s.Function())
				note("alias", s.Candidate() && at[s.Value] > 0)
				note("at 0", s.Candidate() && s.Value == 0)
				note("init only", !c.core[i])
				note("outside of regions", !c.module(model.Coming).Contains(s.Value))
				if s.Candidate() {
					at[s.Value]++
				}
			}
			note("livepatch", c.livepatch)
			note("empty", len(c.symbols) == 0)
			note("many", len(c.symbols) > 100)
		}
	}
	for _, what := range []string{"undefined", "no name", "mapping symbol", "label", "alias", "at 0", "init only",
		"outside of regions", "livepatch", "empty", "many"} {
		if reached[what] < 3 {
			t.Errorf("%s: %d times in %d modules", what, reached[what], 2*runs(t))
		}
	}
}
