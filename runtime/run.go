package runtime

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Run starts the broker with the routes of router, waits until ctx ends, and
// shuts down, giving running handlers at most grace; 0 cancels their contexts at
// once. It returns nil after an orderly shutdown, and an error that wraps
// context.DeadlineExceeded where handlers were still running after grace. A broker
// that doesn't start is shut down too, and its error returned. It is the body of
// most services' main:
//
//	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
//	defer stop()
//	err := runtime.Run(ctx, broker, router, 20*time.Second)
func Run(ctx context.Context, broker Broker, router *Router, grace time.Duration) error {
	if err := broker.Start(ctx, router); err != nil {
		return errors.Join(err, shutDown(ctx, broker, grace))
	}
	<-ctx.Done()
	return shutDown(ctx, broker, grace)
}

func shutDown(ctx context.Context, broker Broker, grace time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	err := broker.Shutdown(ctx)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("shut down: handlers were still running after %v: %w", grace, err)
	default:
		return fmt.Errorf("shut down: %w", err)
	}
}
