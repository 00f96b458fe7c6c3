// Package memory is a [runtime.Broker] inside the process: the contract of package
// rabbitmq without a server, for tests, demonstrations and programs that need no
// more. Both pass the same suite of tests.
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
// Brokers that share a [Server] stand for services on one RabbitMQ node:
//
//	server := new(memory.Server)
//	shop, billing := memory.New(memory.Config{Server: server}), memory.New(memory.Config{Server: server})
//
// It has what services build on: the default exchange, exchanges of the types
// direct, fanout, topic and headers (and x-delayed-message around one of them),
// alternate exchanges, priorities, a message's and a queue's time to live,
// length limits, dead-lettering, quorum queues' delivery limits, prefetch,
// redelivery in the original order, direct reply-to, and exclusive and auto-delete
// queues, CC and BCC. What RabbitMQ refuses is refused: declarations, declaring in
// another way, a user id that isn't the connection's. Queue arguments other than these
// are accepted and have no effect. Where versions of RabbitMQ differ it is as 4: a
// message that goes back to a quorum queue keeps its place, with or without a
// delivery limit, and a headers exchange finds no integer equal to a float, and no time
// equal to anything.
//
// It never writes to disk and never opens a socket: the messages of a [Server] end
// with its last reference. It never is out of reach, so it never returns
// ErrUnknown or ErrBlocked. It reads the clock of package time only, and so works
// in a testing/synctest bubble: make the broker inside of it.
package memory
