// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"kgen/gen/manifest"
)

// loadManifest decides what a folder with a series.json is: kgen's own work,
// whose outcome can be recorded, or that work edited since, which is checked all
// the same. It returns the patch files in order.
func (s *Series) loadManifest(dir string, m *manifest.Series, found []string, alone bool) ([]string, error) {
	var listed []string
	for _, p := range m.Patches {
		if filepath.Base(p.File) != p.File {
			return nil, fmt.Errorf("%w: %s: %q is not a plain file name; generate the series again",
				ErrInput, filepath.Join(dir, manifest.FileName), p.File)
		}
		listed = append(listed, filepath.Join(dir, p.File))
	}
	for _, name := range listed {
		if !slices.Contains(found, name) {
			return nil, fmt.Errorf("%w: %s: series.json lists it, and it is not there; generate the series again", ErrInput, name)
		}
	}
	edited := editedPatch(dir, m)
	for _, name := range found {
		if !slices.Contains(listed, name) && filepath.Base(name) != coverName(m) {
			// Somebody put a patch in: the file names say where it goes.
			edited, listed = filepath.Base(name), found
			break
		}
	}
	switch {
	case edited != "":
		s.Warnings = append(s.Warnings, fmt.Sprintf(
			"%s is not as series.json lists it (edited by hand?): the outcome will not be recorded", filepath.Join(dir, edited)))
	case alone:
		s.dir, s.manifest = dir, m
	}
	return listed, nil
}

// coverName is what git format-patch calls the cover letter of this series.
func coverName(m *manifest.Series) string {
	if m.Version > 1 {
		return fmt.Sprintf("v%d-0000-cover-letter.patch", m.Version)
	}
	return "0000-cover-letter.patch"
}

// editedPatch names the first patch whose content is not the one in the
// manifest, or nothing.
func editedPatch(dir string, m *manifest.Series) string {
	for _, p := range m.Patches {
		data, err := os.ReadFile(filepath.Join(dir, p.File))
		sum := sha256.Sum256(data)
		if err != nil || hex.EncodeToString(sum[:]) != p.SHA256 {
			return p.File
		}
	}
	return ""
}

// Record writes the outcome into the series.json of a folder that kgen made, and
// does nothing for other input. It reads the file again, since a check takes
// long enough for somebody to generate or edit the series meanwhile: then the
// error matches ErrEdited, and nothing is written.
func (s *Series) Record(checks []manifest.Check) error {
	if s.manifest == nil {
		return nil
	}
	m, err := manifest.Read(s.dir)
	if err != nil {
		return err
	}
	same := slices.EqualFunc(m.Patches, s.manifest.Patches, func(a, b manifest.Patch) bool {
		return a.File == b.File && a.SHA256 == b.SHA256
	})
	edited := editedPatch(s.dir, m)
	if !same || edited != "" {
		return fmt.Errorf("%s: %w, while it was checked: the outcome is not recorded; check again", s.dir, ErrEdited)
	}
	for _, c := range checks {
		m.Record(c)
	}
	if err := m.Write(s.dir); err != nil {
		return fmt.Errorf("the outcome is not recorded: %w", err)
	}
	return nil
}
