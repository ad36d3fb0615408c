// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// store keeps files in a folder, objects and tables, each with what is known of it,
// under a hash of what they are made of.
type store struct{ dir string }

// roomKept is how many bytes of files the folder may keep. What was used last
// longest ago goes first.
const roomKept = 4 << 30

func openStore() (*store, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("finding the cache folder: %w; set HOME or XDG_CACHE_HOME", err)
	}
	s := &store{filepath.Join(cache, "kgen", "bench")}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return nil, fmt.Errorf("%w; set XDG_CACHE_HOME to a folder that can be written", err)
	}
	return s, nil
}

// get returns the file with an ending and fills in what is known of it. An entry
// that cannot be read is made again.
func (s *store) get(key, ending string, known any) (file string, ok bool) {
	data, err := os.ReadFile(s.path(key, ".json"))
	if err != nil || json.Unmarshal(data, known) != nil {
		return "", false
	}
	file = s.path(key, ending)
	now := time.Now()
	return file, os.Chtimes(file, now, now) == nil
}

// put moves a file into the store.
func (s *store) put(key, ending, made string, known any) (file string, err error) {
	data, err := json.Marshal(known)
	if err != nil {
		return "", err
	}
	file = s.path(key, ending)
	if err := os.Rename(made, file); err != nil {
		return "", err
	}
	temp := s.path(key, fmt.Sprintf(".json.%d", os.Getpid()))
	if err := os.WriteFile(temp, data, 0o644); err != nil {
		return "", err
	}
	return file, os.Rename(temp, s.path(key, ".json"))
}

func (s *store) path(key, suffix string) string { return filepath.Join(s.dir, key+suffix) }

// workspace makes a folder on the same file system, for files on their way.
func (s *store) workspace() (string, error) { return os.MkdirTemp(s.dir, "work-*") }

// prune removes what has not been used for longest, until the rest fits, and the
// folders that ended runs left behind.
func (s *store) prune() error {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return err
	}
	type file struct {
		name string
		size int64
		used time.Time
	}
	var files []file
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			continue // removed meanwhile
		}
		switch {
		case e.IsDir() && time.Since(info.ModTime()) > 24*time.Hour:
			if err := os.RemoveAll(filepath.Join(s.dir, e.Name())); err != nil {
				return err
			}
		case !e.IsDir() && filepath.Ext(e.Name()) != ".json":
			files = append(files, file{e.Name(), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(files, func(a, b file) int { return b.used.Compare(a.used) })
	kept := int64(0)
	for _, f := range files {
		if kept += f.size; kept <= roomKept {
			continue
		}
		if err := os.Remove(filepath.Join(s.dir, f.name)); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// hasher makes a key of files and texts.
type hasher struct{ sum [sha256.Size]byte }

// add takes a part with its name, so that moving bytes between parts changes the
// key.
func (h *hasher) add(name string, data []byte) {
	part := sha256.Sum256(data)
	h.sum = sha256.Sum256(slices.Concat(h.sum[:], []byte(name), []byte{0}, part[:]))
}

// addTree takes every file below dir that keep accepts, in order of names.
func (h *hasher) addTree(dir string, keep func(name string) bool) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil || !keep(name) {
			return err
		}
		data, err := os.ReadFile(path)
		h.add(name, data)
		return err
	})
}

func (h *hasher) key() string { return hex.EncodeToString(h.sum[:16]) }
