package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
)

type Greeting struct {
	Name string `json:"name"`
}

// greet handles a greeting.
func greet(_ context.Context, g Greeting) error {
	fmt.Println("hello,", g.Name)
	return nil
}

// answer answers one.
func answer(_ context.Context, g Greeting) (string, error) { return "hello, " + g.Name, nil }

// ann is a delivery as a broker would make it.
func ann() *runtime.Delivery {
	return &runtime.Delivery{RoutingKey: "greet.ann", Message: runtime.Message{Body: []byte(`{"name":"ann"}`)}}
}

// A service with one route, and a request to it.
func Example() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name:    "greet",
		Queue:   runtime.Queue{Name: "greetings"},
		Handler: runtime.Respond(answer),
		Reply:   &runtime.Address{}, // to the caller
	})
	broker := memory.New(memory.Config{}) // a real service uses rabbitmq.New
	if err := broker.Start(ctx, router); err != nil {
		log.Fatal(err)
	}
	defer broker.Shutdown(ctx)

	greetings := runtime.NewCaller[Greeting, string](broker, runtime.Endpoint{
		Route: "greet",
		To:    runtime.Address{RoutingKey: "greetings"},
	})
	reply, err := greetings.Call(ctx, Greeting{Name: "ann"})
	fmt.Println(reply, err)
	// Output: hello, ann <nil>
}

func ExampleRouter_Register() {
	router := runtime.NewRouter()
	err := router.Register(
		runtime.Route{
			Queue:       runtime.Queue{Name: "greetings", Durable: true},
			Exchange:    &runtime.Exchange{Name: "people", Type: runtime.Topic, Durable: true},
			RoutingKeys: []string{"greet.*"},
			Handler:     runtime.Consume(greet), // which names the route
		},
		runtime.Route{
			Queue:   runtime.Queue{Name: "questions"},
			Handler: runtime.Respond(answer), // to the reply_to of each request
		},
		runtime.Route{
			Exchange: &runtime.Exchange{Name: "people", Type: runtime.Topic, Durable: true},
			Queue:    runtime.Queue{Name: "others"},
			Handler:  runtime.Consume(greet),
		},
	)
	fmt.Println(err)
	// Output: register route "greet": Name: is taken by the route of queue "greetings": names are unique
}

func ExampleRouter_Use() {
	timed := func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			fmt.Println("begins", d.RoutingKey)
			defer fmt.Println("ends", d.RoutingKey)
			return next(ctx, d)
		}
	}
	router := runtime.NewRouter()
	router.Use(timed)
	router.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "greetings"}, Handler: runtime.Consume(greet)})

	for _, route := range router.Routes() { // as a broker does
		_, _ = route.Handler.Handle(context.Background(), ann())
	}
	// Output:
	// begins greet.ann
	// hello, ann
	// ends greet.ann
}

func ExampleRouter_Intercept() {
	signed := func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			runtime.WithHeader("signed-by", "greeter")(s.Message)
			return next(ctx, s)
		}
	}
	router := runtime.NewRouter()
	router.Intercept(signed) // the replies of all routes
	router.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "greetings"}, Handler: runtime.Respond(answer), Reply: &runtime.Address{}})

	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	broker := memory.New(memory.Config{})
	if err := broker.Start(ctx, router); err != nil {
		log.Fatal(err)
	}
	defer broker.Shutdown(ctx)
	reply, err := broker.Call(ctx, runtime.Address{RoutingKey: "greetings"}, &runtime.Message{Body: []byte(`{}`)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(reply.Headers)
	// Output: map[signed-by:greeter]
}

func ExampleWithInterceptors() {
	logged := func(next runtime.SendFunc) runtime.SendFunc {
		return func(ctx context.Context, s *runtime.Sending) (*runtime.Message, error) {
			fmt.Println("to", s.To)
			return next(ctx, s)
		}
	}
	greetings := runtime.NewPublisher[Greeting](
		memory.New(memory.Config{}),
		runtime.Endpoint{To: runtime.Address{Exchange: "amq.topic", RoutingKey: "greet.ann"}},
		runtime.WithInterceptors(logged),
		runtime.WithDefaults(runtime.WithAllowUnroutable()),
	)
	fmt.Println(greetings.Publish(context.Background(), Greeting{Name: "ann"}))
	// Output:
	// to exchange "amq.topic" with key "greet.ann"
	// <nil>
}

func ExampleConsume() {
	handler := runtime.Consume(func(_ context.Context, g Greeting) error {
		fmt.Println("hello,", g.Name)
		return nil // the message leaves its queue
	})
	_, err := handler.Handle(context.Background(), ann())
	fmt.Println(err)
	// Output:
	// hello, ann
	// <nil>
}

func ExampleRespond() {
	handler := runtime.Respond(func(_ context.Context, g Greeting) (string, error) { return "hello, " + g.Name, nil })
	reply, err := handler.Handle(context.Background(), ann())
	fmt.Println(string(reply.Body), err)
	// Output: "hello, ann" <nil>
}

func ExampleReject() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name:  "greet",
		Queue: runtime.Queue{Name: "greetings", Durable: true},
		Handler: runtime.Consume(func(_ context.Context, g Greeting) error {
			if g.Name == "" {
				return runtime.Reject(errors.New("the greeting has no name"))
			}
			return nil
		}),
	})
	done := make(chan struct{})
	router.MustRegister(runtime.Route{
		Name:  "dead",
		Queue: runtime.Queue{Name: "greetings.dead", Durable: true},
		Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
			defer close(done)
			failure, _ := runtime.FailureOf(runtime.DeliveryFrom(ctx))
			fmt.Printf("%s: %s: %s, attempt %d\n", body, failure.Reason, failure.Error, failure.Attempt)
			return nil
		}),
	})
	broker := memory.New(memory.Config{})
	if err := broker.Start(ctx, router); err != nil {
		log.Fatal(err)
	}
	defer broker.Shutdown(ctx)

	greetings := runtime.NewPublisher[Greeting](broker, runtime.Endpoint{To: runtime.Address{RoutingKey: "greetings"}})
	if err := greetings.Publish(ctx, Greeting{}); err != nil {
		log.Fatal(err)
	}
	<-done
	// Output: {"name":""}: rejected: the greeting has no name, attempt 1
}

