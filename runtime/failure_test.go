package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// underPolicy returns the only route of a router.
func underPolicy(t *testing.T, route runtime.Route) *runtime.Route {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, router.Register(route))
	return &router.Routes()[0]
}

func failingRoute(err error, policy runtime.FailurePolicy) runtime.Route {
	return runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q", Durable: true}, Handler: failing(err), Failure: &policy}
}

// waited is a copy as it comes back from the queue in which it waited.
func waited(m runtime.Message, queue string) *runtime.Delivery {
	m.Headers["x-death"] = []any{map[string]any{"queue": queue, "reason": "expired", "count": int64(1)}}
	m.Headers["x-first-death-queue"], m.Headers["x-first-death-reason"], m.Headers["x-first-death-exchange"] = queue, "expired", ""
	m.Headers["x-last-death-queue"] = queue
	return &runtime.Delivery{Message: m, RoutingKey: "q"}
}

// lives follows a message from attempt to attempt, and returns where it went.
func lives(t *testing.T, route *runtime.Route, d *runtime.Delivery) (queues []string, last runtime.Outcome) {
	t.Helper()
	for len(queues) < 100 {
		transport := new(recorder)
		last = runtime.Process(context.Background(), route, d, transport)
		if !last.Pending() {
			return queues, last
		}
		last.Conclude(context.Background(), transport)
		require.Len(t, transport.sent, 1)
		queues = append(queues, transport.sent[0].To.RoutingKey)
		if last.Settlement != runtime.Retry {
			return queues, last
		}
		d = waited(transport.sent[0].Message, transport.sent[0].To.RoutingKey)
	}
	require.FailNow(t, "the message never ends")
	return nil, last
}

func TestFailurePolicy_TriesAndThenBuries(t *testing.T) {
	for _, test := range []struct {
		rule   string
		policy runtime.FailurePolicy
		err    error
		want   string
	}{
		{"five attempts by default", runtime.FailurePolicy{}, errFailed, "q.retry.1s q.retry.2s q.retry.4s q.retry.8s q.dead"},
		{"as many as wanted, up to the longest delay", runtime.FailurePolicy{Attempts: 6, Delay: 20 * time.Second}, errFailed, "q.retry.20s q.retry.40s q.retry.1m q.retry.1m q.retry.1m q.dead"},
		{"a first delay above the default's longest", runtime.FailurePolicy{Attempts: 3, Delay: time.Hour}, errFailed, "q.retry.1h q.retry.1h q.dead"},
		{"only one", runtime.FailurePolicy{Attempts: 1}, errFailed, "q.dead"},
		{"rejected at once", runtime.FailurePolicy{}, runtime.Reject(errFailed), "q.dead"},
		{"rejected by the policy", runtime.FailurePolicy{Permanent: func(err error) bool { return errors.Is(err, errFailed) }}, fmt.Errorf("save: %w", errFailed), "q.dead"},
		{"the handler's word comes first", runtime.FailurePolicy{Attempts: 2, Permanent: func(error) bool { return true }}, runtime.RetryAfter(errFailed, 0), "q.retry.1s q.dead"},
		{"a place of its own for dead letters", runtime.FailurePolicy{Attempts: 1, DeadLetters: "graves"}, errFailed, "graves"},
		{"endless", runtime.FailurePolicy{Endless: true, Attempts: 1}, errFailed, ""},
		{"dropped", runtime.FailurePolicy{}, runtime.Drop(errFailed), ""},
	} {
		t.Run(test.rule, func(t *testing.T) {
			route := underPolicy(t, failingRoute(test.err, test.policy))
			queues, _ := lives(t, route, delivery("{}"))
			require.Equal(t, test.want, strings.Join(queues, " "))
			declared := map[string]bool{}
			for _, queue := range route.FailureQueues() {
				declared[queue.Name] = true
			}
			for _, queue := range queues {
				require.True(t, declared[queue], "%s isn't declared", queue)
			}
		})
	}
}

