// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"kgen/gen/mechanism"
)

// ErrCompose says that mechanisms cannot be put together as asked for.
var ErrCompose = errors.New("cannot compose")

// composed is the name of a series that is put together on the command line,
// and the folder of its cover letter under patches/.
const composed = "composed"

// Compose puts mechanisms together to a series that no folder describes. The
// text is a list such as
//
//	token-match,density=6,hash-order:bucket-shift=5:start-bits=16
//
// in the order of the patches. "=6" is the value of a mechanism's first
// parameter. The values come back by parameter. The error is ErrCompose.
func Compose(templates fs.FS, text string) (*Series, map[string]string, error) {
	s := &Series{Name: composed, templates: templates}
	values := make(map[string]string)
	var again error // of a parameter; mechanisms that exclude each other may share it
	for item := range strings.SplitSeq(text, ",") {
		words := strings.Split(strings.TrimSpace(item), ":")
		name, first, hasFirst := strings.Cut(words[0], "=")
		m, err := mechanism.Load(templates, name)
		if err != nil {
			return nil, nil, fmt.Errorf("%w: %w", ErrCompose, err)
		}
		if hasFirst {
			if len(m.Params) == 0 {
				return nil, nil, fmt.Errorf("%w: %q: %s has no parameter", ErrCompose, item, name)
			}
			words[0] = m.Params[0].Name + "=" + first
		} else {
			words = words[1:]
		}
		for _, w := range words {
			param, value, ok := strings.Cut(w, "=")
			if !ok || !m.Params.Has(param) {
				return nil, nil, fmt.Errorf("%w: %q: %s has no parameter %q; expected NAME[=VALUE][:PARAMETER=VALUE]..., kgen list shows the parameters", ErrCompose, item, name, param)
			}
			if old, given := values[param]; given && again == nil {
				again = fmt.Errorf("%w: %q: %s is %s already; give each parameter once", ErrCompose, item, param, old)
			}
			values[param] = value
		}
		s.Mechanisms = append(s.Mechanisms, m)
	}
	if err := mechanism.Together(s.Mechanisms); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCompose, err)
	}
	if again != nil {
		return nil, nil, again
	}
	return s, values, nil
}
