// SPDX-License-Identifier: GPL-2.0-only

package model

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"kgen/gen/realmap"
	"kgen/gen/realmap/realmaptest"
)

func TestReadText(t *testing.T) {
	long := strings.Repeat("n", KsymNameLen)
	for _, c := range []struct {
		reason, text string
		want         Map
	}{
		{"nothing", "", Map{Symbols: []Symbol{}}},
		{"the last line needs no end", "10 T a\n0020 t b", Map{Symbols: []Symbol{{0x10, 'T', "a"}, {0x20, 't', "b"}}}},
		{"64 bits, digits of either case", "ffffFFFF81000000 T a\n", Map{Symbols: []Symbol{{0xffffffff81000000, 'T', "a"}}}},
		{"a name is all that follows", "1 T a b  c\n2 T \n", Map{Symbols: []Symbol{{1, 'T', "a b  c"}, {2, 'T', ""}}}},
		{"any ASCII type", "1 \x01 a\n2   b\n", Map{Symbols: []Symbol{{1, 1, "a"}, {2, ' ', "b"}}}},
		{"a name may hold any byte", "1 T \xff\x80\n", Map{Symbols: []Symbol{{1, 'T', "\xff\x80"}}}},
		{"the module column", "1 t a\t[m]\n2 t b\n", Map{
			Symbols: []Symbol{{2, 't', "b"}},
			Modules: []ModuleSymbol{{Symbol{1, 't', "a"}, "m"}},
		}},
		{"a tab that starts no module column", "1 t a\t[\n", Map{Symbols: []Symbol{{1, 't', "a\t["}}}},
		{"511 bytes of name pass, 512 are skipped", "1 T " + long + "\n2 T " + long[1:] + "\n", Map{
			Symbols: []Symbol{{2, 'T', long[1:]}},
			Skipped: []SkippedName{{1, long}},
		}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
				got, err := ReadText(r)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(&c.want, got); diff != "" {
					t.Fatalf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestReadTextOfManyBlocks: the symbols of every block come in the order of the
// lines, wherever lines hold none, and whatever size was expected.
func TestReadTextOfManyBlocks(t *testing.T) {
	var text strings.Builder
	var want Map
	for line := 1; text.Len() < 5*blockSize; line++ {
		s := Symbol{uint64(line), 'T', fmt.Sprint("name", line)}
		switch {
		case line%7 == 0:
			want.Modules = append(want.Modules, ModuleSymbol{s, "m"})
			fmt.Fprintf(&text, "%x T %s\t[m]\n", s.Addr, s.Name)
			continue
		case line%1000 == 0:
			s.Name = strings.Repeat("n", KsymNameLen)
			want.Skipped = append(want.Skipped, SkippedName{line, s.Name})
		default:
			want.Symbols = append(want.Symbols, s)
		}
		fmt.Fprintf(&text, "%x T %s\n", s.Addr, s.Name)
	}
	for _, size := range []int{0, 1, text.Len() / 2, text.Len(), 3 * text.Len()} {
		got, err := readText(strings.NewReader(text.String()), int64(size))
		if err != nil {
			t.Fatal(err)
		}
		for what, equal := range map[string]bool{
			"symbols": slices.Equal(got.Symbols, want.Symbols),
			"modules": slices.Equal(got.Modules, want.Modules),
			"skipped": slices.Equal(got.Skipped, want.Skipped),
		} {
			if !equal {
				t.Errorf("%d of %d bytes expected: %s differ from those of the lines", size, text.Len(), what)
			}
		}
	}
}

func TestReadTextRefuses(t *testing.T) {
	good := strings.Repeat("0000000000000010 T a\n", 2*blockSize/21) // some blocks of it
	lines := strings.Count(good, "\n")
	for _, c := range []struct{ reason, line, says string }{
		{"an empty line", "\n", "address, type and name"},
		{"no name", "1 T\n", "address, type and name"},
		{"no digits", "x T a\n", "address, type and name"},
		{"a sign, which strtoull takes", "-1 T a\n", "address, type and name"},
		{"a prefix, which strtoull takes", "0x1 T a\n", "address, type and name"},
		{"a blank before, which strtoull skips", " 1 T a\n", "address, type and name"},
		{"a size column", "1 2 T a\n1 22 T a\n", "address, type and name"},
		{"more than 64 bits", "10000000000000000 T a\n", "16 digits"},
		{"a type that is not ASCII", "1 \xc3 a\n", "ASCII type"},
		{"an undefined symbol", "                 U a\n", "mksysmap"},
		{"a carriage return", "1 T a\r\n", "carriage return"},
		{"a NUL in the name", "1 T a\x00b\n", "NUL"},
		{"a NUL as the type", "1 \x00 a\n", "NUL"},
		{"the line end as the type", "1 \n a\n", "address, type and name"},
		{"a line without end", "1 T " + strings.Repeat("n", blockSize), "longer than"},
	} {
		t.Run(c.reason, func(t *testing.T) {
			for _, before := range []int{0, lines} {
				at := before + 1
				if c.reason == "a size column" {
					at++ // "1 2 T a" is a symbol of type 2
				}
				text := good[:before*21] + c.line + good
				_, err := ReadText(strings.NewReader(text))
				if !errors.Is(err, ErrMapSyntax) || !strings.Contains(err.Error(), c.says) ||
					!strings.Contains(err.Error(), fmt.Sprintf("line %d:", at)) || strings.Contains(err.Error(), "\n") {
					t.Fatalf("got %v, want ErrMapSyntax, line %d and %q", err, at, c.says)
				}
			}
		})
	}
}

func TestReadTextPassesReadErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	_, err := ReadText(io.MultiReader(strings.NewReader("1 T a\n2 T b\n"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) {
		t.Fatalf("got %v, want the reader's error", err)
	}
	_, err = ReadText(io.MultiReader(strings.NewReader(strings.Repeat("x\n", blockSize)), iotest.ErrReader(broken)))
	if !errors.Is(err, ErrMapSyntax) || !strings.Contains(err.Error(), "line 1:") {
		t.Fatalf("got %v, want the malformed line that came first", err)
	}
}

func TestReadTellsFormats(t *testing.T) {
	for _, c := range []struct {
		reason string
		in     io.Reader
		want   error
		says   string
	}{
		{"xz", strings.NewReader("\xfd7zXZ\x00..."), ErrMapFormat, "unxz"},
		{"gzip", strings.NewReader("\x1f\x8b\x08..."), ErrMapFormat, "gunzip"},
		{"zstd", strings.NewReader("\x28\xb5\x2f\xfd..."), ErrMapFormat, "unzstd"},
		{"a truncated ELF file", strings.NewReader("\x7fELF\x02\x01"), ErrMapFormat, ""},
		{"an ELF file from a pipe", io.MultiReader(strings.NewReader("\x7fELF\x02\x01")), ErrMapFormat, "pipe"},
		{"what an unprivileged reader sees", strings.NewReader("0 T a\n0 T b\n"), ErrHiddenAddresses, "root"},
		{"text that is no map", strings.NewReader("hello\n"), ErrMapSyntax, "line 1"},
		{"a broken reader", iotest.ErrReader(io.ErrClosedPipe), io.ErrClosedPipe, ""},
	} {
		if _, err := Read(c.in); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %v with %q", c.reason, err, c.want, c.says)
		}
	}
	if m, err := Read(strings.NewReader("0 T a\n")); err != nil || len(m.Symbols) != 1 {
		t.Errorf("one symbol at 0 hides nothing: %v", err)
	}
}

// elfProgram has symbols of every kind that nm tells apart.
const elfProgram = `
int data = 1; static int sdata = 2; const int ro = 3; static const int sro = 4;
int bss; static int sbss; int common __attribute__((common));
__attribute__((weak)) void weakf(void) {} __attribute__((weak)) int weakd = 5;
static void *resolve(void) { return weakf; } void ifunc(void) __attribute__((ifunc("resolve")));
static void local(void) {} extern void missing(void) __attribute__((weak));
__asm__(".globl absolute\nabsolute = 42\n.set alias, absolute\n__crc_x: __kstrtab_y: L0: .Llocal: a_veneer: __UNIQUE_ID_modinfo_12:\n");
int main(void) { local(); if (missing) missing(); return data + sdata + ro + sro + bss + sbss + common + weakd + !resolve(); }
`

// TestReadELFEqualsNm compares with binutils, through the mksysmap of a tree for
// an executable, as the kernel's own build does.
func TestReadELFEqualsNm(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "p.c")
	if err := os.WriteFile(source, []byte(elfProgram), 0o644); err != nil {
		t.Fatal(err)
	}
	object, program := filepath.Join(dir, "p.o"), filepath.Join(dir, "p")
	shell(t, fmt.Sprintf("gcc -w -c -o %s %s && gcc -w -static -o %s %s", object, source, program, object))
	mksysmap := filepath.Join(kernelTree(t, "7.3"), "scripts", "mksysmap")
	for _, c := range []struct{ reason, file, nm string }{
		{"an executable", program, fmt.Sprintf("nm -n %s | sed -f %s", program, mksysmap)},
		{"a relocatable file", object, "nm -p --defined-only " + object},
	} {
		t.Run(c.reason, func(t *testing.T) {
			f, err := os.Open(c.file)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got, err := Read(f)
			if err != nil {
				t.Fatal(err)
			}
			want, err := ReadText(bytes.NewReader(shell(t, c.nm)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("(-nm +ours):\n%s", diff)
			}
		})
	}
	stripped := filepath.Join(dir, "stripped")
	shell(t, fmt.Sprintf("strip -o %s %s", stripped, program))
	f, err := os.Open(stripped)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := Read(f); !errors.Is(err, ErrMapFormat) || !strings.Contains(err.Error(), "unstripped") {
		t.Errorf("a stripped file: %v, want ErrMapFormat with its remedy", err)
	}
}

// TestReadELFModule compares the symbols of modules with nm, which adds the
// sections' addresses to the values; the module loader does not.
func TestReadELFModule(t *testing.T) {
	for _, module := range realmap.Modules {
		t.Run(module.Name(), func(t *testing.T) {
			path := realmaptest.Path(t, module)
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			got, err := Read(f)
			if err != nil {
				t.Fatal(err)
			}
			want, err := ReadText(bytes.NewReader(shell(t, "nm -p --defined-only "+path)))
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Symbols) != len(want.Symbols) || len(got.Symbols) == 0 {
				t.Fatalf("%d symbols, nm shows %d", len(got.Symbols), len(want.Symbols))
			}
			for i, w := range want.Symbols {
				if g := got.Symbols[i]; g.Name != w.Name || g.Type != w.Type || g.Addr > w.Addr {
					t.Fatalf("symbol %d is %v, nm shows %v", i, g, w)
				}
			}
		})
	}
}

func shell(t *testing.T, command string) []byte {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("sh", "-c", command)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", command, err, stderr.String())
	}
	return out
}

// FuzzReadText holds the text reader against the shortest statement of the
// format, line by line.
func FuzzReadText(f *testing.F) {
	for _, seed := range []string{"", "1 T a\n", "ffffffff81000000 t a\t[m]\n", "1 T \n2 T", "x\n", "1 T a\r\n", "10000000000000000 T a\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := ReadText(bytes.NewReader(text))
		bad := firstBadLine(string(text))
		switch {
		case err != nil && !errors.Is(err, ErrMapSyntax):
			t.Fatalf("an error of no kind: %v", err)
		case (err != nil) != (bad > 0):
			t.Fatalf("%v, but the first malformed line is %d", err, bad)
		case err != nil && !strings.Contains(err.Error(), fmt.Sprintf("line %d:", bad)):
			t.Fatalf("%v, want line %d", err, bad)
		case err == nil && len(m.Symbols)+len(m.Modules)+len(m.Skipped) != strings.Count(string(text)+"\n", "\n")-trailing(text):
			t.Fatalf("%d lines gave %d symbols, %d of modules, %d skipped",
				strings.Count(string(text), "\n"), len(m.Symbols), len(m.Modules), len(m.Skipped))
		}
	})
}

// trailing is 1 if no text follows the last line end.
func trailing(text []byte) int {
	if len(text) == 0 || text[len(text)-1] == '\n' {
		return 1
	}
	return 0
}

func firstBadLine(text string) int {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSuffix(line, "\n")
		addr, rest, _ := strings.Cut(line, " ")
		ok := len(addr) >= 1 && len(addr) <= 16 && strings.Trim(addr, "0123456789abcdefABCDEF") == "" &&
			len(rest) >= 2 && rest[0] < 0x80 && rest[1] == ' ' && !strings.ContainsAny(rest, "\x00\r")
		if !ok {
			return n
		}
	}
	return 0
}

// FuzzReadELF wants symbols or an error, never a crash.
func FuzzReadELF(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if _, err := ReadELF(bytes.NewReader(file)); err != nil && !errors.Is(err, ErrMapFormat) {
			t.Fatalf("an error of no kind: %v", err)
		}
	})
}
