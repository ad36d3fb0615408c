// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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
	v, err := strconv.Atoi(text)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		why = "out of range"
	}
	if err == nil && v >= p.Min && v <= p.Max && (v-p.Min)%step == 0 {
		return v, nil
	}
	return 0, &paramError{fmt.Sprintf("--%s %s: %s, %s takes %s (%s)", p.Name, text, why, p.mechanism, p.Range(), p.Meaning)}
}

// Has says whether there is a parameter of that name.
func (ps Params) Has(name string) bool {
	return slices.ContainsFunc(ps, func(p Param) bool { return p.Name == name })
}

// Range words the values that the parameter takes, as "0 to 8" or "8 or 16".
func (p Param) Range() string {
	switch {
	case p.Step > 1 && p.Min+p.Step == p.Max, p.Min+1 == p.Max:
		return fmt.Sprintf("%d or %d", p.Min, p.Max)
	case p.Step > 1:
		return fmt.Sprintf("%d to %d in steps of %d", p.Min, p.Max, p.Step)
	}
	return fmt.Sprintf("%d to %d", p.Min, p.Max)
}

// paramError keeps the sentinel's words out of a message that says it all.
type paramError struct{ text string }

func (e *paramError) Error() string { return e.text }
func (e *paramError) Unwrap() error { return ErrParam }
