package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// queueSentences say what is unusual of the queue and how it is consumed.
func queueSentences(route registered.Route) []string {
	var all []string
	if route.Queue.PerInstance {
		all = append(all, fmt.Sprintf("Each running instance has a queue of its own, called %q, a dot and a random text", route.Queue.Name))
	}
	for _, source := range route.Sources {
		all = append(all, fmt.Sprintf("Its queue is bound to the %s exchange %q as well, by %s",
			source.Exchange.Type, source.Exchange.Name, cmp.Or(strings.Join(source.RoutingKeys, ", "), "the empty key")))
	}
	if route.ConsumerPriority != 0 {
		all = append(all, fmt.Sprintf("It consumes with the priority %d", route.ConsumerPriority))
	}
	if unknown := route.Unknown(); unknown != nil {
		all = append(all, "The code doesn't determine "+strings.Join(unknown, ", "))
	}
	return all
}

// printDeclared says what Router.Declare declares beside the routes.
func printDeclared(w io.Writer, declared registered.Declared) {
	if declared.IsEmpty() {
		return
	}
	fmt.Fprintln(w, "\nDeclared beside the routes:")
	for _, thing := range declaredThings(declared) {
		fmt.Fprintf(w, "  %s\n", thing)
	}
}

func declaredThings(declared registered.Declared) []string {
	t := declared.Topology
	var all []string
	for _, q := range t.Queues {
		all = append(all, fmt.Sprintf("the queue %q", q.Name))
	}
	for _, e := range t.Exchanges {
		all = append(all, fmt.Sprintf("the %s exchange %q", e.Type, e.Name))
	}
	for _, b := range t.Bindings {
		all = append(all, fmt.Sprintf("a binding of the queue %q to the exchange %q by %q", b.Queue, b.Exchange, b.RoutingKey))
	}
	for _, b := range t.ExchangeBindings {
		all = append(all, fmt.Sprintf("a binding of the exchange %q to the exchange %q by %q", b.Destination, b.Source, b.RoutingKey))
	}
	if declared.Unknown {
		all = append(all, "more, perhaps: what Router.Declare gets isn't all known")
	}
	return all
}
