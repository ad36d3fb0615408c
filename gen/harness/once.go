// SPDX-License-Identifier: GPL-2.0-only

package harness

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"slices"
	"sync"
)

// made keeps the objects that this process has compiled out of files which hardly
// change: the stand-ins, and the host tool, which most patches of a series leave
// alone. A series and its prefixes have a few of them.
var made = struct {
	sync.Mutex
	objects map[[sha256.Size]byte][]byte
}{objects: make(map[[sha256.Size]byte][]byte)}

// anywhere stands for the work folder in the debug information of such an object,
// which serves in many.
const anywhere = "/kgen-work"

// compileOnce compiles the first of the files into object, unless that has been
// done with the same arguments and the same content of all of them: they are what
// it is made of, but for headers of the system. Programs are linked each time: one
// that this process writes may not be run while another starts.
func (w *Work) compileOnce(ctx context.Context, compiler string, args []string, object string, files ...string) error {
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q\n", compiler, w.relative(args))
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(sum, "%q %x\n", w.relative([]string{name}), sha256.Sum256(text))
	}
	key := [sha256.Size]byte(sum.Sum(nil))
	made.Lock()
	data, ok := made.objects[key]
	made.Unlock()
	if ok {
		return os.WriteFile(object, data, 0o644)
	}
	if err := w.compile(ctx, compiler, slices.Concat(args, []string{"-fdebug-prefix-map=" + w.Dir + "=" + anywhere, "-c", files[0], "-o", object})); err != nil {
		return err
	}
	data, err := os.ReadFile(object)
	if err != nil {
		return err
	}
	made.Lock()
	made.objects[key] = data
	made.Unlock()
	return nil
}
