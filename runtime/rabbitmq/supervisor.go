package rabbitmq

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// reach connects within ctx. It gives up at once when the server refuses the
// connection. Otherwise its error is that of the last attempt that ctx didn't cut short,
// where there is one.
func (b *Broker) reach(ctx context.Context, role string) (*link, error) {
	var pause backoff
	var reason error
	for {
		l, err := b.dial(ctx, role)
		var refused *refusal
		if err == nil || errors.As(err, &refused) {
			return l, err
		}
		if reason == nil || !hasEnded(ctx) {
			reason = err
		}
		if ctx.Err() == nil {
			b.config.Logger.Warn("can't connect, trying again", "role", role, "server", b.endpoint.String(), "error", err)
			wait(pause.next(), ctx.Done(), nil)
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%w (%w)", reason, ctx.Err())
		}
	}
}

// hasEnded reports whether ctx has ended, or its deadline has passed: sockets end by the
// deadline itself, which may be before the context does.
func hasEnded(ctx context.Context) bool {
	deadline, limited := ctx.Deadline()
	return ctx.Err() != nil || limited && !time.Now().Before(deadline)
}

// supervise keeps a connection until ctx ends: it runs session on each link, and
// makes the next link when that one has ended. l may be the first link, or nil.
// attempted is called with the result of each attempt, nil for a success, and with the
// reason why a connection was lost. A session
// has to return soon after ctx has ended.
//
// A connection that is refused is tried again here, unlike in reach: permissions,
// passwords and certificates change while services run.
func (b *Broker) supervise(ctx context.Context, role string, l *link, session func(*link), attempted func(error)) {
	log := b.config.Logger.With("role", role, "server", b.endpoint.String())
	var pause backoff
	for {
		if l == nil {
			wait(pause.next(), ctx.Done(), nil)
			if ctx.Err() != nil {
				return
			}
			var err error
			l, err = b.dial(ctx, role)
			attempted(err)
			if err != nil {
				log.Warn("can't connect, trying again", "error", err)
				continue
			}
			log.Info("connected", "to", l.conn.RemoteAddr().String())
			b.emit(runtime.Event{Kind: runtime.EventConnected, Connection: role}, nil)
		}
		began := time.Now()
		session(l)
		l.close(b.closeTimeout)
		if l.cause != nil {
			attempted(fmt.Errorf("connection lost: %w", l.cause))
			log.Warn("connection lost", "error", l.cause)
			b.emit(runtime.Event{Kind: runtime.EventConnectionLost, Connection: role, Err: l.cause}, nil)
		}
		pause.lasted(time.Since(began))
		l = nil
	}
}

// wait returns after d, or when one of the channels is closed. Either may be nil.
func wait(d time.Duration, stop, dead <-chan struct{}) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-stop:
	case <-dead:
	}
}
