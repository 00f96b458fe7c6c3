package rabbitmq_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/conformance"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

const secret = "s3cret-password"

func TestNew_DoesNotQuoteInvalidURLs(t *testing.T) {
	for _, url := range []string{
		"", "amqp", "http://user:" + secret + "@host/", "amqp://user:" + secret + "%zz@host/", "amqp://user:" + secret + "#x@host/",
		"amqp://user: " + secret + "@host/", "amqp://user:" + secret + "@host:port/", "amqp://user:" + secret + "@host/?heartbeat=" + secret,
	} {
		config := rabbitmq.Config{URL: url}
		_, err := rabbitmq.New(config)
		require.Error(t, err, url)
		require.NotContains(t, err.Error()+config.String(), secret)
	}
}

func TestCredentials_AreNeverShown(t *testing.T) {
	var log conformance.Log
	config := rabbitmq.Config{
		URL:          withPassword(t, node.URL(), secret),
		Logger:       slog.New(slog.NewTextHandler(&log, nil)),
		StartTimeout: 10 * time.Second, // only ends a start that hangs
	}
	b, err := rabbitmq.New(config)
	require.NoError(t, err)
	defer b.Shutdown(t.Context())
	err = b.Start(t.Context(), runtime.NewRouter())
	require.ErrorContains(t, err, "check user and password")
	sending, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() { failed <- b.Publish(sending, runtime.Address{RoutingKey: "q"}, &runtime.Message{}) }()
	require.Eventually(t, func() bool { return strings.Contains(log.String(), "can't connect") }, patience, 10*time.Millisecond)
	cancel()
	sendErr := <-failed
	require.ErrorContains(t, sendErr, "check user and password")
	require.NoError(t, b.Shutdown(t.Context()))
	config.Logger.Info("all", "config", config, "broker", b)
	shown := fmt.Sprint(err, sendErr, config, &config, b) + fmt.Sprintf("%+v %#v %+v %#v %+v", config, config, b, b, err) + log.String()
	require.NotContains(t, shown, secret)
}

func TestStart_GivesUpAfterTheStartTimeout(t *testing.T) {
	b, err := rabbitmq.New(rabbitmq.Config{URL: deadURL(t), StartTimeout: 2 * time.Second})
	require.NoError(t, err)
	err = b.Start(t.Context(), runtime.NewRouter())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "connection refused")
	require.NoError(t, b.Shutdown(t.Context()))
}

// The server ends the first connection, and has the second one wait until the start is
// cancelled. What the second one says then is no reason.
func TestStart_TellsTheReasonOfTheLastAttemptThatEndedByItself(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var serving sync.WaitGroup
	defer serving.Wait()
	defer listener.Close()
	serving.Go(func() {
		first, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = io.ReadFull(first, make([]byte, len("AMQP0091")))
		first.Close()
		second, err := listener.Accept()
		cancel()
		if err == nil {
			_, _ = io.Copy(io.Discard, second)
			second.Close()
		}
	})
	b := open(t, "amqp://"+listener.Addr().String())
	err = b.Start(ctx, runtime.NewRouter())
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "EOF")
}

func TestStart_EndsWithShutdown(t *testing.T) {
	dialled := make(chan struct{}, 100)
	log := slog.New(notify{dialled})
	b, err := rabbitmq.New(rabbitmq.Config{URL: deadURL(t), Logger: log})
	require.NoError(t, err)
	failed := make(chan error, 1)
	go func() { failed <- b.Start(context.Background(), runtime.NewRouter()) }()
	<-dialled
	require.NoError(t, b.Shutdown(t.Context()))
	require.ErrorIs(t, <-failed, runtime.ErrClosed)
}

func TestStart_GivesUpOnAServerThatNeverAnswers(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	b, err := rabbitmq.New(rabbitmq.Config{URL: "amqp://" + listener.Addr().String(), StartTimeout: 200 * time.Millisecond})
	require.NoError(t, err)
	require.ErrorIs(t, b.Start(t.Context(), runtime.NewRouter()), context.DeadlineExceeded)
	limited, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, b.Publish(limited, runtime.Address{RoutingKey: "q"}, &runtime.Message{}), context.DeadlineExceeded)
	require.NoError(t, b.Shutdown(t.Context()))
}

