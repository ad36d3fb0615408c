// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"kgen/model"
)

// seed is that of every generator, so that all laws see the same tables, and
// TestCoverage reports on these.
const seed = 1

const (
	runsVariable = "KGEN_PROPTEST_RUNS" // tables of each generator for each law
	defaultRuns  = 100
	fittedMost   = 200 // symbols of a fitted table
	replayPick   = 7   // picks the designs that maps which once failed are tried with
	everyDesign  = -1  // a pick that leaves no choice out
)

// law says what is wrong with a table, or "". Where not everything can be
// tried, pick decides; it comes from the generator, too.
type law func(t Table, pick int64) string

// hold holds a law to all maps that once failed, then to tables of both
// generators.
func hold(t *testing.T, check law) {
	t.Helper()
	check = guarded(check)
	for file, table := range regressions(t) {
		if complaint := check(table, replayPick); complaint != "" {
			t.Errorf("%s\n%s:\n%v", complaint, file, table)
		}
	}
	for _, g := range generators(t) {
		t.Run(g.name, func(t *testing.T) {
			draw(t, g.tables, check)
		})
	}
}

type generator struct {
	name   string
	tables gopter.Gen
}

func generators(tb testing.TB) []generator {
	tb.Helper()
	return []generator{
		{"adversarial", Adversarial()},
		{"fitted", Fitted(realStats(tb), fittedMost)},
	}
}

// draw runs a law on the tables of a generator.
func draw(t *testing.T, tables gopter.Gen, check law) {
	t.Helper()
	params := gopter.DefaultTestParametersWithSeed(seed)
	params.MinSuccessfulTests = runs(t)
	params.MaxShrinkCount = 500
	properties := gopter.NewProperties(params)
	properties.Property(t.Name(), prop.ForAll(shrinkingFor(mostShrinking, check), tables, gen.Int64Range(0, 1<<40).WithShrinker(gopter.NoShrinker)))
	properties.TestingRun(t, keeper{t})
}

// mostShrinking is how long a failing table is cut down. Some faults need
// hundreds of symbols, and then every attempt takes its time.
const mostShrinking = 8 * time.Second

// shrinkingFor passes every table once a law has failed for so long: gopter
// then ends with the smallest table it has.
func shrinkingFor(most time.Duration, check law) law {
	var failed time.Time
	return func(t Table, pick int64) string {
		if !failed.IsZero() && time.Since(failed) > most {
			return ""
		}
		complaint := check(t, pick)
		if complaint != "" && failed.IsZero() {
			failed = time.Now()
		}
		return complaint
	}
}

func runs(tb testing.TB) int {
	tb.Helper()
	text, set := os.LookupEnv(runsVariable)
	if !set {
		return defaultRuns
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		tb.Fatalf("%s=%q, expected a number of tables, such as %d", runsVariable, text, defaultRuns)
	}
	return n
}

// guarded makes a complaint of a panic.
func guarded(check law) law {
	return func(t Table, pick int64) (complaint string) {
		defer func() {
			if r := recover(); r != nil {
				complaint = fmt.Sprintf("panic: %v at %s", r, panicPlace(string(debug.Stack())))
			}
		}()
		return check(t, pick)
	}
}

// panicPlace is the innermost line of the model in a stack.
func panicPlace(stack string) string {
	for line := range strings.Lines(stack) {
		if strings.Contains(line, "/model/") && strings.Contains(line, ".go:") {
			return strings.TrimSpace(line)
		}
	}
	return stack
}

// keeper reports the smallest failing table as a symbol map, and keeps it for
// every later run.
type keeper struct{ t *testing.T }

func (k keeper) ReportTestResult(name string, result *gopter.TestResult) {
	if result.Passed() {
		return
	}
	k.t.Errorf("after %d tables: %v %s", result.Succeeded, result.Status, strings.Join(result.Labels, "\n"))
	if len(result.Args) == 0 {
		k.t.Error(result.Error)
		return
	}
	table, ok := result.Args[0].Arg.(Table)
	if !ok {
		k.t.Error(result.Args[0].ArgFormatted)
		return
	}
	text := table.String()
	file := filepath.Join(regressDir, fmt.Sprintf("%s-%08x.map", strings.ReplaceAll(name, "/", "-"), FNV1a(text)))
	shown, more := Table{some(table.Symbols, mostShown)}, ""
	if len(table.Symbols) > mostShown {
		more = fmt.Sprintf(", of which %d are", mostShown)
	}
	k.t.Errorf("%d symbols (%d at first), kept as %s%s:\n%v",
		len(table.Symbols), strings.Count(result.Args[0].OrigArgFormatted, "\n"), file, more, shown)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		k.t.Error(err)
	}
}

