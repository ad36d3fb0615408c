// SPDX-License-Identifier: GPL-2.0-only

// Package patches holds the texts of the series: a folder a series with
// series.toml (its patches, in order) and cover.tmpl (the cover letter), and a
// folder a mechanism with message.tmpl (the commit message of the patch that
// brings it in). A folder may be both.
package patches

import "embed"

// FS has one folder a series or mechanism.
//
//go:embed */*
var FS embed.FS
