package rabbitmq_test

import (
	"context"
	"errors"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// TestVersions runs what differs between versions of RabbitMQ, and on those that
// aren't installed all that brokers have in common.
func TestVersions(t *testing.T) {
	for _, version := range rabbitnode.Versions() {
		t.Run(version, func(t *testing.T) {
			release, err := rabbitnode.WithVersion(version)
			require.NoError(t, err)
			ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
			defer cancel()
			node, err := rabbitnode.Start(ctx, release, rabbitnode.WithSettings("max_message_size = 500000", "frame_max = 2097152"))
			require.NoError(t, err)
			t.Cleanup(node.Stop)
			quorum := quorum{node, versionOf(t, node)}
			t.Run("quorum queue", quorum.test)
			t.Run("dead letters of a policy", func(t *testing.T) { deadLettersOfPolicy(t, node) })
			t.Run("queue that is deleted and made anew", func(t *testing.T) { queueMadeAnew(t, node) })
			t.Run("queue of a type that the route doesn't say", func(t *testing.T) { queueOfOtherType(t, node) })
			t.Run("headers exchange", func(t *testing.T) { headersCompared(t, node, quorum.version) })
			t.Run("declarations", func(t *testing.T) { declarations(t, node) })
			t.Run("message that is too large", func(t *testing.T) { tooLarge(t, node) })
			t.Run("reply that is too large", func(t *testing.T) { answersTooLarge(t, node) })
			t.Run("messages beside one that is too large", func(t *testing.T) { refusedOnce(t, node) })
			t.Run("headers that are larger than a frame", func(t *testing.T) { largeHeaders(t, node) })
			if version != "installed" {
				t.Run("conformance", func(t *testing.T) {
					conformance.Run(t, func(*testing.T) conformance.Server { return server{node.URL()} })
				})
			}
		})
	}
}

// answersTooLarge has a handler whose reply the server refuses. Its caller is told, and it
// isn't called again.
func answersTooLarge(t *testing.T, node *rabbitnode.Node) {
	q, calls := queue(t), make(chan struct{}, 10)
	q.AutoDelete = true
	start(t, open(t, node.URL()), runtime.Route{Name: "r", Queue: q, Handler: runtime.Respond(func(context.Context, []byte) ([]byte, error) {
		calls <- struct{}{}
		return make([]byte, 600_000), nil
	})})
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	call := runtime.NewCaller[[]byte, []byte](open(t, node.URL()), runtime.Endpoint{Route: "r", To: to(q)})
	for range 2 { // the second time the limit is known
		_, err := call.Call(ctx, []byte("1"))
		var failed *runtime.ReplyError
		require.ErrorAs(t, err, &failed)
		require.Equal(t, runtime.CodeInternal, failed.Code)
	}
	require.Len(t, calls, 2)
}

// deadLettersOfPolicy has the server say where dead letters go, which the route doesn't
// know.
func deadLettersOfPolicy(t *testing.T, node *rabbitnode.Node) {
	q, dlq, dead := queue(t), queue(t), make(chan runtime.Delivery, 10)
	require.NoError(t, node.Control(t.Context(), "set_policy", "--apply-to", "queues", q.Name, "^"+q.Name+"$",
		`{"dead-letter-exchange": "", "dead-letter-routing-key": "`+dlq.Name+`"}`))
	b := start(t, open(t, node.URL()),
		runtime.Route{Name: "r", Queue: q, Failure: endless, Handler: runtime.Consume(func(context.Context, int) error { return nil })},
		runtime.Route{Name: "dead", Queue: dlq, Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
			dead <- *runtime.DeliveryFrom(ctx)
			return nil
		})})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("no json")}))
	require.Equal(t, "rejected", receive(t, dead).Headers["x-first-death-reason"])
}

// queueMadeAnew deletes a queue and declares it again, as another instance of a service
// may, before the server's channel of the consumer learns of it. The consumer is told, and
// gets the messages of the new queue.
func queueMadeAnew(t *testing.T, node *rabbitnode.Node) {
	q, got := queue(t), make(chan int, 10)
	q.AutoDelete = false
	var events record
	b := start(t, openWith(t, rabbitmq.Config{URL: node.URL(), Events: events.hooks()}), runtime.Route{
		Name: "r", Queue: q, Failure: endless, Handler: runtime.Consume(func(_ context.Context, n int) error {
			got <- n
			return nil
		}),
	})
	suspendConsumer(t, node, q.Name)
	channel := channelOf(t, node)
	_, err := channel.QueueDelete(q.Name, false, false, false)
	require.NoError(t, err)
	_, err = channel.QueueDeclare(q.Name, true, false, false, false, nil)
	require.NoError(t, err)
	events.await(t, runtime.EventConsumerCancelled, "consuming")
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("1")}))
	require.Equal(t, 1, receive(t, got))
}

