package rabbitmq_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

func TestNew_RefusesContradictions(t *testing.T) {
	provider := func(context.Context) (rabbitmq.Credentials, error) { return rabbitmq.Credentials{}, nil }
	for name, c := range map[string]struct {
		config rabbitmq.Config
		both   [2]string
	}{
		"two logins":               {rabbitmq.Config{URL: "amqp://u:" + secret + "@host", Credentials: provider}, [2]string{"Credentials", "URL"}},
		"a login by certificate":   {rabbitmq.Config{URL: "amqps://host?auth_mechanism=external", Credentials: provider}, [2]string{"Credentials", "URL"}},
		"TLS without a URL for it": {rabbitmq.Config{URL: "amqp://host", TLS: &tls.Config{}}, [2]string{"TLS", "URL"}},
		"TLS twice":                {rabbitmq.Config{URL: "amqps://host?cacertfile=/x", TLS: &tls.Config{}}, [2]string{"TLS", "URL"}},
		"two heartbeats":           {rabbitmq.Config{URL: "amqp://host?heartbeat=5", Heartbeat: time.Second}, [2]string{"Heartbeat", "URL"}},
		"too little prefetch":      {rabbitmq.Config{URL: "amqp://host", Prefetch: 2, Concurrency: 3}, [2]string{"Prefetch", "Concurrency"}},
		"an address twice":         {rabbitmq.Config{URL: "amqp://host", Addresses: []string{"host:5672"}}, [2]string{"Addresses", "URL"}},
		"an address of port 0":     {rabbitmq.Config{URL: "amqp://host", Addresses: []string{"other:0"}}, [2]string{"Addresses", "URL"}},
		"a port beyond the last":   {rabbitmq.Config{URL: "amqp://host", Addresses: []string{"other:65536"}}, [2]string{"Addresses", "URL"}},
		"an address without host":  {rabbitmq.Config{URL: "amqp://host", Addresses: []string{":5672"}}, [2]string{"Addresses", "URL"}},
		"a URL as an address":      {rabbitmq.Config{URL: "amqp://host", Addresses: []string{"amqp://u:" + secret + "@h"}}, [2]string{"Addresses", "URL"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := rabbitmq.New(c.config)
			require.ErrorContains(t, err, c.both[0])
			require.ErrorContains(t, err, c.both[1])
			require.NotContains(t, err.Error(), secret)
		})
	}
	for _, config := range []rabbitmq.Config{
		{URL: "amqp://host?heartbeat=5", Heartbeat: 5 * time.Second},
		{URL: "amqp://host", Credentials: provider, Addresses: []string{"host:5673", "other", "[::1]:5672"}},
		{URL: "amqps://host", TLS: &tls.Config{}},
	} {
		_, err := rabbitmq.New(config)
		require.NoError(t, err)
	}
}

func TestAddresses_AreTriedInTurn(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	dead := listener.Addr().String()
	require.NoError(t, listener.Close())
	first, second := newProxy(t, node.URL()), newProxy(t, node.URL())
	hostOf := func(raw string) string {
		parsed, err := url.Parse(raw)
		require.NoError(t, err)
		return parsed.Host
	}
	parsed, err := url.Parse(node.URL())
	require.NoError(t, err)
	parsed.Host = dead
	b := openWith(t, rabbitmq.Config{URL: parsed.String(), Addresses: []string{hostOf(first.url), hostOf(second.url)}})
	q, got := queue(t), make(chan string, 100)
	q.AutoDelete = true
	start(t, b, runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(_ context.Context, body []byte) error {
		got <- string(body)
		return nil
	})})
	require.Contains(t, b.String(), dead)
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Body: []byte("1")}))
	require.Equal(t, "1", <-got)
	first.obey(always(cut, func(*frame) bool { return true }))
	first.each((*wire).end)
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		return b.Publish(ctx, to(q), &runtime.Message{Body: []byte("2")}) == nil
	}, patience, 10*time.Millisecond)
	require.Equal(t, "2", <-got)
}

func TestStart_NamesEachAddress(t *testing.T) {
	b := openWith(t, rabbitmq.Config{URL: "amqp://127.0.0.1:1", Addresses: []string{"127.0.0.1:2"}, StartTimeout: time.Millisecond})
	err := b.Start(t.Context(), runtime.NewRouter())
	require.ErrorContains(t, err, "127.0.0.1:1")
	require.ErrorContains(t, err, "127.0.0.1:2")
}

