// SPDX-License-Identifier: GPL-2.0-only

package mechanism

import (
	"crypto/sha256"
	"sync"

	"kgen/gen/csrc"
)

// parsed remembers the last files parsed by their content: Upstream, Check and
// Apply of several mechanisms look at the same few files, and kernel/trace/
// ftrace.c takes some 50 ms to parse.
var parsed = struct {
	sync.Mutex
	files map[[sha256.Size]byte]*csrc.File
	order [][sha256.Size]byte
}{files: make(map[[sha256.Size]byte]*csrc.File)}

const parsedMax = 16 // files kept

func parse(path string, src []byte) *csrc.File {
	key := sha256.Sum256(append([]byte(path+"\x00"), src...))
	parsed.Lock()
	f := parsed.files[key]
	parsed.Unlock()
	if f != nil {
		return f
	}
	f = csrc.Parse(path, src)
	parsed.Lock()
	defer parsed.Unlock()
	if parsed.files[key] == nil {
		parsed.files[key] = f
		parsed.order = append(parsed.order, key)
	}
	if len(parsed.order) > parsedMax {
		delete(parsed.files, parsed.order[0])
		parsed.order = parsed.order[1:]
	}
	return f
}
