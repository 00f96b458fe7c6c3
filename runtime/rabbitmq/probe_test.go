package rabbitmq_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// A declaration that ends the connection hurts the others once.
func TestDangerousDeclaration_IsTriedOnAConnectionOfItsOwn(t *testing.T) {
	p, channel := newProxy(t, node.URL()), amqpChannel(t)
	good, gotGood := bound(t, "good")
	bad, _ := bound(t, "bad")
	var events record
	b := openWith(t, rabbitmq.Config{URL: p.url, Events: events.hooks()})
	b.SetPeriods(20*time.Millisecond, 20*time.Millisecond)
	start(t, b, good, bad)
	// The server knows the type no more: the frame that declares it says another one.
	p.obey(func(f *frame) verdict {
		if !f.fromServer && f.method == exchangeDeclare && strings.Contains(string(f.raw), bad.Exchange.Name) {
			f.raw = []byte(strings.Replace(string(f.raw), "direct", "dorect", 1))
		}
		return pass
	})
	refused := events.await(t, runtime.EventTopologyRefused, "consuming")
	require.Equal(t, "bad", refused.Route)
	require.ErrorContains(t, refused.Err, "check the exchange's type")
	require.Eventually(t, func() bool {
		return b.Ready() != nil && !strings.Contains(b.Ready().Error(), `"good"`)
	}, patience, time.Millisecond)
	before := events.lost("consuming")
	require.LessOrEqual(t, before, 2)
	for i := range 200 {
		require.NoError(t, b.Publish(t.Context(), to(good.Queue), &runtime.Message{Body: fmt.Append(nil, i)}))
		require.Equal(t, fmt.Sprint(i), <-gotGood)
	}
	require.Equal(t, before, events.lost("consuming"), "the others keep their connection")
	p.obey(nil)
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, 10*time.Millisecond)
	require.NoError(t, channel.ExchangeDeclarePassive(bad.Exchange.Name, "direct", false, false, false, false, nil))
}

// The server answers all but the declaration of one queue, as where the node of a classic
// queue is cut off.
func TestDeclaration_ThatIsNotAnsweredHurtsNoOtherRoute(t *testing.T) {
	p := newProxy(t, node.URL())
	good, gotGood := bound(t, "good")
	bad, gotBad := bound(t, "bad")
	b := across(t, p)
	start(t, b, good, bad)
	unanswered := make(chan string, 1000) // the role of the connection
	p.obey(func(f *frame) verdict {
		if f.fromServer || f.method != queueDeclare || !strings.Contains(string(f.raw), bad.Queue.Name) {
			return pass
		}
		unanswered <- f.wire.role
		return drop
	})
	p.each((*wire).end)
	const byLoad = 20 // times that a heartbeat of a second may be missed while it waits for the answer
	for n := 0; receive(t, unanswered) != "declaring"; n++ {
		require.Less(t, n, byLoad, "it is tried over the connection of all, again and again")
	}
	require.Eventually(t, func() bool {
		err := b.Ready()
		return err != nil && !strings.Contains(err.Error(), `"good"`) && strings.Contains(err.Error(), `"bad"`)
	}, patience, time.Millisecond)
	sender := open(t, node.URL())
	for range 2 {
		for len(unanswered) == 0 {
			require.NoError(t, sender.Publish(t.Context(), to(good.Queue), &runtime.Message{}))
			receive(t, gotGood)
		}
		require.Equal(t, "declaring", receive(t, unanswered), "the others keep their connection")
	}
	p.obey(nil)
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, 10*time.Millisecond)
	require.NoError(t, sender.Publish(t.Context(), to(bad.Queue), &runtime.Message{Body: []byte("back")}))
	require.Equal(t, "back", receive(t, gotBad))
}

// dangerous are the declarations of which one ends the connection, by whose they are.
var dangerous = map[string]func(*testing.T) (declared runtime.Topology, routes []runtime.Route, exchange string){
	"of a route": func(t *testing.T) (runtime.Topology, []runtime.Route, string) {
		bad, _ := bound(t, "bad")
		return runtime.Topology{}, []runtime.Route{bad}, bad.Exchange.Name
	},
	"of the router": func(t *testing.T) (runtime.Topology, []runtime.Route, string) {
		x := runtime.Exchange{Name: queue(t).Name, Type: runtime.Direct}
		t.Cleanup(func() { require.NoError(t, amqpChannel(t).ExchangeDelete(x.Name, false, false)) })
		return runtime.Topology{Exchanges: []runtime.Exchange{x}}, nil, x.Name
	},
}

