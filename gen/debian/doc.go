// SPDX-License-Identifier: GPL-2.0-only

// Package debian gets packages from the Debian mirrors that a machine uses, without
// touching the machine's own package lists and without needing root:
//
//	/etc/apt ──mirrors──▶ sources.list ──apt-get update──▶ private lists
//	                                                           │
//	   name ──Dependency──▶ package with a version ──Download──┴──▶ .deb
//
// It also has what fetches around it share: a check that programs and disk space
// are there, a lock between processes, a way to run programs that end with their
// children when the user interrupts, and one-line errors with a remedy made from
// what apt, dpkg and tar complain of.
package debian

import "errors"

var (
	// ErrNoMirror: this machine's apt sources name no Debian mirror.
	ErrNoMirror = errors.New("no Debian mirror")
	// ErrNetwork: the mirror cannot be reached or lacks the package.
	ErrNetwork = errors.New("cannot download")
	// ErrCorrupt: what arrived is not what the mirror announced.
	ErrCorrupt = errors.New("broken download")
	// ErrNoSpace: the file system of the cache is full.
	ErrNoSpace = errors.New("no disk space")
	// ErrMissingTool: a program that is needed is not installed.
	ErrMissingTool = errors.New("not installed")
)

// Progress is told how a fetch goes on: what is being done, and how many of how
// many bytes of it are done (total is 0 where that is not known). Calls never
// overlap.
type Progress func(doing string, done, total int64)
