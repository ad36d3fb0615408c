// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"sync"
	"sync/atomic"
)

// part appends a piece of the output to a buffer.
type part func(buf []byte) []byte

// cString returns the bytes before the first NUL.
func cString(b []byte) []byte {
	s, _, _ := bytes.Cut(b, []byte{0})
	return s
}

// writeOrdered makes the parts on all processors and writes them in order.
// Each worker owns two buffers, so memory stays bounded while one of them is
// being written. They start with room for so many bytes.
func writeOrdered(w io.Writer, parts []part, room int) error {
	workers := min(runtime.GOMAXPROCS(0), len(parts))
	buffers := make(chan []byte, 2*workers)
	for range cap(buffers) {
		buffers <- make([]byte, 0, room)
	}
	made := make([]chan []byte, len(parts))
	for i := range made {
		made[i] = make(chan []byte, 1)
	}
	var next atomic.Int64
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			// A buffer before a part: whoever holds the oldest part can then
			// always finish it, whatever the others wait for.
			for buf := range buffers {
				i := int(next.Add(1)) - 1
				if i >= len(parts) {
					return
				}
				made[i] <- parts[i](buf[:0])
			}
		})
	}
	defer running.Wait()
	defer close(buffers)
	defer next.Store(int64(len(parts))) // after an error nothing more is made
	for i := range made {
		buf := <-made[i]
		if _, err := w.Write(buf); err != nil {
			return fmt.Errorf("writing assembler text: %w", err)
		}
		buffers <- buf
	}
	return nil
}
