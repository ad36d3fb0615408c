// SPDX-License-Identifier: GPL-2.0-only

//go:build mutants

package mutants

// The files of a kernel tree that faults are seeded in.
const (
	kernel = "kernel/kallsyms.c"
	header = "kernel/kallsyms_internal.h"
	tool   = "scripts/kallsyms.c"
)

// cFault is a fault in the C of a series.
type cFault struct {
	series string // what series.Compose takes
	reason string // the fault in words
	file   string
	old    string // must be there
	new    string
}

// cFaults are grouped by the mechanism whose code is at fault.
var cFaults = map[string][]cFault{
	"density": {
		{"density=4", "the walk stops half way, its mask is a bit short", kernel, "pos & KALLSYMS_MARKER_MASK", "pos & (KALLSYMS_MARKER_MASK >> 1)"},
		{"density=3", "the marker of the next block is taken at its last symbol", kernel, "kallsyms_markers[pos >>", "kallsyms_markers[(pos + 1) >>"},
		{"density=4", "the shared mask has a bit too many", header, "((1U << KALLSYMS_MARKER_SHIFT) - 1)", "((2U << KALLSYMS_MARKER_SHIFT) - 1)"},
		{"density=2", "a length byte is not counted while walking", kernel, "name = name + len + 1;", "name = name + len;"},
		{"density=6", "the second length byte is ignored while walking", kernel, "len = ((len & 0x7F) | (name[1] << 7)) + 1;", "len = (len & 0x7F) + 1;"},
		{"density=6", "the second length byte is not skipped while walking", kernel, "(name[1] << 7)) + 1;", "(name[1] << 7));"},
		{"density=4", "the host tool sets a marker one symbol late", tool, "(i & KALLSYMS_MARKER_MASK) == 0", "(i & KALLSYMS_MARKER_MASK) == 1"},
		{"density=4", "the host tool counts whole blocks only", tool, "(table_cnt + KALLSYMS_MARKER_MASK) >>", "table_cnt >>"},
		{"density=1", "the host tool sets markers behind the length byte", tool, "markers[i >> KALLSYMS_MARKER_SHIFT] = off;", "markers[i >> KALLSYMS_MARKER_SHIFT] = off + 1;"},
		{"density=5", "kernel and host tool disagree about the spacing", kernel, "#include \"kallsyms_internal.h\"", "#include \"kallsyms_internal.h\"\n#undef KALLSYMS_MARKER_SHIFT\n#define KALLSYMS_MARKER_SHIFT 4"},
	},
	"token-match": {
		{"token-match", "the type is skipped as a whole token", kernel, "[*data++]] + 1;", "[*data++]]; token += strlen(token);"},
		{"token-match", "the type is not skipped", kernel, "[*data++]] + 1;", "[*data++]];"},
		{"token-match", "bytes are compared as signed", kernel, "return (u8)*name - (u8)*token;", "return (signed char)*name - (signed char)*token;"},
		{"token-match", "the second length byte is ignored", kernel, "len = (len & 0x7F) | (*data++ << 7);", "len = (data++, len & 0x7F);"},
		{"token-match", "the second length byte is taken for a token", kernel, "(*data++ << 7);", "(*data << 7);"},
		{"token-match", "a prefix of the name is taken for the name", kernel, "\t\t\treturn (u8)*name;", "\t\t\treturn 0;"},
		{"token-match", "a name that ends early is taken for the symbol", kernel, "if (*name != *token)", "if (*name && *name != *token)"},
		{"token-match", "one token too many is compared", kernel, "if (!--len)", "if (!len--)"},
		{"token-match", "the sign is the wrong way round", kernel, "return (u8)*name - (u8)*token;", "return (u8)*token - (u8)*name;"},
		{"token-match", "the search never looks at the first name", kernel, "low = 0;\n\thigh = kallsyms_num_syms - 1;", "low = 1;\n\thigh = kallsyms_num_syms - 1;"},
		{"token-match", "duplicates are grown from where the search ended above", kernel, "\t\thigh = mid;\n\t\twhile", "\t\twhile"},
		{"token-match", "duplicates are grown from where the search ended below", kernel, "\tlow = mid;\n\twhile (low)", "\twhile (low)"},
		{"token-match", "a miss is a hit", kernel, "return -ESRCH;", "return 0;"},
	},
	"seq-unroll": {
		{"seq-unroll", "sequence numbers are read little-endian", kernel, "seq[0] << 16 | seq[1] << 8 | seq[2]", "seq[2] << 16 | seq[1] << 8 | seq[0]"},
		{"seq-unroll", "the top byte of a sequence number is dropped", kernel, "seq[0] << 16 | seq[1]", "seq[1]"},
		{"seq-unroll", "the number before is read", kernel, "[3 * index];", "[3 * (index ? index - 1 : 0)];"},
	},
	"sub-markers": {
		{"sub-markers=4", "the next sub-marker is read", kernel, "+ sub - 1];", "+ sub];"},
		{"sub-markers=4", "a marker is counted as a sub-marker", kernel, "(pos >> 8) * KALLSYMS_SUBMARKERS", "(pos >> 8) * (KALLSYMS_SUBMARKERS + 1)"},
		{"sub-markers=3", "sub-markers are not used", kernel, "\tif (sub)\n", "\tif (0)\n"},
		{"sub-markers=5", "the walk is a bit short", kernel, "pos & KALLSYMS_SUBMARKER_MASK", "pos & (KALLSYMS_SUBMARKER_MASK >> 1)"},
		{"sub-markers=4", "the host tool writes offsets from the table's start", tool, "starts[i] - starts[i & ~0xFFU]", "starts[i] - starts[0]"},
		{"sub-markers=4", "the host tool writes one for a marker too", tool, "if (!(i & 0xFF) || (i", "if ((i"},
		{"sub-markers=4", "the host tool does not refuse a distance over 16 bits", tool, "if (off > 0xFFFF) {", "if (0) {"},
		{"sub-markers=2", "the host tool writes where the record before starts", tool, "\t\tstarts[i] = off;", "\t\tstarts[i] = i ? off - 1 : off;"},
	},
	"static-index": {
		{"static-index", "offsets are read little-endian", kernel, "off[0] << 16 | off[1] << 8 | off[2]", "off[2] << 16 | off[1] << 8 | off[0]"},
		{"static-index", "the host tool drops the top byte", tool, "starts[i] >> 16, starts[i] >> 8 & 0xFF", "0, starts[i] >> 8 & 0xFF"},
		{"static-index", "the host tool leaves the last symbol out", tool, "for (i = 0; i < table_cnt; i++) {\n\t\tif (starts[i] > 0xFFFFFF)", "for (i = 0; i + 1 < table_cnt; i++) {\n\t\tif (starts[i] > 0xFFFFFF)"},
	},
	"name-offsets": {
		{"name-offsets", "the record after the one looked for is counted too", kernel, "pos < off; seq++)", "pos <= off; seq++)"},
		{"density=5,name-offsets", "counting starts a block late", kernel, "seq = low << KALLSYMS_MARKER_SHIFT;", "seq = (low + 1) << KALLSYMS_MARKER_SHIFT;"},
		{"name-offsets", "a length byte is not counted while counting records", kernel, "pos += len + 1;", "pos += len;"},
		{"name-offsets", "the second length byte is ignored while counting", kernel, "len = ((len & 0x7F) | (kallsyms_names[pos + 1] << 7)) + 1;", "len = (len & 0x7F) + 1;"},
		{"name-offsets", "the first marker is never looked at", kernel, "low = 0;\n\thigh = DIV_ROUND_UP", "low = 1;\n\thigh = DIV_ROUND_UP"},
		{"sub-markers=4,name-offsets", "sub-markers are looked for behind the last symbol", kernel, "high = min(low", "high = max(low"},
		{"sub-markers=4,name-offsets", "counting starts at the marker, with the number of a sub-marker", kernel, "pos = get_symbol_offset(seq);", "pos = kallsyms_markers[seq >> 8];"},
		{"sub-markers=4,name-offsets", "counting starts a sub-marker late", kernel, "seq = low << KALLSYMS_SUBMARKER_SHIFT;", "seq = (low + 1) << KALLSYMS_SUBMARKER_SHIFT;"},
		{"name-offsets", "symbols of the same name before the one hit are not found", kernel, "first = low;", "first = mid;"},
		{"name-offsets", "symbols of the same name after the one hit are not found", kernel, "last = high;", "last = mid;"},
		{"name-offsets", "the first of all names is gone below", kernel, "(low > first)", "(low >= first)"},
		{"name-offsets", "the host tool writes offsets in the order of names", tool, "(start[table[i]->seq] >> 0)", "(start[i] >> 0)"},
		{"name-offsets", "the host tool writes offsets behind the length", tool, "start[i] = off;", "start[i] = off + 1;"},
	},
	"hash-order": {
		{"token-match,hash-order", "one entry of the next bucket is looked at as this one's", kernel, "i < last; i++)", "i <= last; i++)"},
		{"sub-markers=5,token-match,hash-order:prefetch=1", "the last entry of a bucket is not looked at", kernel, "i < last; i++)", "i + 1 < last; i++)"},
		{"token-match,hash-order", "only the first duplicate is found", kernel, "*end = i;\n\t\t\t\tcontinue;", "*end = i;\n\t\t\t\tbreak;"},
		{"token-match,hash-order", "the search ends at a foreign fingerprint", kernel, "\t\tif (found)\n\t\t\tbreak;", "\t\tbreak;"},
		{"token-match,hash-order", "the fingerprint is believed without a look", kernel, "if (!kallsyms_compare_name(name, get_symbol_offset(entry))) {", "if (get_symbol_offset(entry) + 1) {"},
		{"token-match,hash-order", "the fingerprint stays in the sequence number", kernel, "return get_name_entry(index) & ((1U << get_seq_bits()) - 1);", "return get_name_entry(index);"},
		{"token-match,hash-order", "the base is not corrected by a group", kernel, "return base - (KALLSYMS_BUCKET_GROUP << KALLSYMS_BUCKET_SHIFT) +", "return base +"},
		{"token-match,hash-order", "all buckets of a crowded group start where the first does", kernel, "~KALLSYMS_BUCKET_CROWDED) + nr];", "~KALLSYMS_BUCKET_CROWDED)];"},
		{"token-match,hash-order:start-bits=16", "early buckets are taken for very late ones", header, "extern const s16 kallsyms_bucket_starts", "extern const u16 kallsyms_bucket_starts"},
		{"token-match,hash-order", "the sign of char decides the hash", header, "(unsigned char)*name++", "*name++"},
		{"token-match,hash-order", "the host tool leaves ties to qsort", tool, "return compare_names(a, b);", "return 0;"},
		{"token-match,hash-order", "the host tool orders equal names by descending address", tool, "return compare_names(a, b);", "return compare_names(b, a);"},
		{"token-match,hash-order", "the host tool takes a bit more than the kernel at a power of two", tool, "while (table_cnt > 1U << seq_bits)", "while (table_cnt >= 1U << seq_bits)"},
		{"token-match,hash-order", "the host tool starts a bucket one late", tool, "while (bucket <= of)", "while (bucket < of)"},
		{"token-match,hash-order", "the host tool does not see a crowded group", tool, "if (most - least > 0xFF) {", "if (0) {"},
	},
	"batch-index": {
		{"token-match,batch-index", "a length byte is not counted while indexing", kernel, "off += len + 1;", "off += len;"},
		{"token-match,batch-index", "the second length byte is ignored while indexing", kernel, "len = ((len & 0x7F) | (kallsyms_names[off + 1] << 7)) + 1;", "len = (len & 0x7F) + 1;"},
		{"token-match,batch-index", "the index is used after it was freed", kernel, "offsets = rcu_replace_pointer(batch_offsets, NULL,\n\t\t\t\t\t      lockdep_is_held(&batch_lock));", "offsets = rcu_dereference_protected(batch_offsets, 1);"},
		{"token-match,batch-index", "a failed allocation is written to", kernel, "\tif (!offsets)\n\t\treturn;\n", ""},
		{"token-match,batch-index", "an end without a start counts below zero", kernel, "if (!WARN_ON_ONCE(!batch_users) && !--batch_users)", "if (!--batch_users)"},
		{"token-match,batch-index", "the first of two users to leave frees the index", kernel, "&& !--batch_users)", "&& (batch_users--, true))"},
		{"token-match,batch-index", "each of two users builds an index", kernel, "\tif (batch_users++)\n\t\treturn;\n", "\tbatch_users++;\n"},
		{"token-match,batch-index", "the index is freed while a search reads it", kernel, "kvfree_rcu_mightsleep(offsets);", "kvfree(offsets);"},
		{"token-match,batch-index", "the index is seen before it is filled", kernel, "\tfor (i = 0, off = 0; i < kallsyms_num_syms; i++) {\n\t\toffsets[i] = off;", "\trcu_assign_pointer(batch_offsets, offsets);\n\tfor (i = 0, off = 0; i < kallsyms_num_syms; i++) {\n\t\toffsets[i] = off;"},
		{"token-match,batch-index", "users are counted without the lock", kernel, "\tguard(mutex)(&batch_lock);\n", ""},
	},
}
