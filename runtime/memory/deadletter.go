package memory

import (
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/warrenmq/warren/runtime/internal/wire"
)

// Reasons for dead-lettering, as the header x-death gives them.
const (
	rejected      = "rejected"
	expired       = "expired"
	maxLength     = "maxlen"
	deliveryLimit = "delivery_limit"
)

// deadLetter publishes m to the dead-letter exchange of q; without one, m is
// gone. A failure isn't reported, as RabbitMQ doesn't either.
func (s *Server) deadLetter(q *queue, m *message, reason string) {
	name, declared := q.spec.Arguments["x-dead-letter-exchange"].(string)
	if !declared || (name != "" && s.exchanges[name] == nil) {
		return
	}
	dead := *m
	dead.exchange = name
	dead.Headers = withDeath(m, q.spec.Name, reason)
	if key, replaced := q.spec.Arguments["x-dead-letter-routing-key"].(string); replaced {
		dead.key, dead.keys = key, []string{key}
		delete(dead.Headers, headerCC)
	}
	dead.Expiration = 0 // it would expire again, and at once
	for _, target := range s.route(&dead) {
		if !cycles(&dead, target.spec.Name) {
			s.enqueue(target, &dead)
		}
	}
}

// withDeath returns m's headers with the event in x-death: one table for each
// queue and reason, the latest first.
func withDeath(m *message, queue, reason string) map[string]any {
	headers := maps.Clone(m.Headers)
	if headers == nil {
		headers = make(map[string]any)
	}
	old, _ := headers["x-death"].([]any)
	deaths, count := make([]any, 0, len(old)+1), int64(0)
	for _, value := range old {
		death, _ := value.(map[string]any)
		if death["queue"] == queue && death["reason"] == reason {
			count, _ = death["count"].(int64)
			continue
		}
		deaths = append(deaths, value)
	}
	death := map[string]any{
		"count":        count + 1,
		"reason":       reason,
		"queue":        queue,
		"exchange":     m.exchange,
		"routing-keys": m.deathKeys(),
		"time":         wire.WholeSeconds(time.Now()),
	}
	if m.Expiration > 0 {
		death["original-expiration"] = strconv.FormatInt(m.Expiration.Milliseconds(), 10)
	}
	headers["x-death"] = slices.Insert(deaths, 0, any(death))
	if len(old) == 0 {
		headers["x-first-death-reason"] = reason
		headers["x-first-death-queue"] = queue
		headers["x-first-death-exchange"] = m.exchange
	}
	return headers
}

// deathKeys are the keys of m that a death tells: those of BCC aren't.
func (m *message) deathKeys() []any {
	further, _ := m.Headers[headerCC].([]any)
	return append([]any{m.key}, further...)
}

// cycles reports whether m has been in the queue before and no consumer ever
// rejected it on its way: RabbitMQ drops such a message.
func cycles(m *message, queue string) bool {
	deaths, _ := m.Headers["x-death"].([]any)
	seen := false
	for _, value := range deaths {
		death, _ := value.(map[string]any)
		if death["reason"] == rejected {
			return false
		}
		seen = seen || death["queue"] == queue
	}
	return seen
}
