// SPDX-License-Identifier: GPL-2.0-only

// Package tree opens kernel source trees and fetches known ones.
//
//	path ─────────────┐
//	                  ├─Open─▶ Tree ──ReadFile──▶ bytes, for the editing packages
//	name ("7.3") ─────┘         │
//	  ▲                         ├──Features──▶ what the source says of its tables,
//	  │                         │              each with file and line
//	Fetch ◀── apt (private      ├──Supported─▶ can kgen edit it at all?
//	          lists), unpacked  └──Base, Dirty: the commit patches are made against
//	          into the cache
//
// A tree is only ever read. Git is asked in a way that takes no locks, refreshes
// no index and works in folders of other users. What applies to a tree is decided
// by what its source says, never by its version number: stable kernels carry
// backports and vendors carry more.
//
// Fetched trees are Debian's linux-source packages. They live in the user's cache,
// $XDG_CACHE_HOME/kgen/trees/NAME, with a record beside each of what it was made
// from. A tree is unpacked beside that name and renamed when it is whole, so one
// that is there is complete.
package tree
