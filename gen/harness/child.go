// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"kgen/model"
)

// ErrLoad: the child cannot use the tables.
var ErrLoad = errors.New("the tables cannot be loaded")

// Crash is the end of a child that did not answer: a signal, a sanitizer
// report, a kernel warning, or a hang.
type Crash struct {
	Query  int // index of the query in its batch, -1 while loading
	Hang   bool
	Report string // stderr of the child
}

func (c *Crash) Error() string {
	if c.Hang {
		return "no answer in time"
	}
	return sanitizerSummary([]byte(c.Report))
}

// Child is a running program of BuildChild.
type Child struct {
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      io.ReadCloser
	stderr   bytes.Buffer
	progress string
	delta    uint64
	timeout  time.Duration
	exited   func() error
}

// StartChild runs a program of BuildChild. A request that takes longer than
// timeout is a hang. Where the machine does not run programs of 32 bits, an
// emulator does, which may take longer.
func StartChild(ctx context.Context, program string, timeout time.Duration) (*Child, error) {
	command, slowdown, err := commandFor(program)
	if err != nil {
		return nil, err
	}
	f, err := os.CreateTemp("", "kgen-progress-*")
	if err != nil {
		return nil, err
	}
	c := &Child{progress: f.Name(), timeout: timeout * time.Duration(slowdown)}
	err = f.Truncate(4096)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	c.cmd = exec.CommandContext(ctx, command[0], append(command[1:], f.Name())...)
	c.cmd.Env = append(os.Environ(), sanitizerEnv...)
	c.cmd.Stderr = &c.stderr
	if err == nil {
		c.in, err = c.cmd.StdinPipe()
	}
	if err == nil {
		c.out, err = c.cmd.StdoutPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		os.Remove(c.progress)
		return nil, err
	}
	c.exited = sync.OnceValue(c.cmd.Wait)
	return c, nil
}

// Pin keeps the child on one CPU.
func (c *Child) Pin(cpu int) error {
	var set unix.CPUSet
	set.Set(cpu)
	return unix.SchedSetaffinity(c.cmd.Process.Pid, &set)
}

// Close ends the child.
func (c *Child) Close() {
	c.in.Close()
	c.cmd.Process.Kill()
	c.exited()
	os.Remove(c.progress)
}

// Load gives the child its tables and boundaries. Addresses that the child
// answers are those of the map plus Delta.
func (c *Child) Load(im *Image, b model.Bounds) error {
	buf := []byte{'L'}
	le := binary.LittleEndian
	buf = le.AppendUint64(buf, b.Text)
	for _, v := range []uint64{b.Text, b.Stext, b.Etext, b.Sinittext, b.Einittext, b.InitBegin, b.InitEnd, b.End} {
		buf = le.AppendUint64(buf, v)
	}
	buf = le.AppendUint32(buf, uint32(len(im.Blocks)))
	for i := range im.Blocks {
		blk := &im.Blocks[i]
		buf = le.AppendUint32(buf, uint32(len(blk.Label)))
		buf = append(buf, blk.Label...)
		buf = le.AppendUint32(buf, uint32(len(blk.Data)))
		buf = append(buf, blk.Data...)
		buf = le.AppendUint32(buf, uint32(len(blk.Relocs)))
		for _, r := range blk.Relocs {
			buf = le.AppendUint32(buf, r.Offset)
			buf = le.AppendUint32(buf, uint32(r.Kind))
			buf = le.AppendUint64(buf, uint64(r.Addend))
		}
	}
	reply, err := c.exchange(buf)
	if crash := (*Crash)(nil); errors.As(err, &crash) {
		crash.Query = -1
	}
	if err != nil {
		return err
	}
	c.delta = le.Uint64(reply)
	return nil
}

// Delta is what the child's addresses have more than the map's, modulo 2^64.
func (c *Child) Delta() uint64 { return c.delta }

// Ask sends a batch of queries and returns the answers, one after the other.
// The error is a *Crash when the child died over one.
func (c *Child) Ask(queries []Query) ([]byte, error) {
	buf := binary.LittleEndian.AppendUint32([]byte{'Q'}, uint32(len(queries)))
	for _, q := range queries {
		buf = q.Append(buf, c.delta)
	}
	return c.exchange(buf)
}

// exchange sends a request and waits for its reply.
func (c *Child) exchange(request []byte) ([]byte, error) {
	var hang atomic.Bool
	timer := time.AfterFunc(c.timeout, func() {
		hang.Store(true)
		c.cmd.Process.Kill()
	})
	reply, err := c.transfer(request)
	if timer.Stop() && err == nil {
		if status := binary.LittleEndian.Uint32(reply); status != 0 {
			return nil, fmt.Errorf("%w: %s", ErrLoad, reply[4:])
		}
		return reply[4:], nil
	}
	c.exited()
	return nil, &Crash{Query: c.reached(), Hang: hang.Load(), Report: c.stderr.String()}
}

func (c *Child) transfer(request []byte) ([]byte, error) {
	sent := make(chan error, 1)
	go func() {
		_, err := c.in.Write(binary.LittleEndian.AppendUint32(nil, uint32(len(request))))
		if err == nil {
			_, err = c.in.Write(request)
		}
		sent <- err
	}()
	var size [4]byte
	_, err := io.ReadFull(c.out, size[:])
	var reply []byte
	if err == nil {
		reply = make([]byte, binary.LittleEndian.Uint32(size[:]))
		_, err = io.ReadFull(c.out, reply)
	}
	if err != nil {
		return nil, err
	}
	return reply, <-sent
}

// reached is the query that the child noted last.
func (c *Child) reached() int {
	data, err := os.ReadFile(c.progress)
	if err != nil || len(data) < 4 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(data))
}
