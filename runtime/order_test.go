package runtime_test

import (
	"context"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func TestRegister_RefusesWhatContradictsTheOrder(t *testing.T) {
	slow := runtime.FailurePolicy{Attempts: 20, MaxDelay: time.Hour}
	for _, refused := range []struct {
		route runtime.Route
		fault string
	}{
		{runtime.Route{Order: runtime.Strict(), Concurrency: 2}, "Concurrency: is 2, and with the Order Strict one message is handled at a time"},
		{runtime.Route{Order: runtime.Strict(), Failure: &slow}, "Failure: has delays of more than 15m0s together"},
		{runtime.Route{Order: runtime.Strict(), AckMode: runtime.AckByHand}, "AckMode: is AckByHand, and the route has an Order"},
		{runtime.Route{AckMode: 3}, "AckMode: is 3: use runtime.AckOnSuccess"},
		{runtime.Route{AckMode: runtime.AckByHand, Handler: failingRequest(nil)}, "AckMode: is AckByHand, and the handler replies"},
	} {
		refused.route.Name, refused.route.Queue.Name = "r", "q"
		if refused.route.Handler.IsZero() {
			refused.route.Handler = failing(nil)
		}
		require.ErrorContains(t, runtime.NewRouter().Register(refused.route), refused.fault)
	}
	router := runtime.NewRouter()
	router.MustRegister(
		runtime.Route{Name: "default", Queue: runtime.Queue{Name: "a"}, Handler: failing(nil), Order: runtime.Strict()},
		runtime.Route{Name: "one", Queue: runtime.Queue{Name: "d"}, Handler: failing(nil), Order: runtime.Strict(), Concurrency: 1},
		runtime.Route{Name: "keys", Queue: runtime.Queue{Name: "b"}, Handler: failing(nil), Concurrency: 8, Order: runtime.PerKey(func(d *runtime.Delivery) string { return d.RoutingKey })},
		runtime.Route{Name: "endless", Queue: runtime.Queue{Name: "c"}, Handler: failing(nil), Order: runtime.Strict(), Failure: &runtime.FailurePolicy{Endless: true}},
	)
	require.ErrorContains(t, router.OnFailure(slow), `register route "default": Failure: has delays`)
}

func TestOrder_NeedsNoQueuesForDelays(t *testing.T) {
	route := runtime.Route{Queue: runtime.Queue{Name: "q"}, Failure: &runtime.FailurePolicy{}, Handler: failing(nil)}
	require.Len(t, route.FailureQueues(), 5)
	route.Order = runtime.Strict()
	require.Equal(t, []runtime.Queue{{Name: "q.dead", Durable: true}}, route.FailureQueues())
	route.Order, route.AckMode = runtime.Order{}, runtime.AckFirst
	require.Equal(t, []runtime.Queue{{Name: "q.dead", Durable: true}}, route.FailureQueues())
}

func TestOrder_IsNoneWithoutAKey(t *testing.T) {
	require.True(t, runtime.PerKey(nil).IsZero())
	require.True(t, runtime.PerBody[order](nil).IsZero())
	route := runtime.Route{Name: "r", Order: runtime.PerBody(func(o order) string { return o.ID })}
	require.Equal(t, "7", route.OrderKey(delivery(`{"id":"7"}`)))
	require.Empty(t, route.OrderKey(delivery(`no JSON`)))
}

func TestOrderKey_LeavesTheDeliveryToItsHandler(t *testing.T) {
	handled := 0
	route := runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Order: runtime.PerKey(func(*runtime.Delivery) string { return "7" }),
		Handler: runtime.Consume(func(context.Context, []byte) error { handled++; return nil }),
	}
	d := delivery("b")
	require.Equal(t, "7", route.OrderKey(d))
	outcome := runtime.Process(t.Context(), &route, d, new(recorder))
	require.NoError(t, outcome.Err)
	require.Equal(t, 1, handled)
}

// A lengthCodec reads the length of a body.
type lengthCodec struct{ runtime.Codec }

func (lengthCodec) ContentTypes() []string { return []string{"text/length"} }

func (lengthCodec) Takes(reflect.Type) error { return nil }