func TestFailurePolicy_RemembersTheFirstFailure(t *testing.T) {
	route := underPolicy(t, failingRoute(errFailed, runtime.FailurePolicy{Attempts: 2}))
	sent := func(d *runtime.Delivery) *runtime.Delivery {
		transport := new(recorder)
		last := runtime.Process(context.Background(), route, d, transport)
		last.Conclude(context.Background(), transport)
		require.Len(t, transport.sent, 1)
		return waited(transport.sent[0].Message, transport.sent[0].To.RoutingKey)
	}
	second := sent(delivery("{}"))
	first := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	retry, ok := second.Headers["warren-retry"].(map[string]any)
	require.True(t, ok, second.Headers)
	require.Contains(t, retry, "first-failure")
	retry["first-failure"] = first
	failure, ok := runtime.FailureOf(sent(second))
	require.True(t, ok)
	require.Equal(t, first, failure.First)
	require.Equal(t, 2, failure.Attempt)
}

func TestRoutes_HaveTheDefaultsOfTheirPolicy(t *testing.T) {
	require.Equal(t, &runtime.FailurePolicy{Attempts: 5, Delay: time.Second, MaxDelay: time.Minute}, underPolicy(t, failingRoute(nil, runtime.FailurePolicy{})).Failure)
	require.Equal(t, &runtime.FailurePolicy{Attempts: 2, Delay: time.Hour, MaxDelay: time.Hour}, underPolicy(t, failingRoute(nil, runtime.FailurePolicy{Attempts: 2, Delay: time.Hour})).Failure)
}

func TestFailurePolicy_LeavesOutAFifthOfADelayAtMost(t *testing.T) {
	route := underPolicy(t, failingRoute(errFailed, runtime.FailurePolicy{}))
	different := map[time.Duration]bool{}
	for range 200 {
		transport := new(recorder)
		outcome := runtime.Process(context.Background(), route, delivery("{}"), transport)
		outcome.Conclude(context.Background(), transport)
		expiration := transport.sent[0].Message.Expiration
		require.LessOrEqual(t, expiration, time.Second)
		require.GreaterOrEqual(t, expiration, 800*time.Millisecond)
		different[expiration] = true
	}
	require.Greater(t, len(different), 10)
}

func TestFailurePolicy_KeepsTheMessageWhereTheCopyIsNotConfirmed(t *testing.T) {
	route := underPolicy(t, failingRoute(errFailed, runtime.FailurePolicy{}))
	transport := &recorder{err: runtime.ErrUnknown}
	outcome := runtime.Process(context.Background(), route, delivery("{}"), transport)
	require.Equal(t, runtime.Retry, outcome.Settlement)
	outcome.Conclude(context.Background(), transport)
	require.Equal(t, runtime.Requeue, outcome.Settlement)
	require.False(t, outcome.Pending())
	require.ErrorIs(t, outcome.Err, errFailed)
	require.ErrorIs(t, outcome.Err, runtime.ErrUnknown)
	require.ErrorContains(t, outcome.Err, `publish the copy to queue "q.retry.1s"`)
}

// Whoever publishes can set the headers, but not that the message has been in the
// queue for retries.
func TestFailurePolicy_CountsWhatTheServerConfirms(t *testing.T) {
	route := underPolicy(t, failingRoute(errFailed, runtime.FailurePolicy{}))
	forged := map[string]any{"attempt": int64(5), "exchange": "x"}
	for rule, headers := range map[string]map[string]any{
		"no death":            {"warren-retry": forged},
		"no table":            {"warren-retry": "5"},
		"of another queue":    {"warren-retry": forged, "x-death": []any{map[string]any{"queue": "other.retry.1s", "reason": "expired"}}},
		"for another reason":  {"warren-retry": forged, "x-death": []any{map[string]any{"queue": "q.retry.1s", "reason": "rejected"}}},
		"not the last one":    {"warren-retry": forged, "x-death": []any{map[string]any{"queue": "other", "reason": "expired"}, map[string]any{"queue": "q.retry.1s", "reason": "expired"}}},
		"what isn't a table":  {"warren-retry": forged, "x-death": []any{"q.retry.1s"}},
		"what isn't an array": {"warren-retry": forged, "x-death": "q.retry.1s"},
	} {
		t.Run(rule, func(t *testing.T) {
			d := delivery("{}")
			d.Headers = headers
			outcome := runtime.Process(context.Background(), route, d, nil)
			require.Equal(t, 1, d.Attempt)
			require.Equal(t, runtime.Retry, outcome.Settlement)
		})
	}
	t.Run("a count below one is the first attempt", func(t *testing.T) {
		d := waited(runtime.Message{Body: []byte("{}"), Headers: map[string]any{"warren-retry": map[string]any{"attempt": int64(-5)}}}, "q.retry.1s")
		_ = runtime.Process(context.Background(), route, d, nil)
		require.Equal(t, 1, d.Attempt)
	})
}