func ExampleDeliveryFrom() {
	handler := runtime.Consume(func(ctx context.Context, _ Greeting) error {
		d := runtime.DeliveryFrom(ctx)
		fmt.Println(d.RoutingKey, d.Redelivered)
		return nil
	})
	_, _ = handler.Handle(context.Background(), ann())
	// Output: greet.ann false
}

func ExampleNewPublisher() {
	broker := memory.New(memory.Config{})
	greetings := runtime.NewPublisher[Greeting](broker, runtime.Endpoint{
		Route: "greet",
		To:    runtime.Address{RoutingKey: "greetings"},
	})
	err := greetings.Publish(context.Background(), Greeting{Name: "ann"}, runtime.WithMessageID("17"))
	if errors.Is(err, runtime.ErrUnroutable) {
		fmt.Println("start the consumer first:", err)
	}
	// Output: start the consumer first: route "greet": send: publish to queue "greetings": no queue is bound for the message
}

func ExamplePublisher_PublishKey() {
	greetings := runtime.NewPublisher[Greeting](memory.New(memory.Config{}), runtime.Endpoint{
		Route:    "greet",
		To:       runtime.Address{Exchange: "people"},
		Patterns: []string{"greet.*"},
	})
	err := greetings.PublishKey(context.Background(), "order.created", Greeting{Name: "ann"})
	fmt.Println(err)
	// Output: route "greet": choose the key: the routing key "order.created" matches none of the route's bindings (greet.*)
}

func ExampleNewCaller() {
	broker := memory.New(memory.Config{})
	greetings := runtime.NewCaller[Greeting, string](broker, runtime.Endpoint{
		Route: "greet",
		To:    runtime.Address{RoutingKey: "greetings"},
	})
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second) // a call needs a deadline
	defer cancel()
	_, err := greetings.Call(ctx, Greeting{Name: "ann"})
	var failed *runtime.ReplyError
	switch {
	case errors.As(err, &failed):
		fmt.Println("the handler failed:", failed.Message)
	case errors.Is(err, runtime.ErrUnroutable):
		fmt.Println("the service has never been started")
	}
	// Output: the service has never been started
}

func ExampleEnv() {
	os.Setenv("GREETINGS_QUEUE", "greetings.eu")
	defer os.Unsetenv("GREETINGS_QUEUE")
	queue := runtime.Queue{Name: runtime.Env("GREETINGS_QUEUE", "greetings")} // "greetings" in the contract
	fmt.Println(queue.Name)
	// Output: greetings.eu
}

func ExampleRoute_Bindings() {
	route := runtime.Route{
		Queue:       runtime.Queue{Name: "greetings"},
		Exchange:    &runtime.Exchange{Name: "people", Type: runtime.Topic},
		RoutingKeys: []string{"greet.*", "wave.*"},
	}
	for _, b := range route.Bindings() {
		fmt.Println(b.Exchange, b.RoutingKey, b.Queue)
	}
	// Output:
	// people greet.* greetings
	// people wave.* greetings
}

// The main function of a service.
func ExampleRun() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "greetings"}, Handler: runtime.Consume(greet)})
	broker := memory.New(memory.Config{})
	if err := runtime.Run(ctx, broker, router, 20*time.Second); err != nil {
		log.Fatal(err)
	}
}
