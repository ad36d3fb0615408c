// SPDX-License-Identifier: GPL-2.0-only

// Package templates carries the descriptions of the mechanisms and the C they
// bring in, one folder a mechanism. Package mechanism says how they are read.
package templates

import "embed"

// FS holds every mechanism's folder.
//
//go:embed */*.toml */*.tmpl
var FS embed.FS
