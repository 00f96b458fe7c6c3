package rabbitmq

import "time"

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
