// Package runtime describes the consumers of a RabbitMQ service as routes, runs
// their handlers, and sends messages to them.
//
// A [Route] is one consumer: the queue that it reads, the exchange and the keys
// that fill the queue, and the typed function that handles each message. A
// service registers its routes with a [Router] and gives that to a [Broker], which
// declares and consumes them. Package rabbitmq has the broker of a real service,
// package memory one within the process, for tests.
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
// [Consume] makes the handler of a function without a result, [Respond] that of
// one whose result is sent as the reply, [ConsumeBatch] that of one which takes many
// messages at once, and [Dispatch] one of several for a queue with several types of
// messages. [Env] is a name that deployments change, [Reject] marks an error that
// trying again can't help, [DeliveryFrom] has what came with the body. [Run] runs a
// broker with a [NewRouter] until its context ends.
//
// Whoever sends to a route uses a [Publisher] or, for a reply, a [Caller], over a
// [Transport], which every broker is. The command asyncapigen reads the same
// routes from the source, without running them, and writes the service's AsyncAPI
// document and a client, which is a few lines on Publisher and Caller.
//
// # The way of a delivery
//
// A broker takes a message from a route's queue, as a [Delivery], and hands it to
// [Process]. The [Middleware] of [Router.Use] gets it first, then that of
// [Handler.With]. The innermost step decodes the body and calls the function.
// What a [Respond] handler returns comes back through the middleware as a
// [Message], and goes to the route's reply address through each [Interceptor] of
// [Router.Intercept]. The [Settlement] follows: Ack where all of that succeeded;
// otherwise what the [FailurePolicy] of the route says, which is to try again after
// a while, and in the end to put the message among the dead letters. The broker
// settles the delivery with its server, and then calls the functions of
// [Delivery.OnSettled].
//
// # What it doesn't do
//
// The package opens no connection, starts no goroutine and never logs: brokers
// do, and say so. It needs no other module.
//
// # Files
//
// What is declared is in route.go, what Register refuses in check.go and
// routetable.go. A delivery's way is in process.go, handler.go, middleware.go and
// body.go, which decodes; handlers of several are in dispatch.go and batch.go, and
// order.go and acknowledge.go have the order of messages and their settlement by
// hand; delivery.go and settlement.go have its types. What becomes of a failure is in failurepolicy.go and failurequeue.go, which say where
// messages wait, in failure.go, which decides, in retry.go, which reads a message
// that comes back, and in deadletter.go. What is sent goes through client.go,
// option.go and interceptor.go. transport.go, broker.go and errors.go say what a
// broker has to do.
package runtime

// IsAtLeastVersion0_1 is referred to by generated clients: a client that needs
// a newer runtime than the one it is compiled with doesn't compile.
const IsAtLeastVersion0_1 = true
