// Asyncapigen reads the packages of a RabbitMQ service, finds the consumer
// routes that it registers with warren's runtime, and writes its contract: an
// AsyncAPI 2.6.0 document and a typed client package. Nothing of the service is
// run.
//
// A service says so once, in one of its files:
//
//	//go:generate go tool asyncapigen -title "Orders" -api-version 1.4.0
//
// and commits what go generate writes. In continuous integration the flag
// -check fails when the committed files are stale. See -h for the flags.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
)

// Exit statuses. See docs/decisions/0008.
const (
	done     = 0 // the files are written, or fresh
	findings = 1 // something is wrong with the program, or with the files, or it was interrupted
	usage    = 2 // something is wrong with the command line
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its surroundings as arguments. Whatever went wrong has been
// printed when it returns.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "topology" {
		return runTopology(ctx, args[1:], stdout, stderr)
	}
	all, err := parse(ctx, args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		printHelp(stdout, all[0])
		return done
	case err != nil:
		fmt.Fprintf(stderr, "asyncapigen: %v (-h lists the flags)\n", err)
		return usage
	case all[0].version:
		fmt.Fprintln(stdout, version())
		return done
	}
	status := done
	for _, opts := range all {
		status = max(status, generate(ctx, opts, stdout, stderr))
		if ctx.Err() != nil {
			break
		}
	}
	return status
}
