// SPDX-License-Identifier: GPL-2.0-only

// Package check climbs a ladder with a patch series: does it apply, does it have
// the kernel's style, does every prefix of it build, and answer as the
// specification does?
//
//	files, folder or mbox ──Load──▶ Series ──Run──▶ Report ──▶ table, JSON, series.json
//	                                         │
//	        apply: git am in a scratch repository of the touched files
//	          │      leaves a state (content of the touched files) after each patch
//	        style: the tree's own checkpatch.pl on each patch
//	          │
//	        build: the states, one after the other, laid over the tree; the
//	          │    objects that they affect are compiled and their warnings compared
//	          │
//	        agree: the states again, compiled in userspace by package harness and
//	          │    compared with package model, lookup by lookup
//	          │
//	        boot: whole kernels, without the series and with it, run in QEMU; the
//	               kernel's own selftest judges, and a module's symbols and
//	               records are compared
//
// The rungs are climbed in this order, and the first one that fails is the last
// one tried. The user's tree is only read: git works in the scratch repository,
// and builds see the tree through an overlay whose upper layer, like the objects,
// is kept in the user's cache for the next run.
//
// Patches come from anybody. Git takes mails apart (mailsplit, mailinfo) and
// applies them; this package never interprets a hunk.
package check
