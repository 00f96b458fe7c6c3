// Asyncapigen reads the packages of a RabbitMQ service, finds the consumer
// routes that it registers with warren's runtime, and writes its contract: an
// AsyncAPI 2.6.0 document and a typed client package. Nothing of the service is
// run.
//
// A service has a directive in one of its files:
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
	findings = 1 // the program or the files have faults, or asyncapigen was interrupted
	usage    = 2 // the command line can't be used
)

func main() {
	delayCollection()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is main with its environment as arguments. All errors have been printed when
// it returns.
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
