// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// message is a mail as git takes it apart.
type message struct {
	source  string // the file it came from
	file    string // the mail alone, as sent
	author  string // as "NAME <ADDRESS>"
	subject string // decoded, with [PATCH n/m]
	date    string
	log     string // commit message below the subject
	diff    string // from the --- line on, without transfer encoding
}

// splitMails takes the file apart with git, which knows about separators,
// encodings, MIME and in-body headers what git am knows.
func splitMails(ctx context.Context, name, temp string) ([]message, error) {
	dir, err := os.MkdirTemp(temp, "")
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, err
	}
	// -b takes a file without a "From " line as one mail, as git am does.
	out, err := git(ctx, dir, nil, "mailsplit", "-b", "-o"+dir, "--", abs)
	if err != nil {
		return nil, err
	}
	if out.code != 0 {
		return nil, fmt.Errorf("%w: %s: git cannot split it into mails (%s); give an mbox or git format-patch files", ErrInput, name, out.last())
	}
	files, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	if err != nil {
		return nil, err
	}
	var all []message
	for _, file := range files {
		m, err := readMail(ctx, name, file)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: %s: empty; expected a mail as git format-patch writes it", ErrInput, name)
	}
	return all, nil
}

func readMail(ctx context.Context, source, file string) (message, error) {
	m := message{source: source, file: file}
	raw, err := os.ReadFile(file)
	if err != nil {
		return m, err
	}
	// -k keeps [PATCH n/m] in the subject.
	out, err := git(ctx, filepath.Dir(file), raw, "mailinfo", "-k", "--encoding=UTF-8", file+".log", file+".diff")
	if err != nil {
		return m, err
	}
	if out.code != 0 {
		return m, fmt.Errorf("%w: %s: git cannot read it as a mail (%s); give git format-patch files", ErrInput, source, out.last())
	}
	head := make(map[string]string)
	for line := range strings.Lines(out.stdout) {
		if key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); ok {
			head[key] = value
		}
	}
	m.subject, m.date = head["Subject"], head["Date"]
	if head["Author"] != "" {
		m.author = head["Author"] + " <" + head["Email"] + ">"
	}
	log, err := os.ReadFile(file + ".log")
	if err != nil {
		return m, err
	}
	diff, err := os.ReadFile(file + ".diff")
	if err != nil {
		return m, err
	}
	m.log, m.diff = string(log), string(diff)
	return m, nil
}

var diffStart = regexp.MustCompile(`(?m)^(diff --git |--- \S.*\n\+\+\+ )`)

// hasDiff tells patches from cover letters and replies.
func (m message) hasDiff() bool { return diffStart.MatchString(m.diff) }

// patch makes the message one that can be checked.
func (m message) patch(name string) (Patch, error) {
	if m.subject == "" || m.author == "" {
		return Patch{}, fmt.Errorf("%w: %s: a bare diff without From: and Subject:; commit it and make a mail with git format-patch", ErrInput, m.source)
	}
	touches, err := touchedPaths(m.diff)
	if err != nil {
		return Patch{}, fmt.Errorf("%w: %s: %w", ErrInput, m.source, err)
	}
	p := Patch{Name: name, Subject: m.title(), Touches: touches, mail: m.file, plain: m.file}
	encoded, err := m.encoded()
	if err != nil {
		return Patch{}, err
	}
	if encoded {
		p.plain = m.file + ".plain"
		text := fmt.Sprintf("From: %s\nDate: %s\nSubject: %s\n\n%s%s", m.author, m.date, m.subject, m.log, m.diff)
		if err := os.WriteFile(p.plain, []byte(text), 0o600); err != nil {
			return Patch{}, err
		}
	}
	return p, nil
}

// encoded tells whether the mail hides its lines behind a transfer encoding or
// MIME parts, which checkpatch would take for the patch.
func (m message) encoded() (bool, error) {
	raw, err := os.ReadFile(m.file)
	if err != nil {
		return false, err
	}
	if i := bytes.IndexByte(raw, '\n'); bytes.HasPrefix(raw, []byte("From ")) && i >= 0 {
		raw = raw[i+1:]
	}
	parsed, err := mail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return true, nil // odd headers: git's reading of them is the better one
	}
	plain := []string{"", "7bit", "8bit", "binary"}
	encoding := strings.ToLower(strings.TrimSpace(parsed.Header.Get("Content-Transfer-Encoding")))
	kind := strings.ToLower(parsed.Header.Get("Content-Type"))
	return !slices.Contains(plain, encoding) || strings.HasPrefix(kind, "multipart/"), nil
}

// git runs git, blind to any configuration, and explains a missing git.
func git(ctx context.Context, dir string, stdin []byte, args ...string) (output, error) {
	out, err := proc{name: "git", args: args, dir: dir, env: gitEnv(), stdin: stdin}.run(ctx)
	if errors.Is(err, exec.ErrNotFound) {
		return output{}, toolError("git")
	}
	return out, err
}
