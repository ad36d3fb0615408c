// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"kgen/gen/manifest"
	"kgen/gen/report"
)

// What the texts say of times. A patch is not measured alone.
const (
	notMeasured   = "not measured."
	measuredWhole = "not measured alone; the cover letter has the times of the whole series."
	measuredBelow = "measured in userspace only, as follows."
)

// code is the hash of what is measured: the touched files of the lookups and of
// the host tool as the series leaves them. A benchmark, Kconfig or MAINTAINERS
// have no part in a lookup.
func (p *plan) code() string {
	end := make(map[string][]byte)
	for _, step := range p.steps {
		for path, data := range step.files {
			end[path] = data
		}
	}
	h := sha256.New()
	for _, path := range sortedKeys(end) {
		for _, dir := range []string{"kernel/", "scripts/", "include/"} {
			if strings.HasPrefix(path, dir) {
				fmt.Fprintf(h, "%s %d\n%s", path, len(end[path]), end[path])
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// measured is what was measured of this very code, if the folder that is going
// to be replaced recorded that, and says so where it is of other code.
func (o Options) measured(code string) *manifest.Measurement {
	if !o.Force {
		return nil
	}
	old, err := manifest.Read(o.Out)
	if err != nil || old.Measured == nil {
		return nil // no series there, or none that was measured
	}
	if old.Measured.Code != code {
		o.Warn(fmt.Sprintf("%s was measured with other code, so its times are dropped; kgen bench %[1]s measures the new series", o.Out))
		return nil
	}
	return old.Measured
}

// timing is what the cover letter says about times, as paragraphs.
func timing(m *manifest.Measurement) (string, error) {
	if m == nil {
		return notMeasured, nil
	}
	if err := report.Check(m.Run); err != nil {
		return "", err
	}
	text, err := report.Summarize(m.Run).Mail(manifest.ThisSeries)
	if err != nil {
		return "", err
	}
	return measuredBelow + "\n\n" + text, nil
}
