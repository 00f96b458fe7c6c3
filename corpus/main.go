// Corpus holds payload schemas against modules that others wrote: it makes
// random values of every exported struct type of theirs, writes them by
// encoding/json, and validates the JSON against the schemas that asyncapigen makes
// of the source code. It also compares those schemas with the ones that reflection
// makes, leaving aside what only source code says.
//
//	go run . -values 20
//
// It prints a table in Markdown, and each failure on stderr; the exit status is 1
// where there is one. The folder values is written anew in each run, and has the
// program that makes the values. The module is apart from warren's own, so that
// others don't download what it needs. Its path is below that of asyncapigen,
// whose internal packages it uses.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
)

func main() {
	values := flag.Int("values", 20, "make `N` values of each type")
	seed := flag.Uint64("seed", 1, "seed of the random values")
	flag.Parse()
	failed, err := run(context.Background(), *values, *seed)
	if err != nil {
		fmt.Fprintf(os.Stderr, "corpus: %v\n", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

func run(ctx context.Context, values int, seed uint64) (failed bool, err error) {
	found, err := listTypes(ctx)
	if err != nil {
		return false, err
	}
	if err := writeProgram(found); err != nil {
		return false, err
	}
	described, err := describe(ctx, found)
	if err != nil {
		return false, err
	}
	made, wait, err := startProgram(ctx, described, values, seed)
	if err != nil {
		return false, err
	}
	failed, err = report(os.Stdout, os.Stderr, described, made)
	return failed, errors.Join(err, wait())
}
