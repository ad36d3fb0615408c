// SPDX-License-Identifier: GPL-2.0-only

package model

// RecordVerdict is what enabling a module makes of one dyn_ftrace record.
type RecordVerdict byte

const (
	// NotReached: a record of the page before it is not of the module, so that
	// the rest of the page was passed over.
	NotReached RecordVerdict = iota
	// Disabled: not at the start of a symbol, as the call of a weak function that
	// was overridden; the record keeps FTRACE_FL_DISABLED and nothing else.
	Disabled
	// Enabled: FTRACE_FL_DISABLED is taken off.
	Enabled
)

// String is the verdict in a word or two.
func (v RecordVerdict) String() string { return [...]string{"not reached", "disabled", "enabled"}[v] }

// ValidRec says whether the call at ip is the one of the function that kallsyms
// finds there: within MaxOffset of its start, where the architecture has such a
// thing. It mirrors test_for_valid_rec().
func (k *Kernel) ValidRec(ip uint64) bool {
	most := k.Modules.Rules.MaxOffset
	if most == nil {
		return true
	}
	_, _, offset, ok := k.Lookup(ip)
	return ok && offset <= *most
}

// ModuleEnable gives the verdict on every record, page by page. The pages are
// those of all modules and of vmlinux; a page is of one of them, and is left at
// its first record outside of m. It mirrors the loop of ftrace_module_enable().
func (k *Kernel) ModuleEnable(m *Module, pages [][]uint64) [][]RecordVerdict {
	return eachRecord(m, pages, k.ValidRec)
}

// eachRecord goes through the pages and asks valid for each record of m.
func eachRecord(m *Module, pages [][]uint64, valid func(ip uint64) bool) [][]RecordVerdict {
	verdicts := make([][]RecordVerdict, len(pages))
	for i, page := range pages {
		verdicts[i] = make([]RecordVerdict, len(page))
		for j, ip := range page {
			if !m.Contains(ip) {
				break
			}
			verdicts[i][j] = Disabled
			if valid(ip) {
				verdicts[i][j] = Enabled
			}
		}
	}
	return verdicts
}
