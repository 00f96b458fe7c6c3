package main

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// dead runs the subcommand against a node.
func dead(t *testing.T, node *rabbitnode.Node, action string, args ...string) string {
	t.Helper()
	address, _, _ := strings.Cut(strings.Replace(node.URL(), "guest:guest@", "", 1), "?")
	var stdout, stderr bytes.Buffer
	status := run(t.Context(), append([]string{"dead", action, "-amqp", address, "-queue", "orders.dead"}, args...), &stdout, &stderr)
	require.Equal(t, done, status, stderr.String())
	require.Empty(t, stderr.String())
	return stdout.String()
}

func TestDead_AgainstBroker(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	t.Cleanup(node.Stop)
	b, err := rabbitmq.New(rabbitmq.Config{URL: node.URL()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Shutdown(context.Background())) })
	failed, again := make(chan string, 10), make(chan string, 10)
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name: "order.created", Queue: runtime.Queue{Name: "orders", Durable: true}, Failure: &runtime.FailurePolicy{Attempts: 1},
		Handler: runtime.Consume(func(ctx context.Context, s string) error {
			select {
			case failed <- s:
				return fmt.Errorf("no \x1b[31m%s", s)
			default:
				again <- s
				return nil
			}
		}),
	})
	require.NoError(t, b.Start(ctx, router))
	for i, body := range []string{`"a"`, `"b"`, "no\x00JSON"} {
		require.NoError(t, b.Publish(ctx, runtime.Address{RoutingKey: "orders"}, &runtime.Message{Body: []byte(body), MessageID: fmt.Sprint("m-", i), Headers: map[string]any{"tenant": "t"}}))
		all := fmt.Sprintf("%d of %[1]d messages\n", i+1) // the dead letters are in this order
		require.Eventually(t, func() bool { return strings.HasSuffix(dead(t, node, "list"), all) }, time.Minute, 50*time.Millisecond)
	}
	for len(failed) < cap(failed) { // from now on it succeeds
		failed <- ""
	}

	masked := regexp.MustCompile(`20\d\d-\S+Z`).ReplaceAllString(dead(t, node, "list", "-reason", "attempts"), "TIME")
	require.Equal(t, "FAILED                ROUTE          REASON    ATTEMPT  ID   ERROR\n"+
		`TIME  order.created  attempts  1        m-0  "no \x1b[31ma"`+"\n"+
		`TIME  order.created  attempts  1        m-1  "no \x1b[31mb"`+"\n"+
		"2 of 3 messages\n", masked)
	require.NotContains(t, dead(t, node, "list"), "tenant")
	require.Contains(t, dead(t, node, "list", "-limit", "1"), "1 of 3 messages")
	require.Contains(t, dead(t, node, "list", "-older", "1h"), "0 of 3 messages")
	require.Contains(t, dead(t, node, "list", "-newer", "1h"), "3 of 3 messages")
	require.Contains(t, dead(t, node, "list", "-route", "other"), "0 of 3 messages")

	shown := dead(t, node, "show", "-id", "m-0")
	require.Contains(t, shown, "published to: queue \"orders\"\nmessage id: m-0\n")
	require.Contains(t, shown, "header tenant: t\nbody, 3 bytes:\n\"a\"\n\n1 of 3 messages\n")
	require.Contains(t, dead(t, node, "show", "-reason", "undecodable"), "6e 6f 00 4a 53 4f 4e")

	require.Contains(t, dead(t, node, "replay", "-reason", "attempts"), "2 of 3 messages: nothing is changed; with -yes it would replay them\n")
	require.Contains(t, dead(t, node, "drop", "-id", "m-2"), "1 of 3 messages: nothing is changed; with -yes it would drop them\n")
	require.Contains(t, dead(t, node, "list"), "3 of 3 messages")
	require.Contains(t, dead(t, node, "replay", "-reason", "attempts", "-yes"), "2 replayed, 0 dropped, 1 kept\n")
	require.ElementsMatch(t, []string{"a", "b"}, []string{<-again, <-again})
	require.Contains(t, dead(t, node, "drop", "-id", "m-2", "-yes"), "0 replayed, 1 dropped, 0 kept\n")
	require.Equal(t, "0 of 0 messages\n", dead(t, node, "list"))

	t.Setenv("RABBITMQ_PASSWORD", "s3cret")
	var stdout, stderr bytes.Buffer
	address := strings.Replace(node.URL(), "guest:guest@", "", 1)
	require.Equal(t, findings, run(ctx, []string{"dead", "list", "-amqp", address, "-queue", "orders.dead"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "check user and password")
	require.NotContains(t, stderr.String(), "s3cret")
}

// dead QUEUE BODY... starts a broker for a script, with messages to the queue that have
// failed. $AMQP is its address, without credentials.
func deadLetters(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: dead QUEUE BODY...")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	ts.Defer(cancel)
	node, err := rabbitnode.Start(ctx)
	ts.Check(err)
	ts.Defer(node.Stop)
	address, _, _ := strings.Cut(strings.Replace(node.URL(), "guest:guest@", "", 1), "?")
	ts.Setenv("AMQP", address)
	b, err := rabbitmq.New(rabbitmq.Config{URL: node.URL()})
	ts.Check(err)
	settled := make(chan bool)
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{
		Name: "failing", Queue: runtime.Queue{Name: args[0], Durable: true}, Failure: &runtime.FailurePolicy{Attempts: 1},
		Handler: runtime.Consume(func(ctx context.Context, body []byte) error {
			runtime.DeliveryFrom(ctx).OnSettled(func(runtime.Settlement, error) { settled <- true })
			return fmt.Errorf("no %s", body)
		}),
	})
	ts.Check(b.Start(ctx, router))
	for i, body := range args[1:] {
		msg := &runtime.Message{Body: []byte(body), MessageID: fmt.Sprint("m-", i)}
		ts.Check(b.Publish(ctx, runtime.Address{RoutingKey: args[0]}, msg))
		<-settled // the dead letters are in this order
	}
	ts.Check(b.Shutdown(ctx))
}