// queueOfOtherType consumes a quorum queue that somebody else has declared.
func queueOfOtherType(t *testing.T, node *rabbitnode.Node) {
	q, got := queue(t), make(chan int, 10)
	_, err := channelOf(t, node).QueueDeclare(q.Name, true, false, false, false, amqp.Table{"x-queue-type": "quorum"})
	require.NoError(t, err)
	b := start(t, openWith(t, rabbitmq.Config{URL: node.URL(), Topology: runtime.TopologyNone}), runtime.Route{
		Name: "r", Queue: q, Failure: endless, Handler: runtime.Consume(func(_ context.Context, n int) error {
			got <- n
			return nil
		}),
	})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("1")}))
	require.Equal(t, 1, receive(t, got))
}

// suspendConsumer stops the server's process of the channel that consumes a queue, until
// the queue has been made anew.
func suspendConsumer(t *testing.T, node *rabbitnode.Node, queue string) {
	t.Helper()
	require.NoError(t, node.Control(t.Context(), "eval", `
		Name = rabbit_misc:r(<<"/">>, queue, <<"`+queue+`">>),
		{ok, Queue} = rabbit_amqqueue:lookup(Name),
		[Consumer] = rabbit_amqqueue:consumers(Queue),
		Channel = element(1, Consumer),
		IsNew = fun () ->
			case rabbit_amqqueue:lookup(Name) of
				{ok, Found} -> amqqueue:get_pid(Found) =/= amqqueue:get_pid(Queue);
				_ -> false
			end
		end,
		Await = fun (Await) -> IsNew() orelse begin timer:sleep(5), Await(Await) end end,
		Caller = self(),
		spawn(fun () ->
			true = erlang:suspend_process(Channel),
			Caller ! suspended,
			Await(Await),
			erlang:resume_process(Channel)
		end),
		receive suspended -> ok end.`))
}

// versionOf returns a version such as 4.3 as 403.
func versionOf(t *testing.T, node *rabbitnode.Node) int {
	t.Helper()
	conn, err := amqp.Dial(node.URL())
	require.NoError(t, err)
	defer conn.Close()
	parts := strings.Split(conn.Properties["version"].(string), ".")
	major, err := strconv.Atoi(parts[0])
	require.NoError(t, err)
	minor, err := strconv.Atoi(parts[1])
	require.NoError(t, err)
	return major*100 + minor
}

// endless leaves failures to the server.
var endless = &runtime.FailurePolicy{Endless: true}

// quorum tests quorum queues on a node.
type quorum struct {
	node    *rabbitnode.Node
	version int
}

func (s quorum) test(t *testing.T) {
	t.Run("a message whose handler failed comes again", func(t *testing.T) {
		q, _ := s.queue(t)
		redelivered := make(chan bool, 10)
		b := start(t, open(t, s.node.URL()), runtime.Route{Name: "r", Queue: q, Failure: endless, Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
			redelivered <- runtime.DeliveryFrom(ctx).Redelivered
			if runtime.DeliveryFrom(ctx).Redelivered {
				return nil
			}
			return errors.New("once")
		})})
		require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
		require.False(t, <-redelivered)
		require.True(t, <-redelivered)
	})
	t.Run("a rejected message is dead-lettered", func(t *testing.T) {
		q, dead := s.queue(t)
		b := start(t, open(t, s.node.URL()), runtime.Route{Name: "r", Queue: q, Failure: endless, Handler: runtime.Consume(func(context.Context, []byte) error {
			return runtime.Reject(errors.New("for good"))
		})})
		require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
		require.Equal(t, "rejected", (<-dead).Headers["x-first-death-reason"])
	})
	t.Run("more failing messages than the prefetch leave the others alone", func(t *testing.T) {
		q, _ := s.queue(t)
		fine := make(chan struct{}, 10)
		b := start(t, openWith(t, rabbitmq.Config{URL: s.node.URL(), RedeliveryDelay: time.Hour}), runtime.Route{
			Name: "r", Queue: q, Prefetch: 2, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
				if string(body) == "poison" {
					return errors.New("always")
				}
				fine <- struct{}{}
				return nil
			}),
		})
		for _, body := range slices.Concat(slices.Repeat([]string{"poison"}, 10), slices.Repeat([]string{"fine"}, 10)) {
			require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte(body)}))
		}
		for range 10 {
			<-fine
		}
	})
	t.Run("a message that always fails reaches the delivery limit", func(t *testing.T) {
		q, dead := s.queue(t, "x-delivery-limit", 2)
		require.Equal(t, s.limit(2), s.failures(t, q, dead))
	})
	t.Run("RabbitMQ 4 has a delivery limit of its own", func(t *testing.T) {
		q, dead := s.queue(t)
		want := s.limit(20)
		if s.version < 400 {
			want = never
		}
		require.Equal(t, want, s.failures(t, q, dead))
	})
	t.Run("a message that isn't handled before a shutdown is spared from 4.3 on", func(t *testing.T) {
		q, dead := s.queue(t, "x-delivery-limit", 2)
		s.declare(t, q)
		b := open(t, s.node.URL())
		for range 2 {
			require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
		}
		for range 3 {
			s.restart(t, q)
		}
		if s.version < 403 {
			require.Equal(t, "delivery_limit", (<-dead).Headers["x-first-death-reason"])
			return
		}
		for range 3 {
			s.restart(t, q)
		}
		require.Empty(t, dead)
	})
}

