// SPDX-License-Identifier: GPL-2.0-only

package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kgen/model"
)

// moduleFlags say which module is looked up in, in which state.
type moduleFlags struct {
	file   string
	region string
	state  string
}

func (f *moduleFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.file, "module", "", "look up in the module `FILE`, a .ko or the output of readelf -sW")
	flags.StringVar(&f.region, "region", "", "look addresses up in the memory region `BASE:SIZE` only")
	flags.StringVar(&f.state, "state", "live", "of the module: coming while its init runs, live after it")
}

// elfMagic begins an ELF file, and no text.
var elfMagic = []byte("\x7fELF")

// moduleHelp explains --module in the long help of a command.
const moduleHelp = `With --module, symbols and addresses are those of a module, laid out from
0xffffffffc0000000 on as the kernel lays its sections out. Of readelf -sW
output sections are guessed from symbols; with --region its values are
addresses already, and the state is coming.`

// check refuses flags of core lookups beside --module, and flags of modules
// without it.
func (f *moduleFlags) check(cmd *cobra.Command, others ...string) error {
	if f.file == "" {
		for _, name := range []string{"region", "state", "sympos"} {
			if flag := cmd.Flags().Lookup(name); flag != nil && flag.Changed {
				return usagef("--%s is for --module FILE", name)
			}
		}
		if cmd.Flags().Lookup("map").Value.String() == "" {
			return usagef("--map FILE is missing: a System.map, nm output, /proc/kallsyms or a vmlinux; or --module FILE")
		}
		return nil
	}
	for _, name := range append(others, designParams...) {
		if cmd.Flags().Changed(name) {
			return usagef("--%s is for lookups in the kernel, not in a --module", name)
		}
	}
	if f.state != "coming" && f.state != "live" {
		return usagef("--state %s: expected coming or live", f.state)
	}
	return nil
}

// load reads the module and lays it out: in the state asked for, or else coming.
func (f *moduleFlags) load(cmd *cobra.Command, all, asAsked bool) (*model.ModuleSpec, *model.Module, error) {
	region, err := f.parseRegion()
	if err != nil {
		return nil, nil, err
	}
	data, err := f.read(cmd.InOrStdin())
	if err != nil {
		return nil, nil, err
	}
	if f.region != "" && !bytes.HasPrefix(data, elfMagic) && !cmd.Flags().Changed("state") {
		f.state = "coming" // every symbol of a listing is there; which ones stay is not known
	}
	spec := &model.ModuleSpec{Rules: model.ModuleRules{AllSymbols: all}}
	m, err := f.module(data, region, spec.Rules)
	if err != nil {
		return nil, nil, err
	}
	if asAsked && f.state == "live" {
		m.EndInit()
	}
	if f.region != "" {
		m.Mem = [model.NumMemories]model.Region{model.ModText: region}
	}
	spec.Modules = []*model.Module{m}
	return spec, m, nil
}

func (f *moduleFlags) read(stdin io.Reader) ([]byte, error) {
	if f.file == "-" {
		return io.ReadAll(stdin)
	}
	data, err := os.ReadFile(f.file)
	if err != nil {
		return nil, usagef("--module: %w", err)
	}
	return data, nil
}

// module makes the module of the file's content, while its init runs.
func (f *moduleFlags) module(data []byte, region model.Region, rules model.ModuleRules) (*model.Module, error) {
	name := moduleName(filepath.Base(f.file))
	var o *model.Object
	if bytes.HasPrefix(data, elfMagic) {
		var err error
		if o, err = model.ReadModule(bytes.NewReader(data)); err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
	} else if bytes.IndexByte(data, 0) >= 0 {
		return nil, fmt.Errorf("%s: %w: neither an ELF file nor text; decompress a .ko.xz, .ko.zst or .ko.gz first", f.file, model.ErrModule)
	} else {
		symbols, sections, err := model.ReadReadelf(bufio.NewReader(bytes.NewReader(data)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.file, err)
		}
		if f.region != "" {
			if f.state == "live" {
				return nil, usagef("--region with a listing: which symbols are live is not known; give the .ko, or --state coming")
			}
			return model.ModuleAt(name, symbols, region), nil
		}
		o = model.ListedObject(symbols, sections)
	}
	if o.Name == "" {
		o.Name = name
	}
	return o.Load(rules), nil
}

// parseRegion reads BASE:SIZE, two numbers as in C.
func (f *moduleFlags) parseRegion() (model.Region, error) {
	if f.region == "" {
		return model.Region{}, nil
	}
	base, size, _ := strings.Cut(f.region, ":")
	b, err1 := strconv.ParseUint(base, 0, 64)
	s, err2 := strconv.ParseUint(size, 0, 64)
	why := ""
	switch {
	case err1 != nil || err2 != nil:
		why = "not two numbers"
	case b == 0: // the kernel counts down from it
		why = "BASE is 0"
	case s == 0:
		why = "SIZE is 0"
	case b+s < b: // a module is nowhere near the end
		why = "it ends beyond the last address"
	default:
		return model.Region{Base: b, Size: s}, nil
	}
	return model.Region{}, usagef("--region %s: %s; expected BASE:SIZE, such as 0xffffffffc0000000:0x1000", f.region, why)
}
