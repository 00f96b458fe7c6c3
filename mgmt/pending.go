package mgmt

import (
	"context"
	"errors"
)

// A Pending is the result of a call that runs in the background. It is safe for
// concurrent use.
type Pending[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// Go runs call in a goroutine of its own, and so is the asynchronous variant of
// every method (specification B, rule 1):
//
//	bindings := mgmt.Go(func() ([]mgmt.BindingInfo, error) { return client.QueueBindings(ctx, "/", "orders") })
//	...
//	list, err := bindings.Wait(ctx)
//
// The goroutine ends with the call: cancel the call's context to end it early.
func Go[T any](call func() (T, error)) *Pending[T] {
	p := &Pending[T]{done: make(chan struct{}), err: errNoReturn}
	go func() {
		defer close(p.done)
		p.value, p.err = call()
	}()
	return p
}

// errNoReturn is the error of a call that ends its goroutine, as a test's
// FailNow does, and so returns none.
var errNoReturn = errors.New("the call ended its goroutine and returned nothing")

// GoErr is Go for a method that returns an error only.
func GoErr(call func() error) *Pending[struct{}] {
	return Go(func() (struct{}, error) { return struct{}{}, call() })
}

// Done is closed when the call has returned.
func (p *Pending[T]) Done() <-chan struct{} { return p.done }

// Wait returns what the call has returned, or the context's error when that
// ends first; the call then goes on. It may be called more than once.
func (p *Pending[T]) Wait(ctx context.Context) (T, error) {
	select {
	case <-p.done:
		return p.value, p.err
	default:
	}
	select {
	case <-p.done:
		return p.value, p.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
