package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scan"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

const aboutScan = `
Scan finds what packages (default "./...") consume by another client of RabbitMQ:
amqp091-go, streadway/amqp, wagslane/go-rabbitmq or watermill-amqp. It prints each
consumer, what it couldn't find out, and the route of warren to write for it. It
changes no line of the packages.
`

// scanOptions are the values of the command line of scan.
type scanOptions struct {
	flags *flag.FlagSet
	dir   string
	tags  string
	named []string
}

func newScanOptions(dir string) *scanOptions {
	o := &scanOptions{flags: flag.NewFlagSet("asyncapigen scan", flag.ContinueOnError), dir: dir}
	o.flags.SetOutput(io.Discard)
	o.flags.StringVar(&o.tags, "tags", "", "build `TAGS`, separated by commas")
	return o
}

func (o *scanOptions) parse(args []string) error {
	if err := o.flags.Parse(args); err != nil {
		return err
	}
	if o.named = o.flags.Args(); len(o.named) == 0 {
		o.named = []string{"./..."}
	}
	return service.CheckPatterns(o.named)
}

// runScan is the command scan.
func runScan(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	dir, err := os.Getwd()
	o := newScanOptions(dir)
	if err == nil {
		err = o.parse(args)
	}
	if err != nil {
		return commandLineFault(err, "scan", o.flags, stdout, stderr)
	}
	progress := startProgress(stderr, service.Listing)
	defer progress.stop()
	program, err := load.Packages(ctx, load.Config{Dir: dir, Patterns: o.named, Tags: o.tags, Clients: scan.Clients})
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen scan: %v\n", err)
		return usage
	}
	progress.step("finding consumers")
	result := scan.Find(ctx, program)
	progress.stop()
	for _, c := range result.Consumers {
		fmt.Fprintf(stdout, "%+v\n", *c)
	}
	for _, p := range result.Problems {
		fmt.Fprintln(stderr, p)
	}
	return done
}
