//go:build keep

// Package keep pins modules until their first user lands. Removed at the end.
package keep

import (
	_ "github.com/bluekeyes/go-gitdiff/gitdiff"
	_ "github.com/dave/jennifer/jen"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/jedib0t/go-pretty/v6/table"
	_ "github.com/leanovate/gopter"
	_ "github.com/pelletier/go-toml/v2"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/spf13/cobra"
	_ "github.com/tree-sitter/go-tree-sitter"
	_ "github.com/tree-sitter/tree-sitter-c/bindings/go"
	_ "golang.org/x/term"
)
