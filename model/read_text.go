// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// blockSize is the text that is parsed at a time, and so also the longest line.
// Names have at most KsymNameLen bytes: a longer line is no symbol map.
const blockSize = 1 << 19

// ReadText reads the output of nm, a System.map or /proc/kallsyms: lines of
// address, type and name with one space between. It mirrors read_map() and
// read_symbol(), except that it refuses, naming the line, what strtoull() and
// C strings let pass there: signs, 0x, blanks before the address, numbers
// beyond 64 bits, NUL bytes, carriage returns and lines beyond half a MiB. The
// module column of /proc/kallsyms, which the host tool would take for part of
// the name, is split off.
//
// Blocks of lines are parsed on all processors while the next ones are read.
func ReadText(r io.Reader) (*Map, error) { return readText(r, sizeOf(r)) }

// readText reads a text that is expected to have size bytes.
func readText(r io.Reader, size int64) (*Map, error) {
	t := textReader{size: size, symbols: []Symbol{}, slots: make(chan struct{}, runtime.GOMAXPROCS(0))}
	err := eachBlock(r, t.parse)
	t.running.Wait()
	return t.join(err)
}

// sizeOf is how many bytes a reader holds, 0 where it does not say.
func sizeOf(r io.Reader) int64 {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len())
	case interface{ Stat() (fs.FileInfo, error) }:
		if info, err := r.Stat(); err == nil {
			return info.Size()
		}
	}
	return 0
}

// textReader puts the symbols of all blocks into one slice. Where those of a
// block go is known before it is parsed, from its lines.
type textReader struct {
	size    int64
	symbols []Symbol
	blocks  []*parsedBlock
	running sync.WaitGroup
	slots   chan struct{} // taken by those who parse
	failed  atomic.Bool
}

// parse starts to parse a block, and tells whether to go on.
func (t *textReader) parse(text string) (more bool) {
	lines := strings.Count(text, "\n")
	if text[len(text)-1] != '\n' {
		lines++
	}
	start := len(t.symbols)
	t.reserve(lines, len(text))
	b := &parsedBlock{start: start}
	b.Symbols = t.symbols[start:start:len(t.symbols)]
	t.blocks = append(t.blocks, b)
	t.slots <- struct{}{}
	t.running.Go(func() {
		b.parse(text)
		if b.fault != "" {
			t.failed.Store(true)
		}
		<-t.slots
	})
	return !t.failed.Load()
}

// reserve makes the slice longer by so many symbols, which came in so many bytes.
// The slice is moved only where the expected size says too little.
func (t *textReader) reserve(lines, bytes int) {
	need := len(t.symbols) + lines
	if need > cap(t.symbols) {
		const slack = 8 // lines of other blocks may be shorter by an eighth
		expected := int(float64(lines) / float64(bytes) * float64(t.size))
		room := max(need, min(expected, maxSymbols)*(slack+1)/slack, 2*cap(t.symbols))
		t.running.Wait() // for those who write to the slice
		t.symbols = append(make([]Symbol, 0, room), t.symbols...)
		for _, b := range t.blocks {
			b.Symbols = t.symbols[b.start:][:len(b.Symbols)]
		}
	}
	t.symbols = t.symbols[:need]
}

// join puts together what the blocks hold. A malformed line comes before
// readErr, which struck behind it.
func (t *textReader) join(readErr error) (*Map, error) {
	m := &Map{Symbols: t.symbols[:0]}
	lines := 0
	for _, b := range t.blocks {
		if b.fault != "" {
			return nil, fmt.Errorf("%w: line %d: %s", ErrMapSyntax, lines+b.lines, b.fault)
		}
		if len(m.Symbols) < b.start { // some lines before hold no symbols of the kernel
			m.Symbols = append(m.Symbols, b.Symbols...)
		} else {
			m.Symbols = m.Symbols[:b.start+len(b.Symbols)]
		}
		m.Modules = append(m.Modules, b.Modules...)
		for _, s := range b.Skipped {
			m.Skipped = append(m.Skipped, SkippedName{Line: lines + s.Line, Name: s.Name})
		}
		lines += b.lines
	}
	if readErr == errLongLine {
		return nil, fmt.Errorf("%w: line %d: %w", ErrMapSyntax, lines+1, readErr)
	}
	if readErr != nil {
		return nil, fmt.Errorf("reading symbol map: after line %d: %w", lines, readErr)
	}
	return m, nil
}

var errLongLine = fmt.Errorf("longer than %d bytes, expected address, type and name", blockSize)

// eachBlock hands out the text in pieces that end where lines end, until use
// wants no more.
func eachBlock(r io.Reader, use func(text string) (more bool)) error {
	buf := make([]byte, 0, blockSize)
	for {
		n, err := io.ReadFull(r, buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		last := err == io.EOF || err == io.ErrUnexpectedEOF
		if err != nil && !last {
			return err
		}
		end := len(buf)
		if !last {
			for end > 0 && buf[end-1] != '\n' {
				end--
			}
			if end == 0 {
				return errLongLine
			}
		}
		if end > 0 && !use(string(buf[:end])) || last {
			return nil
		}
		buf = append(buf[:0], buf[end:]...)
	}
}
