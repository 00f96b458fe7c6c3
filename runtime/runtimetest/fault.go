package runtimetest

import (
	"context"
	"fmt"

	"github.com/warrenmq/warren/runtime"
)

// A failure is what becomes of one publish.
type failure struct {
	err   error
	taken bool // by the broker, all the same
}

// FailNextPublish makes the next message that the service sends fail with err, such as
// [runtime.ErrNacked]: by the service's own Publish or Call, as a reply, or as the copy
// of a message that failed. The broker doesn't get it. Calls add up: each is for one
// message. What the test sends by Send isn't concerned.
func (s *Service) FailNextPublish(err error) { s.fail(failure{err, false}) }

// LoseNextConfirm makes the next message that the service sends fail with
// [runtime.ErrUnknown], though the broker gets it: its confirmation is lost.
func (s *Service) LoseNextConfirm() { s.fail(failure{runtime.ErrUnknown, true}) }

func (s *Service) fail(f failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failures = append(s.failures, f)
}

// Block makes the broker take no messages of the service until the function that it
// returns is called: each waits for that, or fails with [runtime.ErrBlocked] when its
// context ends. A broker that is out of memory does that.
func (s *Service) Block() (unblock func()) {
	blocked := make(chan struct{})
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.blocked != nil {
		s.t.Fatal("runtimetest: the broker is blocked already")
	}
	s.blocked = blocked
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.blocked == blocked {
			s.blocked = nil
			close(blocked)
		}
	}
}

// Disconnect cuts the service's connection and makes it again: what its handlers are at
// comes again, while they run, and what they return has no effect.
func (s *Service) Disconnect() { s.broker.Disconnect() }

type publishFunc = func(ctx context.Context, to runtime.Address, msg *runtime.Message, publish func() error) error

func (s *Service) onPublish(next publishFunc) publishFunc {
	if next == nil {
		next = func(_ context.Context, _ runtime.Address, _ *runtime.Message, publish func() error) error {
			return publish()
		}
	}
	answer := func(ctx context.Context, to runtime.Address, msg *runtime.Message, publish func() error) error {
		if err := s.waitUnblocked(ctx); err != nil {
			return err
		}
		planned, found := s.nextFailure()
		switch {
		case !found:
			return next(ctx, to, msg, publish)
		case planned.taken:
			if err := next(ctx, to, msg, publish); err != nil {
				return err
			}
		}
		return planned.err
	}
	return func(ctx context.Context, to runtime.Address, msg *runtime.Message, publish func() error) error {
		answered := s.noteSent(to, msg)
		err := answer(ctx, to, msg, publish)
		answered(err)
		return err
	}
}

func (s *Service) waitUnblocked(ctx context.Context) error {
	s.mu.Lock()
	blocked := s.blocked
	s.mu.Unlock()
	if blocked == nil {
		return nil
	}
	select {
	case <-blocked:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: %w", runtime.ErrBlocked, ctx.Err())
	}
}

func (s *Service) nextFailure() (planned failure, found bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.failures) == 0 {
		return failure{}, false
	}
	planned, s.failures = s.failures[0], s.failures[1:]
	return planned, true
}
