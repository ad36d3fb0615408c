// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"
)

// sparse is how often a log gets a line about something that takes long.
const sparse = 10 * time.Second

// progress shows how something long goes on: on a terminal one line that changes,
// elsewhere a line for every new thing done and then one every now and then.
type progress struct {
	w        io.Writer
	terminal bool
	doing    string
	last     time.Time // when a line was printed
	open     bool      // the terminal's line is not ended yet
}

func newProgress(w io.Writer) *progress {
	f, ok := w.(*os.File)
	return &progress{w: w, terminal: ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"}
}

// show tells that done of total bytes (0 if unknown) of something are done.
func (p *progress) show(doing string, done, total int64) {
	line := doing
	if total > 0 {
		line += fmt.Sprintf(": %d of %d MB, %d%%", done/1e6, total/1e6, min(100, 100*done/total))
	}
	fresh := doing != p.doing
	p.doing = doing
	if p.terminal {
		if fresh {
			p.end()
		}
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		p.open = true
		return
	}
	if fresh || time.Since(p.last) >= sparse {
		fmt.Fprintln(p.w, line)
		p.last = time.Now()
	}
}

// end leaves the terminal's line.
func (p *progress) end() {
	if p.open {
		fmt.Fprintln(p.w)
		p.open = false
	}
}