// A message that came through dead-letter queues of others keeps what they say.
func TestFailurePolicy_KeepsTheDeathsOfOthers(t *testing.T) {
	route := underPolicy(t, failingRoute(errFailed, runtime.FailurePolicy{}))
	deaths := []any{map[string]any{"queue": "theirs", "reason": "rejected"}}
	d := delivery("{}")
	d.Headers = map[string]any{"x-death": deaths, "x-first-death-queue": "theirs", "x-delivery-count": int64(3)}
	transport := new(recorder)
	outcome := runtime.Process(context.Background(), route, d, transport)
	outcome.Conclude(context.Background(), transport)

	again := transport.sent[0].Message
	ours := map[string]any{"queue": "q.retry.1s", "reason": "expired"}
	again.Headers["x-death"] = append([]any{ours}, deaths...)
	d = &runtime.Delivery{Message: again}
	_ = runtime.Process(context.Background(), route, d, nil)

	require.Equal(t, 2, d.Attempt)
	require.Equal(t, map[string]any{"x-death": deaths, "x-first-death-queue": "theirs"}, d.Headers)
}

// A narrow transport takes headers of so many bytes.
type narrow struct {
	recorder
	room int
}

func (n *narrow) Publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	if text, _ := json.Marshal(msg.Headers); len(text) > n.room {
		return fmt.Errorf("publish: %w", runtime.ErrHeadersTooLarge)
	}
	return n.recorder.Publish(ctx, to, msg)
}

func TestConclude_BuriesWhatHasNoRoomForAnotherAttempt(t *testing.T) {
	headers := map[string]any{"large": strings.Repeat("x", 3000), "larger": strings.Repeat("x", 3001), "small": "kept"}
	for room, want := range map[int]struct {
		attempts      int
		kept, missing []string
		ends          runtime.Settlement
	}{
		10_000: {3, []string{"large", "larger", "small"}, nil, runtime.Retry},
		7000:   {1, []string{"large", "larger", "small"}, nil, runtime.DeadLetter}, // the error is shorter
		6000:   {3, []string{"large", "small"}, []string{"larger"}, runtime.DeadLetter},
		900:    {3, []string{"small"}, []string{"larger", "large"}, runtime.DeadLetter},
		100:    {3, nil, nil, runtime.Requeue},
	} {
		err := errors.New(strings.Repeat("e", 2000))
		route := underPolicy(t, failingRoute(runtime.RetryAfter(err, 0), runtime.FailurePolicy{Attempts: want.attempts}))
		d := delivery("{}")
		d.Headers = maps.Clone(headers)
		transport := &narrow{room: room}
		outcome := runtime.Process(context.Background(), route, d, transport)
		outcome.Conclude(context.Background(), transport)
		require.Equal(t, want.ends, outcome.Settlement, room)
		require.ErrorContains(t, outcome.Err, "eee")
		if want.ends == runtime.Requeue {
			require.Empty(t, transport.sent)
			continue
		}
		sent := transport.sent[0]
		for _, name := range want.kept {
			require.Equal(t, headers[name], sent.Message.Headers[name], room)
		}
		require.Equal(t, "{}", string(sent.Message.Body))
		require.Len(t, sent.Message.Headers, len(want.kept)+1)
		if want.ends == runtime.DeadLetter {
			failure, found := runtime.FailureOf(&runtime.Delivery{Message: sent.Message})
			require.True(t, found)
			require.Equal(t, want.missing, failure.Missing)
			require.Equal(t, runtime.ReasonAttempts, failure.Reason)
			require.Equal(t, 1, failure.Attempt)
			require.Len(t, failure.Error, 256)
			require.Equal(t, want.attempts > 1, errors.Is(outcome.Err, runtime.ErrHeadersTooLarge))
		}
		require.Equal(t, headers, d.Headers, "the delivery's")
	}
}

