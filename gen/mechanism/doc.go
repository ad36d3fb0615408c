// SPDX-License-Identifier: GPL-2.0-only

// Package mechanism reads the descriptions under templates/ and edits kernel
// trees by them. A mechanism is one independent change of design; it knows
// nothing of the series it is in.
//
//	templates/NAME/mechanism.toml ─┐
//	               *.tmpl          ├─► Load ─► Mechanism
//	               known.toml ─────┘             │
//	pristine tree ─► Upstream: has it the change already?
//	              ─► Check: is the code the one the edits were written for?
//	evolving tree ─► Apply(data) ─► new content by path
//
// Check is for the tree as the user has it, Apply for the tree with the earlier
// mechanisms of the series in: code that they touched is no longer the code
// that Check knows.
//
// # mechanism.toml
//
// Unknown keys are errors. At the top:
//
//	name       the folder's name
//	summary    one line for kgen list
//	after      names: where both are in a series, those come first
//	conflicts  [{ with = NAME, reason = TEXT }]: not in one series
//
// [[param]] is a whole number the texts may use as {{.NAME}}, with _ for each -
// of the name: name, min, max, step (if not 1), default, meaning, and prefix for
// what may stand before the number on the command line, as the v of v2.
//
// [semantics]: the mechanism changes answers. reason in one line, instead (a series
// to the same end that changes none), and a [[semantics.change]] for each kind,
// with answer (which, and how) and example (what it was and is).
//
// [[present]]: the tree has the mechanism when all of these hold; where only some
// do, it is refused. file (must exist) and at most one of
//
//	define = NAME                      it has that #define
//	config = NAME                      it has that Kconfig entry
//	object = CONFIG_NAME               it builds obj-$(CONFIG_NAME)
//	function = NAME                    it defines that function
//	function = NAME, contains = C      ... whose definition has that pattern
//	function = NAME, lacks = C         ... whose definition has it not; both may be given
//
// [[value]]: how a tree that has the mechanism shows a parameter: param, file and
// define = NAME, whose number it is; or with = N where there is that define or
// function, with branch and contains as above, and without = M where there is not.
//
// [[require]]: code that must be one of the variants in known.toml, white space
// and comments aside. file and one of
//
//	function = NAME [branch = COND]    the whole definition
//	function = NAME, statement = C     the innermost statements around a pattern
//	declaration = NAME                 what declares it at the top level
//	define = NAME                      its #defines
//
// [[readers]]: all that may read what the mechanism gives another meaning, or takes
// away. Anything else that does, in the files that the mechanism edits, is drift:
//
//	of    a name: of a table, a function, a type or a member
//	in    the functions, and the types as "struct x", in which it may stand
//	also  files to look in beside those that are edited, where the tree has them
//	now   what the mechanism makes of it, for the message: "there is no such table"
//
// [[edit]]: one change. file, the place, and the new text: replace = TEXT or
// template = FILE, both text/template over the data of Apply. when = TEXT, if
// given, must come out as "true" for the edit to be made. By action:
//
//	replace             find [function [branch]] [count]: the pattern's tokens,
//	                    which must be whole nodes of the syntax; "" deletes.
//	                    Further lines of the text are indented for the first
//	                    match and move along with the others.
//	                    The default where find is given
//	insert-before       find, function: whole lines before the statement around
//	insert-after        the pattern (and its comment), or after it
//	insert-before       function alone: before its comment, blank line between
//	insert-after        function alone: after its EXPORT_SYMBOL()
//	replace-comment     find, function: the comment above the statement, or a
//	                    new one
//	replace-function    function; with its comment if the text begins with one
//	delete-function     function, its comment too
//	insert-before-item  find: whole lines before the declaration or directive of
//	insert-after-item   the top level that contains the pattern, or after it
//	replace-item        find: that declaration or directive
//	include             [after = HEADER]: #include lines; without after, they
//	                    follow the last include of their kind
//	new-file            the file must not exist
//	kconfig             before or after = SYMBOL: an entry
//	makefile            before or after = CONFIG_SYMBOL: lines beside
//	                    obj-$(CONFIG_SYMBOL)
//	maintainers         a section, put in its alphabetical place
//
// A branch is "CONFIG_X" for what stands under #ifdef CONFIG_X, "!CONFIG_X" for
// its #else. Patterns are C; they match by tokens. All edits of one file name
// places in the file as it was before the mechanism, whatever their order.
//
// known.toml is written by go test ./gen/mechanism -run TestKnown -update.
package mechanism
