// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"errors"
	"mime/quotedprintable"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kgen/gen/tree/treetest"
)

// threePatches are a series on one file of the tree.
func threePatches(t *testing.T) string {
	return makePatches(t, treetest.Dir(t, "7.3"), []string{"kernel/kallsyms.c"}, []edit{
		{"kallsyms: One", add("kernel/kallsyms.c", "\n/* one */\n")},
		{"kallsyms: Two é", add("kernel/kallsyms.c", "\n/* two */\n")},
		{"kallsyms: Three", add("kernel/kallsyms.c", "\n/* three */\n")},
	}, "--cover-letter", "-v2")
}

func names(s *Series) (out []string) {
	for _, p := range s.Patches {
		out = append(out, p.Name)
	}
	return out
}

func TestLoadFolder(t *testing.T) {
	s := load(t, threePatches(t))
	want := []string{"v2-0001-kallsyms-One.patch", "v2-0002-kallsyms-Two.patch", "v2-0003-kallsyms-Three.patch"}
	if got := names(s); !slices.Equal(got, want) {
		t.Errorf("patches %q, want %q: by name, without the cover letter", got, want)
	}
	if got := s.Patches[1].Subject; got != "kallsyms: Two é" {
		t.Errorf("subject %q, want it decoded and without its prefix", got)
	}
	if got := s.touches(); !slices.Equal(got, []string{"kernel/kallsyms.c"}) {
		t.Errorf("touches %q", got)
	}
}

// mailbox is a thread as an archive gives it: patches out of order and encoded,
// the cover letter, and a reply that quotes a patch.
func mailbox(t *testing.T) string {
	dir := threePatches(t)
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	two := read("v2-0002-kallsyms-Two.patch")
	head, body, _ := strings.Cut(two, "\n\n")
	head = strings.Replace(head, "Content-Transfer-Encoding: 8bit", "Content-Transfer-Encoding: quoted-printable", 1)
	var encoded strings.Builder
	w := quotedprintable.NewWriter(&encoded)
	if _, err := w.Write([]byte(body)); err != nil {
		t.Fatal(err)
	}
	w.Close()
	quoted := "> " + strings.ReplaceAll(body, "\n", "\n> ")
	reply := "From 0000 Mon Sep 17 00:00:00 2001\nFrom: R <r@kgen>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\n" +
		"Subject: Re: [PATCH v2 2/3] kallsyms: Two\n\nWhy?\n\n" + quoted + "\n"
	box := filepath.Join(t.TempDir(), "thread.mbox")
	writeFile(t, box, read("v2-0003-kallsyms-Three.patch")+"\n"+reply+"\n"+read("v2-0000-cover-letter.patch")+
		"\n"+head+"\n\n"+encoded.String()+"\n"+read("v2-0001-kallsyms-One.patch"))
	return box
}

func TestLoadMailbox(t *testing.T) {
	s := load(t, mailbox(t))
	want := []string{"0001-kallsyms-One.patch", "0002-kallsyms-Two.patch", "0003-kallsyms-Three.patch"}
	if got := names(s); !slices.Equal(got, want) {
		t.Fatalf("patches %q, want %q: by number, without cover letter and reply", got, want)
	}
	r := run(t, options(t, s, treetest.Dir(t, "7.3"), Style))
	if !r.OK() {
		t.Errorf("the mails of the mailbox fail: %+v", r.Checks)
	}
}

func TestLoadRefuses(t *testing.T) {
	good, err := os.ReadFile(filepath.Join(threePatches(t), "v2-0002-kallsyms-Two.patch"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(good)
	_, diff, _ := strings.Cut(text, "\ndiff --git")
	diff = "diff --git" + diff
	other := strings.Replace(text, "v2 2/3", "v2 2/4", 1)
	for _, c := range []struct {
		name, text string
		says       string // what the error names: the fault and the remedy
	}{
		{"empty", "", "git format-patch"},
		{"prose", "Dear list,\n\nhello.\n", "no diff in it; expected a mail"},
		{"binary", "\x00\x01\x02\xff", "expected a mail"},
		{"bare diff", diff, "bare diff without From: and Subject:; commit it"},
		{"cut hunk", text[:strings.Index(text, "\n+/* two")], "a hunk has not as many lines as its header says"},
		{"out of the tree", strings.ReplaceAll(text, "kernel/kallsyms.c", "../kallsyms.c"), "outside the tree"},
		{"absolute", strings.ReplaceAll(text, "a/kernel/kallsyms.c b/kernel/kallsyms.c", "a//etc/passwd b//etc/passwd"), "absolute path"},
		{"into .git", strings.ReplaceAll(text, "kernel/kallsyms.c", ".git/hooks/x"), "outside the tree"},
		{"one number twice", text + "\n" + text, "leave one version"},
		{"two series", text + "\n" + strings.Replace(other, "2/4", "1/4", 1), "does not belong to a series"},
		{"missing number", text + "\n" + strings.Replace(text, "2/3", "3/3", 1), "patch 1 of 3 is missing"},
		{"some numbered", text + "\n" + strings.Replace(text, "PATCH v2 2/3", "PATCH", 1), "has no number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "x.patch")
			writeFile(t, name, c.text)
			_, err := Load(t.Context(), []string{name})
			wantInputError(t, err, c.says)
		})
	}
	t.Run("no such file", func(t *testing.T) {
		_, err := Load(t.Context(), []string{"/nowhere/x.patch"})
		wantInputError(t, err, "no such file or folder")
	})
	t.Run("empty folder", func(t *testing.T) {
		_, err := Load(t.Context(), []string{t.TempDir()})
		wantInputError(t, err, "git format-patch -o")
	})
	t.Run("nothing", func(t *testing.T) {
		_, err := Load(t.Context(), nil)
		wantInputError(t, err, "name a folder")
	})
}

func wantInputError(t *testing.T, err error, says string) {
	t.Helper()
	if !errors.Is(err, ErrInput) || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q, want one line that matches ErrInput and says %q", err, says)
	}
}

// Two folders may both have a 0001-fix.patch; a report must tell them apart.
func TestLoadTellsApart(t *testing.T) {
	dir := threePatches(t)
	s := load(t, filepath.Join(dir, "v2-0001-kallsyms-One.patch"), filepath.Join(dir, "v2-0001-kallsyms-One.patch"))
	if got := names(s); got[0] == got[1] {
		t.Errorf("both are called %q", got[0])
	}
}
