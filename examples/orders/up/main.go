// Command up runs the example with what stands around a service: RabbitMQ and
// Prometheus where they are installed, and a receiver of OTLP, which prints the traces
// of HTTP requests as text. It sends two requests, goes on until it is interrupted, or
// with -once until these have been printed, and ends all that it has started.
//
//	go run ./examples/orders/up
//
// With RABBITMQ_URL set it uses that broker. Without RabbitMQ the broker is in memory.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/warrenmq/warren/internal/rabbitnode"
)

// patience bounds what has to happen soon.
const patience = time.Minute

func main() {
	once := flag.Bool("once", false, "end when the traces of two requests have been printed")
	address := flag.String("http", "localhost:8080", "the service's address")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Stdout, *address, *once); err != nil {
		fmt.Fprintln(os.Stderr, "up:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer, address string, once bool) (err error) {
	dir, err := os.MkdirTemp("", "warren-up-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	received, err := startCollector()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, received.stop()) }()
	fmt.Fprintln(out, "OTLP        "+received.address)

	url, stopBroker := broker(ctx, out)
	defer stopBroker()
	orders, err := startOrders(ctx, dir, address, url, received.address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, orders.stop()) }()
	fmt.Fprintf(out, "orders      %s, with /metrics, /healthz, /readyz and /asyncapi/\n", orders.address)
	prometheus, err := startPrometheus(ctx, dir, orders)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, prometheus.stop()) }()
	fmt.Fprintln(out, "Prometheus  "+prometheus.address)

	for _, send := range []func(context.Context, string) error{placeOrder, askForOrders} {
		if err := send(ctx, orders.address); err != nil {
			return err
		}
	}
	atMost := 0 // without end
	if once {
		atMost = 2
	}
	return received.printTraces(ctx, out, atMost)
}

// broker returns the URL of a RabbitMQ, and what stops it: "" where there is none.
func broker(ctx context.Context, out io.Writer) (url string, stop func()) {
	if url := os.Getenv("RABBITMQ_URL"); url != "" {
		fmt.Fprintln(out, "RabbitMQ    that of RABBITMQ_URL")
		return url, func() {}
	}
	node, err := rabbitnode.Start(ctx)
	if err != nil {
		fmt.Fprintf(out, "RabbitMQ    none: %v; the broker is in memory\n", err)
		return "", func() {}
	}
	fmt.Fprintf(out, "RabbitMQ    %s, its management at %s\n", node.URL(), node.ManagementURL())
	return node.URL(), node.Stop
}

func placeOrder(ctx context.Context, address string) error {
	body := `{"order_id":"7","customer":{"id":"c-7","name":"Bob"},"lines":[{"sku":"tea","quantity":2}]}`
	return request(ctx, http.MethodPost, address+"/orders", body, http.StatusAccepted)
}

func askForOrders(ctx context.Context, address string) error {
	return request(ctx, http.MethodGet, address+"/customers/c-7/orders", "", http.StatusOK)
}

// request asks the service as the tenant acme.
func request(ctx context.Context, method, url, body string, want int) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("X-Tenant-ID", "acme")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err == nil && response.StatusCode != want {
		err = fmt.Errorf("%s %s: %s: %s", method, url, response.Status, text)
	}
	return err
}
