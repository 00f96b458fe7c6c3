package rabbitmq_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// The main function of a service.
func ExampleNew() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name:    "greet",
		Queue:   runtime.Queue{Name: "greetings", Durable: true},
		Handler: runtime.Consume(func(_ context.Context, name string) error { return nil }),
	})
	broker, err := rabbitmq.New(rabbitmq.Config{URL: os.Getenv("RABBITMQ_URL"), Logger: slog.Default()})
	if err != nil {
		log.Fatal(err)
	}
	if err := runtime.Run(ctx, broker, router, 20*time.Second); err != nil {
		log.Fatal(err)
	}
}

// Neither a configuration nor a broker shows the credentials of its URL.
func ExampleConfig() {
	config := rabbitmq.Config{
		URL:         "amqp://shop:secret@rabbit.example.com/orders",
		Prefetch:    10, // handlers take some seconds
		Concurrency: 4,
	}
	broker, err := rabbitmq.New(config)
	fmt.Println(strings.Contains(fmt.Sprint(config, broker), "secret"), err)
	// Output: false <nil>
}

// A server whose certificate is of an authority of one's own.
func ExampleConfig_tls() {
	authority, err := os.ReadFile("/etc/shop/ca.pem")
	if err != nil {
		log.Fatal(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(authority)
	broker, err := rabbitmq.New(rabbitmq.Config{
		URL: "amqps://rabbit.example.com/orders",
		TLS: &tls.Config{RootCAs: roots},
	})
	fmt.Println(broker, err)
}

// A program that only sends starts nothing.
func ExampleBroker_Publish() {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: os.Getenv("RABBITMQ_URL")})
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	defer broker.Shutdown(ctx)
	greetings := runtime.NewPublisher[string](broker, runtime.Endpoint{
		Route: "greet",
		To:    runtime.Address{RoutingKey: "greetings"},
	})
	if err := greetings.Publish(ctx, "ann"); err != nil {
		log.Print(err) // branch by errors.Is, see package runtime
	}
}
