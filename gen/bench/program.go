// SPDX-License-Identifier: GPL-2.0-only

package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"kgen/gen/bench/result"
)

// link makes the measuring program of the variants' objects, in their order. An
// object may be there twice.
func link(ctx context.Context, dir string, objects []string) (program string, err error) {
	if err := writeSources(dir); err != nil {
		return "", err
	}
	var declared, listed strings.Builder
	args := []string{
		"-O2", "-std=gnu11", "-fno-pie", "-no-pie", "-I" + filepath.Join(dir, "shim"), "-o", filepath.Join(dir, "bench"),
		fmt.Sprintf("-Wl,--defsym=_text=%#x", textAt), "-Wl,-z,noexecstack",
	}
	for _, c := range []string{"main.c", "measure.c", "machine.c", "input.c", "runtime.c", "variants.c"} {
		args = append(args, filepath.Join(dir, c))
	}
	for i, object := range objects {
		name := fmt.Sprintf("kbench_variant_%d", i)
		renamed := filepath.Join(dir, name+".o")
		if err := runTool(ctx, "objcopy", "--redefine-sym=kbench_variant="+name, object, renamed); err != nil {
			return "", err
		}
		args = append(args, renamed)
		fmt.Fprintf(&declared, "extern const struct kbench_variant %s;\n", name)
		fmt.Fprintf(&listed, "\t&%s,\n", name)
	}
	text := "#include \"bench.h\"\n" + declared.String() + "const struct kbench_variant *const kbench_variants[] = {\n" + listed.String() +
		"};\nconst int kbench_num_variants = sizeof(kbench_variants) / sizeof(kbench_variants[0]);\n"
	if err := os.WriteFile(filepath.Join(dir, "variants.c"), []byte(text), 0o644); err != nil {
		return "", err
	}
	return filepath.Join(dir, "bench"), runTool(ctx, "gcc", args...)
}

// findings are what the measuring program printed.
type findings struct {
	run *result.Run
	in  *input
}

// measure runs the program and fills in the run.
func measure(ctx context.Context, program, inputFile string, o Options, f *findings) error {
	cmd := exec.CommandContext(ctx, program, inputFile, strconv.Itoa(f.run.Machine.Pinned),
		strconv.Itoa(o.Rounds), strconv.Itoa(lookupsPerRound), strconv.Itoa(seed+2))
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	var wrong error
	for lines.Scan() && wrong == nil {
		wrong = f.line(lines.Text(), o)
	}
	if wrong != nil {
		cmd.Process.Kill()
	}
	err = cmd.Wait()
	switch {
	case wrong != nil:
		return wrong
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%w: the measuring program ended: %w: %s", ErrMachine, err, strings.TrimSpace(stderr.String()))
	}
	return nil
}

// line takes one line of the program's output: a word that says what it is, the
// number of a variant where it is about one, and values.
func (f *findings) line(text string, o Options) error {
	word, rest, _ := strings.Cut(text, " ")
	fields := strings.Fields(rest)
	switch word {
	case "note":
		f.run.Machine.Notes = append(f.run.Machine.Notes, rest)
		return nil
	case "round":
		o.Progress(fmt.Sprintf("round %s of %d", rest, o.Rounds))
		return nil
	case "hugepages":
		f.run.Machine.HugePages = pagesText(fields)
		return nil
	case "verified":
		n, err := strconv.ParseInt(rest, 10, 64)
		f.run.Verified += n
		o.Progress("verifying the answers")
		return err
	}
	if len(fields) < 2 {
		return fmt.Errorf("%w: unexpected line %q from the measuring program", ErrMachine, text)
	}
	i, err := strconv.Atoi(fields[0])
	if err != nil || i < 0 || i >= len(f.run.Variants) {
		return fmt.Errorf("%w: unexpected line %q from the measuring program", ErrMachine, text)
	}
	v := &f.run.Variants[i]
	if word == "wrong" {
		k, err := strconv.Atoi(fields[1])
		if err != nil {
			return err
		}
		return fmt.Errorf("%w: %s answers %s other than specified; kgen check --to agree finds a small example", ErrWrong, v.Name, f.in.queries[k])
	}
	value, err := strconv.ParseFloat(fields[len(fields)-1], 64)
	if err != nil {
		return fmt.Errorf("%w: unexpected line %q from the measuring program", ErrMachine, text)
	}
	switch word {
	case "sample":
		v.Samples[fields[1]] = append(v.Samples[fields[1]], value)
	case "instructions":
		v.Instructions[fields[1]] = append(v.Instructions[fields[1]], value)
	case "setup":
		v.SetUp = append(v.SetUp, value)
	case "teardown":
		v.TearDown = append(v.TearDown, value)
	case "ram":
		v.RAM = int64(value)
	default:
		return fmt.Errorf("%w: unexpected line %q from the measuring program", ErrMachine, text)
	}
	return nil
}

// pagesText says how much of the tables huge pages back: bytes that are, of bytes.
func pagesText(fields []string) string {
	if len(fields) != 2 {
		return "unknown"
	}
	got, _ := strconv.ParseInt(fields[0], 10, 64)
	want, _ := strconv.ParseInt(fields[1], 10, 64)
	switch {
	case got >= want:
		return fmt.Sprintf("2 MiB pages back code and tables (%d MiB)", want>>20)
	case got == 0:
		return "no huge pages: misses of the TLB are in every figure"
	}
	return fmt.Sprintf("2 MiB pages back %d of %d MiB of code and tables", got>>20, want>>20)
}
