package rabbitmq

import "time"

// SetPeriods sets how often the topology is declared again, and how long a refused
// declaration waits. It is called before Start.
func (b *Broker) SetPeriods(upkeep, refused time.Duration) {
	b.upkeepPeriod, b.refusedDelay = upkeep, refused
}