// What only waits isn't buried.
func TestConclude_KeepsWhatHasNoRoomToBePostponed(t *testing.T) {
	route := underPolicy(t, failingRoute(runtime.Postpone(errFailed, 0), runtime.FailurePolicy{}))
	transport := &narrow{}
	outcome := runtime.Process(context.Background(), route, delivery("{}"), transport)
	outcome.Conclude(context.Background(), transport)
	require.Equal(t, runtime.Requeue, outcome.Settlement)
}

// A delivery that comes before its time waits again, and is no attempt.
func TestRetryAfter_WaitsInTurnsBeyondTheLongestDelay(t *testing.T) {
	handled := 0
	route := underPolicy(t, runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"},
		Handler: runtime.Consume(func(context.Context, order) error {
			handled++
			return runtime.RetryAfter(errFailed, time.Hour)
		}),
	})
	transport := new(recorder)
	outcome := runtime.Process(context.Background(), route, delivery("{}"), transport)
	outcome.Conclude(context.Background(), transport)
	first := transport.sent[0]
	require.Equal(t, "q.retry.8s", first.To.RoutingKey)
	require.Equal(t, 8*time.Second, first.Message.Expiration)

	outcome = runtime.Process(context.Background(), route, waited(first.Message, "q.retry.8s"), transport)
	require.Equal(t, runtime.Retry, outcome.Settlement)
	require.NoError(t, outcome.Err)
	require.Equal(t, 1, handled)
}

func TestFailureQueues(t *testing.T) {
	quorum := map[string]any{"x-queue-type": "quorum"}
	own := map[string]any{"x-dead-letter-exchange": "dlx"}
	once := &runtime.FailurePolicy{Attempts: 2}
	for _, test := range []struct {
		rule  string
		route runtime.Route
		want  []runtime.Queue
	}{
		{"delays and dead letters", runtime.Route{Queue: runtime.Queue{Name: "q", Durable: true}, Failure: once}, []runtime.Queue{
			{Name: "q.retry.1s", Durable: true, Arguments: map[string]any{"x-message-ttl": int64(1000), "x-dead-letter-exchange": "", "x-dead-letter-routing-key": "q"}},
			{Name: "q.dead", Durable: true},
		}},
		{"of a quorum queue", runtime.Route{Queue: runtime.Queue{Name: "q", Durable: true, Arguments: quorum}, Failure: once}, []runtime.Queue{
			{Name: "q.retry.1s", Durable: true, Arguments: map[string]any{
				"x-message-ttl": int64(1000), "x-dead-letter-exchange": "", "x-dead-letter-routing-key": "q",
				"x-queue-type": "quorum", "x-dead-letter-strategy": "at-least-once", "x-overflow": "reject-publish",
			}},
			{Name: "q.dead", Durable: true, Arguments: quorum},
		}},
		{"with a dead-letter exchange of its own", runtime.Route{Queue: runtime.Queue{Name: "q", Arguments: own}, Failure: &runtime.FailurePolicy{Attempts: 1}}, nil},
		{"that doesn't count where the policy names a queue", runtime.Route{Queue: runtime.Queue{Name: "q", Arguments: own}, Failure: &runtime.FailurePolicy{Attempts: 1, DeadLetters: "d"}}, []runtime.Queue{{Name: "d", Durable: true}}},
		{"of an exclusive queue", runtime.Route{Queue: runtime.Queue{Name: "q", Exclusive: true}}, nil},
		{"of an auto-delete queue", runtime.Route{Queue: runtime.Queue{Name: "q", AutoDelete: true}}, nil},
		{"of an endless one", runtime.Route{Queue: runtime.Queue{Name: "q"}, Failure: &runtime.FailurePolicy{Endless: true}}, nil},
		{"whose callers get the errors", runtime.Route{Queue: runtime.Queue{Name: "q"}, Reply: toCaller, Handler: runtime.Respond(quoteOrder)}, []runtime.Queue{{Name: "q.dead", Durable: true}}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			test.route.Name = "r"
			if test.route.Handler.IsZero() {
				test.route.Handler = runtime.Consume(onOrder)
			}
			require.Equal(t, test.want, underPolicy(t, test.route).FailureQueues())
		})
	}
	t.Run("of a route that isn't registered", func(t *testing.T) {
		for _, route := range []runtime.Route{
			{Queue: runtime.Queue{Type: runtime.Quorum}},
			{Queue: runtime.Queue{Type: runtime.Stream}},
			{Queue: runtime.Queue{DeadLetter: &runtime.Address{Exchange: "lost", RoutingKey: "key"}}},
			{Queue: runtime.Queue{PerInstance: true}, Exchange: &runtime.Exchange{Name: "x", Type: runtime.Fanout}},
			{Handler: runtime.Respond(quoteOrder)},
		} {
			route.Name, route.Queue.Name, route.Failure = "r", "q", &runtime.FailurePolicy{Attempts: 3}
			if route.Handler.IsZero() {
				route.Handler = runtime.Consume(onOrder)
			}
			if route.Queue.Type != "" {
				route.Queue.Durable = true
			}
			router := runtime.NewRouter()
			router.MustRegister(route)
			registered := router.Routes()[0]
			require.Equal(t, registered.FailureQueues(), route.FailureQueues())
			require.Equal(t, registered.DeadLetters(), route.DeadLetters())
			require.Equal(t, registered.AppliedFailure(), route.AppliedFailure())
		}
	})
	t.Run("a queue of the router isn't declared again", func(t *testing.T) {
		router := runtime.NewRouter()
		router.MustRegister(
			runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(onOrder), Failure: &runtime.FailurePolicy{Attempts: 1}},
			runtime.Route{Name: "d", Queue: runtime.Queue{Name: "q.dead"}, Handler: runtime.Consume(onOrder), Failure: &runtime.FailurePolicy{Endless: true}})
		for _, route := range router.Routes() {
			require.Empty(t, route.FailureQueues())
		}
	})
}

