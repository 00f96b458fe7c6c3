// Package messages traces, counts and logs the messages of package runtime, by
// OpenTelemetry's conventions for RabbitMQ (semantic conventions 1.43). It is the
// only package of observe that imports runtime.
//
//	metrics := messages.NewMetrics(messages.Limits{}, messages.WithService("orders"))
//	options := messages.Options{Metrics: metrics}
//	router.Use(messages.Consume(options))
//	router.Intercept(messages.Publish(options)) // replies
//	client := ordersclient.New(broker, runtime.WithInterceptors(messages.Publish(options)))
//	err := observability.Register(metrics) // and its MetricsHandler serves them
//
// A message carries the trace in the headers traceparent, tracestate and baggage.
// The span of its handling is a child of the span that published it, so that a
// trace goes from a request to the publish, the handler, and the handler's reply;
// a span that was active where the message is handled becomes a link, see
// [Options].LinkOnly. The tenant travels in the baggage.
//
// Spans are named by operation and destination: "publish shop:order.created" of
// kind producer, "process shop:order.created:orders" of kind consumer, and "ack",
// "nack" or "reject" of kind client for the settlement. Of a call the span lasts
// until the reply and is of kind client.
//
// It never changes a message that has a traceparent already, never fails a message
// for headers that can't be read, and never records a body.
package messages
