package runtime_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// batchRoute returns a route of batches as a broker has it.
func batchRoute(t *testing.T, handler runtime.Handler) *runtime.Route {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, router.Register(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: handler}))
	return &router.Routes()[0]
}

// handleAll handles one delivery for each body at a time, and returns their errors.
func handleAll(route *runtime.Route, bodies ...string) []error {
	errs := make([]error, len(bodies))
	var all sync.WaitGroup
	for i, body := range bodies {
		all.Go(func() {
			errs[i] = runtime.ErrUnknown // of a handler that ends its goroutine
			_, errs[i] = route.Handler.Handle(context.Background(), delivery(body))
		})
	}
	all.Wait()
	return errs
}

func TestConsumeBatch_TakesAsManyAsCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sizes []int
		var took []time.Duration
		began := time.Now()
		route := batchRoute(t, runtime.ConsumeBatch(func(_ context.Context, bodies []int) error {
			sizes, took = append(sizes, len(bodies)), append(took, time.Since(began))
			return nil
		}, 3, time.Second))
		for _, err := range handleAll(route, "1", "2", "3") {
			require.NoError(t, err)
		}
		handleAll(route, "1", "2")
		require.Equal(t, []int{3, 2}, sizes)
		require.Equal(t, []time.Duration{0, time.Second}, took)
	})
}

func TestConsumeBatch_WaitsForHalfOfItsTimeAtMost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var left time.Duration
		route := batchRoute(t, runtime.ConsumeBatch(func(ctx context.Context, _ []int) error {
			end, _ := ctx.Deadline()
			left = time.Until(end)
			return ctx.Err()
		}, 3, time.Minute))
		route.Timeout = time.Second // of a broker
		outcome := runtime.Process(t.Context(), route, delivery("1"), &recorder{})
		require.NoError(t, outcome.Err)
		require.Equal(t, time.Second/2, left)
	})
}

func TestConsumeBatch_FailsMembersByTheirIndex(t *testing.T) {
	errOdd := errors.New("odd")
	route := batchRoute(t, runtime.ConsumeBatch(func(ctx context.Context, bodies []int) error {
		failed := make(map[int]error)
		for i, body := range bodies {
			require.Equal(t, fmt.Sprint(body), string(runtime.DeliveriesFrom(ctx)[i].Body))
			if body%2 == 1 {
				failed[i] = errOdd
			}
		}
		require.Nil(t, runtime.DeliveryFrom(ctx))
		return &runtime.BatchError{Failed: failed}
	}, 4, time.Minute))
	errs := handleAll(route, "1", "2", "3", "4", "no number")[:4]
	require.Equal(t, []error{errOdd, nil, errOdd, nil}, errs)
}

func TestConsumeBatch_FailsAllMembers(t *testing.T) {
	for name, failing := range map[string]struct {
		fn   func(context.Context, []int) error
		text string
	}{
		"by an error":        {func(context.Context, []int) error { return errFailed }, errFailed.Error()},
		"by a panic":         {func(context.Context, []int) error { panic("no") }, "the function of the batch panicked: no"},
		"by a wrong index":   {func(context.Context, []int) error { return &runtime.BatchError{Failed: map[int]error{2: errFailed}} }, "the member 2, which isn't there"},
		"by its end (other)": {func(context.Context, []int) error { goruntime.Goexit(); return nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, err := range handleAll(batchRoute(t, runtime.ConsumeBatch(failing.fn, 2, time.Minute)), "1", "2") {
				require.ErrorContains(t, err, failing.text)
			}
		})
	}
}

func TestConsumeBatch_HandsOverWhenTheBrokerStops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		handled := 0
		route := batchRoute(t, runtime.ConsumeBatch(func(_ context.Context, bodies []int) error {
			handled += len(bodies)
			return nil
		}, 10, time.Hour))
		began := time.Now()
		time.AfterFunc(time.Second, route.Flush)
		handleAll(route, "1", "2")
		require.Equal(t, time.Second, time.Since(began))
		handleAll(route, "3")
		require.Equal(t, time.Second, time.Since(began), "one that comes later doesn't wait")
		require.Equal(t, 3, handled)
	})
}

