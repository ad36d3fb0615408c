// SPDX-License-Identifier: GPL-2.0-only

package debian

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// entry is one archive that the machine's apt sources name.
type entry struct {
	uri        string
	suites     []string
	components []string
	signedBy   string
}

// debianSuite matches the suites of Debian's own archives, with group 1 the part
// that says which of them.
var debianSuite = regexp.MustCompile(`^(?:buster|bullseye|bookworm|trixie|forky|duke|sid|oldoldstable|oldstable|stable|testing|unstable)` +
	`(-security|/updates|-updates|-backports(?:-sloppy)?|-proposed-updates)?$`)

// mirrors are where this machine gets Debian from.
type mirrors struct {
	main, security string // "" where the sources name none
}

// readMirrors reads sources.list and sources.list.d of a folder like /etc/apt.
func readMirrors(etcApt string) (mirrors, error) {
	files := []string{filepath.Join(etcApt, "sources.list")}
	for _, ext := range []string{"*.list", "*.sources"} {
		more, err := filepath.Glob(filepath.Join(etcApt, "sources.list.d", ext))
		if err != nil {
			return mirrors{}, err
		}
		files = append(files, more...)
	}
	var all []entry
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			continue // apt reads the others too
		}
		if strings.HasSuffix(file, ".sources") {
			all = append(all, parseDeb822(string(data))...)
		} else {
			all = append(all, parseOneLine(string(data))...)
		}
	}
	m := chooseMirrors(all)
	if m.main == "" {
		return m, fmt.Errorf("%w: none of the apt sources in %s is a Debian archive; use a Debian machine, or add one of Debian's mirrors there", ErrNoMirror, etcApt)
	}
	return m, nil
}

// chooseMirrors takes the likeliest Debian archives. Others use Debian's names of
// suites and components too, so the address and the key have a say.
func chooseMirrors(all []entry) mirrors {
	var m mirrors
	var best, bestSecurity int
	for _, e := range all {
		if !slices.Contains(e.components, "main") || strings.HasPrefix(e.uri, "cdrom:") {
			continue
		}
		for _, suite := range e.suites {
			kind := debianSuite.FindStringSubmatch(suite)
			if kind == nil {
				continue
			}
			switch {
			case kind[1] == "-security", kind[1] == "/updates":
				if n := e.likeliness("debian-security"); n > bestSecurity {
					bestSecurity, m.security = n, e.uri
				}
			default:
				if n := e.likeliness("debian"); n > best {
					best, m.main = n, e.uri
				}
			}
		}
	}
	return m
}

// likeliness is 0 for an archive that has a key of its own, and otherwise grows
// with what speaks for Debian: its key, and the usual last element of the address.
func (e entry) likeliness(last string) int {
	n := 1
	if strings.Contains(e.signedBy, "debian-archive-") {
		n += 2
	} else if e.signedBy != "" {
		return 0
	}
	path := strings.TrimSuffix(strings.TrimRight(e.uri, "/"), ".list") // mirror+file: lists
	if path[strings.LastIndexByte(path, '/')+1:] == last {
		n++
	}
	return n
}

// parseOneLine reads the format of sources.list: "deb [options] uri suite
// component...". Lines that apt would refuse are left out.
func parseOneLine(text string) []entry {
	var all []entry
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "#")
		kind, rest, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "\t", " ")), " ")
		if kind != "deb" {
			continue
		}
		var e entry
		rest = strings.TrimSpace(rest)
		if strings.HasPrefix(rest, "[") {
			options, after, ok := strings.Cut(rest[1:], "]")
			if !ok {
				continue
			}
			for option := range strings.FieldsSeq(options) {
				if name, value, _ := strings.Cut(option, "="); strings.EqualFold(name, "signed-by") {
					e.signedBy = value
				}
			}
			rest = after
		}
		if fields := strings.Fields(rest); len(fields) >= 3 {
			e.uri, e.suites, e.components = fields[0], fields[1:2], fields[2:]
			all = append(all, e)
		}
	}
	return all
}

// parseDeb822 reads the format of *.sources files: stanzas of "Field: value",
// continued on lines that start with a blank.
func parseDeb822(text string) []entry {
	var all []entry
	fields := map[string]string{}
	last := ""
	flush := func() {
		off := slices.Contains([]string{"no", "false", "off", "0", "without", "disable"}, strings.ToLower(strings.TrimSpace(fields["enabled"])))
		if !off && slices.Contains(strings.Fields(fields["types"]), "deb") {
			for uri := range strings.FieldsSeq(fields["uris"]) {
				all = append(all, entry{
					uri:        uri,
					suites:     strings.Fields(fields["suites"]),
					components: strings.Fields(fields["components"]),
					signedBy:   strings.TrimSpace(fields["signed-by"]),
				})
			}
		}
		fields, last = map[string]string{}, ""
	}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		name, value, isField := strings.Cut(line, ":")
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.TrimSpace(line) == "":
			flush()
		case line[0] == ' ' || line[0] == '\t':
			fields[last] += "\n" + line
		case isField:
			last = strings.ToLower(name)
			fields[last] = value
		}
	}
	flush()
	return all
}

// sourcesList is the sources.list that has the suites of a release, and nothing
// else, from these mirrors. Security suites are left out on a machine without a
// security archive: the packages there reach the main one with the next point
// release.
func (m mirrors) sourcesList(suites []string) string {
	var b strings.Builder
	for _, suite := range suites {
		uri := m.main
		if strings.HasSuffix(suite, "-security") {
			uri = m.security
		}
		if uri != "" {
			fmt.Fprintf(&b, "deb [signed-by=%s] %s %s main\n", keyring, uri, suite)
		}
	}
	return b.String()
}
