// SPDX-License-Identifier: GPL-2.0-only

package check

import (
	"context"
	"fmt"
	"strings"

	"kgen/gen/harness"
	"kgen/gen/tree"
)

// Patched is the tree with a series applied by git am. The error matches ErrInput
// and says which patch does not apply, and why.
func Patched(ctx context.Context, s *Series, t *tree.Tree) (harness.Tree, error) {
	states, results, err := applyRung(ctx, Options{Series: s, Tree: t, Progress: func(string) {}})
	if err != nil {
		return nil, err
	}
	for _, r := range results {
		if !r.OK {
			return nil, fmt.Errorf("%w: %s does not apply: %s", ErrInput, r.Patch, strings.Join(r.Messages, "; "))
		}
	}
	return prefix{t, s.touches(), states[len(states)-1]}, nil
}
