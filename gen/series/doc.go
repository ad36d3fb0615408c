// SPDX-License-Identifier: GPL-2.0-only

// Package series makes a patch series out of a description and a kernel tree.
//
// A series is a folder under patches/: series.toml lists its patches, each of
// which brings in one mechanism, and cover.tmpl is its cover letter. Generate
// takes it the whole way:
//
//	patches/NAME ──► Load ──┐
//	templates/… (mechanism) ┼─► plan: what applies, what is upstream, what has
//	kernel tree ────────────┘   drifted (refused here, before anything is written)
//	                             │
//	  figures (model) ──► texts ─┤
//	  times (manifest) ──────────┤  of the folder to be replaced, if it is the same code
//	                             ▼
//	      scratch repository of the touched files, one commit a patch
//	                             │ git format-patch
//	                             ▼
//	      staged folder ──► rename ──► 0000-cover-letter.patch … series.json
//
// The tree is only ever read. Everything is made in a folder beside the wanted
// one and renamed into place, so an interrupted run leaves nothing half made.
package series
