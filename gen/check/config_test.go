// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"io/fs"
	"os"
	"testing"
)

// kconfigView answers make allnoconfig.
type kconfigView struct {
	view
	w    *workspace
	says string
	runs int
}

func (v *kconfigView) command(context.Context, ...string) (output, error) {
	v.runs++
	return output{stderr: v.says}, os.WriteFile(v.w.path("out/.config"), []byte("CONFIG_KALLSYMS=y\n"), 0o644)
}

// What Kconfig says of a configuration is said again when that is taken from the
// cache: else it would be news where a patch has another one made.
func TestKeptConfigSaysTheSame(t *testing.T) {
	w := &workspace{dir: t.TempDir()}
	v := &kconfigView{w: w, says: "kgen.config:12:warning: override: reassigning to symbol EXPERT\n"}
	w.view = v
	writeFile(t, w.path("out/include/config/auto.conf.cmd"), "")
	writeFile(t, w.path("log"), "")
	none := func(string) ([]byte, error) { return nil, fs.ErrNotExist }
	for range 2 {
		if err := os.RemoveAll(w.path("out/.config")); err != nil {
			t.Fatal(err)
		}
		out, err := w.configure(t.Context(), none, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.stdout+out.stderr != v.says {
			t.Errorf("said %q, want %q", out.stdout+out.stderr, v.says)
		}
		if on, err := w.configured(); err != nil || !on["KALLSYMS"] {
			t.Errorf("configured %v, %v", on, err)
		}
	}
	if v.runs != 1 {
		t.Errorf("made %d times, want once", v.runs)
	}
}
