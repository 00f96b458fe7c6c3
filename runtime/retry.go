package runtime

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// The headers of the copies of failed messages. Each is one table, so that all
// other headers stay what they were.
const (
	retryHeader = "warren-retry" // of a message that waits to be tried again
	deadHeader  = "warren-dead"  // of a dead letter
)

// Headers of the server that would have an effect on a copy, or that the server
// itself counts in.
const (
	headerCC       = "CC" // names further keys to route by
	headerDeath    = "x-death"
	firstDeath     = "x-first-death-"
	lastDeath      = "x-last-death-"
	deliveryCount  = "x-delivery-count"
	acquiredCount  = "x-acquired-count"
	deathReasonTTL = "expired"
)

// A passage is what a message brings along from one attempt to the next: the
// number of the attempt, and what a copy can't have in its place.
type passage struct {
	attempt    int
	first      time.Time     // of its first failure; zero: none
	due        time.Time     // when it is to be handled; zero: now
	waited     time.Duration // in its turn, until now, see Order
	postponed  time.Time     // in its turn, for the first time; zero: never
	exchange   string        // that it was published to
	key        string        // that it was published with
	user       string        // property user_id, which the server checks
	expiration time.Duration // property expiration, which the delay replaces
	cc         any           // header CC, by which the server would route the copy
}

func (p *passage) copy() *passage {
	c := *p
	return &c
}

// table returns p as the value of a header.
func (p *passage) table() map[string]any {
	table := map[string]any{
		"attempt":     int64(p.attempt),
		"exchange":    p.exchange,
		"routing-key": p.key,
	}
	if !p.first.IsZero() {
		table["first-failure"] = p.first
	}
	if !p.due.IsZero() {
		table["due"] = p.due.UnixMilli()
	}
	if p.user != "" {
		table["user-id"] = p.user
	}
	if p.expiration > 0 {
		table["expiration"] = p.expiration.Milliseconds()
	}
	if p.cc != nil {
		table[headerCC] = p.cc
	}
	return table
}

// readPassage is the inverse of table. What is missing, or of another type, is
// zero.
func readPassage(table map[string]any) passage {
	var p passage
	attempt, _ := table["attempt"].(int64)
	p.attempt = int(attempt)
	p.first, _ = table["first-failure"].(time.Time)
	p.exchange, _ = table["exchange"].(string)
	p.key, _ = table["routing-key"].(string)
	if due, ok := table["due"].(int64); ok {
		p.due = time.UnixMilli(due)
	}
	p.user, _ = table["user-id"].(string)
	if expiration, ok := table["expiration"].(int64); ok {
		p.expiration = time.Duration(expiration) * time.Millisecond
	}
	p.cc = table[headerCC]
	return p
}

// resume gives d, a copy that has waited, what the message had when it came first,
// and the number of its attempt. Of any other message it is the first attempt.
//
// A header alone proves nothing, since whoever publishes can set it. The
// server's own x-death has to say that the message comes from one of the queues
// in which messages of this queue wait.
func resume(d *Delivery) passage {
	if d.resumed != nil {
		d.Attempt = d.resumed.attempt
		return *d.resumed
	}
	table, marked := d.Headers[retryHeader].(map[string]any)
	if !marked || !hasWaited(d) {
		d.Attempt = 1
		return passage{attempt: 1, exchange: d.Exchange, key: d.RoutingKey, user: d.UserID, expiration: d.Expiration, cc: d.Headers[headerCC]}
	}
	p := readPassage(table)
	p.attempt = max(p.attempt, 1)
	d.Attempt = p.attempt
	d.Exchange, d.RoutingKey, d.UserID, d.Expiration = p.exchange, p.key, p.user, p.expiration
	d.Headers = withoutRetry(d.Headers, d.Queue)
	if p.cc != nil {
		d.Headers[headerCC] = p.cc
	}
	return p
}

// hasWaited reports whether the server has d from a queue in which messages of
// its queue wait.
func hasWaited(d *Delivery) bool {
	deaths, _ := d.Headers[headerDeath].([]any)
	if len(deaths) == 0 {
		return false
	}
	latest, _ := deaths[0].(map[string]any)
	queue, _ := latest["queue"].(string)
	return latest["reason"] == deathReasonTTL && strings.HasPrefix(queue, retryPrefix(d.Queue))
}

// withoutRetry returns headers without what the waiting of a message of queue has
// added to them.
func withoutRetry(headers map[string]any, queue string) map[string]any {
	ours := func(value any) bool {
		name, _ := value.(string)
		return strings.HasPrefix(name, retryPrefix(queue))
	}
	headers = maps.Clone(headers)
	delete(headers, retryHeader)
	deaths, _ := headers[headerDeath].([]any)
	deaths = slices.DeleteFunc(slices.Clone(deaths), func(value any) bool {
		death, _ := value.(map[string]any)
		return ours(death["queue"])
	})
	headers[headerDeath] = deaths
	if len(deaths) == 0 {
		delete(headers, headerDeath)
	}
	for _, prefix := range []string{firstDeath, lastDeath} {
		if ours(headers[prefix+"queue"]) {
			maps.DeleteFunc(headers, func(name string, _ any) bool { return strings.HasPrefix(name, prefix) })
		}
	}
	return headers
}
