// SPDX-License-Identifier: GPL-2.0-only

package tree

import "errors"

// Errors of opening a tree.
var (
	// ErrNotKernel: the path does not exist, is a file, or lacks a file that
	// every kernel tree has.
	ErrNotKernel = errors.New("not a kernel tree")
	// ErrUnreadable: the tree is there but the machine does not let us read it.
	ErrUnreadable = errors.New("cannot read the tree")
	// ErrUnsupported: a kernel tree whose symbol tables kgen does not edit.
	ErrUnsupported = errors.New("kgen cannot edit this kernel")
)

// Errors of fetching a tree.
var (
	// ErrUnknownRelease: the name is not in Releases.
	ErrUnknownRelease = errors.New("no such tree")
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
