// SPDX-License-Identifier: GPL-2.0-only

package series

import (
	"strings"
	"testing"

	"kgen/templates"
)

// TestBatchIsTimed holds the benchmark of a series against what there is to
// time: batches where there are any, whether the benchmark comes with the series
// or was in the tree, and nothing more otherwise.
func TestBatchIsTimed(t *testing.T) {
	const file = "lib/test_kallsyms_perf.c"
	for _, tt := range []struct {
		reason, with string
		made, timed  bool
	}{
		{"the benchmark alone", "perf-test", true, false},
		{"a batch alone touches no benchmark", "token-match,batch-index", false, false},
		{"both", "perf-test,token-match,batch-index", true, true},
	} {
		for _, treeName := range []string{"6.12", "7.3"} {
			o := options(t, treeName, "", 4)
			var err error
			if o.Series, o.Values, err = Compose(templates.FS, tt.with); err != nil {
				t.Fatal(err)
			}
			files, err := Edited(o)
			if err != nil {
				t.Fatalf("%s, %s: %v", treeName, tt.reason, err)
			}
			text, made := files[file]
			if made != tt.made {
				t.Errorf("%s, %s: %s made: %v, want %v", treeName, tt.reason, file, made, tt.made)
			}
			for _, want := range []string{
				"kallsyms_lookup_batch_start();\n\t\ttook", "kallsyms_lookup_batch_end();\n\t\ttook",
				"err = time_batches(iters, hit_ns);", "one_hit, &in_batch_ns", "break-even",
			} {
				if strings.Contains(string(text), want) != tt.timed {
					t.Errorf("%s, %s: %q in %s: %v, want %v", treeName, tt.reason, want, file, !tt.timed, tt.timed)
				}
			}
		}
	}
}