// startTrial starts a broker with a good route and what else is given. The declaration of
// the exchange is being tried on a connection of its own when it returns, and is never
// answered: the server takes heartbeats of a minute, so a timer would end the trial
// after three minutes, which is beyond the patience of all tests.
func startTrial(t *testing.T, good runtime.Route, declared runtime.Topology, routes []runtime.Route, exchange string) (b *rabbitmq.Broker, p *proxy, tried chan struct{}) {
	t.Helper()
	p = newProxy(t, node.URL())
	b = openWith(t, rabbitmq.Config{URL: p.url, Heartbeat: time.Hour})
	r := router(t, append(routes, good)...)
	require.NoError(t, r.Declare(declared))
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	require.NoError(t, b.Start(ctx, r))
	tried = make(chan struct{}, 1000)
	p.obey(func(f *frame) verdict {
		if f.fromServer || f.method != exchangeDeclare || !strings.Contains(string(f.raw), exchange) {
			return pass
		}
		if f.wire.role == "declaring" {
			tried <- struct{}{}
			return drop
		}
		f.raw = []byte(strings.Replace(string(f.raw), "direct", "dorect", 1)) // the server ends the connection
		return pass
	})
	p.each((*wire).end)
	receive(t, tried)
	return b, p, tried
}

// All routes wait for each other before they reconnect.
func TestDeclaration_TriedApartHoldsUpNoReconnect(t *testing.T) {
	for name, make := range dangerous {
		t.Run(name, func(t *testing.T) {
			good, got := bound(t, "good")
			declared, routes, exchange := make(t)
			_, p, tried := startTrial(t, good, declared, routes, exchange)
			sender := open(t, node.URL())
			handle := func(body string) {
				require.NoError(t, sender.Publish(t.Context(), to(good.Queue), &runtime.Message{Body: []byte(body)}))
				for receive(t, got) != body { // one before may come again
				}
			}
			handle("before")
			p.end("consuming")
			handle("after")
			receive(t, tried) // again, since nothing is known of it
		})
	}
}

func TestDeclaration_TriedApartHoldsUpNoShutdown(t *testing.T) {
	for name, make := range dangerous {
		t.Run(name, func(t *testing.T) {
			good, _ := bound(t, "good")
			declared, routes, exchange := make(t)
			b, _, _ := startTrial(t, good, declared, routes, exchange)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			require.NoError(t, b.Shutdown(ctx))
		})
	}
}

// Heartbeats are a minute apart, so that it would wait for three minutes, which is beyond
// the patience of all tests.
func TestShutdown_WaitsForNoAnswerThatNothingNeeds(t *testing.T) {
	declared := runtime.Exchange{Name: queue(t).Name, Type: runtime.Direct, AutoDelete: true}
	for name, test := range map[string]struct {
		method    [2]int // of the frame that the server doesn't get
		names     func(bad runtime.Route) string
		reconnect bool
	}{
		"a route that begins to consume": {queueDeclare, func(bad runtime.Route) string { return bad.Queue.Name }, true},
		"a route that consumes":          {exchangeDeclare, func(bad runtime.Route) string { return bad.Exchange.Name }, false},
		"the router":                     {exchangeDeclare, func(runtime.Route) string { return declared.Name }, false},
		"the end of a consumer":          {basicCancel, func(bad runtime.Route) string { return bad.Name }, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProxy(t, node.URL())
			good, gotGood := bound(t, "good")
			bad, _ := bound(t, "bad")
			b := openWith(t, rabbitmq.Config{URL: p.url, Heartbeat: time.Hour})
			b.SetPeriods(time.Millisecond, time.Millisecond)
			r := router(t, good, bad)
			require.NoError(t, r.Declare(runtime.Topology{Exchanges: []runtime.Exchange{declared}}))
			require.NoError(t, b.Start(t.Context(), r))
			lost := make(chan struct{}, 1000)
			p.obey(func(f *frame) verdict {
				if f.fromServer || f.method != test.method || !strings.Contains(string(f.raw), test.names(bad)) {
					return pass
				}
				lost <- struct{}{}
				return drop
			})
			if test.reconnect {
				p.end("consuming")
			}
			if test.method != basicCancel {
				receive(t, lost)
			}
			require.NoError(t, open(t, node.URL()).Publish(t.Context(), to(good.Queue), &runtime.Message{}))
			receive(t, gotGood)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			require.NoError(t, b.Shutdown(ctx))
			q, err := amqpChannel(t).QueueDeclarePassive(good.Queue.Name, good.Queue.Durable, good.Queue.AutoDelete, false, false, nil)
			require.NoError(t, err)
			require.Zero(t, q.Messages, "what was handled is acknowledged")
		})
	}
}

// receive waits for the next of c.
func receive[T any](t *testing.T, c <-chan T) (next T) {
	t.Helper()
	select {
	case next = <-c:
	case <-time.After(patience):
		require.FailNow(t, "nothing comes")
	}
	return next
}
