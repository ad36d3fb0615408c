// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package harness

func init() {
	catches = append(catches, []caught{
		{"marker mask one bit short", "7.3", kernelC, "pos & 0xFF", "pos & 0x7F", Disagreement, 200},
		{"marker of the block before", "7.3", kernelC, "kallsyms_markers[pos >> 8]", "kallsyms_markers[(pos + 1) >> 8]", CrashKind, 300},
		{"first token skipped instead of first character", "7.3", kernelC, "if (skipped_first) {", "if (skipped_first > 1) {", Disagreement, 4},
		{"second length byte ignored", "7.3", kernelC, "len = (len & 0x7F) | (*data << 7);", "len = (len & 0x7F);", Disagreement, 4},
		{"second length byte not skipped for the type", "6.12", kernelC, "if (kallsyms_names[off] & 0x80)", "if (0)", Disagreement, 4},
		{"last symbol never found", "7.3", kernelC, "high = kallsyms_num_syms - 1;", "high = kallsyms_num_syms - 2;", Disagreement, 4},
		{"search reads one entry too far", "7.3", kernelC, "high = kallsyms_num_syms - 1;", "high = kallsyms_num_syms;", CrashKind, 4},
		{"alias not searched downwards", "7.3", kernelC, "while (low && kallsyms_sym_address(low-1)", "while (0 && kallsyms_sym_address(low-1)", Disagreement, 6},
		{"size of the last symbol ends at _etext", "7.3", kernelC, "IS_ENABLED(CONFIG_KALLSYMS_ALL)", "0", Disagreement, 6},
		{"host tool orders equal names by descending address", "7.3", toolC, "if (sa->addr > sb->addr)\n\t\t\treturn 1;\n\t\telse if (sa->addr < sb->addr)\n\t\t\treturn -1;",
			"if (sa->addr > sb->addr)\n\t\t\treturn -1;\n\t\telse if (sa->addr < sb->addr)\n\t\t\treturn 1;", Disagreement, 6},
		{"host tool takes markers one symbol late", "7.3", toolC, "if ((i & 0xFF) == 0)", "if ((i & 0xFF) == 1)", CrashKind, 300},
		{"host tool loses the table it declares", "7.3", toolC, "output_label(\"kallsyms_markers\");", "output_label(\"kallsyms_marks\");", BadTable, 6},
	}...)
	batchFaults = append(batchFaults, []batchFault{
		{"an entry too few", "i = 0; i < kallsyms_num_syms", "i = 0; i + 1 < kallsyms_num_syms", ""},
		{"an index that is not made in full", "index[i] = name - kallsyms_names;", "index[i] = i > 2 ? 0 : name - kallsyms_names;", ""},
		{"published before it is filled", "\t\tkgen_fill(index);\n\t\trcu_assign_pointer(kgen_index, index);", "\t\trcu_assign_pointer(kgen_index, index);\n\t\tkgen_fill(index);", "ThreadSanitizer"},
		{"no lock", "guard(mutex)(&kgen_lock);", "", "ThreadSanitizer"},
		{"never freed", "kvfree(old);", "", "still allocated"},
		{"freed and still used", "rcu_replace_pointer(kgen_index, NULL, lockdep_is_held(&kgen_lock))", "rcu_access_pointer(kgen_index)", "heap-use-after-free"},
	}...)
}
