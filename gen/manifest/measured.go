// SPDX-License-Identifier: GPL-2.0-only

package manifest

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kgen/gen/bench/result"
)

// ThisSeries is what a recorded run calls the series whose manifest it is in. The
// folder it was measured from is nobody else's business.
const ThisSeries = "this series"

// Measurement is the run that a series was measured in, with all of its samples.
type Measurement struct {
	Code string      `json:"code"` // the Code of the series that was measured
	Run  *result.Run `json:"run"`  // in which the series is ThisSeries
}

// ErrNotMeasured says that a run does not tell about a series.
var ErrNotMeasured = errors.New("not a measurement of this series")

// RecordRun writes a run into the manifest of the series in dir, in place of an
// earlier one: the cover letter takes its table from there when the series is
// generated again. Variant is what the run calls the series. The error matches
// ErrNotMeasured where the run is of something else: another tree, or patches
// that are not the ones in the manifest any more.
func RecordRun(dir string, run *result.Run, variant string) error {
	m, err := Read(dir)
	if err != nil {
		return err
	}
	if run.Tree != m.Tree.Version {
		return fmt.Errorf("%s: %w: measured on Linux %s, generated for %s; measure with that --tree", dir, ErrNotMeasured, run.Tree, m.Tree.Version)
	}
	i := slices.IndexFunc(run.Variants, func(v result.Variant) bool { return v.Name == variant })
	if i < 0 {
		return fmt.Errorf("%s: %w: the run has no variant %q; measure with this folder as an argument", dir, ErrNotMeasured, variant)
	}
	for _, p := range m.Patches {
		data, err := os.ReadFile(filepath.Join(dir, p.File))
		if err != nil {
			return err
		}
		if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != p.SHA256 {
			return fmt.Errorf("%s: %w: %s was edited since kgen made it; generate the series again and measure that", dir, ErrNotMeasured, p.File)
		}
	}
	own := *run
	own.Variants = slices.Clone(run.Variants)
	own.Variants[i].Name = ThisSeries
	m.Measured = &Measurement{Code: m.Code, Run: &own}
	return m.Write(dir)
}
