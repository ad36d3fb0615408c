// SPDX-License-Identifier: GPL-2.0-only

package check

import "errors"

// Errors that callers test for. A patch that fails a rung is not an error of Run:
// it is in the report, and Report.Err tells.
var (
	// ErrFailed says that at least one patch failed a rung.
	ErrFailed = errors.New("check failed")
	// ErrInput says that what was given is not a patch series.
	ErrInput = errors.New("not a patch series")
	// ErrReplay says that a file given as Replay cannot be replayed.
	ErrReplay = errors.New("--replay")
	// ErrRung says that a rung of this name does not exist.
	ErrRung = errors.New("no such rung")
	// ErrTool says that a program or a header that a rung needs is missing.
	ErrTool = errors.New("missing tool")
	// ErrNoCheckpatch says that the tree lacks scripts/checkpatch.pl.
	ErrNoCheckpatch = errors.New("no scripts/checkpatch.pl")
	// ErrBase says that the tree does not build even without the series.
	ErrBase = errors.New("the tree does not build without the series")
	// ErrCache says that the build folder in the cache cannot be used.
	ErrCache = errors.New("build folder")
	// ErrEdited says that patches are not the ones that series.json lists, so
	// that an outcome cannot be recorded for them.
	ErrEdited = errors.New("edited since kgen made it")
)
