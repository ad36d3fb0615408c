// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"
	"text/template"

	"kgen/gen/mechanism"
	"kgen/gen/tree"
)

// plan is a series worked out for one tree: every edit made in memory, nothing
// written.
type plan struct {
	params   map[string]int
	before   map[string][]byte // the touched files as the tree has them
	steps    []step
	upstream []string // mechanisms the tree has already
	base     string   // the commit that before is the content of, or ""
	data     map[string]any
	funcs    template.FuncMap
}

// step is one patch: the files it changes and their new content.
type step struct {
	mechanism *mechanism.Mechanism
	files     map[string][]byte
}

// Edited returns the files that the series touches as it leaves them, by path.
// Of o it needs the series, its values, the tree and the templates.
func Edited(o Options) (map[string][]byte, error) {
	end, err := edited(o)
	if err != nil {
		return nil, err
	}
	return end.files, nil
}

// Patched is the tree as the series leaves it. A series that the tree has
// already leaves it as it is.
func Patched(o Options) (mechanism.Source, error) {
	end, err := edited(o)
	if errors.Is(err, ErrNothing) {
		return o.Tree, nil
	}
	return end, err
}

func edited(o Options) (*overlay, error) {
	p, err := newPlan(o)
	if err != nil {
		return nil, err
	}
	end := &overlay{under: o.Tree}
	for _, step := range p.steps {
		end.add(step.files)
	}
	return end, nil
}

// newPlan checks every precondition on the tree, then applies the mechanisms
// one after the other.
func newPlan(o Options) (*plan, error) {
	p := &plan{params: make(map[string]int), before: make(map[string][]byte)}
	for _, m := range o.Series.Mechanisms {
		own, err := m.Params.Values(o.Values)
		if err != nil {
			return nil, err
		}
		maps.Copy(p.params, own)
	}
	if err := o.Series.supported(o.Tree); err != nil {
		return nil, err
	}
	missing, upstream, err := o.Series.sort(o.Tree)
	if err != nil {
		return nil, err
	}
	if err := p.takeValues(o, upstream); err != nil {
		return nil, err
	}
	if len(missing) == 0 {
		return nil, fmt.Errorf("%s: %w in Linux %s: %s; nothing to generate", o.Series.Name, ErrNothing, o.Tree.Version, strings.Join(upstream, ", "))
	}
	p.upstream = upstream
	if err := p.texts(o, missing); err != nil {
		return nil, err
	}

	now := &overlay{under: o.Tree}
	for _, m := range missing {
		files, err := m.Apply(now, p.data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		for path := range files {
			if old, err := o.Tree.ReadFile(path); err == nil {
				if err := mailable(o.Tree, path, old); err != nil {
					return nil, err
				}
				p.before[path] = old
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		now.add(files)
		p.steps = append(p.steps, step{mechanism: m, files: files})
	}
	return p, p.findBase(o)
}

// findBase takes the tree's HEAD as the base commit, unless a touched file
// differs from it: then the patches are made against something that no one else
// has, and naming a commit would be a lie.
func (p *plan) findBase(o Options) error {
	p.base = o.Tree.Base
	if o.Tree.Flavour == tree.Git {
		dirty, err := o.Tree.Dirty(sortedKeys(p.before)...)
		if err != nil {
			return err
		}
		if len(dirty) > 0 {
			p.base = ""
			o.Warn(fmt.Sprintf("%s: uncommitted changes, so no base-commit is stated; commit them to have one", strings.Join(dirty, ", ")))
		}
	}
	if o.Base != "" {
		p.base = o.Base
	}
	return nil
}

// texts prepares what the templates may name.
func (p *plan) texts(o Options, missing []*mechanism.Mechanism) error {
	p.data = map[string]any{
		"author":   o.Author.String(),
		"symbols":  o.Scale.Symbols,
		"map":      o.Scale.Map,
		"gaps":     nil,
		"upstream": p.upstream,
		// What the patches are of, in their order.
		"mechanisms": missing,
		"timing":     notMeasured,
	}
	limit, err := o.Tree.NameLimit()
	if err != nil {
		return err
	}
	p.data["name_len"] = limit
	for name, v := range p.params {
		p.data[strings.ReplaceAll(name, "-", "_")] = v
	}
	if shift, ok := p.params["shift"]; ok {
		if gaps := o.Scale.gaps(shift); gaps != nil {
			p.data["gaps"] = gaps
		}
	}
	order := names(missing)
	with := make(map[string]bool)
	for _, name := range slices.Concat(order, p.upstream) {
		with[name] = true
	}
	p.data["with"] = with
	p.data["feature"] = features(o.Tree)
	p.funcs = figureFuncs(o.Scale.Symbols)
	p.funcs["cost"] = func(name string) (string, error) { return cost(o.Patches, name, p.funcs, p.data) }
	p.funcs["has"] = func(name string) bool { return slices.Contains(order, name) }
	p.funcs["number"] = func(name string) int { return slices.Index(order, name) + 1 }
	return nil
}

// features gives texts the value of one of the tree's features, by its name in
// kgen tree show. All are read at the first question.
func features(t *tree.Tree) func(name string) (string, error) {
	read := sync.OnceValues(t.Features)
	return func(name string) (string, error) {
		all, err := read()
		if err != nil {
			return "", err
		}
		for _, f := range all {
			if f.Name == name {
				return f.Value, nil
			}
		}
		return "", fmt.Errorf("a text asks for the feature %q, which kgen tree show does not know", name)
	}
}

// Applies says which mechanisms of the series a tree has already, and with an
// error why the others cannot be made there.
func (s *Series) Applies(t *tree.Tree) (upstream []string, err error) {
	if err := s.supported(t); err != nil {
		return nil, err
	}
	_, upstream, err = s.sort(t)
	return upstream, err
}

// sort tells the mechanisms a tree lacks from those it has. Every precondition
// of the former is checked on the tree as it is.
func (s *Series) sort(src mechanism.Source) (missing []*mechanism.Mechanism, upstream []string, err error) {
	for _, m := range s.Mechanisms {
		has, err := m.Upstream(src)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		if has {
			upstream = append(upstream, m.Name)
			continue
		}
		if err := s.check(m, src); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		missing = append(missing, m)
	}
	return missing, upstream, nil
}

// overlay is a tree with the edits made so far.
type overlay struct {
	under mechanism.Source
	files map[string][]byte
}

func (o *overlay) ReadFile(path string) ([]byte, error) {
	if data, ok := o.files[path]; ok {
		return bytes.Clone(data), nil
	}
	return o.under.ReadFile(path)
}

func (o *overlay) add(files map[string][]byte) {
	if o.files == nil {
		o.files = make(map[string][]byte)
	}
	maps.Copy(o.files, files)
}

func sortedKeys(m map[string][]byte) []string {
	return slices.Sorted(maps.Keys(m))
}