const (
	regressDir = "testdata/regress"
	mostShown  = 40 // symbols of a failing table; the file has all
)

// regressions reads the maps that once failed.
func regressions(tb testing.TB) map[string]Table {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(regressDir, "*.map"))
	if err != nil || len(files) == 0 {
		tb.Fatalf("no maps in %s (%v); they belong to the repository", regressDir, err)
	}
	tables := map[string]Table{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			tb.Fatal(err)
		}
		if tables[file], err = ParseTable(text); err != nil {
			tb.Fatalf("%s: %v", file, err)
		}
	}
	return tables
}

func realStats(tb testing.TB) *Stats {
	tb.Helper()
	symbols, err := RealSymbols()
	if err != nil {
		tb.Fatal(err)
	}
	countedOnce.Do(func() { counted = NewStats(symbols) })
	return counted
}

var (
	countedOnce sync.Once
	counted     *Stats
)

// encode encodes with a density that depends on pick: designs take tables of
// any.
func encode(t Table, pick int64) *model.Tables {
	tables, err := model.Encode(t.Symbols, model.EncodeOptions{MarkerShift: uint(max(pick, 0) % (model.MaxMarkerShift + 1))})
	if err != nil {
		panic(err)
	}
	return tables
}

// choices picks designs for n symbols, the fewer the more there are. A table
// that shrinks keeps the designs it had.
func choices(n int, pick int64) []model.Choice {
	if pick == everyDesign {
		return legalChoices()
	}
	rng := rand.New(rand.NewSource(pick))
	list := make([]model.Choice, max(12, 2000/(n*n+8)))
	for i := range list {
		order := choicesByOrder()[i%len(choicesByOrder())]
		list[i] = order[rng.Intn(len(order))]
	}
	return list
}

var legalChoices = sync.OnceValue(model.Choices)

// choicesByOrder are the choices of each order of names: the orders with many
// parameters would crowd out the others.
var choicesByOrder = sync.OnceValue(func() [][]model.Choice {
	var orders [][]model.Choice
	at := map[model.Mechanism]int{}
	for _, c := range legalChoices() {
		i, known := at[c.Order]
		if !known {
			i, at[c.Order] = len(orders), len(orders)
			orders = append(orders, nil)
		}
		orders[i] = append(orders[i], c)
	}
	return orders
})

// some keeps at most most of a list, spread over it.
func some[T any](list []T, most int) []T {
	if len(list) <= most {
		return list
	}
	kept := make([]T, most)
	for i := range kept {
		kept[i] = list[i*len(list)/most]
	}
	return kept
}

// eachDesign builds designs for a table and hands them to check, those with a
// batch index once closed, once open and once open without memory.
func eachDesign(t Table, pick int64, check func(d *model.Design, s state) string) string {
	tables := encode(t, pick)
	for _, c := range choices(len(t.Symbols), pick) {
		d, err := model.NewDesign(tables, c)
		if err != nil {
			return fmt.Sprintf("%v: %v", c, err)
		}
		states := []state{closed}
		if d.Batch() != nil {
			states = []state{closed, open, starved}
		}
		for _, s := range states {
			if s != closed {
				d.Batch().Start(s == open)
			}
			if complaint := check(d, s); complaint != "" {
				return fmt.Sprintf("%v%s: %s", c, s, complaint)
			}
			if s != closed {
				if err := d.Batch().End(); err != nil {
					return err.Error()
				}
			}
		}
	}
	return ""
}

// state is that of a batch index.
type state string

const (
	closed  state = ""
	open    state = " (batch open)"
	starved state = " (batch open without memory)"
)

// longestWalk is the most records that finding one may pass.
func longestWalk(d *model.Design, s state) int {
	switch c := d.Choice(); {
	case s == open:
		return 0
	case c.Locate == model.GroupSizes: // groups whose size does not fit are walked
		return 255
	default:
		return 1<<c.Shift - 1
	}
}
