package rabbitmq_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/warrenmq/warren/runtime"
)

// A soakKind says what the handler does with a message.
type soakKind int

const (
	good      soakKind = iota
	slow               // takes some milliseconds
	failsOnce          // the first time
	later              // asks for another time
	panics             // the first time
	hangs              // the first time, for longer than its route allows, and ignores its context
	fails              // whenever it comes
	rejects            // for good
	garbled            // isn't JSON
	nesting            // has headers that no client reads; another client sends it
	drops              // is forgotten
	soakKinds
)

func (k soakKind) String() string {
	return [soakKinds]string{
		"good", "slow", "fails once", "comes later", "panics once", "hangs once", "fails always", "rejected", "garbled", "deep headers", "dropped",
	}[k]
}

// end is where a message of the kind belongs.
func (k soakKind) end() soakEnd {
	switch k {
	case fails, rejects, garbled, nesting:
		return dead
	case drops:
		return dropped
	default:
		return handled
	}
}

// isTriedAgain reports whether a copy of a message of the kind waits beside its queue.
func (k soakKind) isTriedAgain() bool {
	return k == failsOnce || k == later || k == panics || k == fails
}

// A soakEnd is what has become of a message.
type soakEnd int

const (
	handled soakEnd = iota
	dead
	dropped
	soakEnds
)

// A soakMessage is the body of a message.
type soakMessage struct {
	ID   int      `json:"id"`
	Kind soakKind `json:"kind"`
	Key  int      `json:"key"` // those of one key are sent one after the other
}

// body is that of a message, which isn't JSON where the kind says so.
func (m soakMessage) body() []byte {
	body, _ := json.Marshal(m)
	if m.Kind == garbled {
		body = body[:len(body)-1]
	}
	return body
}

// A soakLedger knows of each message what its sender was told, and what became of it.
type soakLedger struct {
	mu       sync.Mutex
	entries  []soakEntry
	deleted  map[string]time.Time // when queues were deleted with what was in them, by route
	restart  time.Time            // when the server was killed or stopped last
	strange  map[string]int       // what no fault explains
	refusals [soakTolds]int       // what senders were told in place of a confirm

	keys map[int][]int // the messages of the ordered route that haven't been handled, by key, as they were sent

	confirms, deliveries pauses
	attempt              time.Time // the last one, of any message

	redelivered, again, restarted, unexplained int // why messages came twice
}

type soakEntry struct {
	kind  soakKind
	route string
	key   int
	sent  time.Time
	told  soakTold
	ends  [soakEnds]int
	first time.Time // when it was handled

	redelivered, again bool // a delivery of it was, though perhaps another one than the latest
}

// A soakTold is what the sender of a message was told.
type soakTold int

const (
	nothing soakTold = iota
	confirmed
	unknown
	nacked
	refused // nobody has it; those that follow are reasons
	unroutable
	blocked
	forbidden
	notInTime
	soakTolds
)

func (told soakTold) String() string {
	return [soakTolds]string{"nothing", "confirmed", "unknown", "nacked", "refused", "unroutable", "blocked", "forbidden", "not sent in time"}[told]
}

func toldBy(err error) soakTold {
	switch {
	case err == nil:
		return confirmed
	case errors.Is(err, runtime.ErrUnknown):
		return unknown
	case errors.Is(err, runtime.ErrNacked):
		return nacked
	case errors.Is(err, runtime.ErrUnroutable):
		return unroutable
	case errors.Is(err, runtime.ErrBlocked):
		return blocked
	case strings.Contains(err.Error(), "ACCESS_REFUSED"):
		return forbidden
	case errors.Is(err, context.DeadlineExceeded):
		return notInTime
	default:
		return nothing
	}
}

func newSoakLedger() *soakLedger {
	return &soakLedger{deleted: make(map[string]time.Time), strange: make(map[string]int), keys: make(map[int][]int)}
}

// begin enters a message before it is sent.
func (l *soakLedger) begin(kind soakKind, route string, key int) soakMessage {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.entries = append(l.entries, soakEntry{kind: kind, route: route, key: key, sent: time.Now()})
	m := soakMessage{ID: len(l.entries) - 1, Kind: kind, Key: key}
	if route == ordered && kind.end() == handled {
		l.keys[key] = append(l.keys[key], m.ID)
	}
	return m
}

// checkOrder notes where a message was handled before one of its key that had been
// confirmed before it was sent.
func (l *soakLedger) checkOrder(id int) {
	key := l.entries[id].key
	waiting := l.keys[key]
	for i, earlier := range waiting {
		if earlier == id {
			l.keys[key] = waiting[i+1:] // of those before it, none is expected
			return
		}
		if l.entries[earlier].told == confirmed {
			l.strange["handled before an earlier message of its key"]++
		}
	}
}

