// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"

	"kgen/gen/bench/result"
)

// ErrRun says that a file is not a measuring run that can be reported.
var ErrRun = errors.New("not a measuring run")

// format is the layout of a run that this package reads.
const format = 1

// Load reads a run as kgen bench and kgen sweep write it. The error matches
// ErrRun where the file was read and cannot be used.
func Load(name string) (*result.Run, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	run := new(result.Run)
	if err := json.Unmarshal(data, run); err != nil {
		return nil, fmt.Errorf("%s: %w: %w; give a file that kgen bench --json or kgen sweep --json wrote", name, ErrRun, err)
	}
	if err := Check(run); err != nil {
		return nil, fmt.Errorf("%s: %w; measure again", name, err)
	}
	return run, nil
}

// Check refuses a run whose figures would be wrong or cannot be compared. The
// error matches ErrRun.
func Check(run *result.Run) error {
	if run.Format != format {
		return fmt.Errorf("%w: layout %d, this kgen reads layout %d", ErrRun, run.Format, format)
	}
	if len(run.Columns) == 0 {
		return fmt.Errorf("%w: no column was measured", ErrRun)
	}
	stock, names := 0, make(map[string]bool)
	for i := range run.Variants {
		v := &run.Variants[i]
		if names[v.Name] {
			return fmt.Errorf("%w: two variants are called %q", ErrRun, v.Name)
		}
		names[v.Name] = true
		if isStock(v) {
			stock++
		}
		for column, samples := range v.Samples {
			for round, s := range samples {
				if s <= 0 || math.IsInf(s, 0) || math.IsNaN(s) {
					return fmt.Errorf("%w: %s, column %s, round %d: %v, expected a time above 0", ErrRun, v.Name, column, round+1, s)
				}
			}
		}
	}
	if stock != 1 {
		return fmt.Errorf("%w: %d variants are the stock code, expected 1 to compare with", ErrRun, stock)
	}
	return nil
}

// isStock tells the code that all others are compared with: no series, and not
// the control, which is the stock code once more.
func isStock(v *result.Variant) bool { return v.Series == "" && !v.Control }
