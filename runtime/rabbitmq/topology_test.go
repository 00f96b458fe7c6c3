package rabbitmq_test

import (
	"context"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// bound returns a route with an exchange of its own that puts what it gets into the
// channel, until the test ends.
func bound(t *testing.T, name string) (runtime.Route, chan string) {
	t.Helper()
	q, got := queue(t), make(chan string, 1000)
	x := &runtime.Exchange{Name: q.Name, Type: runtime.Direct}
	t.Cleanup(func() {
		channel := amqpChannel(t)
		_, err := channel.QueueDelete(q.Name, false, false, false)
		require.NoError(t, err)
		require.NoError(t, channel.ExchangeDelete(x.Name, false, false))
	})
	return runtime.Route{
		Name: name, Queue: q, Exchange: x, RoutingKeys: []string{"a", "b"},
		Handler: runtime.Consume(func(_ context.Context, body []byte) error {
			got <- string(body)
			return nil
		}),
	}, got
}

func TestTopology_ThatIsRefusedLaterStopsItsRouteAlone(t *testing.T) {
	p, channel := newProxy(t, node.URL()), amqpChannel(t)
	bad, gotBad := bound(t, "bad")
	good, gotGood := bound(t, "good")
	var log conformance.Log
	b := openWith(t, rabbitmq.Config{URL: p.url, Logger: textLogger(&log)})
	b.SetPeriods(time.Hour, time.Second)
	start(t, b, bad, good)
	require.NoError(t, b.Ready())
	require.NoError(t, channel.ExchangeDelete(bad.Exchange.Name, false, false))
	require.NoError(t, channel.ExchangeDeclare(bad.Exchange.Name, "fanout", false, false, false, false, nil))
	p.each((*wire).end)
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "can't consume") }, patience, time.Millisecond)
	err := b.Ready()
	require.ErrorContains(t, err, `route "bad"`)
	require.ErrorContains(t, err, "exists in another way")
	require.Eventually(t, func() bool { return b.Ready() != nil && !strings.Contains(b.Ready().Error(), "good") }, patience, time.Millisecond)
	for range 50 {
		require.NoError(t, b.Publish(t.Context(), runtime.Address{Exchange: good.Exchange.Name, RoutingKey: "a"}, &runtime.Message{Body: []byte("1")}))
		require.Equal(t, "1", <-gotGood)
	}
	require.Equal(t, 1, strings.Count(log.String(), "can't consume"), "it isn't tried again at once")
	require.NoError(t, channel.ExchangeDelete(bad.Exchange.Name, false, false))
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, 10*time.Millisecond)
	require.NoError(t, b.Publish(t.Context(), runtime.Address{Exchange: bad.Exchange.Name, RoutingKey: "b"}, &runtime.Message{Body: []byte("2")}))
	require.Equal(t, "2", <-gotBad)
}

func TestDeclare_NamesTheBindingThatTheServerRefuses(t *testing.T) {
	q, router := queue(t), runtime.NewRouter()
	missing := "missing." + q.Name
	require.NoError(t, router.Declare(runtime.Topology{
		Queues:   []runtime.Queue{q},
		Bindings: []runtime.Binding{{Exchange: missing, Queue: q.Name, RoutingKey: "a"}},
	}))
	err := open(t, node.URL()).Start(t.Context(), router)
	require.ErrorContains(t, err, "of Router.Declare")
	require.ErrorContains(t, err, missing)
}

// Whether a binding is there can't be asked.
func TestDeclare_MakesNoBindingWhereItVerifies(t *testing.T) {
	q, router, channel := queue(t), runtime.NewRouter(), amqpChannel(t)
	exchanges := []runtime.Exchange{{Name: "from." + q.Name, Type: runtime.Fanout}, {Name: "to." + q.Name, Type: runtime.Fanout}}
	_, err := channel.QueueDeclare(q.Name, q.Durable, q.AutoDelete, q.Exclusive, false, nil)
	require.NoError(t, err)
	for _, x := range exchanges {
		require.NoError(t, channel.ExchangeDeclare(x.Name, string(x.Type), x.Durable, x.AutoDelete, false, false, nil))
		t.Cleanup(func() { require.NoError(t, amqpChannel(t).ExchangeDelete(x.Name, false, false)) })
	}
	require.NoError(t, channel.QueueBind(q.Name, "", exchanges[1].Name, false, nil))
	require.NoError(t, router.Declare(runtime.Topology{
		Queues: []runtime.Queue{q}, Exchanges: exchanges,
		ExchangeBindings: []runtime.ExchangeBinding{{Source: exchanges[0].Name, Destination: exchanges[1].Name}},
	}))
	require.NoError(t, openWith(t, rabbitmq.Config{URL: node.URL(), Topology: runtime.TopologyVerify}).Start(t.Context(), router))

	require.NoError(t, channel.Confirm(false))
	returned := channel.NotifyReturn(make(chan amqp.Return, 1))
	confirmed, err := channel.PublishWithDeferredConfirm(exchanges[0].Name, "", true, false, amqp.Publishing{})
	require.NoError(t, err)
	_, err = confirmed.WaitContext(t.Context())
	require.NoError(t, err)
	require.Len(t, returned, 1, "no queue gets it")
	_, err = channel.QueueDelete(q.Name, false, false, false)
	require.NoError(t, err)
}

