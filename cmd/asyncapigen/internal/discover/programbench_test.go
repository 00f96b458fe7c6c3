package discover_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/modtest"
)

// bench evaluates programs of one file, which may import what prelude does, and package
// flag.
type bench struct {
	*onefile.Program
	lenient bool // evaluate programs with type errors too, as the command does
}

func newBench(t testing.TB) *bench {
	t.Helper()
	return &bench{Program: onefile.New(t, prelude, "package main\n\nimport \"flag\"\n")}
}

// routes evaluates the program; the error says that it doesn't compile.
func (b *bench) routes(ctx context.Context, source string) (discover.Result, error) {
	if err := b.check(source); err != nil {
		return discover.Result{}, err
	}
	return discover.Routes(ctx, b.Program.Program), nil
}

// check makes the program the one to be evaluated.
func (b *bench) check(source string) error {
	if err := b.Set("main.go", source); err != nil {
		return err
	}
	if faults := b.Roots[0].Errors; len(faults) > 0 && !b.lenient {
		return errors.New(faults[0].Msg)
	}
	return nil
}

func goldens(t testing.TB) []string {
	t.Helper()
	var sources []string
	for _, name := range modtest.Programs(t) {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		for _, file := range archive.Files {
			if file.Name == "main.go" {
				sources = append(sources, string(file.Data))
			}
		}
	}
	require.NotEmpty(t, sources)
	return sources
}
