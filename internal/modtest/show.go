package modtest

// Show is the source of package show of goldens, by which a program prints the documents
// of its own routes.
const Show = `// Package show prints what a running program registers.
package show

import (
	"log"
	"os"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

func Document(routers ...*runtime.Router) {
	var routes []runtime.Route
	var all runtime.Topology
	for _, r := range routers {
		routes = append(routes, r.Routes()...)
		t := r.Topology()
		all.Queues, all.Exchanges = append(all.Queues, t.Queues...), append(all.Exchanges, t.Exchanges...)
		all.Bindings, all.ExchangeBindings = append(all.Bindings, t.Bindings...), append(all.ExchangeBindings, t.ExchangeBindings...)
	}
	declared := asyncapi.WithTopology(all)
	text, err := asyncapi.GenerateJSON(routes, nil, 2)
	if err != nil {
		log.Fatal(err)
	}
	extended, err := asyncapi.GenerateJSON(routes, nil, 2, asyncapi.Extended, declared)
	if err != nil {
		log.Fatal(err)
	}
	three, err := asyncapi3.GenerateJSON(routes, nil, 2, declared)
	if err != nil {
		log.Fatal(err)
	}
	for _, one := range [][]byte{text, extended, three} {
		os.Stdout.Write(append(one, 0))
	}
}
`
