package messages_test

import (
	"context"
	"fmt"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

// A message takes its trace along, from the span that publishes it to the handler.
func Example() {
	ctx := context.Background()
	o, err := observe.Configure(ctx, observe.Config{ServiceName: "shop"})
	if err != nil {
		panic(err)
	}
	defer o.Shutdown(ctx)
	options := messages.Options{Metrics: messages.NewMetrics(messages.Limits{})}

	router := runtime.NewRouter()
	router.Use(messages.Consume(options))
	router.Intercept(messages.Publish(options)) // replies
	handled := make(chan string)
	router.MustRegister(runtime.Route{
		Name: "order.created", Queue: runtime.Queue{Name: "orders"},
		Handler: runtime.Consume(func(ctx context.Context, id int) error {
			handled <- observe.TraceContext(ctx)["trace_id"]
			return nil
		}),
	})
	broker := memory.New(memory.Config{})
	if err := broker.Start(ctx, router); err != nil {
		panic(err)
	}
	defer broker.Shutdown(ctx)

	publisher := runtime.NewPublisher[int](broker, runtime.Endpoint{Route: "order.created", To: runtime.Address{RoutingKey: "orders"}},
		runtime.WithInterceptors(messages.Publish(options)))
	sending, span := observe.TraceSpan(ctx, "checkout")
	defer span.End(nil)
	if err := publisher.Publish(sending, 7); err != nil {
		panic(err)
	}
	fmt.Println(<-handled == observe.TraceContext(sending)["trace_id"])
	// Output: true
}
