// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// errPipe: who read our output has gone, as head does.
var errPipe = errors.New("nobody reads the output")

// pipe is stdout or stderr. When its reader has gone the command is interrupted and
// cleans up, where SIGPIPE would have ended the process on the spot.
type pipe struct {
	io.Writer
	interrupt context.CancelCauseFunc
	lost      error // the first failure to write, for who writes text and looks at none
}

func (p *pipe) Write(text []byte) (int, error) {
	n, err := p.Writer.Write(text)
	if errors.Is(err, syscall.EPIPE) {
		p.interrupt(errPipe)
	}
	if p.lost == nil {
		p.lost = err
	}
	return n, err
}

// outputs are stdout and stderr for commands to write to. A stderr that is a
// terminal stays a file, for progress to see.
func outputs(interrupt context.CancelCauseFunc) (out *pipe, err io.Writer) {
	// Whoever asks for the signal gets the error of the write instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	out = &pipe{Writer: os.Stdout, interrupt: interrupt}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		return out, os.Stderr
	}
	return out, &pipe{Writer: os.Stderr, interrupt: interrupt}
}
