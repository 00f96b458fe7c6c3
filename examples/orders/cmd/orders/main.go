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
// With -serve it goes on, until it is interrupted, and takes orders by HTTP:
//
//	go run ./examples/orders/cmd/orders -serve
//	curl -d '{"order_id":"7","customer":{"id":"c-1"},"lines":[{"sku":"tea","quantity":1}]}' localhost:8080/orders
//	curl localhost:8080/customers/c-1/orders
//	curl localhost:8080/metrics
//	curl localhost:8080/readyz
//	curl localhost:8080/asyncapi/asyncapi.json
//
// Each request is a trace that goes through the broker to the handler and back;
// its id is in the log records, which go to standard error. Spans are sent to the
// collector that OTEL_EXPORTER_OTLP_ENDPOINT names.
//
// With -rules it prints what Prometheus needs to watch its objectives, and with
// -dashboard a dashboard for Grafana: requests, objectives, queues and retries.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/examples/orders/ordersclient"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/messages"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/memory"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// grace is how long what runs gets when the service ends.
const grace = 10 * time.Second

func main() {
	o := options{url: os.Getenv("RABBITMQ_URL"), log: os.Stderr}
	flag.BoolVar(&o.serve, "serve", false, "go on until interrupted, and take orders by HTTP")
	flag.StringVar(&o.http, "http", "localhost:8080", "serve HTTP at this address")
	printRules := flag.Bool("rules", false, "print the rules of Prometheus for the service's objectives, and do nothing else")
	printDashboard := flag.Bool("dashboard", false, "print the service's dashboard for Grafana, and do nothing else")
	flag.Parse()
	if flag.NArg() > 0 {
		fmt.Fprintf(os.Stderr, "orders: %q isn't a flag: orders takes flags only, see -h\n", flag.Arg(0))
		os.Exit(2)
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var err error
	switch {
	case *printRules:
		err = writeRules(os.Stdout)
	case *printDashboard:
		_, err = os.Stdout.Write(dashboard)
	default:
		err = run(ctx, os.Stdout, o)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "orders:", err)
		os.Exit(1)
	}
}

// options are what the caller of the command chooses.
type options struct {
	url   string // of RabbitMQ; "" is a broker in memory
	serve bool
	http  string    // the address of the HTTP server
	log   io.Writer // of log records
}

func writeRules(out io.Writer) error {
	text, err := rules()
	if err != nil {
		return err
	}
	_, err = out.Write(text)
	return err
}

func run(ctx context.Context, out io.Writer, o options) (err error) {
	level := slog.LevelWarn // the story goes to out
	if o.serve {
		level = slog.LevelInfo
	}
	t, err := newTelemetry(ctx, o.log, level)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, inGrace(ctx, t.Shutdown)) }()
	broker, err := t.newBroker(out, o.url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, inGrace(ctx, broker.Shutdown)) }()

	router, handled := runtime.NewRouter(), make(chan handling, 16)
	t.trace(router)
	router.Use(report(handled))
	if err := orders.Register(router, orders.NewService()); err != nil {
		return err
	}
	if err := start(ctx, broker, router); err != nil {
		return err
	}

	client := ordersclient.New(broker, t.traced())
	if err := demonstrate(ctx, out, client, handled); err != nil || !o.serve {
		return err
	}
	contract, err := newContract(router)
	if err != nil {
		return err
	}
	return serve(ctx, out, o.http, t.watch(newAPI(client, broker, t.MetricsHandler(), contract)), handled)
}

// A broker also says how it is.
type broker interface {
	runtime.Broker
	messages.Broker
}

// newBroker returns a broker whose events and state are in the metrics.
func (t *telemetry) newBroker(out io.Writer, url string) (b broker, err error) {
	events := []runtime.Events{t.messages.Metrics.Events()}
	if url == "" {
		fmt.Fprintln(out, "broker   in memory (set RABBITMQ_URL for RabbitMQ)")
		b = memory.New(memory.Config{Events: events})
	} else {
		fmt.Fprintln(out, "broker   RabbitMQ")
		if b, err = rabbitmq.New(rabbitmq.Config{URL: url, Events: events, Logger: observe.Logger("rabbitmq")}); err != nil {
			return nil, err
		}
	}
	t.messages.Metrics.Watch(b)
	return b, nil
}

func start(ctx context.Context, broker runtime.Broker, router *runtime.Router) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	return broker.Start(ctx, router)
}

// inGrace calls what ends a part of the service, also where ctx has ended.
func inGrace(ctx context.Context, shutdown func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return shutdown(ctx)
}