// While the server's answer is held, the broker isn't ready: neither before its queues
// are declared, nor before the last of them is consumed.
func TestStart_IsReadyOnceEveryRouteIsConsumed(t *testing.T) {
	for name, answer := range map[string]struct {
		method [2]int
		nth    int
	}{
		"connection": {connectionTune, 1},
		"queue":      {queueDeclareOK, 1},
		"binding":    {queueBindOK, 1},
		"consumer":   {basicConsumeOK, 2},
	} {
		t.Run(name, func(t *testing.T) {
			p, held, release, seen := newProxy(t, node.URL()), make(chan struct{}), make(chan struct{}), 0
			p.obey(func(f *frame) verdict {
				if f.fromServer && f.method == answer.method {
					if seen++; seen == answer.nth {
						close(held)
						<-release
					}
				}
				return pass
			})
			handle := runtime.Consume(func(context.Context, []byte) error { return nil })
			first, second := queue(t), queue(t)
			first.AutoDelete, second.AutoDelete = true, true
			x := &runtime.Exchange{Name: first.Name, Type: runtime.Fanout, AutoDelete: true}
			b, started := open(t, p.url), make(chan error, 1)
			routes := router(t, runtime.Route{Name: "first", Queue: first, Handler: handle}, runtime.Route{Name: "second", Queue: second, Exchange: x, Handler: handle})
			require.NoError(t, b.Ready(), "it may be there to send alone")
			go func() { started <- b.Start(t.Context(), routes) }()
			<-held
			var missing *runtime.NotReadyError
			ready := b.Ready()
			close(release)
			require.ErrorAs(t, ready, &missing)
			require.Equal(t, "consuming", missing.Problems[0].Connection)
			require.NoError(t, <-started)
			require.NoError(t, b.Ready())
		})
	}
}

func TestLogger_SaysWhatIsConsumed(t *testing.T) {
	var log conformance.Log
	q := queue(t)
	q.AutoDelete = true
	config := rabbitmq.Config{URL: node.URL(), Logger: textLogger(&log)}
	handle := runtime.Consume(func(context.Context, []byte) error { return nil })
	for _, r := range []*runtime.Router{router(t, runtime.Route{Name: "the-route", Queue: q, Handler: handle}), router(t)} {
		b, err := rabbitmq.New(config)
		require.NoError(t, err)
		require.NoError(t, b.Start(t.Context(), r))
		require.NoError(t, b.Shutdown(t.Context()))
	}
	require.Contains(t, log.String(), "msg=consuming route=the-route queue="+q.Name)
	require.Contains(t, log.String(), `level=WARN msg="nothing is consumed: the router had no routes`)
}

func TestLogger_GetsFailedDeliveries(t *testing.T) {
	var log conformance.Log
	q, again := queue(t), make(chan struct{})
	b, err := rabbitmq.New(rabbitmq.Config{URL: node.URL(), Logger: slog.New(slog.NewTextHandler(&log, nil))})
	require.NoError(t, err)
	q.AutoDelete = true
	start(t, b, runtime.Route{Name: "the-route", Queue: q, Handler: runtime.Consume(func(ctx context.Context, _ []byte) error {
		if runtime.DeliveryFrom(ctx).Redelivered {
			close(again)
			return nil
		}
		return errors.New("the-error")
	})})
	require.NoError(t, b.Publish(t.Context(), to(q), &runtime.Message{}))
	<-again
	require.NoError(t, b.Shutdown(t.Context()))
	for _, part := range []string{"delivery failed", "the-route", q.Name, "the-error", "requeue"} {
		require.Contains(t, log.String(), part)
	}
}

func TestStart_NamesAnExchangeTypeThatTheServerLacks(t *testing.T) {
	q := queue(t)
	q.AutoDelete = true
	err := open(t, node.URL()).Start(t.Context(), router(t, runtime.Route{
		Name: "the-route", Queue: q, Exchange: &runtime.Exchange{Name: q.Name, Type: "x-no-such-type"},
		Handler: runtime.Consume(func(context.Context, []byte) error { return nil }),
	}))
	require.ErrorContains(t, err, `declare exchange "`+q.Name+`" for route "the-route"`)
	require.ErrorContains(t, err, "x-no-such-type")
}

// withPassword replaces the password of an URL.
func withPassword(t *testing.T, raw, password string) string {
	t.Helper()
	parsed, err := url.Parse(raw)
	require.NoError(t, err)
	parsed.User = url.UserPassword(parsed.User.Username(), password)
	return parsed.String()
}

// deadURL is the URL of a port without a listener.
func deadURL(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	return "amqp://" + listener.Addr().String()
}

// notify is a log handler that signals warnings that a dial failed.
type notify struct{ dialled chan<- struct{} }

func (n notify) Enabled(context.Context, slog.Level) bool { return true }

func (n notify) Handle(_ context.Context, r slog.Record) error {
	if strings.Contains(r.Message, "can't connect") {
		n.dialled <- struct{}{}
	}
	return nil
}

func (n notify) WithAttrs([]slog.Attr) slog.Handler { return n }

func (n notify) WithGroup(string) slog.Handler { return n }

func textLogger(log *conformance.Log) *slog.Logger { return slog.New(slog.NewTextHandler(log, nil)) }
