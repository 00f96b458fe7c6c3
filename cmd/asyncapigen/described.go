package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// described returns the documents of the one service that a command line names, as
// generate would make them once prepare has had its options. An error is about what is
// named; the warnings are of looking for it.
func described(ctx context.Context, dir string, args []string, prepare func(*service.Options), stderr io.Writer) (service.Outcome, diagnostic.List, error) {
	all, warnings, err := service.Find(ctx, dir, service.List, args)
	if err == nil && len(all) > 1 {
		err = fmt.Errorf("%s has %d go:generate directives, and one service is needed: name its folder, or one of the documents that they write", cmp.Or(strings.Join(args, " "), "this folder"), len(all))
	}
	if err != nil {
		return service.Outcome{}, warnings, err
	}
	for _, o := range all {
		prepare(o)
	}
	progress := startProgress(stderr, service.Listing)
	defer progress.stop()
	g := &service.Generator{Dir: dir, Step: progress.step}
	var made service.Outcome
	for made = range g.Run(ctx, all) {
	}
	return made, warnings, nil
}
