// SPDX-License-Identifier: GPL-2.0-only

package gomodel

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// part is what one design decision contributes to the generated package.
type part struct {
	by        string // the mechanism that decides it; empty in the stock kernel
	constants []constant
	types     []structure
	fields    []field // of the tables
	costs     []field // of the counted cost
	before    string  // statements of Encode before the stream is built
	stream    string  // statements of Encode before each record is appended
	after     string  // statements of Encode once the stream and the addresses stand
	sizes     []size
	lookups   []function
	encoders  []function // that the statements of Encode call
	checks    []check
	tests     []function
}

// size is what a table takes, said three times: as Go expressions of the size it
// has and of the size it has to have for n symbols, and by kgen's own figures.
// Where the symbols decide and not their number, the last two are missing.
type size struct {
	is, hasToBe string
	figure      func(n int) int
}

// check is a property that every table must have: a function of the generated
// test with the parameters of checkParams, that returns a problem or "".
type check struct {
	says string // the property in words
	function
}

const checkParams = "symbols []Symbol, t *Tables"

func property(says, name, doc, body string) check {
	return check{says, function{name: name, params: checkParams, results: "string", doc: doc, body: body}}
}

// locator finds a record in the stream by its sequence number: from an anchor
// of known offset over at most mask records. Anchor number k belongs to
// sequence number k << shift.
type locator struct {
	part
	anchor      func(k string) string // Go expression of the offset of anchor k
	anchors     string                // Go expression of how many there are
	shift, mask string                // names of constants; "" where every record is an anchor
	period      string                // size of the tables that reach all of its code
}

// walks says whether records are stepped over.
func (l *locator) walks() bool { return l.mask != "" }

// design is the stock kernel's lookup with the slots that mechanisms fill.
type design struct {
	series   Series
	changes  []change // for the package comment
	locator  locator
	comparer part
	order    part // the table in name order, and the search of it
	seq      part // how three bytes are put together
	batch    shortcut
	finish   []func(d *design) error // what needs to know all the slots
}

// shortcut is an index that, while it exists, answers before the locator.
type shortcut struct {
	part
	body string // statements in front of the locator's in symbolOffset
}

// change is what a mechanism does, in words.
type change struct {
	title string
	text  string
}

// mechanism is the Go model of a mechanism.
type mechanism struct {
	params map[string]limits
	apply  func(d *design, params map[string]int) error
}

// limits are the values a parameter may have.
type limits struct{ min, max int }

// mechanisms are all that have a model; each registers itself.
var mechanisms = map[string]mechanism{}

func register(name string, m mechanism) { mechanisms[name] = m }

// Mechanisms are the names of all mechanisms that have a model, sorted.
func Mechanisms() []string { return slices.Sorted(maps.Keys(mechanisms)) }

var moduleElement = regexp.MustCompile(`^[a-z0-9]+([._-][a-z0-9]+)*$`)

// checkName refuses a name that cannot end a module path.
func checkName(name string) error {
	if !moduleElement.MatchString(name) {
		return fmt.Errorf("%w: %q; use lower-case letters, digits and single dashes", ErrName, name)
	}
	return nil
}

// newDesign lets the mechanisms of a series fill the slots.
func newDesign(s Series) (*design, error) {
	if err := checkName(s.Name); err != nil {
		return nil, err
	}
	d := &design{series: s, locator: markers(8), comparer: expandAndCompare(), order: nameOrder(), seq: seqLoop()}
	for _, name := range s.Mechanisms {
		m, ok := mechanisms[name]
		if !ok {
			return nil, fmt.Errorf("%w: %q; known are %s", ErrMechanism, name, strings.Join(Mechanisms(), ", "))
		}
		params := map[string]int{}
		for _, p := range slices.Sorted(maps.Keys(m.params)) {
			v, ok := s.Params[p]
			l := m.params[p]
			if !ok {
				return nil, fmt.Errorf("%w %s: %s is missing, expected %d to %d", ErrParam, name, p, l.min, l.max)
			}
			if v < l.min || v > l.max {
				return nil, fmt.Errorf("%w %s: %s is %d, expected %d to %d", ErrParam, name, p, v, l.min, l.max)
			}
			params[p] = v
		}
		if err := m.apply(d, params); err != nil {
			return nil, err
		}
	}
	for _, finish := range d.finish {
		if err := finish(d); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// fill puts a part into a slot, unless a mechanism has filled it before.
func fill(slot *part, p part) error {
	if slot.by != "" {
		return fmt.Errorf("%w: %s and %s; leave one of them out", ErrConflict, slot.by, p.by)
	}
	*slot = p
	return nil
}

func (d *design) locate(l locator) error {
	if err := fill(&d.locator.part, l.part); err != nil {
		return err
	}
	d.locator = l
	return nil
}

func (d *design) change(title, text string) {
	d.changes = append(d.changes, change{title, text})
}

// parts are the filled slots in the order in which their code is read.
func (d *design) parts() []part {
	return []part{d.batch.part, d.locator.part, d.comparer, d.seq, d.order}
}
