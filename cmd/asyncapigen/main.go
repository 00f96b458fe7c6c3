// Asyncapigen reads the packages of a RabbitMQ service, finds the consumer
// routes that it registers with warren's runtime, and writes its contract: an
// AsyncAPI 2.6.0 document and a typed client package. Nothing of the service is
// run.
//
// A service has a directive in one of its files:
//
//	//go:generate go tool asyncapigen -title "Orders" -api-version 1.4.0
//
// and commits what go generate writes. In continuous integration asyncapigen
// check fails when the committed files are stale. asyncapigen help lists the
// commands.
//
// Which file is which:
//
//	commands.go      the table of commands, and which one a command line means
//	help.go, completion.go, nearest.go
//	                 what users are told of commands and flags
//	generate.go      the commands of the generator, which is package service
//	report.go, json.go, annotations.go, progress.go
//	                 what is printed
//	watch.go         the flag -watch
//	diff.go, html.go, serve.go, map.go, topology.go, dead.go,
//	init.go          the commands of these names
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/vettool"
)

// Exit statuses. See docs/decisions/0008.
const (
	done     = 0 // the files are written, or fresh
	findings = 1 // the program or the files have faults, or asyncapigen was interrupted
	usage    = 2 // the command line can't be used
)

func main() {
	if vettool.IsCalled(os.Args[1:]) {
		os.Exit(vettool.Run(os.Args[1:], os.Stdout, os.Stderr))
	}
	delayCollection()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}
