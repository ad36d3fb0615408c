// SPDX-License-Identifier: GPL-2.0-only

package harness

import "path/filepath"

// NewWork fills dir/shim with the stand-ins for the kernel's types, strings and
// locks and the libc half of the child, for a harness of other kernel files.
// The caller adds dir/unit.c, which must provide what runtime.h asks for, and
// may replace kernel.h.
func NewWork(dir string) (*Work, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	w := &Work{Dir: dir}
	return w, w.writeShim()
}
