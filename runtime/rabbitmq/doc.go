// Package rabbitmq consumes routes from a RabbitMQ server and publishes to it.
//
//	broker, err := rabbitmq.New(rabbitmq.Config{URL: os.Getenv("RABBITMQ_URL"), Logger: slog.Default()})
//	if err != nil {
//		return err
//	}
//	return runtime.Run(ctx, broker, router, 20*time.Second)
//
// A broker keeps two connections, one to consume and one to publish, since a
// server that is short of memory stops reading from connections that publish,
// acknowledgements included. Each is made again when it is lost, for ever, and
// at once the first time; the topology is then declared again and consuming
// goes on.
//
// It never reports a message as published that the server hasn't confirmed and
// routed, never settles a delivery on another channel than the one it came on,
// and never puts the credentials of its URL into an error, a log or a String.
//
// # Quorum queues
//
// A queue with the argument "x-queue-type": "quorum" counts how often a message
// comes back. One that has come back more often than x-delivery-limit says goes to
// the dead-letter exchange, and without one it is lost. RabbitMQ 4 has a limit of
// 20 where the queue declares none, RabbitMQ 3 has no limit; -1 switches it off in
// RabbitMQ 4. This package declares what the route says and adds nothing. What
// counts (measured on 3.10, 4.0 and 4.3):
//
//   - a handler that fails, before 4.3; from 4.3 on it doesn't count, and a message
//     that always fails comes again for ever;
//   - a connection or channel that is lost, for each message that the route held,
//     handled or not;
//   - a shutdown, before 4.3, for each message that was held and not handled. From
//     4.3 on they are given back in a way that doesn't count.
//
// So declare x-dead-letter-exchange, or -1, on quorum queues of RabbitMQ 4, and on
// 4.3 don't take the limit for a number of retries: a handler that wants to give up
// says so by [runtime.Reject].
//
// # Incarnations
//
// Delivery tags and confirms are numbers that belong to one channel and start
// again with the next one. Here each channel object lives as long as the
// channel it stands for: deliveries, confirms and settlements keep theirs, and
// what is settled after its channel has gone is settled nowhere. The message
// comes again. amqp091-go's automatic recovery, which gives an old object a new
// channel, isn't used: it was measured to confirm the wrong messages and to
// acknowledge others than those that were handled (v1.16.0, RabbitMQ 3.10).
package rabbitmq
