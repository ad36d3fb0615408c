// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"errors"
	"maps"
	"strings"
	"testing"

	"kgen/gen/csrc"
	"kgen/templates"
)

// What a mechanism leaves in a tree says which parameters it was made with.
func TestValuesOf(t *testing.T) {
	for _, c := range []struct {
		mechanism string
		values    map[string]int
	}{
		{"density", map[string]int{"shift": 0}},
		{"density", map[string]int{"shift": 8}},
		{"sub-markers", map[string]int{"shift": 5}},
		{"hash-order", map[string]int{"bucket-shift": 5, "start-bits": 8, "prefetch": 0}},
		{"hash-order", map[string]int{"bucket-shift": 4, "start-bits": 16, "prefetch": 1}},
		{"name-offsets", map[string]int{"prefetch": 0}},
		{"name-offsets", map[string]int{"prefetch": 1}},
		{"ftrace-module", map[string]int{"review": 1}},
		{"ftrace-module", map[string]int{"review": 2}},
	} {
		for _, v := range versions {
			m, err := Load(templates.FS, c.mechanism)
			if err != nil {
				t.Fatal(err)
			}
			texts := data(t, v, []*Mechanism{m})
			for name, n := range c.values {
				texts[strings.ReplaceAll(name, "-", "_")] = n
			}
			files, err := m.Apply(lab(t, v), texts)
			if err != nil {
				t.Fatal(err)
			}
			have, err := m.ValuesOf(layers{lab(t, v), files})
			if err != nil || !maps.Equal(have, c.values) {
				t.Errorf("%s: %s made with %v has %v (%v)", v, c.mechanism, c.values, have, err)
			}
		}
	}
	m, err := Load(templates.FS, "density")
	if err != nil {
		t.Fatal(err)
	}
	src := memory{"kernel/kallsyms_internal.h": "#define KALLSYMS_MARKER_SHIFT CONFIG_SHIFT\n"}
	if have, err := m.ValuesOf(src); !errors.Is(err, csrc.ErrDrift) {
		t.Errorf("a shift that is no number: %v, %v, want drift", have, err)
	}
}

// A name alone is not the mechanism: what has a part of it is refused.
func TestHalfThere(t *testing.T) {
	for _, c := range []struct{ reason, mechanism, file, text string }{
		{"a #define that nobody uses", "density", "kernel/kallsyms_internal.h", "#define KALLSYMS_MARKER_SHIFT 4\n"},
		{"a #define of sub-markers", "sub-markers", "kernel/kallsyms_internal.h", "#define KALLSYMS_SUBMARKER_SHIFT 4\n"},
		{"a benchmark that is not built", "perf-test", "lib/test_kallsyms_perf.c", "int x;\n"},
	} {
		m, err := Load(templates.FS, c.mechanism)
		if err != nil {
			t.Fatal(err)
		}
		src := layers{lab(t, "7.3"), map[string][]byte{c.file: []byte(c.text)}}
		if has, err := m.Upstream(src); has || !errors.Is(err, csrc.ErrDrift) {
			t.Errorf("%s: %v, %v, want drift", c.reason, has, err)
		}
	}
}
