// SPDX-License-Identifier: GPL-2.0-only

// Package csrc finds and edits the source of a kernel by its syntax, never by
// line number, so that one edit fits several kernel versions and says so when
// it does not fit.
//
//	source ─► lex ─► tokens ─► outline ─► items: functions with their branch,
//	            │       │                  declarations, directives
//	            │       └─► patterns (C text) match by tokens
//	            └─► tree-sitter ─► nodes: is a match a whole expression?
//	                                 which statement is it in?
//	Anchor ─► Fingerprint: digests of the code an edit is written for
//	       ─► Verify: the same code in this tree, or a *DriftError
//	edits ─► Changes (byte ranges) ─► Splice ─► new source, which must parse as
//	                                   well as the old one
//
// Functions are found in the tokens and not in the tree-sitter tree: kernel
// macros make the grammar misread where definitions begin, while inside of a
// body it is reliable. Nothing depends on comments and white space but the
// places that whole lines go to.
//
// Kconfig files, Makefiles and MAINTAINERS are lists of lines; their edits give
// Changes too.
package csrc
