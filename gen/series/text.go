// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"text/template"
	"unicode/utf8"

	"kgen/gen/mechanism"
)

// lineWidth is how long a line of a commit message may be: checkpatch asks for
// 75, and a reply that quotes it twice still fits 80.
const lineWidth = 75

// message is a rendered text: the subject line and what follows it.
type message struct {
	Subject string
	Body    string
}

// render executes patches/NAME with data and fills its paragraphs.
func render(patches fs.FS, name string, funcs template.FuncMap, data map[string]any) (message, error) {
	t, err := template.New(name).Funcs(funcs).Option("missingkey=error").ParseFS(patches, name)
	if err != nil {
		return message{}, fmt.Errorf("patches/%s: %w", name, err)
	}
	var buf bytes.Buffer
	if err := t.ExecuteTemplate(&buf, baseName(name), data); err != nil {
		return message{}, fmt.Errorf("patches/%s: %w", name, err)
	}
	subject, body, _ := strings.Cut(strings.TrimSpace(buf.String()), "\n")
	if subject == "" || utf8.RuneCountInString(subject) > lineWidth {
		return message{}, fmt.Errorf("patches/%s: the subject %q is empty or over %d columns", name, subject, lineWidth)
	}
	return message{Subject: subject, Body: fill(body)}, nil
}

// cost is what a mechanism costs, in a sentence or two for the cover letter of a
// composition: patches/NAME/cost.tmpl.
func cost(patches fs.FS, mechanism string, funcs template.FuncMap, data map[string]any) (string, error) {
	name := mechanism + "/cost.tmpl"
	text, err := fs.ReadFile(patches, name)
	if err != nil {
		return "", err
	}
	t, err := template.New(name).Funcs(funcs).Option("missingkey=error").Parse(string(text))
	if err != nil {
		return "", fmt.Errorf("patches/%s: %w", name, err)
	}
	var buf bytes.Buffer
	if err := t.Execute(&buf, data); err != nil {
		return "", fmt.Errorf("patches/%s: %w", name, err)
	}
	return strings.Join(strings.Fields(buf.String()), " "), nil
}

// areas is what the subject of a composition starts with: the parts of the kernel
// that its patches are in.
func areas(list []*mechanism.Mechanism) string {
	var found []string
	for _, m := range list {
		area := "kallsyms"
		switch files := strings.Join(m.Touches(), " "); {
		case strings.Contains(files, "kernel/module/"):
			area = "module"
		case strings.Contains(files, "kernel/trace/"):
			area = "ftrace"
		}
		if !slices.Contains(found, area) {
			found = append(found, area)
		}
	}
	return strings.Join(found, ", ")
}

func baseName(name string) string {
	return name[strings.LastIndexByte(name, '/')+1:]
}

// fill breaks each paragraph into lines of at most lineWidth columns, since the
// lengths of the figures in it are not known to its author. A paragraph that
// has an indented line is a list or a table and stays as it is. Runs of blank
// lines, which templates leave behind, become one.
func fill(text string) string {
	var out []string
	for _, para := range strings.Split(text, "\n\n") {
		para = strings.Trim(para, "\n")
		switch {
		case strings.TrimSpace(para) == "":
		case hasIndent(para):
			out = append(out, trimRight(para))
		default:
			out = append(out, wrap(strings.Fields(para), lineWidth))
		}
	}
	return strings.Join(out, "\n\n") + "\n"
}

func hasIndent(para string) bool {
	return para[0] == ' ' || strings.Contains(para, "\n ")
}

func trimRight(para string) string {
	lines := strings.Split(para, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// item makes a text an item of a list, filled.
func item(text string) string {
	const mark = "  - "
	lines := wrap(strings.Fields(text), lineWidth-len(mark))
	return mark + strings.ReplaceAll(lines, "\n", "\n    ")
}

func wrap(words []string, width int) string {
	var b strings.Builder
	col := 0
	for _, w := range words {
		n := utf8.RuneCountInString(w)
		switch {
		case col == 0:
		case col+1+n > width:
			b.WriteByte('\n')
			col = 0
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(w)
		col += n
	}
	return b.String()
}

// comma writes n with a comma between thousands.
func comma(n int) string {
	if n < 0 {
		return "-" + comma(-n)
	}
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", comma(n/1000), n%1000)
}

// kib writes a number of bytes in KiB, with one decimal.
func kib(bytes int) string {
	return fmt.Sprintf("%.1f", float64(bytes)/1024)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