func TestCredentials_AreAskedForEachConnection(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	own, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	t.Cleanup(own.Stop)
	for _, args := range [][]string{{"add_user", "ops", "old-" + secret}, {"set_permissions", "ops", ".*", ".*", ".*"}} {
		require.NoError(t, own.Control(ctx, args...))
	}
	p := newProxy(t, own.URL())
	parsed, err := url.Parse(p.url)
	require.NoError(t, err)
	parsed.User = nil
	var log conformance.Log
	var asked atomic.Int32
	password := atomic.Pointer[string]{}
	set := func(text string) { password.Store(&text) }
	set("")
	q := queue(t)
	short, stop := context.WithCancel(ctx) // ends when they were asked for a second time
	defer stop()
	b := openWith(t, rabbitmq.Config{URL: parsed.String(), Logger: textLogger(&log), Credentials: func(ctx context.Context) (rabbitmq.Credentials, error) {
		asked.Add(1)
		if _, limited := ctx.Deadline(); !limited && ctx.Done() == nil {
			return rabbitmq.Credentials{}, errors.New("the context never ends")
		}
		if *password.Load() == "" {
			if asked.Load() > 1 {
				stop()
			}
			return rabbitmq.Credentials{}, errors.New("the vault is closed")
		}
		return rabbitmq.Credentials{User: "ops", Password: *password.Load()}, nil
	}})
	err = b.Start(short, runtime.NewRouter())
	require.ErrorContains(t, err, "the vault is closed")
	set("wrong-" + secret)
	require.ErrorContains(t, b.Start(ctx, runtime.NewRouter()), "check user and password")
	set("old-" + secret)
	start(t, b, runtime.Route{Name: "r", Queue: q, Handler: silent})
	require.ErrorContains(t, b.Publish(ctx, to(q), &runtime.Message{UserID: "guest"}), "user id")
	require.NoError(t, b.Publish(ctx, to(q), &runtime.Message{UserID: "ops"}))
	require.NoError(t, own.Control(ctx, "change_password", "ops", "new-"+secret))
	before := asked.Load()
	p.each((*wire).end)
	require.Eventually(t, func() bool { return asked.Load() > before && b.Ready() != nil }, patience, time.Millisecond)
	set("new-" + secret)
	require.Eventually(t, func() bool { return b.Ready() == nil }, patience, 10*time.Millisecond)
	require.NotContains(t, log.String()+fmt.Sprint(b)+fmt.Sprint(rabbitmq.Credentials{User: "u", Password: secret}), secret)
	require.False(t, strings.Contains(log.String(), "old-"))
}

func TestResend_SendsUnderTheSameIDUntilTheOutcomeIsKnown(t *testing.T) {
	p := newProxy(t, node.URL())
	b, q := openWith(t, rabbitmq.Config{URL: p.url}), queue(t)
	q.AutoDelete = true
	ids := make(chan string, 10)
	start(t, openWith(t, rabbitmq.Config{URL: node.URL()}), runtime.Route{Name: "r", Queue: q, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
		ids <- runtime.DeliveryFrom(ctx).MessageID
		return nil
	})})
	lose := func() { // the next confirm
		p.obey(once(cut, func(f *frame) bool { return f.method == basicAck && f.fromServer }))
	}
	lose()
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{Resend: 3}))
	first := <-ids
	require.NotEmpty(t, first)
	require.Equal(t, first, <-ids, "it came twice")
	lose()
	require.ErrorIs(t, b.Publish(t.Context(), to(q), &runtime.Message{MessageID: "mine"}), runtime.ErrUnknown, "only where the caller says so")
	require.Equal(t, "mine", <-ids)
	p.obey(always(cut, func(f *frame) bool { return f.method == basicAck && f.fromServer }))
	require.ErrorIs(t, b.Publish(t.Context(), to(q), &runtime.Message{MessageID: "often", Resend: 1000}), runtime.ErrUnknown)
	for range 1 + runtime.MaxResend {
		require.Equal(t, "often", <-ids)
	}
	require.Empty(t, ids)
}
