// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"strings"
	"testing"
)

// batchIndex is the smallest design that has the interface: an array of the
// offsets of all records, made by the first start and freed by the last end.
const batchIndex = `
static u32 __rcu *kgen_index;
static DEFINE_MUTEX(kgen_lock);
static int kgen_users;

static void kgen_fill(u32 *index)
{
	const u8 *name = kallsyms_names;
	unsigned int i;
	int len;

	for (i = 0; i < kallsyms_num_syms; i++) {
		index[i] = name - kallsyms_names;
		len = *name;
		if (len & 0x80)
			len = ((len & 0x7F) | (name[1] << 7)) + 1;
		name += len + 1;
	}
}

int kallsyms_lookup_batch_start(void)
{
	u32 *index;

	guard(mutex)(&kgen_lock);
	if (!kgen_users) {
		index = kvmalloc_array(kallsyms_num_syms, sizeof(*index), GFP_KERNEL);
		if (!index)
			return -ENOMEM;
		kgen_fill(index);
		rcu_assign_pointer(kgen_index, index);
	}
	kgen_users++;
	return 0;
}

void kallsyms_lookup_batch_end(void)
{
	u32 *old = NULL;

	mutex_lock(&kgen_lock);
	if (!WARN_ON_ONCE(!kgen_users) && !--kgen_users)
		old = rcu_replace_pointer(kgen_index, NULL, lockdep_is_held(&kgen_lock));
	mutex_unlock(&kgen_lock);
	if (old) {
		synchronize_rcu();
		kvfree(old);
	}
}

static unsigned int get_symbol_offset_stock(unsigned long pos);
static unsigned int get_symbol_offset(unsigned long pos)
{
	u32 *index;

	guard(rcu)();
	index = rcu_dereference(kgen_index);
	return index ? index[pos] : get_symbol_offset_stock(pos);
}
`

// batchFault is a fault in batchIndex.
type batchFault struct {
	reason, old, new string
	says             string // in a finding
}

// batchFaults are a fault of each kind, and none. make mutants has more of them.
var batchFaults = []batchFault{
	{"right", "", "", ""},
	{"no grace period", "synchronize_rcu();", "", "ThreadSanitizer"},
	{"failed allocation not noticed", "if (!index)\n\t\t\treturn -ENOMEM;\n", "", "null pointer"},
	{"read without a read section", "guard(rcu)();\n\tindex", "index", "outside a read section"},
}

func TestBatches(t *testing.T) {
	for _, tt := range batchFaults {
		t.Run(tt.reason, func(t *testing.T) {
			base := stock(t, "7.3")
			code := batchIndex
			if tt.old != "" {
				code = strings.Replace(code, tt.old, tt.new, 1)
				if code == batchIndex {
					t.Fatalf("%q not found", tt.old)
				}
			}
			const anchor = "static unsigned int get_symbol_offset(unsigned long pos)"
			patched := edited{Tree: base, file: kernelFile, old: anchor, new: code + "static unsigned int get_symbol_offset_stock(unsigned long pos)"}
			w := prepare(t, Source{Patched: patched, Base: base})
			opts := Options{Seed: 1, SmallMaps: 24, Variants: w.Variants()[:1], ReplayDir: t.TempDir(), Brief: true, Timeout: 10e9}
			opts.RealMap = realMap(t)[:1500]
			rep, err := w.Agree(t.Context(), opts)
			if err != nil {
				t.Fatal(err)
			}
			t.Log(rep.Summary())
			said := ""
			for _, f := range rep.Findings {
				said += f.String() + "\n"
			}
			t.Log(said)
			if right := tt.old == ""; right != (said == "") || !strings.Contains(said, tt.says) {
				t.Errorf("expected a finding that says %q, unless the code is right", tt.says)
			}
		})
	}
}
