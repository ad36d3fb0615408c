// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"kgen/model"
)

// A server says of each map what the host tool says that is started for it, also
// after one at which the tool died.
func TestToolServer(t *testing.T) {
	tree := edited{Tree: stock(t, "7.3"), file: hostToolFile,
		old: "int main(int argc, char **argv)\n{",
		new: "int main(int argc, char **argv)\n{\n\tFILE *m = fopen(argv[argc - 1], \"r\");\n\tchar line[64];\n\tif (m && fgets(line, sizeof(line), m) && strstr(line, \"die\"))\n\t\t*(volatile int *)8 = 1;\n\tif (m && strstr(line, \"say\")) {\n\t\tfprintf(stderr, \"kallsyms failure: no\\n\");\n\t\treturn 1;\n\t}"}
	w := prepare(t, Source{Patched: tree, Base: tree})
	tool, err := w.BuildHostTool(t.Context(), "gcc", true, Sanitized)
	if err != nil {
		t.Fatal(err)
	}
	s, err := startToolServer(t.Context(), tool)
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	options := w.ToolOptions(w.Variants()[0])
	fault := func(name string) []model.Symbol { return []model.Symbol{{Addr: 1, Type: 'T', Name: name}} }
	for i, symbols := range [][]model.Symbol{SmallMap(1, 40, 64), fault("die"), SmallMap(1, 3, 64), fault("say"), nil, SmallMap(1, 38, 64)} {
		want, wantErr := RunHostTool(t.Context(), tool, options, symbols)
		got, err := s.run(options, symbols)
		if !bytes.Equal(got, want) || (err == nil) != (wantErr == nil) || errors.Is(err, ErrRefused) != errors.Is(wantErr, ErrRefused) {
			t.Errorf("map %d: %d bytes, %v; started anew: %d bytes, %v", i, len(got), err, len(want), wantErr)
		}
		if err != nil && !errors.Is(err, ErrHostTool) {
			t.Errorf("map %d: %v, want ErrHostTool", i, err)
		}
		if i == 1 && (err == nil || !strings.Contains(err.Error(), "null pointer") && !strings.Contains(err.Error(), "SEGV")) {
			t.Errorf("%v, want the sanitizer's words", err)
		}
	}
	s.cmd.Process.Kill()
	if _, err := s.run(options, fault("f")); !errors.Is(err, errServer) || !s.dead {
		t.Errorf("%v, want that the server ended", err)
	}
}
