// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"fmt"
	"io"
	"runtime"
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
func ReadText(r io.Reader) (*Map, error) {
	var (
		blocks []chan parsedBlock
		failed atomic.Bool
		slots  = make(chan struct{}, runtime.GOMAXPROCS(0))
	)
	err := eachBlock(r, func(text string) (more bool) {
		done := make(chan parsedBlock, 1)
		blocks = append(blocks, done)
		slots <- struct{}{}
		go func() {
			b := parseBlock(text)
			if b.fault != "" {
				failed.Store(true)
			}
			done <- b
			<-slots
		}()
		return !failed.Load()
	})
	return joinBlocks(blocks, err)
}

// joinBlocks puts the blocks together. A malformed line comes before readErr,
// which struck behind it.
func joinBlocks(blocks []chan parsedBlock, readErr error) (*Map, error) {
	parsed := make([]parsedBlock, len(blocks))
	symbols, lines := 0, 0
	for i, done := range blocks {
		parsed[i] = <-done
		symbols += len(parsed[i].Symbols)
	}
	m := &Map{Symbols: make([]Symbol, 0, symbols)}
	for _, b := range parsed {
		if b.fault != "" {
			return nil, fmt.Errorf("%w: line %d: %s", ErrMapSyntax, lines+b.lines, b.fault)
		}
		m.Symbols = append(m.Symbols, b.Symbols...)
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
