// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// A replay file must fail again on the code it was found in, and agree on the
// code that is right.
func TestReplay(t *testing.T) {
	base := stock(t, "7.3")
	wrong := Source{Base: base, Patched: edited{Tree: base, file: "kernel/kallsyms.c", old: "while (low) {", new: "while (0) {"}}
	w := prepare(t, wrong)
	opts := Options{Seed: 1, SmallMaps: 80, ReplayDir: t.TempDir(), Brief: true, Variants: w.Variants()[:1]}
	rep, err := w.Agree(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Findings) == 0 {
		t.Fatal("nothing found to replay")
	}
	again, err := w.Replay(t.Context(), rep.Findings[0].File, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(again.Findings) == 0 || again.Findings[0].Kind != rep.Findings[0].Kind {
		t.Errorf("replayed on the wrong code: %s", again.Summary())
	}
	right := prepare(t, Source{Patched: base, Base: base})
	fine, err := right.Replay(t.Context(), rep.Findings[0].File, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(fine.Findings) != 0 || fine.Lookups == 0 {
		t.Errorf("replayed on the right code: %s", fine.Summary())
	}
}

func TestReplayRefusesOtherFiles(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.map")
	if err := os.WriteFile(name, []byte("ffffffff81000000 T _text\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := new(Work).Replay(t.Context(), name, Options{}); !errors.Is(err, ErrReplay) {
		t.Errorf("got %v, expected ErrReplay", err)
	}
}