func TestDead_RefusesItsCommandLine(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
	}{
		{nil, `the action "" is none of list, show, replay, drop`},
		{[]string{"lst"}, "did you mean list?"},
		{[]string{"list"}, "flag -amqp: it is needed"},
		{[]string{"list", "-amqp", "amqp://localhost"}, "flag -queue: it is needed"},
		{[]string{"list", "-amqp", "amqp://u:s3cret@localhost", "-queue", "q"}, "it holds a user"},
		{[]string{"list", "-amqp", "http://localhost", "-queue", "q"}, "flag -amqp: its form is amqp://"},
		{[]string{"list", "-amqp", "amqp://localhost", "-queue", "q", "-yes"}, "flag -yes: it goes with replay and drop"},
		{[]string{"list", "-amqp", "amqp://localhost", "-queue", "q", "-limit", "-1"}, "they can't be negative"},
		{[]string{"list", "-amqp", "amqp://localhost", "-queue", "q", "more"}, "it takes no argument, and got more"},
		{[]string{"list", "-amqp", "amqp://localhost", "-queue", "q", "-rote", "x"}, "did you mean -route?"},
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, usage, run(t.Context(), append([]string{"dead"}, test.args...), &stdout, &stderr))
		require.Contains(t, stderr.String(), test.says)
		require.NotContains(t, stderr.String(), "s3cret")
		require.Empty(t, stdout.String())
	}
}

// A message that a server has dead-lettered has no failure of the runtime.
func TestDeadLetterOf_ReadsWhatTheServerSays(t *testing.T) {
	at := time.Unix(1700000000, 0)
	l := deadLetterOf(&runtime.Delivery{Message: runtime.Message{Headers: map[string]any{
		"x-first-death-reason": "expired", "x-first-death-queue": "q", "x-death": []any{map[string]any{"time": at}},
	}}})
	require.Equal(t, runtime.Failure{Reason: "expired", Queue: "q", Time: at}, l.Failure)
	require.True(t, (&deadOptions{older: time.Minute}).matches(l, at.Add(time.Hour)))
	require.False(t, (&deadOptions{newer: time.Minute}).matches(l, at.Add(time.Hour)))
	for _, o := range []deadOptions{{older: time.Minute}, {newer: time.Minute}} {
		require.True(t, o.matches(l, at.Add(time.Minute)), "the bound itself")
	}
	unknown := deadLetterOf(&runtime.Delivery{})
	require.False(t, (&deadOptions{older: time.Minute}).matches(unknown, at))
	require.False(t, (&deadOptions{newer: time.Minute}).matches(unknown, at))
}
