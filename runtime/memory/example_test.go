package memory_test

import (
	"context"
	"fmt"
	"log"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

func ExampleNew() {
	ctx := context.Background()
	greeted := make(chan struct{})
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name:  "greet",
		Queue: runtime.Queue{Name: "greetings"},
		Handler: runtime.Consume(func(_ context.Context, name string) error {
			fmt.Println("hello,", name)
			close(greeted)
			return nil
		}),
	})
	broker := memory.New(memory.Config{})
	if err := broker.Start(ctx, router); err != nil {
		log.Fatal(err)
	}
	greetings := runtime.NewPublisher[string](broker, runtime.Endpoint{
		Route: "greet",
		To:    runtime.Address{RoutingKey: "greetings"},
	})
	if err := greetings.Publish(ctx, "ann"); err != nil {
		log.Fatal(err)
	}
	<-greeted
	if err := broker.Shutdown(ctx); err != nil {
		log.Fatal(err)
	}
	// Output: hello, ann
}

// Two services on one server.
func ExampleServer() {
	ctx := context.Background()
	server := new(memory.Server)
	billing, shop := memory.New(memory.Config{Server: server}), memory.New(memory.Config{Server: server})
	defer billing.Shutdown(ctx)
	defer shop.Shutdown(ctx)

	bills := make(chan string)
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name:  "bill",
		Queue: runtime.Queue{Name: "bills"},
		Handler: runtime.Consume(func(_ context.Context, order string) error {
			bills <- order
			return nil
		}),
	})
	if err := billing.Start(ctx, router); err != nil {
		log.Fatal(err)
	}
	if err := shop.Publish(ctx, runtime.Address{RoutingKey: "bills"}, &runtime.Message{Body: []byte(`"17"`)}); err != nil {
		log.Fatal(err)
	}
	fmt.Println("bill of order", <-bills)
	// Output: bill of order 17
}
