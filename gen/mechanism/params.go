// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrParam says that a parameter's value is not one the mechanism takes.
var ErrParam = errors.New("wrong parameter")

// Param is a whole number that a mechanism is generated for.
type Param struct {
	Name    string `toml:"name"`
	Min     int    `toml:"min"`
	Max     int    `toml:"max"`
	Step    int    `toml:"step"` // from one value to the next; 0 is 1
	Default int    `toml:"default"`
	Prefix  string `toml:"prefix"` // what may stand before the number, as the v of v2
	Meaning string `toml:"meaning"`

	mechanism string
}

// Params are the parameters of a mechanism.
type Params []Param

// Values reads the parameters from their texts, by name. Defaults fill in what
// is not given; names that are not the mechanism's belong to others and are
// passed over. The error is ErrParam.
func (ps Params) Values(given map[string]string) (map[string]int, error) {
	out := make(map[string]int, len(ps))
	for _, p := range ps {
		v := p.Default
		if text, ok := given[p.Name]; ok {
			var err error
			if v, err = p.parse(text); err != nil {
				return nil, err
			}
		}
		out[p.Name] = v
	}
	return out, nil
}

func (p Param) parse(text string) (int, error) {
	step := max(p.Step, 1)
	why := "not a whole number"
	v, err := strconv.Atoi(strings.TrimPrefix(text, p.Prefix))
	if err == nil || errors.Is(err, strconv.ErrRange) {
		why = "out of range"
	}
	if err == nil && v >= p.Min && v <= p.Max && (v-p.Min)%step == 0 {
		return v, nil
	}
	if text == "" {
		text = `""`
	}
	return 0, &paramError{fmt.Sprintf("--%s %s: %s, %s takes %s (%s)", p.Name, text, why, p.mechanism, p.Range(), p.Meaning)}
}

// Has says whether there is a parameter of that name.
func (ps Params) Has(name string) bool {
	return slices.ContainsFunc(ps, func(p Param) bool { return p.Name == name })
}

// Text is how a value is written.
func (p Param) Text(value int) string { return p.Prefix + strconv.Itoa(value) }

// Range words the values that the parameter takes, as "0 to 8" or "v1 or v2".
func (p Param) Range() string {
	low, high := p.Text(p.Min), p.Text(p.Max)
	switch {
	case p.Step > 1 && p.Min+p.Step == p.Max, p.Min+1 == p.Max:
		return low + " or " + high
	case p.Step > 1:
		return fmt.Sprintf("%s to %s in steps of %d", low, high, p.Step)
	}
	return low + " to " + high
}

// paramError keeps the sentinel's words out of a message that says it all.
type paramError struct{ text string }

func (e *paramError) Error() string { return e.text }
func (e *paramError) Unwrap() error { return ErrParam }
