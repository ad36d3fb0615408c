// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kgen/gen/check"
	"kgen/gen/csrc"
	"kgen/gen/manifest"
	"kgen/gen/mechanism"
	"kgen/gen/series"
	"kgen/gen/tree"
	"kgen/gen/visible"
	"kgen/model"
	"kgen/patches"
	"kgen/templates"
)

// ErrSeries: what is to be measured is not described as it should be.
var ErrSeries = errors.New("no such design")

// errAsInTree: what is to be measured is what the tree has already.
var errAsInTree = errors.New("nothing to measure")

// FromSeries is the design of a series, such as "density,shift=4": the name of the
// series, and parameters where they are not the defaults.
func FromSeries(t *tree.Tree, text string) (Design, error) {
	words := strings.Split(text, ",")
	s, err := series.Load(patches.FS, templates.FS, words[0])
	if err != nil {
		return Design{}, fmt.Errorf("%w: %w", ErrSeries, err)
	}
	known := map[string]bool{}
	for _, p := range s.Params() {
		known[p.Name] = true
	}
	values := map[string]string{}
	for _, w := range words[1:] {
		name, value, ok := strings.Cut(w, "=")
		if !ok || !known[name] {
			return Design{}, fmt.Errorf("%w: %q: %s has no parameter %q; expected NAME[,PARAMETER=VALUE]..., kgen list shows the parameters", ErrSeries, text, s.Name, w)
		}
		if old, given := values[name]; given {
			return Design{}, fmt.Errorf("%w: %q: %s is %s already; give each parameter once", ErrSeries, text, name, old)
		}
		values[name] = value
	}
	return compose(t, s, text, values)
}

// FromList is the design of mechanisms put together, as series.Compose takes them.
func FromList(t *tree.Tree, text string) (Design, error) {
	s, values, err := series.Compose(templates.FS, text)
	if err != nil {
		return Design{}, fmt.Errorf("%w: %w", ErrSeries, err)
	}
	return compose(t, s, text, values)
}

func compose(t *tree.Tree, s *series.Series, text string, values map[string]string) (Design, error) {
	patched, err := series.Patched(series.Options{
		Series: s, Tree: t, Values: values, Patches: patches.FS, Templates: templates.FS, Warn: func(string) {},
	})
	if err != nil {
		return Design{}, err
	}
	name := ListName(text)
	d := Design{Name: name, Series: name, Params: map[string]int{}, Tree: patched}
	var names []string
	for _, m := range s.Mechanisms {
		own, err := m.Params.Values(values)
		if err != nil {
			return Design{}, err
		}
		maps.Copy(d.Params, own)
		names = append(names, m.Name)
	}
	if err := d.choose(names); err != nil {
		return Design{}, err
	}
	return d, d.isMeasured(t)
}

// FromFolder is the design of patches as kgen check takes them: a folder, an mbox,
// or a patch. Of a folder that kgen made, the model counts costs as well.
func FromFolder(ctx context.Context, t *tree.Tree, dir string) (Design, error) {
	loaded, err := check.Load(ctx, []string{dir})
	if err != nil {
		return Design{}, err
	}
	defer loaded.Close()
	name := FolderName(dir)
	d := Design{Name: name, Series: name, Params: map[string]int{}} // no series at all is stock
	if d.Tree, err = check.Patched(ctx, loaded, t); err != nil {
		return Design{}, err
	}
	if err := d.isMeasured(t); err != nil {
		return Design{}, err
	}
	m, err := manifest.Read(dir)
	if err != nil {
		return d, nil // not kgen's, or a file: nothing is known of it
	}
	d.Series = m.Name
	for name, text := range m.Parameters {
		if d.Params[name], err = strconv.Atoi(text); err != nil {
			return d, fmt.Errorf("%s: parameter %s: %w", dir, name, err)
		}
	}
	var names []string
	for _, p := range m.Patches {
		names = append(names, p.Mechanism)
	}
	return d, d.choose(names)
}

// isMeasured makes sure that a design is about what is compiled and timed. Numbers
// of any other would be those of the stock code under another name.
func (d *Design) isMeasured(t *tree.Tree) error {
	for _, name := range []string{"kernel/kallsyms.c", "scripts/kallsyms.c", "kernel/kallsyms_internal.h", "include/linux/kallsyms.h"} {
		before, err := t.ReadFile(name)
		if err != nil {
			return err
		}
		after, err := d.Tree.ReadFile(name)
		if err != nil || !bytes.Equal(before, after) {
			return err
		}
	}
	_, before, err := ftracePart(t)
	if err != nil {
		return err
	}
	_, after, err := ftracePart(d.Tree)
	if err != nil || !slices.EqualFunc(before, after, func(a, b csrc.Item) bool { return a.Text == b.Text }) {
		return err
	}
	return fmt.Errorf("%w: %w: %q leaves kernel/kallsyms.c, scripts/kallsyms.c and ftrace_lookup_symbols() as they are in the tree, and only they are measured; leave it out", ErrSeries, errAsInTree, d.Name)
}

// FolderName is what a run calls the design of a folder.
func FolderName(dir string) string { return visible.Text(strings.TrimSuffix(dir, "/")) }

// ListName is what a run calls the design of a list of mechanisms.
func ListName(list string) string {
	items := strings.Split(list, ",")
	for i := range items {
		items[i] = strings.TrimSpace(items[i])
	}
	return strings.Join(items, ",")
}

// ErrNames: what is to be measured cannot be told apart.
var ErrNames = errors.New("two designs of one name")

// Distinct makes sure that the designs of a run can be told apart. The error is
// ErrNames.
func Distinct(names []string) error {
	for i, name := range names {
		if name == Stock || name == StockAgain {
			return fmt.Errorf("%w: a run calls the tree without any %q; name the folder otherwise, such as ./%s", ErrNames, name, name)
		}
		if slices.Contains(names[:i], name) {
			return fmt.Errorf("%w: %q; give each design once, or name the folder otherwise, such as ./%s", ErrNames, name, name)
		}
	}
	return nil
}

// choose finds the design in the model, by its mechanisms and parameters.
func (d *Design) choose(mechanisms []string) error {
	var inModel []string
	for _, name := range mechanisms {
		known := slices.Contains(model.Mechanisms(), model.Mechanism(name))
		if known {
			inModel = append(inModel, name)
		}
		if known || name == "ftrace-single" {
			d.Mechanisms = append(d.Mechanisms, name)
		}
	}
	c, err := model.Choose(inModel, model.Params{
		Shift: uint(d.Params["shift"]), BucketShift: uint(d.Params["bucket-shift"]), StartBits: uint(d.Params["start-bits"]),
		BlockShift: uint(d.Params["block-shift"]), EntryBytes: uint(d.Params["entry-bytes"]),
	})
	if err != nil {
		return fmt.Errorf("%w: %w", ErrSeries, err)
	}
	d.Choice = &c
	return nil
}

// IsUsage says whether an error is about what was asked for, not about what came
// of it.
func IsUsage(err error) bool {
	return errors.Is(err, ErrSeries) || errors.Is(err, mechanism.ErrParam) || errors.Is(err, check.ErrInput) || errors.Is(err, fs.ErrNotExist)
}
