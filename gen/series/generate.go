// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"kgen/gen/gomodel"
	"kgen/gen/manifest"
	"kgen/gen/mechanism"
	"kgen/gen/tree"
)

var (
	// ErrNothing says that the tree has everything the series would bring.
	ErrNothing = errors.New("already upstream")
	// ErrSemantics says that the series changes answers, which nobody accepted.
	ErrSemantics = errors.New("changes answers")
)

// Options say what to generate and how it is signed.
type Options struct {
	Series *Series
	Values map[string]string // parameters by name, as given; defaults fill the rest
	Tree   *tree.Tree
	Out    string // the folder to make
	Force  bool   // replace Out if it exists

	AcceptSemanticChange bool // make patches that change answers, too

	Author  Ident
	Date    time.Time
	SignOff bool
	Prefix  string // PATCH, RFC PATCH, ...
	Version int    // 1 is the first
	Base    string // overrides the tree's base commit

	Scale Scale  // the table that the texts' figures are for
	Kgen  string // version of kgen, for the manifest

	Patches   fs.FS // texts and descriptions
	Templates fs.FS // mechanisms
	Warn      func(string)
}

// Generate makes the series in o.Out and returns its manifest. Nothing is
// written before it is certain that every patch can be made, and o.Out appears
// whole or not at all.
func Generate(ctx context.Context, o Options) (*manifest.Series, error) {
	p, err := newPlan(o)
	if err != nil {
		return nil, err
	}
	if err := p.accepted(o); err != nil {
		return nil, err
	}
	place, err := newPlace(o.Out, o.Tree.Dir, o.Force)
	if err != nil {
		return nil, err
	}
	defer place.abandon()

	attributes, err := o.Tree.ReadFile(".gitattributes")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	s, err := newScratch(o.Author, o.Date, attributes)
	if err != nil {
		return nil, err
	}
	defer s.remove()

	s.add(commit{Message: "The touched files as the tree has them\n", Files: p.before})
	m := p.manifest(o)
	if m.Measured = o.measured(m.Code); m.Measured != nil {
		p.data["timing"] = measuredWhole
	}
	for _, step := range p.steps {
		msg, err := render(o.Patches, step.mechanism.Name+"/message.tmpl", p.funcs, p.data)
		if err != nil {
			return nil, err
		}
		text := msg.Subject + "\n\n" + msg.Body
		if o.SignOff {
			text += "\nSigned-off-by: " + o.Author.String() + "\n"
		}
		s.add(commit{Message: text, Files: step.files})
		m.Patches = append(m.Patches, manifest.Patch{
			Subject: msg.Subject, Mechanism: step.mechanism.Name, Touches: sortedKeys(step.files),
		})
	}
	if p.data["timing"], err = timing(m.Measured); err != nil {
		return nil, fmt.Errorf("%s: %w; measure again", filepath.Join(o.Out, manifest.FileName), err)
	}
	cover, err := render(o.Patches, o.Series.Name+"/cover.tmpl", p.funcs, p.data)
	if err != nil {
		return nil, err
	}
	m.Subject = cover.Subject
	if o.SignOff {
		cover.Body += "\nSigned-off-by: " + o.Author.String() + "\n"
	}

	files, err := s.formatPatch(ctx, place.dir, o.Prefix, o.Version, cover)
	if err != nil {
		return nil, err
	}
	if len(files) != len(p.steps)+1 {
		return nil, fmt.Errorf("git made %d files of %d patches and a cover letter", len(files), len(p.steps))
	}
	if err := addBase(files[0], m.Tree.Base); err != nil {
		return nil, err
	}
	for i, name := range files[1:] {
		m.Patches[i].File = filepath.Base(name)
		if m.Patches[i].SHA256, err = hashFile(name); err != nil {
			return nil, err
		}
	}
	if m.Model, err = p.model(o, place.dir); err != nil {
		return nil, err
	}
	if err := m.Write(place.dir); err != nil {
		return nil, outputError(o.Out, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return m, place.commit()
}

// accepted refuses patches that change answers, unless that is what is wanted.
func (p *plan) accepted(o Options) error {
	for _, step := range p.steps {
		if s := step.mechanism.Semantics; s != nil && !o.AcceptSemanticChange {
			return fmt.Errorf("%s %w: %s; make %s instead, which changes none, or say --accept-semantic-change to have each change listed in the cover letter",
				step.mechanism.Name, ErrSemantics, s.Reason, s.Instead)
		}
	}
	return nil
}

// model writes the stand-alone Go model of what the tree is once the series is
// in, whether a mechanism comes from it or was there before.
func (p *plan) model(o Options, dir string) ([]manifest.File, error) {
	written, err := gomodel.Emit(filepath.Join(dir, modelFolder), gomodel.Series{
		Name: o.Series.Name, Mechanisms: names(o.Series.Mechanisms), Params: p.params,
	})
	if err != nil {
		return nil, outputError(o.Out, err)
	}
	var files []manifest.File
	for _, name := range written {
		sum, err := hashFile(filepath.Join(dir, modelFolder, name))
		if err != nil {
			return nil, err
		}
		files = append(files, manifest.File{File: modelFolder + "/" + name, SHA256: sum})
	}
	return files, nil
}

// modelFolder is the folder of the Go model inside a series folder.
const modelFolder = "model"

func hashFile(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}

// addBase states the base commit in the cover letter, above the signature,
// where git format-patch --base puts it.
func addBase(cover, base string) error {
	if base == "" {
		return nil
	}
	data, err := os.ReadFile(cover)
	if err != nil {
		return err
	}
	at := bytes.LastIndex(data, []byte("\n-- \n"))
	if at < 0 {
		return fmt.Errorf("%s: no signature line to put the base commit above", cover)
	}
	line := "\nbase-commit: " + base + "\n"
	data = append(data[:at:at], append([]byte(line), data[at:]...)...)
	return os.WriteFile(cover, data, 0o644)
}

func (p *plan) manifest(o Options) *manifest.Series {
	m := &manifest.Series{
		Name:       o.Series.Name,
		Parameters: make(map[string]string),
		Kgen:       o.Kgen,
		Tree: manifest.Tree{
			Name: o.Tree.Name, Version: o.Tree.Version,
			Flavour: string(o.Tree.Flavour), Base: p.base,
		},
		Prefix:   o.Prefix,
		Version:  o.Version,
		Date:     o.Date.Format(time.RFC3339),
		Figures:  o.Scale.figures(),
		Upstream: p.upstream,
		Code:     p.code(),
	}
	for _, param := range o.Series.Params() {
		m.Parameters[param.Name] = param.Text(p.params[param.Name])
	}
	return m
}

// mechanisms of the series, by name, for messages.
func names(all []*mechanism.Mechanism) []string {
	var out []string
	for _, m := range all {
		out = append(out, m.Name)
	}
	return out
}