func TestOnFailure_IsForRoutesWithoutAPolicy(t *testing.T) {
	router := runtime.NewRouter()
	route := failingRoute(errFailed, runtime.FailurePolicy{Attempts: 2})
	router.MustRegister(route)
	require.NoError(t, router.OnFailure(runtime.FailurePolicy{Attempts: 1}))
	route.Name, route.Queue.Name, route.Failure = "other", "other", nil
	router.MustRegister(route)
	routes := router.Routes()
	require.Equal(t, 2, routes[0].Failure.Attempts)
	require.Equal(t, 1, routes[1].Failure.Attempts)
}

func TestFailurePolicy_IsChecked(t *testing.T) {
	for want, policy := range map[string]runtime.FailurePolicy{
		"Attempts is -1: use 1 or more, 0 for the default, or Endless":                                                     {Attempts: -1},
		"Delay is 1.5ms: use whole milliseconds, or 0 for the default":                                                     {Delay: 1500 * time.Microsecond},
		"Delay is -1s: use whole milliseconds, or 0 for the default":                                                       {Delay: -time.Second},
		"MaxDelay is 1s, and Delay is 2s: it can't be shorter":                                                             {Delay: 2 * time.Second, MaxDelay: time.Second},
		"MaxDelay is 1200h0m0s, and the server keeps a message for 1193h2m47.295s at most":                                 {MaxDelay: 1200 * time.Hour},
		"Attempts and the delays need 28 queues for each route, and 20 are allowed: make Delay longer or MaxDelay shorter": {Attempts: 50, Delay: time.Millisecond, MaxDelay: 30 * time.Hour},
	} {
		require.EqualError(t, runtime.NewRouter().OnFailure(policy), "set the failure policy of a router: "+want)
		field, fault, _ := strings.Cut(want, " ")
		require.EqualError(t, runtime.NewRouter().Register(failingRoute(errFailed, policy)), `register route "r": Failure.`+field+": "+fault)
	}
	err := runtime.NewRouter().Register(failingRoute(errFailed, runtime.FailurePolicy{DeadLetters: "q"}))
	require.EqualError(t, err, `register route "r": Failure.DeadLetters: is the route's own queue, to which dead letters would come back: name another`)

	router := runtime.NewRouter()
	require.NoError(t, router.OnFailure(runtime.FailurePolicy{Endless: true}))
	long := failingRoute(errFailed, runtime.FailurePolicy{})
	long.Queue.Name, long.Failure = strings.Repeat("q", 250), nil
	require.NoError(t, router.Register(long))
	require.ErrorContains(t, router.OnFailure(runtime.FailurePolicy{}), "Queue.Name: has 250 bytes, and with it the queue")
}

