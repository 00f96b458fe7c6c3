// Command orders runs the example service and shows it at work: it sends a few
// messages through the generated client, and prints what was handled and what
// was answered.
//
// It needs nothing: without the environment variable RABBITMQ_URL the broker is
// one in memory. With it, such as amqp://guest:guest@localhost:5672/, the same
// goes through RabbitMQ, where the queues stay.
//
//	go run ./examples/orders/cmd/orders
//
// With -serve it goes on consuming, until it is interrupted.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// grace is how long running handlers get when the service ends.
const grace = 10 * time.Second

func main() {
	serve := flag.Bool("serve", false, "go on consuming until interrupted")
	flag.Parse()

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, os.Getenv("RABBITMQ_URL"), *serve); err != nil {
		fmt.Fprintln(os.Stderr, "orders:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, url string, serve bool) (err error) {
	broker, err := newBroker(out, url)
	if err != nil {
		return err
	}
	defer func() {
		if shutdownErr := shutdown(ctx, broker); err == nil {
			err = shutdownErr
		}
	}()

	router, handled := runtime.NewRouter(), make(chan handling, 16)
	router.Use(report(handled))
	if err := orders.Register(router, orders.NewService()); err != nil {
		return err
	}
	if err := start(ctx, broker, router); err != nil {
		return err
	}

	if err := demonstrate(ctx, out, broker, handled); err != nil || !serve {
		return err
	}
	fmt.Fprintln(out, "consuming until interrupted")
	for {
		select {
		case h := <-handled:
			h.print(out)
		case <-ctx.Done():
			return nil
		}
	}
}

func newBroker(out io.Writer, url string) (runtime.Broker, error) {
	if url == "" {
		fmt.Fprintln(out, "broker   in memory (set RABBITMQ_URL for RabbitMQ)")
		return memory.New(), nil
	}
	fmt.Fprintln(out, "broker   RabbitMQ")
	return rabbitmq.New(rabbitmq.Config{URL: url, Logger: slog.Default()})
}

func start(ctx context.Context, broker runtime.Broker, router *runtime.Router) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return broker.Start(ctx, router)
}

// shutdown ends the broker, also where ctx has ended.
func shutdown(ctx context.Context, broker runtime.Broker) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return broker.Shutdown(ctx)
}
