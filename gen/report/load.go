// SPDX-License-Identifier: GPL-2.0-only

package report

import (
	"encoding/json"
	"errors"
	"fmt"
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

// isStock tells the code that all others are compared with: no series, and not
// the control, which is the stock code once more.
func isStock(v *result.Variant) bool { return v.Series == "" && !v.Control }
