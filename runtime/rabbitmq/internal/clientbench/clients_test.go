package clientbench

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	watermillamqp "github.com/ThreeDotsLabs/watermill-amqp/v3/pkg/amqp"
	"github.com/ThreeDotsLabs/watermill/message"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
	wagslane "github.com/wagslane/go-rabbitmq"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// A payload is a JSON body of about 256 bytes.
type payload struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

const (
	rounds   = 5
	messages = 10_000
	prefetch = 100
	senders  = 100
)

// A client is a library. Its functions work on one queue that exists.
type client struct {
	name    string
	consume func(b *testing.B, url, queue string, n int)                                 // n JSON messages, each acknowledged
	sender  func(b *testing.B, url, queue string) (send func([]byte) error, c io.Closer) // send waits for the confirm
}

var clients = []client{
	{"amqp091", consumeRaw, sendRaw},
	{"warren", consumeWarren, sendWarren},
	{"wagslane", consumeWagslane, sendWagslane},
	{"watermill", consumeWatermill, sendWatermill},
}

// BenchmarkClientsConsume consumes with a prefetch of 100, decodes and acknowledges.
// The ratios are throughputs by that of amqp091-go, in the best of the rounds.
func BenchmarkClientsConsume(b *testing.B) {
	url := startNode(b)
	takeTurns(b, func(c client) (func(), time.Duration) {
		fill(b, url, "bench", messages)
		began := time.Now()
		c.consume(b, url, "bench", messages)
		return func() {}, time.Since(began)
	})
}

// BenchmarkClientsPublish has 100 goroutines that each wait for their confirms.
func BenchmarkClientsPublish(b *testing.B) {
	url := startNode(b)
	body := body(b)
	takeTurns(b, func(c client) (func(), time.Duration) {
		fill(b, url, "bench", 0)
		send, closer := c.sender(b, url, "bench")
		var sending sync.WaitGroup
		began := time.Now()
		for range senders {
			sending.Go(func() {
				for range messages / senders {
					if err := send(body); err != nil {
						b.Error(err)
					}
				}
			})
		}
		sending.Wait()
		return func() { require.NoError(b, closer.Close()) }, time.Since(began)
	})
}

// takeTurns runs all clients in each round, so that the load of the machine is the
// same for them.
func takeTurns(b *testing.B, run func(client) (end func(), took time.Duration)) {
	took := slices.Repeat([]time.Duration{time.Hour}, len(clients))
	for b.Loop() {
		for turn := range rounds * len(clients) {
			i := (turn + turn/len(clients)) % len(clients)
			end, d := run(clients[i])
			end()
			took[i] = min(took[i], d)
		}
	}
	for i, c := range clients[1:] {
		b.ReportMetric(float64(took[0])/float64(took[i+1]), c.name+"-x-amqp091")
	}
	b.ReportMetric(0, "ns/op")
}

func startNode(b *testing.B) (url string) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(b, err)
	b.Cleanup(node.Stop)
	return node.URL()
}

func body(b *testing.B) []byte {
	body, err := json.Marshal(payload{ID: 7, Text: strings.Repeat("x", 230)})
	require.NoError(b, err)
	return body
}

// fill makes the queue hold n messages.
func fill(b *testing.B, url, queue string, n int) {
	channel := dial(b, url)
	_, err := channel.QueueDeclare(queue, true, false, false, false, nil)
	require.NoError(b, err)
	_, err = channel.QueuePurge(queue, false)
	require.NoError(b, err)
	if n == 0 {
		return
	}
	require.NoError(b, channel.Confirm(false))
	var last *amqp.DeferredConfirmation
	body := body(b)
	for range n {
		last, err = channel.PublishWithDeferredConfirm("", queue, false, false, amqp.Publishing{
			// Watermill reads an id from a header.
			Headers: amqp.Table{watermillamqp.DefaultMessageUUIDHeaderKey: "id"}, DeliveryMode: amqp.Persistent, Body: body,
		})
		require.NoError(b, err)
	}
	require.True(b, last.Wait())
}

func dial(b *testing.B, url string) *amqp.Channel {
	conn, err := amqp.Dial(url)
	require.NoError(b, err)
	b.Cleanup(func() { conn.Close() })
	channel, err := conn.Channel()
	require.NoError(b, err)
	return channel
}

func consumeRaw(b *testing.B, url, queue string, n int) {
	channel := dial(b, url)
	require.NoError(b, channel.Qos(prefetch, 0, false))
	deliveries, err := channel.Consume(queue, "", false, false, false, false, nil)
	require.NoError(b, err)
	for range n {
		d := <-deliveries
		var p payload
		if err := json.Unmarshal(d.Body, &p); err != nil {
			b.Fatal(err)
		}
		if err := d.Ack(false); err != nil {
			b.Fatal(err)
		}
	}
	require.NoError(b, channel.Close())
}

