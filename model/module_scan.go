// SPDX-License-Identifier: GPL-2.0-only

package model

// scanNamesFirst is the loop of find_kallsyms_symbol() as it is: which symbols
// count is decided before their values are compared.
func scanNamesFirst(t *moduleTable, m *moduleMeter, addr uint64, b *bounds) {
	for i := 1; i < len(t.Symbols); i++ {
		value := t.value(m, i)
		if t.candidate(m, i) {
			t.narrow(m, i, value, addr, b)
		}
	}
}

// scanValuesFirst is the loop of module-scan: only symbols that would change the
// answer are asked whether they count.
func scanValuesFirst(t *moduleTable, m *moduleMeter, addr uint64, b *bounds) {
	for i := 1; i < len(t.Symbols); i++ {
		value := t.value(m, i)
		closer := value <= addr && value > b.bestVal || value > addr && value < b.nextVal
		if closer && t.candidate(m, i) {
			t.narrow(m, i, value, addr, b)
		}
	}
}

// narrow moves a bound to symbol i where that is closer to addr.
func (t *moduleTable) narrow(m *moduleMeter, i int, value, addr uint64, b *bounds) {
	if value <= addr && value > b.bestVal {
		b.best, b.bestVal = i, value
		t.note(m, -1, i, Best)
	}
	if value > addr && value < b.nextVal {
		b.nextVal = value
		t.note(m, -1, i, Next)
	}
}
