// Package memory is a message broker inside the process: the contract of
// package rabbitmq without a server, for tests, demonstrations and programs
// that need no more.
//
//	broker := memory.New(memory.Config{})
//	if err := broker.Start(ctx, router); err != nil {
//		return err
//	}
//	defer broker.Shutdown(context.Background())
//	orders := runtime.NewPublisher[OrderCreated](broker, runtime.Endpoint{
//		Route: "order.created",
//		To:    runtime.Address{Exchange: "shop", RoutingKey: "order.created"},
//	})
//	err := orders.Publish(ctx, OrderCreated{ID: 7})
//
// It has what services build on: the default exchange, exchanges of the types
// direct, fanout, topic and headers (and x-delayed-message around one of them),
// alternate exchanges, priorities, a message's and a queue's time to live,
// length limits, dead-lettering, quorum queues' delivery limits, prefetch,
// redelivery in the original order, direct reply-to, and exclusive and auto-delete
// queues. Queue arguments other than these are accepted and have no effect.
//
// It never writes to disk, opens no socket and keeps nothing: a [Server] forgets
// its messages when the last reference to it is gone. It reads the clock of
// package time only, so it works in a testing/synctest bubble: make the broker
// inside of it.
package memory
