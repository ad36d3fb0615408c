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
	"kgen/gen/harness"
)

// lowMemory is what a program that does not move can address with 32 signed bits,
// less what it needs besides the variants.
const lowMemory = 1<<31 - 32<<20

// checkRoom makes sure that all variants can be at addresses that the linker can
// put into their code.
func checkRoom(variants []*built) error {
	sum := int64(0)
	for _, v := range variants {
		sum += hugePage + v.tables.pages()
	}
	if sum > lowMemory {
		return fmt.Errorf("%w: code and tables of %d variants take %d MiB, and must be in the lowest %d; measure fewer designs at a time, or fewer symbols",
			ErrTool, len(variants), sum>>20, lowMemory>>20)
	}
	return nil
}

// link makes the measuring program of variants, in their order. One may be there
// twice.
func link(ctx context.Context, dir string, base harness.Tree, variants []*built) (program string, err error) {
	// For the harness's headers, which the program's sources include.
	if _, err := harness.Prepare(dir, harness.Source{Patched: base, Base: base}); err != nil {
		return "", err
	}
	if err := writeSources(dir); err != nil {
		return "", err
	}
	script := filepath.Join(dir, "variants.ld")
	args := []string{
		"-O2", "-std=gnu11", "-fno-pie", "-no-pie", "-I" + filepath.Join(dir, "shim"), "-o", filepath.Join(dir, "bench"),
		"-Wl,-z,noexecstack", "-Wl,-T," + script,
	}
	for _, c := range []string{"main.c", "measure.c", "machine.c", "pages.c", "input.c", "runtime.c", "variants.c"} {
		args = append(args, filepath.Join(dir, c))
	}
	for i, v := range variants {
		name := fmt.Sprintf("kbench_variant_%d", i)
		renamed := filepath.Join(dir, name+".o")
		if err := runTool(ctx, dir, "objcopy", "--redefine-sym=kbench_variant="+name, v.object, renamed); err != nil {
			return "", err
		}
		args = append(args, renamed)
		// The name stays, whatever else is removed from the store meanwhile.
		if err := os.Link(v.tables.file, filepath.Join(dir, tablesFile(i))); err != nil {
			return "", err
		}
	}
	if err := os.WriteFile(script, []byte(linkerScript(len(variants))), 0o644); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "variants.c"), []byte(variantsText(variants)), 0o644); err != nil {
		return "", err
	}
	return filepath.Join(dir, "bench"), runTool(ctx, dir, "gcc", args...)
}

// linkerScript puts the variants behind everything else: first their code, then
// their tables, which have addresses but no bytes in the file, each on huge pages of
// its own. Were the tables of a variant next to its code, the program would have
// more segments than Linux 6.12 loads of one file, since bytes cannot follow none in one.
func linkerScript(variants int) string {
	var code, tables strings.Builder
	for i := range variants {
		fmt.Fprintf(&code, "\t\t*kbench_variant_%d.o(.kgen_code)\n\t\t. = ALIGN(%#x);\n", i, hugePage)
		fmt.Fprintf(&tables, "\t\t*kbench_variant_%d.o(.kgen_tables)\n", i)
	}
	return fmt.Sprintf("SECTIONS\n{\n\t.kgen_code : ALIGN(%#x)\n\t{\n%s\t} =0\n\t.kgen_tables : ALIGN(%#x)\n\t{\n%s\t}\n}\nINSERT AFTER .bss;\n",
		hugePage, code.String(), hugePage, tables.String())
}

// tablesFile is where the program finds the tables of a variant.
func tablesFile(variant int) string { return fmt.Sprintf("tables-%d", variant) }

// variantsText is the C file that lists the variants.
func variantsText(variants []*built) string {
	var declared, listed, files strings.Builder
	for i, v := range variants {
		fmt.Fprintf(&declared, "extern const struct kbench_variant kbench_variant_%d;\nstatic const struct places places_%d[] = {\n", i, i)
		for _, p := range v.tables.Places {
			fmt.Fprintf(&declared, "\t{ %d, %d },\n", p.At, p.Count)
		}
		declared.WriteString("\t{ 0, 0 },\n};\n")
		fmt.Fprintf(&listed, "\t&kbench_variant_%d,\n", i)
		fmt.Fprintf(&files, "\t{ \"%s\", %d, places_%d },\n", tablesFile(i), v.tables.end(), i)
	}
	return "#include \"bench.h\"\n" + declared.String() +
		"const struct kbench_variant *const kbench_variants[] = {\n" + listed.String() + "};\n" +
		"const struct tables kbench_table_files[] = {\n" + files.String() + "};\n" +
		"const int kbench_num_variants = sizeof(kbench_variants) / sizeof(kbench_variants[0]);\n"
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
	cmd.Dir = filepath.Dir(program)
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
