// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// target is what make is asked for because the series touches a file.
type target struct {
	name    string   // path below O=: kernel/kallsyms.o, scripts/kallsyms
	source  string   // the C file
	symbols []string // configuration symbols that must be on
	host    bool     // a program that runs during the build
	because string   // why a file that the series does not touch is here
}

// plan is everything to compile at one prefix of the series.
type plan struct {
	targets []target
	notes   []string // touched code that is not compiled, and why
}

// maxUsers bounds how many files are compiled because they include a header.
const maxUsers = 8

// newPlan finds the targets for the touched files, as they are at one prefix.
// Headers are compiled through the files that include them.
func newPlan(read reader, list func(dir string) []string, touched []string) plan {
	var p plan
	for _, file := range touched {
		if _, err := read(file); err != nil {
			continue // not there yet, or no more
		}
		switch path.Ext(file) {
		case ".c", ".S":
			p.addSource(read, file, "")
		case ".h":
			users := headerUsers(read, list, file, touched)
			if len(users) == 0 {
				p.note(file, "found no C file to compile it with")
			}
			for _, user := range users {
				p.addSource(read, user, " (includes "+file+")")
			}
		case ".rs", ".dts", ".dtsi":
			p.note(file, "only C and assembly are compiled here")
		}
	}
	return p
}

func (p *plan) note(file, why string) {
	p.notes = append(p.notes, fmt.Sprintf("not built: %s: %s", file, why))
}

// addSource adds the object or the host program of a source file, or says why
// there is none.
func (p *plan) addSource(read reader, file, because string) {
	if slices.ContainsFunc(p.targets, func(t target) bool { return t.source == file }) {
		return
	}
	stem := strings.TrimSuffix(file, path.Ext(file))
	top, rest, _ := strings.Cut(file, "/")
	switch {
	case top == "scripts":
		if !isHostProgram(read, stem) {
			p.note(file+because, "its Makefile names no program "+path.Base(stem))
			return
		}
		p.targets = append(p.targets, target{name: stem, source: file, host: true, because: because})
		return
	case top == "arch" && !strings.HasPrefix(rest, "x86/"):
		p.note(file+because, "of another architecture than x86_64")
		return
	case slices.Contains([]string{"tools", "samples", "Documentation", "usr"}, top):
		p.note(file+because, "not a part of the kernel")
		return
	}
	symbols, ok := symbolsFor(read, stem+".o")
	if !ok {
		p.note(file+because, "no Makefile names "+stem+".o")
		return
	}
	p.targets = append(p.targets, target{name: stem + ".o", source: file, symbols: symbols, because: because})
}

var hostLine = regexp.MustCompile(`(?m)^[ \t]*(?:hostprogs[\w-]*|always)(?:-always)?(?:-(?:y|m|\$\(CONFIG_\w+\)))?[ \t]*[:+]?=[ \t]*(.*)$`)

func isHostProgram(read reader, stem string) bool {
	data, err := read(path.Join(path.Dir(stem), "Makefile"))
	if err != nil {
		return false
	}
	text := continued.ReplaceAllString(string(data), " ")
	for _, m := range hostLine.FindAllStringSubmatch(text, -1) {
		if slices.Contains(strings.Fields(m[1]), path.Base(stem)) {
			return true
		}
	}
	return false
}

// headerUsers finds C files that show whether a header compiles: those of the
// series that include it; for a header beside C files, its neighbours; for a
// public one, the file of its name, as kernel/kallsyms.c of
// include/linux/kallsyms.h.
func headerUsers(read reader, list func(string) []string, header string, touched []string) []string {
	candidates := slices.DeleteFunc(slices.Clone(touched), func(f string) bool { return path.Ext(f) != ".c" })
	if strings.Contains(header, "include/") {
		for _, dir := range []string{"kernel", "lib", "mm", "fs", "init"} {
			candidates = append(candidates, dir+"/"+strings.TrimSuffix(path.Base(header), ".h")+".c")
		}
	} else {
		for _, name := range list(path.Dir(header)) {
			if filepath.Ext(name) == ".c" {
				candidates = append(candidates, path.Join(path.Dir(header), name))
			}
		}
	}
	_, public, isPublic := strings.Cut(header, "include/")
	var users []string
	for _, c := range candidates {
		spelled := public
		if !isPublic {
			var err error
			if spelled, err = filepath.Rel(path.Dir(c), header); err != nil {
				continue
			}
		}
		data, err := read(c)
		if err != nil || slices.Contains(users, c) || len(users) == maxUsers {
			continue
		}
		include := regexp.MustCompile(`(?m)^[ \t]*#[ \t]*include[ \t]+[<"]` + regexp.QuoteMeta(spelled) + `[>"]`)
		if include.Match(data) {
			users = append(users, c)
		}
	}
	return users
}