// tell notes what the sender was told.
func (l *soakLedger) tell(m soakMessage, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	told := toldBy(err)
	switch {
	case told == confirmed:
		l.confirms.note()
	case told == nothing:
		l.strange["sending: "+err.Error()]++
	default:
		l.refusals[told]++
	}
	if told > refused {
		told = refused
	}
	l.entries[m.ID].told = told
	if told == refused && l.entries[m.ID].ends != [soakEnds]int{} {
		l.noteFalse(m.Kind)
	}
}

// noteAttempt notes that a message has come, whatever becomes of it.
func (l *soakLedger) noteAttempt() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.attempt = time.Now()
}

// isQuiet reports whether no message has come for so long that none is on its way.
func (l *soakLedger) isQuiet() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.attempt) > soakQuiet
}

func (l *soakLedger) hasEnded(m soakMessage) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.entries[m.ID].ends != [soakEnds]int{}
}

func (l *soakLedger) noteFalse(kind soakKind) {
	l.strange["handled although its sender was told that nobody has it: "+kind.String()]++
}

// note notes what has become of a message.
func (l *soakLedger) note(id int, end soakEnd, d *runtime.Delivery) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if id < 0 || id >= len(l.entries) {
		l.strange[fmt.Sprintf("a message that wasn't sent: %d", id)]++
		return
	}
	l.deliveries.note()
	e := &l.entries[id]
	e.ends[end]++
	if e.told == refused {
		l.noteFalse(e.kind)
	}
	e.redelivered, e.again = e.redelivered || d.Redelivered, e.again || d.Attempt > 1 || end == dead
	if e.first.IsZero() {
		e.first = time.Now()
		if e.route == ordered && end == handled {
			l.checkOrder(id)
		}
		return
	}
	switch {
	case e.redelivered:
		l.redelivered++
	case e.again:
		l.again++
	case l.restartedSince(e.first):
		l.restarted++
	default:
		l.unexplained++
		l.strange[fmt.Sprintf("came twice without a reason: %s to %s", e.kind, e.route)]++
	}
}

func (l *soakLedger) restartedSince(t time.Time) bool {
	return l.restart.After(t)
}

func (l *soakLedger) noteRestart() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.restart = time.Now()
}

// isExcused reports whether a message may have gone with its queue, or with the server
// while it was brought back to a classic queue, which confirms nothing to the queue that it
// comes from.
func (l *soakLedger) isExcused(e *soakEntry) bool {
	return e.sent.Before(l.deleted[e.route]) || e.route == frail && e.kind.isTriedAgain() && l.restartedSince(e.sent)
}

// pauses finds the longest time between two events.
type pauses struct {
	last    time.Time
	longest time.Duration
}

func (p *pauses) note() {
	now := time.Now()
	p.longest = max(p.longest, now.Sub(p.last))
	p.last = now
}

// noteDeleted notes that messages of the route may have gone with a queue.
func (l *soakLedger) noteDeleted(route string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.deleted[route] = time.Now()
}

func (l *soakLedger) noteStrange(what string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.strange[what]++
}

// A soakCount counts messages of a kind.
type soakCount struct {
	sent, confirmed, unknown, refused int
	ends                              [soakEnds]int
	elsewhere                         int // ended where its kind doesn't belong
	gone                              int // with its queue, or with the server
	open                              int // confirmed, and nothing more
}

// count returns the counts by kind. The last one is of all.
func (l *soakLedger) count() [soakKinds + 1]soakCount {
	l.mu.Lock()
	defer l.mu.Unlock()
	var counts [soakKinds + 1]soakCount
	for i := range l.entries {
		e := &l.entries[i]
		for _, c := range []*soakCount{&counts[e.kind], &counts[soakKinds]} {
			c.add(e, l.isExcused(e))
		}
	}
	return counts
}

func (c *soakCount) add(e *soakEntry, excused bool) {
	c.sent++
	switch e.told {
	case confirmed:
		c.confirmed++
	case unknown:
		c.unknown++
	case refused, nacked:
		c.refused++
	}
	ended := false
	for end, times := range e.ends {
		if times > 0 {
			c.ends[end]++
			ended = true
			if soakEnd(end) != e.kind.end() {
				c.elsewhere++
			}
		}
	}
	switch {
	case ended || e.told != confirmed:
	case excused:
		c.gone++
	default:
		c.open++
	}
}

// sent returns how many messages have been entered.
func (l *soakLedger) sent() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.entries)
}

// openOf returns how many of the first n messages are confirmed, and nothing more.
func (l *soakLedger) openOf(n int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	var c soakCount
	for i := range l.entries[:n] {
		e := &l.entries[i]
		c.add(e, l.isExcused(e))
	}
	return c.open
}

// open returns some of the confirmed messages of which nothing more is known.
func (l *soakLedger) open() (some []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for id := range l.entries {
		e := &l.entries[id]
		if e.told == confirmed && e.ends == [soakEnds]int{} && !l.isExcused(e) && len(some) < 20 {
			some = append(some, fmt.Sprintf("%d %s to %s, sent at %s", id, e.kind, e.route, e.sent.Format(time.TimeOnly)))
		}
	}
	return some
}
