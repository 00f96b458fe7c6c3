package rabbitmq_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// payload is a JSON body of about 256 bytes.
type payload struct {
	ID   int    `json:"id"`
	Text string `json:"text"`
}

var onePayload = payload{ID: 7, Text: strings.Repeat("x", 230)}

// BenchmarkPublish compares confirmed publishing by 100 goroutines with a window
// of 100 that is written by hand on the client library.
func BenchmarkPublish(b *testing.B) {
	body, err := json.Marshal(onePayload)
	require.NoError(b, err)
	q := benchQueue(b)
	b.Run("raw window of 100", func(b *testing.B) {
		channel := benchChannel(b)
		require.NoError(b, channel.Confirm(false))
		b.ReportAllocs()
		b.ResetTimer()
		var pending []*amqp.DeferredConfirmation
		for range b.N {
			if len(pending) == 100 {
				require.True(b, pending[0].Wait())
				pending = pending[1:]
			}
			confirm, err := channel.PublishWithDeferredConfirm("", q.Name, true, false,
				amqp.Publishing{Body: body, DeliveryMode: amqp.Persistent, ContentType: "application/json"})
			require.NoError(b, err)
			pending = append(pending, confirm)
		}
		for _, confirm := range pending {
			require.True(b, confirm.Wait())
		}
	})
	b.Run("100 goroutines", func(b *testing.B) {
		broker := benchBroker(b)
		msg := &runtime.Message{Body: body, ContentType: "application/json"}
		require.NoError(b, broker.Publish(context.Background(), to(q), msg))
		b.ReportAllocs()
		b.ResetTimer()
		var publishing sync.WaitGroup
		left := make(chan struct{}, b.N)
		for range b.N {
			left <- struct{}{}
		}
		close(left)
		for range 100 {
			publishing.Go(func() {
				for range left {
					if err := broker.Publish(context.Background(), to(q), msg); err != nil {
						b.Error(err)
					}
				}
			})
		}
		publishing.Wait()
	})
}

// BenchmarkConsume compares a typed route with the client library and
// encoding/json, both with a prefetch of 100 and one acknowledgement a message.
func BenchmarkConsume(b *testing.B) {
	b.Run("raw", func(b *testing.B) {
		q := benchFill(b)
		channel := benchChannel(b)
		require.NoError(b, channel.Qos(100, 0, false))
		b.ReportAllocs()
		b.ResetTimer()
		deliveries, err := channel.Consume(q.Name, "", false, false, false, false, nil)
		require.NoError(b, err)
		for range b.N {
			d := <-deliveries
			var p payload
			require.NoError(b, json.NewDecoder(bytes.NewReader(d.Body)).Decode(&p))
			require.NoError(b, d.Ack(false))
		}
	})
	b.Run("route", func(b *testing.B) {
		q := benchFill(b)
		broker := benchBroker(b)
		done, left := make(chan struct{}), b.N
		router := runtime.NewRouter()
		require.NoError(b, router.Register(runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(context.Context, payload) error {
			if left--; left == 0 {
				close(done)
			}
			return nil
		})}))
		b.ReportAllocs()
		b.ResetTimer()
		require.NoError(b, broker.Start(context.Background(), router))
		<-done
	})
}

func benchBroker(b *testing.B) *rabbitmq.Broker {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: node.URL()})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, broker.Shutdown(context.Background())) })
	return broker
}

func benchChannel(b *testing.B) *amqp.Channel {
	conn, err := amqp.Dial(node.URL())
	require.NoError(b, err)
	b.Cleanup(func() { conn.Close() })
	channel, err := conn.Channel()
	require.NoError(b, err)
	return channel
}

func benchQueue(b *testing.B) runtime.Queue {
	q := runtime.Queue{Name: "warren-bench-" + strings.ReplaceAll(b.Name(), "/", "-"), Durable: true}
	channel := benchChannel(b)
	_, err := channel.QueueDeclare(q.Name, true, false, false, false, nil)
	require.NoError(b, err)
	b.Cleanup(func() { channel.QueueDelete(q.Name, false, false, false) })
	return q
}

// benchFill returns a queue with b.N messages.
func benchFill(b *testing.B) runtime.Queue {
	q, body := benchQueue(b), new(bytes.Buffer)
	require.NoError(b, json.NewEncoder(body).Encode(onePayload))
	channel := benchChannel(b)
	require.NoError(b, channel.Confirm(false))
	var last *amqp.DeferredConfirmation
	for range b.N {
		var err error
		last, err = channel.PublishWithDeferredConfirm("", q.Name, false, false, amqp.Publishing{Body: body.Bytes()})
		require.NoError(b, err)
	}
	require.True(b, last.Wait())
	return q
}
