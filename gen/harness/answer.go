// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// fields describes the answer to each operation: 4 and 8 are integers of so
// many bytes, s is a string, [..] is repeated as often as the integer before
// it says.
var fields = [...]string{
	LookupName:           "8",
	OnEachMatch:          "[8]4",
	OnEachSymbol:         "[s8]4",
	LookupSizeOffset:     "488",
	LookupSymbolName:     "4s",
	SprintSymbol:         "4s",
	SprintSymbolNoOffset: "4s",
	SprintBacktrace:      "4s",
	Lookup:               "488s",
	ReadProc:             "s",
	KdbWalk:              "[s]",
	SymAddress:           "8",
	BatchStart:           "4",
	BatchEnd:             "4",
	Storm:                "4",
	FtraceLookup:         "48",
}

// answerReader cuts answers out of what the child sent.
type answerReader struct{ rest []byte }

// next returns the bytes of the answer to op, or false where they are cut
// short.
func (r *answerReader) next(op Op) ([]byte, bool) {
	n, ok := measure(r.rest, fields[op])
	if !ok {
		return nil, false
	}
	answer := r.rest[:n]
	r.rest = r.rest[n:]
	return answer, true
}

// measure returns how many bytes of b the fields take.
func measure(b []byte, fields string) (int, bool) {
	at := 0
	for i := 0; i < len(fields); i++ {
		size, count := int(fields[i]-'0'), 0
		if fields[i] == 's' || fields[i] == '[' {
			if len(b) < at+4 {
				return 0, false
			}
			size, count = 4, int(binary.LittleEndian.Uint32(b[at:]))
		}
		at += size
		switch fields[i] {
		case 's':
			at += count
		case '[':
			end := i + strings.IndexByte(fields[i:], ']')
			for range count {
				if at > len(b) {
					return 0, false
				}
				n, ok := measure(b[at:], fields[i+1:end])
				if !ok {
					return 0, false
				}
				at += n
			}
			i = end
		}
		if at > len(b) {
			return 0, false
		}
	}
	return at, true
}

// maxShown is how many elements of a long answer are printed.
const maxShown = 8

// describe writes the answer to a query for a person. Where answers are
// addresses, they are those of the map again; in texts they stay the child's.
func describe(q Query, answer []byte, delta uint64) string {
	var parts []string
	if q.ofAddress() {
		delta = 0 // the integers are sizes and offsets
	}
	describeFields(&answer, fields[q.Op], delta, &parts)
	return strings.Join(parts, ", ")
}

func describeFields(b *[]byte, fields string, delta uint64, parts *[]string) {
	take := func(n int) []byte {
		n = min(n, len(*b))
		p := (*b)[:n]
		*b = (*b)[n:]
		return append(append([]byte(nil), p...), make([]byte, 8-min(n, 8))...)
	}
	for i := 0; i < len(fields); i++ {
		switch fields[i] {
		case '8':
			v := binary.LittleEndian.Uint64(take(8))
			if v != 0 {
				v -= delta // 0 is no address but "not found"
			}
			*parts = append(*parts, fmt.Sprintf("%#x", v))
		case '4':
			*parts = append(*parts, strconv.Itoa(int(int32(binary.LittleEndian.Uint32(take(4))))))
		case 's':
			n := min(int(binary.LittleEndian.Uint32(take(4))), len(*b))
			*parts = append(*parts, strconv.Quote(string((*b)[:n])))
			*b = (*b)[n:]
		case '[':
			end := i + strings.IndexByte(fields[i:], ']')
			n := int(binary.LittleEndian.Uint32(take(4)))
			var inner []string
			for range n {
				describeFields(b, fields[i+1:end], delta, &inner)
			}
			if len(inner) > maxShown {
				inner = append(inner[:maxShown], "...")
			}
			*parts = append(*parts, fmt.Sprintf("%d: [%s]", n, strings.Join(inner, " ")))
			i = end
		}
	}
}
