// SPDX-License-Identifier: GPL-2.0-only

package model

// Scan is Find with module-scan: the value is compared before the name is read.
// It returns how many names it read; Find reads one of each defined symbol.
func (t Table) Scan(r Region, addr uint64) (place Place, names int) {
	b := r.bounds()
	for i, s := range t {
		if i == 0 || !s.Defined {
			continue
		}
		below := s.Value <= addr
		if below && s.Value <= b.bestVal || !below && s.Value >= b.nextVal {
			continue
		}
		names++
		switch {
		case !s.Candidate():
		case below:
			b.best, b.bestVal = i, s.Value
		default:
			b.nextVal = s.Value
		}
	}
	return b.place(addr), names
}
