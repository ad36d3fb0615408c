// SPDX-License-Identifier: GPL-2.0-only

package proptest

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"kgen/model"
)

// TestCostsAreBounded: no lookup by name costs more than its design allows.
func TestCostsAreBounded(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		names := some(Names(t.Symbols), mostNames)
		named := map[string]int{}
		for _, s := range t.Symbols {
			named[s.Name]++
		}
		return eachDesign(t, pick, func(d *model.Design, s state) string {
			for _, name := range names {
				_, found, first := d.LookupName(name)
				_, _, _, all := d.NamesRange(name)
				for _, e := range bounds(t, d, s, name, named[name], found, first, all) {
					if e.got > e.most {
						return fmt.Sprintf("name %q: %s: %d, expected at most %d", name, e.what, e.got, e.most)
					}
				}
			}
			return ""
		})
	})
}

// bound is a count and what it may be at most.
type bound struct {
	what      string
	got, most int
}

// bounds lists what first, the cost of a lookup, and all, that of a range, are
// held to.
func bounds(t Table, d *model.Design, s state, name string, matches int, found bool, first, all model.Cost) []bound {
	n, c := len(t.Symbols), d.Choice()
	longest := longestWalk(d, s)
	list := []bound{
		{"probes of a lookup, which a range includes", first.Probes, all.Probes},
		{"length bytes, one or two a record", all.HeaderBytes, 2 * (all.Hops + all.Probes)},
		{"records compared, of which each has a length byte", all.Probes, all.HeaderBytes},
		{"bytes compared, one a probe", all.Probes, all.NameBytes},
		{"bytes compared, the name and a terminator a probe", all.NameBytes, all.Probes * (len(name) + 1)},
		{"cache lines of the order", all.CacheLines[model.OrderTable], 2 * all.Entries},
	}
	switch c.Order {
	case model.HashOrder:
		bucket, alike := crowdOf(t, name, c.BucketShift, 0, 24)
		return append(list,
			bound{"entries of a range, those of the bucket", all.Entries, bucket},
			bound{"probes of a range, the entries with the fingerprint", all.Probes, alike},
			bound{"entries of a lookup, and the one found", first.Entries, bucket + hit(found)},
			bound{"hops of a lookup", first.Hops, longest * first.Probes},
			bound{"hops of a range", all.Hops, longest * all.Probes},
		)
	case model.HashBlocks:
		bucket, alike := crowdOf(t, name, c.BucketShift, c.BlockShift, 8*c.EntryBytes)
		return append(list,
			bound{"entries of a range, those of the bucket", all.Entries, bucket},
			bound{"probes of a range, the blocks with the fingerprint", all.Probes, alike << c.BlockShift},
			bound{"hops of a range, to the block and through it", all.Hops, alike * (longest + 1<<c.BlockShift - 1)},
		)
	case model.NameOffsets:
		list = append(list,
			bound{"hops of a range, which needs no walk", all.Hops, 0},
			bound{"hops of a lookup, one walk back", first.Hops, longest},
			bound{"markers compared on the way back", first.Recovery, recovery(c, n)},
		)
	default:
		list = append(list,
			bound{"hops of a lookup", first.Hops, longest * first.Probes},
			bound{"hops of a range", all.Hops, longest * all.Probes},
		)
	}
	// Halving, then down to one before the first match and up to one behind the last.
	return append(list,
		bound{"probes of a lookup", first.Probes, bits.Len(uint(n)) + matches},
		bound{"probes of a range", all.Probes, bits.Len(uint(n)) + matches + 1},
	)
}

func hit(found bool) int {
	if found {
		return 1
	}
	return 0
}

// recovery is how many comparisons bring a stream offset back to a marker, and
// within a block to a sub-marker.
func recovery(c model.Choice, n int) int {
	ceil := func(shift uint) int { return (n + 1<<shift - 1) >> shift }
	switch c.Locate {
	case model.StaticIndex:
		return bits.Len(uint(n))
	case model.SubMarkers:
		return bits.Len(uint(ceil(8))) + bits.Len(uint(1)<<(8-c.Shift))
	case model.GroupSizes:
		return bits.Len(uint(ceil(8)))
	}
	return bits.Len(uint(ceil(c.Shift)))
}

// crowdOf counts the entries in the bucket of a name, one for each symbol or
// each block of 1<<blockShift, and those among them with its fingerprint: the
// low bits of the hash, as many as the numbers of the blocks leave of an entry.
func crowdOf(t Table, name string, bucketShift, blockShift, entryBits uint) (bucket, alike int) {
	n := len(t.Symbols)
	buckets := (uint64(n) + 1<<bucketShift - 1) >> bucketShift
	spare := entryBits - uint(bits.Len(uint(max(n-1, 0)>>blockShift)))
	hash := FNV1a(name)
	type entry struct {
		fingerprint uint32
		block       int
	}
	seen := map[entry]bool{}
	for seq, s := range t.Symbols {
		other := FNV1a(s.Name)
		if uint64(other)*buckets>>32 != uint64(hash)*buckets>>32 {
			continue
		}
		e := entry{other & (1<<spare - 1), seq >> blockShift}
		if seen[e] {
			continue
		}
		seen[e] = true
		bucket++
		if e.fingerprint == hash&(1<<spare-1) {
			alike++
		}
	}
	return bucket, alike
}