func TestFailureOf_IsFalseForOtherMessages(t *testing.T) {
	_, ok := runtime.FailureOf(delivery("{}"))
	require.False(t, ok)
	d := delivery("{}")
	d.Headers = map[string]any{"warren-dead": "text"}
	_, ok = runtime.FailureOf(d)
	require.False(t, ok)
}

// A copy of ours would lack the headers that no client can read.
func TestUnreadableDelivery_IsLeftToTheServerWhereItCan(t *testing.T) {
	unreadable := errors.New("headers are nested too deep")
	process := func(queue runtime.Queue) (runtime.Outcome, *recorder) {
		handler := runtime.Consume(func(context.Context, order) error { panic("the handler isn't called") })
		route, transport := underPolicy(t, runtime.Route{Name: "r", Queue: queue, Handler: handler}), new(recorder)
		outcome := runtime.Process(context.Background(), route, &runtime.Delivery{Message: runtime.Message{Body: []byte(`{}`)}, Unreadable: unreadable}, transport)
		require.ErrorIs(t, outcome.Err, unreadable)
		if outcome.Pending() {
			outcome.Conclude(context.Background(), transport)
		}
		return outcome, transport
	}
	outcome, transport := process(runtime.Queue{Name: "q", Durable: true, Arguments: map[string]any{"x-dead-letter-exchange": "dlx"}})
	require.Equal(t, runtime.Refuse, outcome.Settlement)
	require.Empty(t, transport.sent)

	outcome, transport = process(runtime.Queue{Name: "q", Durable: true})
	require.Equal(t, runtime.DeadLetter, outcome.Settlement)
	require.Equal(t, "q.dead", transport.sent[0].To.RoutingKey)
	failure, ok := runtime.FailureOf(&runtime.Delivery{Message: transport.sent[0].Message})
	require.True(t, ok)
	require.Equal(t, runtime.ReasonUndecodable, failure.Reason)
	require.Contains(t, failure.Error, "nested too deep")
}

// Middleware may fail, or postpone the message, before anything has looked at its headers.
func TestUnreadableDelivery_IsNeverTriedAgain(t *testing.T) {
	unreadable := errors.New("headers are nested too deep")
	for _, err := range []error{errFailed, runtime.RetryAfter(errFailed, time.Second), runtime.Postpone(errFailed, time.Second)} {
		route := failingRoute(nil, runtime.FailurePolicy{})
		route.Handler = route.Handler.With(func(runtime.HandlerFunc) runtime.HandlerFunc {
			return func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return nil, err }
		})
		d, transport := delivery("{}"), new(recorder)
		d.Unreadable = unreadable
		outcome := runtime.Process(context.Background(), underPolicy(t, route), d, transport)
		require.Equal(t, runtime.DeadLetter, outcome.Settlement)
		require.False(t, outcome.Postponed())
		require.ErrorIs(t, outcome.Err, unreadable)
		require.ErrorIs(t, outcome.Err, errFailed)
	}
}

// What was acknowledged first can't go back to its queue, nor keep its turn.
func TestPostpone_IsAFailureOfWhatWasAcknowledgedFirst(t *testing.T) {
	for _, order := range []runtime.Order{{}, runtime.Strict()} {
		route := failingRoute(runtime.Postpone(errFailed, time.Second), runtime.FailurePolicy{})
		route.AckMode, route.Order = runtime.AckFirst, order
		transport := new(recorder)
		outcome := runtime.Process(context.Background(), underPolicy(t, route), delivery("{}"), transport)
		require.Equal(t, runtime.DeadLetter, outcome.Settlement)
		require.False(t, outcome.Postponed())
		outcome.Conclude(context.Background(), transport)
		require.Equal(t, "q.dead", transport.sent[0].To.RoutingKey)

		route.Failure = &runtime.FailurePolicy{Endless: true}
		outcome = runtime.Process(context.Background(), underPolicy(t, route), delivery("{}"), transport)
		require.Equal(t, runtime.Discard, outcome.Settlement)
	}
}