func TestTopology_ComesBackWhereItWasDeleted(t *testing.T) {
	route, got := bound(t, "r")
	b, sender, channel := open(t, node.URL()), open(t, node.URL()), amqpChannel(t)
	b.SetPeriods(20*time.Millisecond, time.Hour)
	start(t, b, route)
	for name, change := range map[string]func() error{
		"the exchange": func() error { return channel.ExchangeDelete(route.Exchange.Name, false, false) },
		"a binding":    func() error { return channel.QueueUnbind(route.Queue.Name, "b", route.Exchange.Name, nil) },
	} {
		require.NoError(t, change())
		require.Eventually(t, func() bool {
			return sender.Publish(t.Context(), runtime.Address{Exchange: route.Exchange.Name, RoutingKey: "b"}, &runtime.Message{Body: []byte(name)}) == nil
		}, patience, 10*time.Millisecond)
		require.Equal(t, name, <-got)
	}
	require.NoError(t, b.Ready())
	require.Eventually(t, func() bool { // it may come back between the two
		channel := amqpChannel(t)
		return channel.ExchangeDelete(route.Exchange.Name, false, false) == nil &&
			channel.ExchangeDeclare(route.Exchange.Name, "fanout", false, false, false, false, nil) == nil
	}, patience, time.Millisecond)
	require.Eventually(t, func() bool { return b.Ready() != nil }, patience, 10*time.Millisecond)
	require.ErrorContains(t, b.Ready(), `route "r"`)
	require.NoError(t, channel.ExchangeDelete(route.Exchange.Name, false, false))
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, 10*time.Millisecond)
}

// A refusal ends the channel, so that what comes after it is not tried on it.
func TestReady_NamesTheRefusalOfADeclarationAlone(t *testing.T) {
	q, channel := queue(t), amqpChannel(t)
	q.AutoDelete = false
	t.Cleanup(func() { deleteQueues(t, node.URL(), q.Name) })
	router, b := runtime.NewRouter(), open(t, node.URL())
	require.NoError(t, router.Declare(runtime.Topology{
		Queues: []runtime.Queue{q}, Bindings: []runtime.Binding{{Exchange: "amq.topic", Queue: q.Name, RoutingKey: "k"}},
	}))
	b.SetPeriods(20*time.Millisecond, time.Hour)
	require.NoError(t, b.Start(t.Context(), router))
	require.Eventually(t, func() bool { // it may come back between the two
		channel := amqpChannel(t)
		_, err := channel.QueueDelete(q.Name, false, false, false)
		require.NoError(t, err)
		_, err = channel.QueueDeclare(q.Name, !q.Durable, false, false, false, nil)
		return err == nil
	}, patience, time.Millisecond)
	require.Eventually(t, func() bool { // what was bound while the queue wasn't there is named before
		refused := b.Ready()
		if refused != nil {
			require.NotContains(t, refused.Error(), amqp.ErrClosed.Error())
		}
		return refused != nil && strings.Contains(refused.Error(), "PRECONDITION_FAILED")
	}, patience, 10*time.Millisecond)
	_, err := channel.QueueDelete(q.Name, false, false, false)
	require.NoError(t, err)
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, 10*time.Millisecond)
}

func TestMissingExchange_OfOurOwnRouteComesBackForItsSender(t *testing.T) {
	route, got := bound(t, "r")
	b, channel := start(t, open(t, node.URL()), route), amqpChannel(t)
	to := runtime.Address{Exchange: route.Exchange.Name, RoutingKey: "a"}
	require.NoError(t, channel.ExchangeDelete(to.Exchange, false, false))
	require.NoError(t, b.Publish(t.Context(), to, &runtime.Message{Body: []byte("1")}))
	require.Equal(t, "1", <-got)
}

func TestReady_NamesWhatIsMissing(t *testing.T) {
	p := newProxy(t, node.URL())
	route, _ := bound(t, "r")
	b := openWith(t, rabbitmq.Config{URL: p.url})
	require.NoError(t, b.Ready(), "it only sends")
	start(t, b, route)
	require.NoError(t, b.Publish(t.Context(), to(route.Queue), &runtime.Message{}))
	require.NoError(t, b.Ready())
	p.obey(always(cut, func(*frame) bool { return true }))
	p.each((*wire).end)
	require.Eventually(t, func() bool {
		err := b.Ready()
		return err != nil && strings.Contains(err.Error(), "publishing: ") && strings.Contains(err.Error(), `route "r"`)
	}, patience, time.Millisecond)
	p.obey(nil)
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, time.Millisecond)
	require.NoError(t, b.Shutdown(t.Context()))
	require.ErrorIs(t, b.Ready(), runtime.ErrClosed)
}

func TestStart_NamesTheRemedyForTooManyChannels(t *testing.T) {
	var routes []runtime.Route
	for _, name := range []string{"a", "b", "c"} {
		q := queue(t)
		q.AutoDelete = true
		routes = append(routes, runtime.Route{Name: name, Queue: q, Handler: silent})
	}
	err := open(t, node.URL()+"?channel_max=2").Start(t.Context(), router(t, routes...))
	require.ErrorContains(t, err, `route "c"`)
	require.ErrorContains(t, err, "raise channel_max")
}