func TestConsumeBatch_EndsItsWaitWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		route := batchRoute(t, runtime.ConsumeBatch(func(ctx context.Context, _ []int) error { return ctx.Err() }, 10, time.Hour))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := route.Handler.Handle(ctx, delivery("1"))
		require.ErrorIs(t, err, context.Canceled)
	})
}

func TestConsumeBatch_GathersForEachBroker(t *testing.T) {
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: runtime.ConsumeBatch(func(_ context.Context, bodies []int) error {
		require.Len(t, bodies, 1)
		return nil
	}, 2, time.Millisecond)})
	var all sync.WaitGroup
	for range 2 {
		route := router.Routes()[0]
		all.Go(func() { handleAll(&route, "1") })
	}
	all.Wait()
}

func TestConsumeBatch_OfATestIsABatchOfOne(t *testing.T) {
	handler := runtime.ConsumeBatch(func(_ context.Context, bodies []int) error {
		require.Equal(t, []int{7}, bodies)
		return nil
	}, 100, time.Hour)
	_, err := handler.Handle(t.Context(), delivery("7"))
	require.NoError(t, err)
	require.Equal(t, 100, handler.BatchSize())
	require.Zero(t, failing(nil).BatchSize())
	require.True(t, runtime.ConsumeBatch[int](nil, 1, 1).IsZero())
}

func TestRegister_RefusesBatches(t *testing.T) {
	fn := func(context.Context, []int) error { return nil }
	batch := runtime.ConsumeBatch(fn, 10, time.Second)
	for _, refused := range []struct {
		route runtime.Route
		fault string
	}{
		{runtime.Route{Handler: runtime.ConsumeBatch(fn, 0, time.Second)}, "Handler: takes batches of 0 messages"},
		{runtime.Route{Handler: runtime.ConsumeBatch(fn, 1<<15, time.Second)}, "use 1 to 32767"},
		{runtime.Route{Handler: runtime.ConsumeBatch(fn, 1, 0)}, "Handler: waits 0s for a batch"},
		{runtime.Route{Handler: batch, Concurrency: 9}, "Concurrency: is 9, and a batch of 10"},
		{runtime.Route{Handler: batch, Prefetch: 9}, "Prefetch: is 9, and a batch of 10"},
		{runtime.Route{Handler: batch, Prefetch: 1}, "Prefetch: is 1, and a batch of 10"},
		{runtime.Route{Handler: batch, Concurrency: 1}, "Concurrency: is 1, and a batch of 10"},
		{runtime.Route{Handler: batch, Timeout: time.Second}, "Timeout: is 1s, and a batch waits for 1s"},
		{runtime.Route{Handler: batch, Order: runtime.PerKey(func(*runtime.Delivery) string { return "" })}, "Order: is set"},
		{runtime.Route{Handler: batch, AckMode: runtime.AckByHand}, "AckMode: is AckByHand, and a batch"},
		{runtime.Route{Handler: runtime.Dispatch(runtime.On("a", batch))}, "takes batches, and its messages come one by one"},
	} {
		refused.route.Name, refused.route.Queue.Name = "r", "q"
		require.ErrorContains(t, runtime.NewRouter().Register(refused.route), refused.fault)
	}
}

func TestBatchError_NamesTheFirstMembers(t *testing.T) {
	err := &runtime.BatchError{Failed: map[int]error{9: errFailed, 1: errFailed, 4: errFailed, 5: errFailed}}
	require.EqualError(t, err, fmt.Sprintf("4 members of the batch failed: 1: %[1]v; 4: %[1]v; 5: %[1]v; ...", errFailed))
}