// never is more failures than any limit here allows.
const never = 50

// limit is how many deliveries a limit allows, to handlers that fail. From 4.3 on
// a nack doesn't count.
func (s quorum) limit(n int) int {
	if s.version >= 403 {
		return never
	}
	return 1 + n
}

// queue returns a quorum queue, and what is dead-lettered from it.
func (s quorum) queue(t *testing.T, arguments ...any) (runtime.Queue, chan runtime.Delivery) {
	t.Helper()
	q, dlq, dead := queue(t), queue(t), make(chan runtime.Delivery, 10)
	q.Arguments = map[string]any{"x-queue-type": "quorum", "x-dead-letter-exchange": "", "x-dead-letter-routing-key": dlq.Name}
	for i := 0; i < len(arguments); i += 2 {
		q.Arguments[arguments[i].(string)] = arguments[i+1]
	}
	start(t, open(t, s.node.URL()), runtime.Route{Name: "dead", Queue: dlq, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
		dead <- *runtime.DeliveryFrom(ctx)
		return nil
	})})
	return q, dead
}

func (s quorum) declare(t *testing.T, q runtime.Queue) {
	t.Helper()
	require.NoError(t, start(t, open(t, s.node.URL()), runtime.Route{Name: "declare", Queue: q, Handler: silent}).Shutdown(t.Context()))
}

// failures returns how often a message is delivered whose handler always fails.
func (s quorum) failures(t *testing.T, q runtime.Queue, dead <-chan runtime.Delivery) int {
	t.Helper()
	failed := make(chan struct{}, 1000)
	b := openWith(t, rabbitmq.Config{URL: s.node.URL(), RedeliveryDelay: -1})
	start(t, b, runtime.Route{Name: "r", Queue: q, Failure: endless, Handler: runtime.Consume(func(context.Context, []byte) error {
		failed <- struct{}{}
		return errors.New("always")
	})})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	for n := 0; ; n++ {
		if n == never {
			require.NoError(t, b.Shutdown(t.Context()))
			require.Empty(t, dead)
			return n
		}
		select {
		case <-failed:
		case d := <-dead:
			require.Equal(t, "delivery_limit", d.Headers["x-first-death-reason"])
			return n + len(failed)
		}
	}
}

// restart starts a consumer that gets all messages of the queue and handles none
// but the one that it is sent, and shuts it down.
func (s quorum) restart(t *testing.T, q runtime.Queue) {
	t.Helper()
	b := open(t, s.node.URL())
	entered, release := make(chan struct{}, 1), make(chan struct{})
	start(t, b, runtime.Route{Name: "r", Queue: q, Failure: endless, Handler: runtime.Consume(func(context.Context, []byte) error {
		entered <- struct{}{}
		<-release
		return errors.New("shutting down")
	})})
	<-entered
	go func() {
		defer close(release)
		for ctx := t.Context(); ctx.Err() == nil && !errors.Is(b.Start(ctx, runtime.NewRouter()), runtime.ErrClosed); {
			goruntime.Gosched()
		}
	}()
	require.NoError(t, b.Shutdown(t.Context()))
}

// tooLarge sends messages of which one is refused.
func tooLarge(t *testing.T, node *rabbitnode.Node) {
	b := open(t, node.URL())
	address := runtime.Address{RoutingKey: "unbound"}
	send := func(size int) error {
		return b.Publish(t.Context(), address, &runtime.Message{Body: make([]byte, size), AllowUnroutable: true})
	}
	require.NoError(t, send(500_000))
	err := send(500_001)
	require.ErrorContains(t, err, "max_message_size")
	require.NotErrorIs(t, err, runtime.ErrUnknown)
	require.NoError(t, send(500_000))
}

// refusedOnce sends messages that are too large among others, which come to no harm.
func refusedOnce(t *testing.T, node *rabbitnode.Node) {
	p := newProxy(t, node.URL())
	p.throttle(t, 1_000_000)
	var log conformance.Log
	b := openWith(t, rabbitmq.Config{URL: p.url, Logger: textLogger(&log)})
	send := func(size int) error {
		return b.Publish(t.Context(), runtime.Address{RoutingKey: "unbound"}, &runtime.Message{Body: make([]byte, size), AllowUnroutable: true})
	}
	const messages = 100
	begun, large, small := make(chan struct{}, 1), make(chan error, messages), make(chan error, messages)
	p.obey(once(pass, func(f *frame) bool {
		if f.method == basicPublish {
			begun <- struct{}{}
		}
		return f.method == basicPublish
	}))
	go func() { large <- send(500_001) }()
	<-begun // the others are behind it, however long it takes
	for range messages {
		go func() { small <- send(1) }()
	}
	require.ErrorContains(t, <-large, "max_message_size")
	for range messages {
		require.NoError(t, <-small)
	}
	for range messages {
		go func() { large <- send(500_001) }()
		go func() { small <- send(1) }()
	}
	for range messages {
		require.ErrorContains(t, <-large, "500001 bytes, and the server takes 500000")
		require.NoError(t, <-small)
	}
	require.Equal(t, 1, strings.Count(log.String(), "channel closed by the server"))
}