// TestSpaceFormulas: a design takes the bytes that its formula says.
func TestSpaceFormulas(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		n := len(t.Symbols)
		ceil := func(a, b int) int { return (a + b - 1) / b }
		stock := ceil(n, 256)
		return eachDesign(t, pick, func(d *model.Design, _ state) string {
			c := d.Choice()
			least := 0
			switch markers := ceil(n, 1<<c.Shift); c.Locate {
			case model.Density:
				least = 4 * (markers - stock)
			case model.SubMarkers:
				least = 2 * (markers - stock)
			case model.GroupSizes:
				least = stock << (8 - c.Shift)
			case model.StaticIndex:
				least = 3*n - 4*stock
			}
			most := least
			if c.BucketShift != 0 {
				starts := ceil(n, 1<<c.BucketShift) + 1
				least += starts * int(c.StartBits) / 8
				most = least
				if c.StartBits == model.NarrowStarts {
					groups := ceil(starts, 64)
					least, most = least+4*groups, least+4*groups+4*starts
				}
				if c.Order == model.HashBlocks { // an entry for a block at least, for a symbol at most
					width := int(c.EntryBytes)
					least, most = least-3*n+width*ceil(n, 1<<c.BlockShift), most-3*n+width*n
				}
			}
			ram := 0
			if c.Batch {
				ram = 4 * n
			}
			if got := d.Space(); got.TableBytes < least || got.TableBytes > most || got.RAMBytes != ram {
				return fmt.Sprintf("space: got %+v, expected %d to %d bytes and %d of memory", got, least, most, ram)
			}
			return ""
		})
	})
}

// TestTokenMatchOnlySavesTokens: token-match and seq-unroll make the same
// probes, walk as far and compare as many bytes as expanding and looping do;
// token-match opens at most as many tokens, seq-unroll costs the same.
func TestTokenMatchOnlySavesTokens(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		tables := encode(t, pick)
		names := some(Names(t.Symbols), mostNames)
		for _, c := range some(choices(len(t.Symbols), pick), 20) {
			c.TokenMatch, c.SeqUnroll = false, false
			plain, err := model.NewDesign(tables, c)
			if err != nil {
				return fmt.Sprintf("%v: %v", c, err)
			}
			c.TokenMatch, c.SeqUnroll = true, c.Order != model.HashBlocks
			changed, err := model.NewDesign(tables, c)
			if err != nil {
				return fmt.Sprintf("%v: %v", c, err)
			}
			for _, name := range names {
				_, _, _, was := plain.NamesRange(name)
				_, _, _, is := changed.NamesRange(name)
				fewer := is.Tokens <= was.Tokens
				was.Tokens, was.CacheLines = is.Tokens, is.CacheLines
				if !fewer || was != is {
					return fmt.Sprintf("%v: name %q:\nexpanding %+v\n matching %+v", c, name, was, is)
				}
			}
		}
		return ""
	})
}

// TestTracesTellTheLookup: a trace's probes name the symbols that are there,
// compare as the bytes of the names do, and add up to the cost of the lookup.
func TestTracesTellTheLookup(t *testing.T) {
	hold(t, func(t Table, pick int64) string {
		records, err := Decode(encode(t, pick))
		if err != nil {
			return err.Error()
		}
		names := some(Names(t.Symbols), mostNames/2)
		return eachDesign(t, pick, func(d *model.Design, _ state) string {
			for _, name := range names {
				trace := d.TraceName(name)
				start, end, ok, cost := d.NamesRange(name)
				if trace.Start != start || trace.End != end || trace.Found != ok || trace.Cost != cost {
					return fmt.Sprintf("trace of %q: %+v, but the lookup answers %d to %d, %v for %+v", name, trace, start, end, ok, cost)
				}
				hops, bytes, compared := 0, 0, 0
				for i, p := range trace.Probes {
					hops, bytes = hops+p.Hops, bytes+p.Bytes
					if p.Verdict != model.Differs {
						compared++
					}
					if wrong := probeIsWrong(p, name, records); wrong != "" {
						return fmt.Sprintf("trace of %q, probe %d, %+v: %s", name, i, p, wrong)
					}
				}
				if hops != cost.Hops || bytes != cost.NameBytes || compared != cost.Probes {
					return fmt.Sprintf("trace of %q: %d hops, %d bytes, %d comparisons, the lookup costs %+v", name, hops, bytes, compared, cost)
				}
			}
			return ""
		})
	})
}

func probeIsWrong(p model.Probe, name string, records []Record) string {
	r := records[p.Seq]
	if p.Symbol != r.Name {
		return fmt.Sprintf("symbol %d is %q", p.Seq, r.Name)
	}
	if p.Verdict == model.Differs {
		if p.Offset != nil || p.Hops != 0 || r.Name == name {
			return "no record is opened where the fingerprints differ"
		}
		return ""
	}
	if p.Offset == nil || *p.Offset != r.Offset {
		return fmt.Sprintf("its record is at %d", r.Offset)
	}
	want := map[int]model.Verdict{-1: model.Before, 0: model.Equal, 1: model.After}[strings.Compare(name, r.Name)]
	if p.Verdict != want {
		return fmt.Sprintf("expected %q", want)
	}
	return ""
}
