package service

import (
	"flag"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// OutputFlag is the flag -o, without which no document is written.
func (o *Options) OutputFlag(f *flag.FlagSet) {
	o.Documents = nil
	f.Var(&documentsFlag{documents: &o.Documents}, "o", "write the document of the program as it is to `FILE`: YAML if its name ends in .yaml or .yml, else JSON. "+
		"FORM=FILE chooses its form, "+formNames()+". It can be given several times")
}

// Describe writes the documents of routes that weren't found by package discover.
func Describe(o *Options, program *load.Program, routes []registered.Route) ([]FileState, diagnostic.List, error) {
	g := &Generator{Dir: o.Dir}
	files, found, err := g.makeDocuments(o, program, described{routes: routes})
	if err != nil || files == nil {
		return nil, found, err
	}
	states, err := writeFiles(o, files)
	return states, found, err
}
