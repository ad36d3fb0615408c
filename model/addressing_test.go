// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"errors"
	"math/rand/v2"
	"testing"
)

func TestAddressing(t *testing.T) {
	text, low := uint64(0xffffffff81000000), uint64(0xffff800000000000) // low: with room above
	base := Addressing{Dialect: BaseRelative, Base: low}
	percpu := Addressing{Dialect: BaseRelative, AbsolutePercpu: true, Base: low}
	for _, c := range []struct {
		reason   string
		how      Addressing
		addr     uint64
		absolute bool
		entry    int64
		refused  bool
	}{
		{"6.12: the base itself", base, low, false, 0, false},
		{"6.12: 4 GiB less one above", base, low + 1<<32 - 1, false, 1<<32 - 1, false},
		{"6.12: below the base", base, low - 1, false, 0, true},
		{"6.12 per-CPU: the base is -1", percpu, low, false, -1, false},
		{"6.12 per-CPU: 2 GiB above", percpu, low + 1<<31 - 1, false, -1 << 31, false},
		{"6.12 per-CPU: beyond", percpu, low + 1<<31, false, 0, true},
		{"6.12 per-CPU: below the base", percpu, low - 1, false, 0, true},
		{"6.12 per-CPU: absolute 0", percpu, 0, true, 0, false},
		{"6.12 per-CPU: absolute 2 GiB", percpu, 1 << 31, true, 0, true},
		{"7.3: _text", Addressing{PCRelative: true, Text: text}, text, false, 0, false},
		{"7.3: below _text", Addressing{PCRelative: true, Text: text}, text - 16, false, -16, false},
		{"7.3: per-CPU at 0 is 2 GiB less 16 MiB above", Addressing{PCRelative: true, Text: text}, 0, false, 0x7f000000, false},
		{"7.3, 32 bits: as it is", Addressing{}, 0xc0000000, false, 0xc0000000, false},
		{"7.3, 32 bits: beyond", Addressing{}, 1 << 32, false, 0, true},
	} {
		entry, err := c.how.Entry(c.addr, c.absolute)
		if c.refused != errors.Is(err, ErrAddressRange) || entry != c.entry {
			t.Errorf("%s: entry %d, %v, want %d", c.reason, entry, err, c.entry)
		} else if got := c.how.Address(uint32(entry)); !c.refused && got != c.addr {
			t.Errorf("%s: decoded %#x, want %#x", c.reason, got, c.addr)
		}
	}
}

// TestAddressingRoundTrip says of random addresses around the limits that they
// are refused or come back.
func TestAddressingRoundTrip(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	accepted := 0
	for range 20000 {
		base := r.Uint64() >> r.IntN(60)
		addr := base + uint64(int64(r.Uint64())>>(28+r.IntN(20)))
		a := Addressing{
			Dialect: Dialect(r.IntN(2)), PCRelative: r.IntN(3) > 0, AbsolutePercpu: r.IntN(2) == 0,
			Text: base, Base: base,
		}
		absolute := a.AbsolutePercpu && r.IntN(2) == 0
		entry, err := a.Entry(addr, absolute)
		if err != nil {
			continue
		}
		accepted++
		if got := a.Address(uint32(entry)); got != addr {
			t.Fatalf("%+v: %#x stored as %d comes back as %#x", a, addr, entry, got)
		}
	}
	if accepted < 2000 {
		t.Fatalf("only %d of the addresses were in range", accepted)
	}
}