func consumeWarren(b *testing.B, url, queue string, n int) {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: url, Prefetch: prefetch})
	require.NoError(b, err)
	done := make(chan struct{})
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: queue, Durable: true},
		Handler: runtime.Consume(func(context.Context, payload) error {
			if n--; n == 0 {
				close(done)
			}
			return nil
		}),
	})
	require.NoError(b, broker.Start(context.Background(), router))
	<-done
	require.NoError(b, broker.Shutdown(context.Background()))
}

func consumeWagslane(b *testing.B, url, queue string, n int) {
	conn, err := wagslane.NewConn(url, wagslane.WithConnectionOptionsLogger(quiet{}))
	require.NoError(b, err)
	consumer, err := wagslane.NewConsumer(conn, queue, wagslane.WithConsumerOptionsQueueDurable, wagslane.WithConsumerOptionsLogger(quiet{}),
		wagslane.WithConsumerOptionsQOSPrefetch(prefetch), wagslane.WithConsumerOptionsConcurrency(1))
	require.NoError(b, err)
	done := make(chan struct{})
	go func() { // ends with the consumer
		_ = consumer.Run(func(d wagslane.Delivery) wagslane.Action {
			var p payload
			if json.Unmarshal(d.Body, &p) != nil {
				return wagslane.NackDiscard
			}
			if n--; n == 0 {
				close(done)
			}
			return wagslane.Ack
		})
	}()
	<-done
	consumer.Close()
	require.NoError(b, conn.Close())
}

// quiet logs nothing.
type quiet struct{}

func (quiet) Fatalf(string, ...any) {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Warnf(string, ...any)  {}
func (quiet) Infof(string, ...any)  {}
func (quiet) Debugf(string, ...any) {}

func consumeWatermill(b *testing.B, url, queue string, n int) {
	config := watermillamqp.NewDurableQueueConfig(url)
	config.Consume.Qos.PrefetchCount = prefetch
	subscriber, err := watermillamqp.NewSubscriber(config, watermill.NopLogger{})
	require.NoError(b, err)
	got, err := subscriber.Subscribe(context.Background(), queue)
	require.NoError(b, err)
	for range n {
		m := <-got
		var p payload
		if err := json.Unmarshal(m.Payload, &p); err != nil {
			b.Fatal(err)
		}
		m.Ack()
	}
	require.NoError(b, subscriber.Close())
}

// A closer closes by a function.
type closer func() error

func (c closer) Close() error { return c() }

func sendRaw(b *testing.B, url, queue string) (func([]byte) error, io.Closer) {
	channel := dial(b, url)
	require.NoError(b, channel.Confirm(false))
	return func(body []byte) error {
		confirm, err := channel.PublishWithDeferredConfirm("", queue, true, false,
			amqp.Publishing{Body: body, DeliveryMode: amqp.Persistent, ContentType: "application/json"})
		if err == nil && !confirm.Wait() {
			err = errors.New("nacked")
		}
		return err
	}, channel
}

func sendWarren(b *testing.B, url, queue string) (func([]byte) error, io.Closer) {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: url})
	require.NoError(b, err)
	return func(body []byte) error {
		return broker.Publish(context.Background(), runtime.Address{RoutingKey: queue}, &runtime.Message{Body: body, ContentType: "application/json"})
	}, closer(func() error { return broker.Shutdown(context.Background()) })
}

func sendWagslane(b *testing.B, url, queue string) (func([]byte) error, io.Closer) {
	conn, err := wagslane.NewConn(url, wagslane.WithConnectionOptionsLogger(quiet{}))
	require.NoError(b, err)
	publisher, err := wagslane.NewPublisher(conn, wagslane.WithPublisherOptionsConfirm, wagslane.WithPublisherOptionsLogger(quiet{}))
	require.NoError(b, err)
	return func(body []byte) error {
			confirms, err := publisher.PublishWithDeferredConfirmWithContext(context.Background(), body, []string{queue},
				wagslane.WithPublishOptionsMandatory, wagslane.WithPublishOptionsPersistentDelivery, wagslane.WithPublishOptionsContentType("application/json"))
			if err == nil && !confirms[0].Wait() {
				err = errors.New("nacked")
			}
			return err
		}, closer(func() error {
			publisher.Close()
			return conn.Close()
		})
}

func sendWatermill(b *testing.B, url, queue string) (func([]byte) error, io.Closer) {
	config := watermillamqp.NewDurableQueueConfig(url)
	config.Publish.ConfirmDelivery, config.Publish.Mandatory, config.Publish.ChannelPoolSize = true, true, senders
	publisher, err := watermillamqp.NewPublisher(config, watermill.NopLogger{})
	require.NoError(b, err)
	return func(body []byte) error {
		return publisher.Publish(queue, message.NewMessage("id", body))
	}, publisher
}
