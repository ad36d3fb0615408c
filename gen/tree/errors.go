// SPDX-License-Identifier: GPL-2.0-only

package tree

import (
	"errors"

	"kgen/gen/debian"
)

// Errors of opening a tree.
var (
	// ErrNotKernel: the path does not exist, is a file, or lacks a file that
	// every kernel tree has.
	ErrNotKernel = errors.New("not a kernel tree")
	// ErrUnreadable: the tree is there but the machine does not let us read it.
	ErrUnreadable = errors.New("cannot read the tree")
	// ErrCache: the folder that fetched trees are in cannot be read.
	ErrCache = errors.New("cannot read the cache")
	// ErrUnsupported: a kernel tree whose symbol tables kgen does not edit.
	ErrUnsupported = errors.New("kgen cannot edit this kernel")
)

// Errors of fetching a tree.
var (
	// ErrUnknownRelease: the name is not in Releases.
	ErrUnknownRelease = errors.New("no such tree")
	// The others are what getting a package can fail of.
	ErrNoMirror    = debian.ErrNoMirror
	ErrNetwork     = debian.ErrNetwork
	ErrCorrupt     = debian.ErrCorrupt
	ErrNoSpace     = debian.ErrNoSpace
	ErrMissingTool = debian.ErrMissingTool
)
