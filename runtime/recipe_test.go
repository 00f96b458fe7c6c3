package runtime_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"

	"github.com/warrenmq/warren/runtime"
)

// rateLimited handles no more messages than the limiter allows. The messages wait with
// the handler, so that the others stay in the queue for other consumers.
func rateLimited(limiter *rate.Limiter) runtime.Middleware {
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			if err := limiter.Wait(ctx); err != nil {
				return nil, err
			}
			return next(ctx, d)
		}
	}
}

// broken stops calling a handler whose calls fail, and tries those messages again later.
func broken(breaker *gobreaker.CircuitBreaker[*runtime.Message], after time.Duration) runtime.Middleware {
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			reply, err := breaker.Execute(func() (*runtime.Message, error) { return next(ctx, d) })
			if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
				return nil, runtime.RetryAfter(err, after)
			}
			return reply, err
		}
	}
}

// A rate limit is a middleware of ten lines around golang.org/x/time/rate.
func Example_rateLimit() {
	limit := rateLimited(rate.NewLimiter(rate.Every(10*time.Millisecond), 1))
	handle := runtime.Consume(greet).With(limit)
	began := time.Now()
	for range 4 {
		_, _ = handle.Handle(context.Background(), ann())
	}
	fmt.Println(time.Since(began) >= 30*time.Millisecond)
	// Output:
	// hello, ann
	// hello, ann
	// hello, ann
	// hello, ann
	// true
}

// A circuit breaker is one around github.com/sony/gobreaker.
func Example_circuitBreaker() {
	breaker := gobreaker.NewCircuitBreaker[*runtime.Message](gobreaker.Settings{
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures == 2 },
		Timeout:     time.Minute, // until it tries again
	})
	calls := 0
	handle := runtime.Consume(func(context.Context, Greeting) error {
		calls++
		return errors.New("the warehouse is down")
	}).With(broken(breaker, time.Minute))
	for range 4 {
		_, err := handle.Handle(context.Background(), ann())
		fmt.Println(err)
	}
	fmt.Println(calls, "calls")
	// Output:
	// the warehouse is down
	// the warehouse is down
	// circuit breaker is open
	// circuit breaker is open
	// 2 calls
}
