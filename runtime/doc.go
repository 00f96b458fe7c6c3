// Package runtime describes the consumers of a RabbitMQ service as routes, and
// runs deliveries through them.
//
// A [Route] says which queue is consumed, how the queue is bound, and which
// typed function handles its messages. Routes are collected by a [Router]; a
// broker (package memory or package rabbitmq) consumes what the router holds:
//
//	func Register(r *runtime.Router, svc *Service) error {
//		return r.Register(runtime.Route{
//			Queue:       runtime.Queue{Name: "orders.created", Durable: true},
//			Exchange:    &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true},
//			RoutingKeys: []string{"order.created"},
//			Handler:     runtime.Consume(svc.OnOrderCreated), // func(context.Context, OrderCreated) error
//		})
//	}
//
// The same routes are read by asyncapigen, without running them, to write the
// service's AsyncAPI document and a typed client; the client is a few lines on
// [Publisher] and [Caller].
//
// The package imports the standard library only. It never opens a connection,
// never starts a goroutine and never logs: brokers do, and they say so.
package runtime

// IsAtLeastVersion0_1 is referred to by generated clients: a client that needs
// a newer runtime than the one it is compiled with doesn't compile.
const IsAtLeastVersion0_1 = true
