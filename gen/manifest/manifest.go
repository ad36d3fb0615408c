// SPDX-License-Identifier: GPL-2.0-only

// Package manifest reads and writes series.json, the record of one generated
// series: what was asked for, which tree it was made against, the hash of every
// patch and the outcome of every check. A figure that is not in a manifest does
// not reach a cover letter.
package manifest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kgen/gen/wholefile"
)

// FileName is the manifest's name inside a series folder.
const FileName = "series.json"

// Format is the version of the layout below. It changes when a reader of an
// older file would misunderstand a newer one.
const Format = 1

// Series is the content of series.json.
type Series struct {
	Format     int               `json:"format"`
	Name       string            `json:"series"`
	Parameters map[string]string `json:"parameters,omitempty"`
	Kgen       string            `json:"kgen"` // version of kgen that made the series
	Tree       Tree              `json:"tree"`
	Subject    string            `json:"subject"`
	Prefix     string            `json:"prefix"` // PATCH, RFC PATCH, ...
	Version    int               `json:"version"`
	Date       string            `json:"date"` // RFC 3339
	Figures    map[string]string `json:"figures,omitempty"`
	Upstream   []string          `json:"already_upstream,omitempty"`
	Patches    []Patch           `json:"patches"`
	Model      []File            `json:"model,omitempty"` // the stand-alone Go model
	Checks     []Check           `json:"checks,omitempty"`
	// Code is a hash of the lookups' code as the series leaves it. The texts of
	// the patches are not in it: a series with other words is the same code.
	Code     string       `json:"code"`
	Measured *Measurement `json:"measured,omitempty"`
}

// Tree identifies the kernel tree a series was made against. Base is empty for
// a plain folder: a base-commit that nobody can fetch helps nobody.
type Tree struct {
	Name    string `json:"name,omitempty"` // the fetched name, as 7.3
	Version string `json:"version"`        // as 7.3.4
	Flavour string `json:"flavour"`        // git or folder
	Base    string `json:"base_commit,omitempty"`
}

// Patch is one file of the series, in the order of git am.
type Patch struct {
	File      string   `json:"file"`
	Subject   string   `json:"subject"`
	Mechanism string   `json:"mechanism,omitempty"`
	SHA256    string   `json:"sha256"`
	Touches   []string `json:"touches"` // paths inside the kernel tree
}

// File is a file beside the patches, by its path in the series folder.
type File struct {
	File   string `json:"file"`
	SHA256 string `json:"sha256"`
}

// Check is the outcome of one rung of the ladder.
type Check struct {
	Rung    string            `json:"rung"` // apply, style, build, ...
	OK      bool              `json:"ok"`
	Tree    Tree              `json:"tree"`
	Tools   map[string]string `json:"tools,omitempty"` // tool name to version
	Results []Result          `json:"results"`
}

// Result is the outcome of one rung for one patch, or for the base (Patch "").
type Result struct {
	Patch    string   `json:"patch"`
	OK       bool     `json:"ok"`
	Summary  string   `json:"summary"`
	Messages []string `json:"messages,omitempty"`
}

// Is tells whether DIR has a series.json of this or another layout.
func Is(dir string) bool {
	data, err := os.ReadFile(filepath.Join(dir, FileName))
	var s struct {
		Format int `json:"format"`
	}
	return err == nil && json.Unmarshal(data, &s) == nil && s.Format > 0
}

// Read loads DIR/series.json.
func Read(dir string) (*Series, error) {
	name := filepath.Join(dir, FileName)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	s := new(Series)
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := dec.Decode(s); err != nil {
		return nil, fmt.Errorf("%s: not a series manifest: %w; generate the series again", name, err)
	}
	if s.Format != Format {
		return nil, fmt.Errorf("%s: layout %d, this kgen reads layout %d; generate the series again", name, s.Format, Format)
	}
	return s, nil
}

// Write replaces DIR/series.json in one step.
func (s *Series) Write(dir string) error {
	s.Format = Format
	return wholefile.Write(filepath.Join(dir, FileName), func(w io.Writer) error {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		return enc.Encode(s)
	})
}

// Record replaces the outcome of the rung that c states, or adds it.
func (s *Series) Record(c Check) {
	for i := range s.Checks {
		if s.Checks[i].Rung == c.Rung {
			s.Checks[i] = c
			return
		}
	}
	s.Checks = append(s.Checks, c)
}
