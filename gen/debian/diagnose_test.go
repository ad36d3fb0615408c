// SPDX-License-Identifier: GPL-2.0-only

package debian

import (
	"errors"
	"strings"
	"testing"
)

func TestNeedSpace(t *testing.T) {
	if err := NeedSpace("7.3", t.TempDir(), 1); err != nil {
		t.Errorf("one byte: %v", err)
	}
	err := NeedSpace("7.3", t.TempDir(), 1<<62)
	if !errors.Is(err, ErrNoSpace) || !strings.Contains(err.Error(), "needs about 4611686018.4 GB") || !strings.Contains(err.Error(), Remedies[ErrNoSpace]) {
		t.Errorf("more than there is: %v", err)
	}
}

func TestParseURI(t *testing.T) {
	file, size, err := parseURI("'http://mirror.test/a%2b.deb' a+_1_all.deb 166780612 SHA256:0\n")
	if file != "a+_1_all.deb" || size != 166780612 || err != nil {
		t.Errorf("got %q, %d, %v", file, size, err)
	}
	for _, bad := range []string{"", "'x' y", "'x' y z SHA256:0", "'x' y -1 SHA256:0", "'x' y 0"} {
		if _, _, err := parseURI(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestDiagnose(t *testing.T) {
	failed := errors.New("exit status 100")
	tests := []struct {
		reason, messages string
		want             error
		says             string
	}{
		{"a wrong hash is not the network's fault", "E: Failed to fetch http://m.test/x  Hash Sum mismatch", ErrCorrupt, "Hash Sum mismatch"},
		{"a full disk breaks downloads", "xz: unexpected end of input\ntar: x: Cannot write: No space left on device", ErrNoSpace, "tar: x: Cannot write: No space"},
		{"the line that says why, not the first", "W: hello\nE: Could not connect to m.test", ErrNetwork, "download: Could not connect"},
		{"what is not known is told as it is", "E: Something odd\nmore", failed, "exit status 100: Something odd"},
		{"silence", "", failed, "exit status 100"},
	}
	for _, tt := range tests {
		err := Diagnose(t.Context(), "download", failed, tt.messages)
		if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got %v, want %v that says %q", tt.reason, err, tt.want, tt.says)
		}
	}
}
