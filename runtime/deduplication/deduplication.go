// Package deduplication is a middleware that handles each message once, by its message
// id. Messages come twice: where an acknowledgement was lost, or where their sender has
// sent them again after [runtime.ErrUnknown].
//
//	store := deduplication.NewMemory(100_000)
//	router.Use(deduplication.Once(store, deduplication.Config{}))
//
// The store in memory knows what this process has handled. One that several processes
// share is a [Store] of their database.
package deduplication

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// A Store remembers which messages were handled, and which are being. Its methods are
// called by as many goroutines as there are handlers. Keys are the names of routes with
// the ids of messages, and of the instance where each has a queue of its own. They are
// bytes and needn't be UTF-8; an id has up to 255 of them.
type Store interface {
	// Claim begins the handling of a message, unless it was handled or another one has
	// claimed it. A claim ends by Keep or Release, or by itself after lease, when its
	// process has died. It has to be atomic. The token is another one for each claim, 26
	// letters and digits, and says whose it is.
	Claim(ctx context.Context, key, token string, lease time.Duration) (State, error)

	// Keep ends the claims of a message, whoever has one: the message was handled. It is
	// remembered for retention, or for less where the store is full.
	Keep(ctx context.Context, key string, retention time.Duration) error

	// Release ends the claim with the token: the message wasn't handled, and may be
	// claimed again. It does nothing where the claim has ended and the message was handled
	// or is claimed by another token. It has to be atomic.
	Release(ctx context.Context, key, token string) error
}

// A State is what a store says of a message that is to be handled.
type State int

const (
	Claimed State = iota // it is the caller's
	Busy                 // it is being handled
	Handled              // it was handled
)

// ErrBusy: a message of the same id is being handled. This one waits, see
// [runtime.Postpone].
var ErrBusy = errors.New("a message of the same id is being handled")

// A Config says for how long things are remembered. Zero means the default of a field.
type Config struct {
	// Retention is how long a message that was handled is remembered. Choose it longer
	// than a message may take to come again. The default is one hour.
	Retention time.Duration

	// Lease is how long a claim lasts whose process has died. Choose it longer than a
	// handler takes, since a message may be handled again after it, and shorter than 15
	// minutes for a route with a runtime.Order, where a message that waits for longer is a
	// dead letter. The default is 30 minutes, which is that of a handler's timeout.
	Lease time.Duration

	// Delay is how long a message waits of whose id another one is being handled, before
	// the store is asked again. It isn't an attempt, see [runtime.Postpone]. The default
	// is one second.
	Delay time.Duration
}

// Once returns a middleware that handles a message only where its route hasn't handled
// one with its message id. One that was handled before is acknowledged without a call of
// the handler. Messages without an id are always handled, and so are requests, whose
// callers wait for a reply. What fails isn't remembered.
//
// A message is remembered before it is acknowledged: one whose handler has succeeded
// isn't handled again unless its process dies in between. Where the store fails, so does
// the delivery, and the message comes again. A route that is acknowledged by hand has no
// use for it, since its handler may succeed before the message does.
//
// A store knows messages by the name of their route, so services that share one need other
// names of their routes. The instances of a service may share a store: of a route with a
// queue for each of them (Queue.PerInstance), each handles a message once.
//
// The default of Config.Lease is too long for a route with a [runtime.Order]: after a
// process has died, the message that it claimed waits in its turn for 15 minutes, and is a
// dead letter then. Give such a route a shorter one.
//
// See docs/decisions/0052.
func Once(store Store, config Config) runtime.Middleware {
	config.Retention = cmp.Or(config.Retention, time.Hour)
	config.Lease = cmp.Or(config.Lease, 30*time.Minute)
	config.Delay = cmp.Or(config.Delay, time.Second)
	return func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			if d.MessageID == "" || d.ReplyTo != "" {
				return next(ctx, d)
			}
			c := claim{store: store, key: keyOf(d), token: rand.Text(), retention: config.Retention}
			state, err := store.Claim(ctx, c.key, c.token, config.Lease)
			switch {
			case err != nil:
				return nil, fmt.Errorf("deduplicate the message %q: claim it: %w", d.MessageID, err)
			case state == Handled:
				return nil, nil
			case state == Busy:
				return nil, runtime.Postpone(fmt.Errorf("deduplicate the message %q: %w", d.MessageID, ErrBusy), config.Delay)
			}
			return c.handle(ctx, next, d)
		}
	}
}

// keyOf tells messages apart that one store has. Each instance with a queue of its own gets
// its own copy of a message. See docs/decisions/0080.
func keyOf(d *runtime.Delivery) string {
	if d.Instance != "" {
		return d.Route + "\x00" + d.Instance + "\x00" + d.MessageID
	}
	return d.Route + "\x00" + d.MessageID
}

// A claim is one that a store has given.
type claim struct {
	store      Store
	key, token string
	retention  time.Duration
}

// handle ends the claim as the handler does. A context that has ended doesn't keep it
// from that.
func (c *claim) handle(ctx context.Context, next runtime.HandlerFunc, d *runtime.Delivery) (reply *runtime.Message, err error) {
	claimed := true
	after := context.WithoutCancel(ctx)
	defer func() {
		if claimed { // it failed, panicked or ended its goroutine
			if released := c.store.Release(after, c.key, c.token); released != nil {
				err = errors.Join(err, fmt.Errorf("deduplicate the message %q: release it: %w", d.MessageID, released))
			}
		}
	}()
	reply, err = next(ctx, d)
	if err != nil || reply != nil {
		return reply, err
	}
	if err := c.store.Keep(after, c.key, c.retention); err != nil {
		return nil, fmt.Errorf("deduplicate the message %q: remember it: %w", d.MessageID, err)
	}
	claimed = false
	return nil, nil
}
