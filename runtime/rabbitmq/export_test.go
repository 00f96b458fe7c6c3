package rabbitmq

import (
	"context"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// SetPeriods sets how often the topology is declared again, and how long a refused
// declaration waits. It is called before Start.
func (b *Broker) SetPeriods(upkeep, refused time.Duration) {
	b.upkeepPeriod, b.refusedDelay = upkeep, refused
}

// SetCloseTimeout sets how long a clean close may take. It is called before anything else.
func (b *Broker) SetCloseTimeout(d time.Duration) { b.closeTimeout = d }

// Waiting returns how many deliveries of ordered routes are at work or wait for their
// turn.
func (b *Broker) Waiting() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.consumers {
		n += c.ordered.Len()
	}
	return n
}

// CancelledWhileTakingOver has the only route of router consumed by two consumers at a
// time, as for a moment when one takes over, until end is called. It returns how many of
// them the server has cancelled, as far as the library has handed that over.
func (b *Broker) CancelledWhileTakingOver(ctx context.Context, router *runtime.Router) (cancelled func() int, end func(), err error) {
	l, err := b.dial(ctx, "consuming")
	if err != nil {
		return nil, nil, err
	}
	consumers := b.newConsumers(router.Routes())
	subscriptions, err := b.subscribe(ctx, l, consumers)
	if err == nil {
		_, err = consumers[0].stream(subscriptions[0])
	}
	if err != nil {
		l.close(closeTimeout)
		return nil, nil, err
	}
	return func() int { return len(subscriptions[0].cancelled) }, func() { l.close(closeTimeout) }, nil
}