// Its route may have been another one when it began to wait.
func TestPostpone_HandlesWhatIsAcknowledgedFirstBeforeItsTime(t *testing.T) {
	transport := new(recorder)
	outcome := runtime.Process(context.Background(), underPolicy(t, failingRoute(runtime.Postpone(errFailed, time.Hour), runtime.FailurePolicy{})), delivery("{}"), transport)
	outcome.Conclude(context.Background(), transport)
	route := failingRoute(nil, runtime.FailurePolicy{})
	route.AckMode = runtime.AckFirst
	outcome = runtime.Process(context.Background(), underPolicy(t, route), waited(transport.sent[0].Message, "q.retry.8s"), transport)
	require.Equal(t, runtime.Ack, outcome.Settlement)
}

// What the broker said of the deaths of a message that it dead-lettered itself isn't true of
// the one that begins anew.
func TestReplayed_BeginsWithoutTheBrokersDeaths(t *testing.T) {
	d := delivery("{}")
	d.Headers = map[string]any{
		"x-death": []any{}, "x-first-death-queue": "q", "x-first-death-reason": "rejected", "x-last-death-queue": "q", "tenant": "acme",
	}
	to, m, err := runtime.Replayed(d)
	require.NoError(t, err)
	require.Equal(t, runtime.Address{RoutingKey: "q"}, to)
	require.Equal(t, map[string]any{"tenant": "acme"}, m.Headers)
}

func TestReplayed_RefusesWhatWouldLoseHeaders(t *testing.T) {
	d := delivery("{}")
	d.Headers, d.Unreadable = map[string]any{"x-first-death-queue": "q"}, errors.New("nested too deep")
	_, _, err := runtime.Replayed(d)
	require.ErrorIs(t, err, d.Unreadable)
}

// Middleware is told what Process makes of the error.
func TestDelivery_PostponesWhatWaits(t *testing.T) {
	waits := runtime.Postpone(errFailed, time.Second)
	for name, test := range map[string]struct {
		change func(*runtime.Route, *runtime.Delivery)
		err    error
		want   bool
	}{
		"postponed":          {nil, waits, true},
		"wrapped":            {nil, fmt.Errorf("not yet: %w", waits), true},
		"failed":             {nil, errFailed, false},
		"success":            {nil, nil, false},
		"tried again":        {nil, runtime.RetryAfter(errFailed, time.Second), false},
		"rejected after all": {nil, runtime.Reject(waits), false},
		"endless":            {func(r *runtime.Route, _ *runtime.Delivery) { r.Failure = &runtime.FailurePolicy{Endless: true} }, waits, true},
		"ordered":            {func(r *runtime.Route, _ *runtime.Delivery) { r.Order = runtime.Strict() }, waits, true},
		"acknowledged first": {func(r *runtime.Route, _ *runtime.Delivery) { r.AckMode = runtime.AckFirst }, waits, false},
		"unreadable":         {func(_ *runtime.Route, d *runtime.Delivery) { d.Unreadable = errors.New("nested too deep") }, waits, false},
		"request": {func(r *runtime.Route, d *runtime.Delivery) {
			r.Handler, d.ReplyTo = runtime.Respond(func(context.Context, order) (order, error) { return order{}, nil }), "caller"
		}, waits, false},
	} {
		t.Run(name, func(t *testing.T) {
			route, d, told := failingRoute(nil, runtime.FailurePolicy{}), delivery("{}"), false
			if test.change != nil {
				test.change(&route, d)
			}
			route.Handler = route.Handler.With(func(runtime.HandlerFunc) runtime.HandlerFunc {
				return func(_ context.Context, d *runtime.Delivery) (*runtime.Message, error) {
					told = d.Postpones(test.err)
					return nil, test.err
				}
			})
			outcome := runtime.Process(context.Background(), underPolicy(t, route), d, new(recorder))
			require.Equal(t, test.want, told)
			require.Equal(t, test.want, outcome.Postponed())
		})
	}
}
