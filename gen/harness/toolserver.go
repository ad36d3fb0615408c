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
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"kgen/model"
)

// toolServer is a running program of BuildHostTool that forks for each map: a
// sanitized one starts in forty milliseconds, and forks in one or two. Its files
// have no names and go with it.
type toolServer struct {
	cmd            *exec.Cmd
	in             io.WriteCloser
	out            io.ReadCloser
	mapFile        *os.File // descriptor 3 there
	stdout, stderr *os.File // 4 and 5
	said           bytes.Buffer
	dead           bool
}

// startToolServer runs a program of BuildHostTool as a server.
func startToolServer(ctx context.Context, tool string) (s *toolServer, err error) {
	s = &toolServer{cmd: exec.CommandContext(ctx, tool, "--serve")}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	for _, f := range []**os.File{&s.mapFile, &s.stdout, &s.stderr} {
		fd, err := unix.MemfdCreate("kgen", unix.MFD_CLOEXEC)
		if err != nil {
			return nil, fmt.Errorf("memfd_create: %w", err)
		}
		*f = os.NewFile(uintptr(fd), "host tool")
	}
	s.cmd.Env = append(os.Environ(), sanitizerEnv...)
	s.cmd.ExtraFiles = []*os.File{s.mapFile, s.stdout, s.stderr}
	s.cmd.Stderr = &s.said
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if s.out, err = s.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	return s, s.cmd.Start()
}

// close ends the server, and what it runs with it.
func (s *toolServer) close() {
	if s.cmd.Process != nil {
		s.cmd.Process.Kill()
		s.cmd.Wait()
	}
	for _, f := range []*os.File{s.mapFile, s.stdout, s.stderr} {
		if f != nil {
			f.Close()
		}
	}
}

// run is RunHostTool in a fork of the server.
func (s *toolServer) run(options []string, symbols []model.Symbol) ([]byte, error) {
	text := FormatMap(symbols)
	if err := s.mapFile.Truncate(int64(len(text))); err != nil {
		return nil, err
	}
	if _, err := s.mapFile.WriteAt(text, 0); err != nil {
		return nil, err
	}
	args := strings.Join(append(options[:len(options):len(options)], "/proc/self/fd/3"), "\x00") + "\x00"
	request := append(binary.LittleEndian.AppendUint32(nil, uint32(len(args))), args...)
	timer := time.AfterFunc(hostToolTimeout, func() { s.cmd.Process.Kill() })
	defer timer.Stop()
	if _, err := s.in.Write(request); err != nil {
		return nil, s.died(timer, err)
	}
	var reply [4]byte
	if _, err := io.ReadFull(s.out, reply[:]); err != nil {
		return nil, s.died(timer, err)
	}
	stdout, err := content(s.stdout)
	if err != nil {
		return nil, err
	}
	status := syscall.WaitStatus(binary.LittleEndian.Uint32(reply[:]))
	if status == 0 {
		return stdout, nil
	}
	stderr, err := content(s.stderr)
	if err != nil {
		return nil, err
	}
	how := fmt.Errorf("exit status %d", status.ExitStatus())
	if status.Signaled() {
		how = fmt.Errorf("signal: %s", status.Signal())
	}
	return nil, hostToolError(how, status.ExitStatus(), stderr)
}

// errServer: the server itself ended.
var errServer = errors.New("the server of the host tool")

// died says why a server does not answer.
func (s *toolServer) died(timer *time.Timer, err error) error {
	s.dead = true
	if !timer.Stop() {
		return fmt.Errorf("%w: no end within %s", ErrHostTool, hostToolTimeout)
	}
	if werr := s.cmd.Wait(); werr != nil {
		err = werr
	}
	return fmt.Errorf("%w: %w: %s", errServer, err, firstLines(s.said.Bytes(), 3))
}

func content(f *os.File) ([]byte, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := make([]byte, info.Size())
	_, err = f.ReadAt(data, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return data, err
}
