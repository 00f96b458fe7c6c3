package service

import (
	"flag"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// DescriptionFlags are the flags of what a document has beside the routes, and of the
// documents themselves.
func (o *Options) DescriptionFlags(f *flag.FlagSet) {
	o.documentFlags(f)
	o.configFlags(f)
}

// Describe writes the documents of routes that weren't found by package discover.
func Describe(o *Options, program *load.Program, routes []registered.Route) ([]FileState, diagnostic.List, error) {
	g := &Generator{Dir: o.Dir}
	files, found, err := g.makeDocuments(o, program, routes, nil)
	if err != nil || files == nil {
		return nil, found, err
	}
	states, err := writeFiles(o, files)
	return states, found, err
}
