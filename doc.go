// Package warren derives the contract of a RabbitMQ service from its Go code, and
// runs the same routes. It has no code of its own: use the packages below.
//
// A service says once, in Go, what it consumes:
//
//	//go:generate go tool asyncapigen -title Orders
//
//	func Register(r *runtime.Router, svc *Service) error {
//		return r.Register(runtime.Route{
//			Queue:       runtime.Queue{Name: "orders.created", Durable: true},
//			Exchange:    &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true},
//			RoutingKeys: []string{"order.created"},
//			Handler:     runtime.Consume(svc.OrderCreated), // func(context.Context, events.OrderCreated) error
//		})
//	}
//
// go generate reads that code, without running it, and writes asyncapi.json, an
// AsyncAPI 2.6.0 document with the schemas of the messages, and the package
// ordersclient, whose Client has PublishOrderCreated for other services. Commit
// both; asyncapigen check fails when they are stale.
//
// # Install
//
//	go get github.com/warrenmq/warren
//	go get -tool github.com/warrenmq/warren/cmd/asyncapigen
//
// # Packages
//
//   - [github.com/warrenmq/warren/cmd/asyncapigen]: the generator
//   - [github.com/warrenmq/warren/runtime]: routes, handlers, the router,
//     typed publishers and callers
//   - [github.com/warrenmq/warren/runtime/rabbitmq]: the broker RabbitMQ, with
//     confirms, reconnects and graceful shutdown
//   - [github.com/warrenmq/warren/runtime/memory]: a broker in memory, for tests
//   - [github.com/warrenmq/warren/runtime/asyncapi]: the document of a running
//     program's routes
//   - [github.com/warrenmq/warren/mgmt]: a client of RabbitMQ's management API
//   - [github.com/warrenmq/warren/mgmt/topology]: what a program declares,
//     compared with what a broker has
//   - [github.com/warrenmq/warren/observe]: logs, traces, RED metrics, SLOs,
//     redaction and tenants, for HTTP and for messages
//
// # Documentation
//
// The guide is docs/guide.md. All flags are in docs/reference/command.md, all
// settings and errors of the runtime in docs/reference/runtime.md, what
// asyncapigen reports in docs/diagnostics.md. A whole service is examples/orders.
// How warren is built is in docs/architecture.md.
package warren