func (lengthCodec) Unmarshal(body []byte, to any) error {
	*to.(*int) = len(body)
	return nil
}

func TestPerBody_ReadsByTheCodecOfTheRoute(t *testing.T) {
	router := runtime.NewRouter()
	require.NoError(t, router.Register(runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Codec: lengthCodec{}, Order: runtime.PerBody(strconv.Itoa),
		Handler: runtime.Consume(func(context.Context, int) error { return nil }),
	}))
	require.Equal(t, "3", router.Routes()[0].OrderKey(delivery("abc")))
}

func TestOutcome_AgainIsTheNextAttemptInPlace(t *testing.T) {
	route := runtime.Route{
		Name: "r", Queue: runtime.Queue{Name: "q"}, Order: runtime.Strict(), Failure: &runtime.FailurePolicy{Attempts: 2},
		Handler: runtime.Consume(func(context.Context, []byte) error { return errFailed }),
	}
	sent := &recorder{}
	first := delivery("b")
	outcome := runtime.Process(t.Context(), &route, first, sent)
	second, wait, again := outcome.Again(first)
	require.True(t, again)
	require.False(t, outcome.Pending())
	require.Equal(t, runtime.Retry, outcome.Settlement)
	require.InDelta(t, time.Second, wait, float64(time.Second)/5)
	outcome = runtime.Process(t.Context(), &route, second, sent)
	require.Equal(t, 2, second.Attempt)
	require.True(t, outcome.Pending())
	sent.err = runtime.ErrNacked
	outcome.Conclude(t.Context(), sent)
	again2, wait, again := outcome.Again(second)
	require.True(t, again, "the dead letter wasn't confirmed, so the message keeps its turn")
	require.Zero(t, wait, "as before a redelivery")
	runtime.Process(t.Context(), &route, again2, sent)
	require.Equal(t, 2, again2.Attempt)

	_, _, again = (&runtime.Outcome{Settlement: runtime.Requeue}).Again(first)
	require.False(t, again, "of a route without an order")
}

// What can't be handled keeps its turn for 15 minutes, however often its handler says so,
// and the others go on.
func TestOrder_EndsTheTurnOfWhatWaitsWithoutEnd(t *testing.T) {
	for name, test := range map[string]struct {
		err      error
		attempts int
		longest  time.Duration
	}{
		"postponed":                  {runtime.Postpone(errFailed, time.Hour), 5, time.Hour},
		"postponed for a moment":     {runtime.Postpone(errFailed, time.Second), 5, time.Second},
		"postponed of one attempt":   {runtime.Postpone(errFailed, time.Minute), 1, time.Minute},
		"tried again when it says":   {runtime.RetryAfter(errFailed, time.Hour), 1000, time.Hour},
		"tried again, many attempts": {runtime.RetryAfter(errFailed, time.Minute), 1000, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			policy := &runtime.FailurePolicy{Attempts: test.attempts, MaxDelay: time.Hour}
			if test.attempts == 1000 {
				policy.Delay, policy.MaxDelay = time.Millisecond, test.longest
			}
			route := runtime.Route{
				Name: "r", Queue: runtime.Queue{Name: "q"}, Order: runtime.Strict(), Failure: policy,
				Handler: runtime.Consume(func(context.Context, []byte) error { return test.err }),
			}
			d, waited := delivery("b"), time.Duration(0)
			for {
				outcome := runtime.Process(t.Context(), &route, d, &recorder{})
				require.Equal(t, outcome.Postponed(), d.Postpones(test.err))
				next, wait, again := outcome.Again(d)
				if !again || outcome.Pending() {
					require.Equal(t, runtime.DeadLetter, outcome.Settlement)
					require.False(t, outcome.Postponed())
					require.ErrorContains(t, outcome.Err, "kept its turn for 15m0s")
					require.ErrorIs(t, outcome.Err, errFailed)
					break
				}
				require.LessOrEqual(t, wait, test.longest)
				waited += wait
				require.LessOrEqual(t, waited, 15*time.Minute)
				d = next
			}
			require.Equal(t, 15*time.Minute, waited)
		})
	}
}
