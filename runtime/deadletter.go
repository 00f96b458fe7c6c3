package runtime

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"
)

// Reasons of dead letters.
const (
	ReasonUndecodable = "undecodable" // the body isn't what the handler takes, or headers can't be read
	ReasonRejected    = "rejected"    // by Reject, or FailurePolicy.Permanent
	ReasonAttempts    = "attempts"    // the last attempt failed too
)

// A Failure is what a dead letter tells of its message beside the message itself,
// which is as it came. Where the headers fill the frame of the server, some are missing.
type Failure struct {
	Reason     string    // one of the reasons above
	Error      string    // the text of the last error, at most 4 KiB
	Attempt    int       // the number of the last attempt
	First      time.Time // of the first failure, in whole seconds
	Time       time.Time // of the last one, in whole seconds
	Route      string    // the route's name
	Queue      string    // the route's queue
	Exchange   string    // that the message was published to; "" is the default exchange
	RoutingKey string    // that it was published with
	Missing    []string  // the first ten of the message's headers that had no room beside this, none mostly
}

// FailureOf returns what d, a dead letter, tells of its failure, false where d is
// no dead letter of a [FailurePolicy].
func FailureOf(d *Delivery) (Failure, bool) {
	table, ok := d.Headers[deadHeader].(map[string]any)
	if !ok {
		return Failure{}, false
	}
	p := readPassage(table)
	f := Failure{Attempt: p.attempt, First: p.first, Exchange: p.exchange, RoutingKey: p.key}
	f.Reason, _ = table["reason"].(string)
	f.Error, _ = table["error"].(string)
	f.Route, _ = table["route"].(string)
	f.Queue, _ = table["queue"].(string)
	f.Time, _ = table["time"].(time.Time)
	missing, _ := table["missing"].([]any)
	for _, value := range missing {
		if name, ok := value.(string); ok {
			f.Missing = append(f.Missing, name)
		}
	}
	return f, true
}

// deadTable returns p with what f adds to it, as the value of a header.
func (p *passage) deadTable(f Failure) map[string]any {
	table := p.table()
	table["reason"], table["error"], table["route"], table["queue"], table["time"] = f.Reason, f.Error, f.Route, f.Queue, f.Time
	return table
}

// Replayed returns a dead letter as it is sent to be handled anew: the message without
// what its failure added, and the queue that it failed in, by the default exchange, so
// that no other queue gets it again. Its attempts count from 1. Where the server has
// dead-lettered it, that is the queue of its first death. It isn't what it was in three
// things: its exchange and routing key are those of the queue, it has no expiration, and
// no user id, which the server would check. d isn't changed. An error says that d names
// no queue, or that some of its headers can't be read and would be lost.
func Replayed(d *Delivery) (to Address, msg *Message, err error) {
	if d.Unreadable != nil {
		return Address{}, nil, fmt.Errorf("the message would lose headers: %w", d.Unreadable)
	}
	failure, ours := FailureOf(d)
	queue := failure.Queue
	if !ours {
		queue, _ = d.Headers[firstDeath+"queue"].(string)
	}
	if queue == "" {
		return Address{}, nil, errors.New("the message doesn't say which queue it failed in: it has neither of the headers " + deadHeader + " and " + firstDeath + "queue")
	}
	m := copyOf(d, deadHeader, nil)
	delete(m.Headers, deadHeader)
	if !ours { // else they tell of deaths before the failure, and were there
		delete(m.Headers, headerDeath)
		maps.DeleteFunc(m.Headers, func(name string, _ any) bool {
			return strings.HasPrefix(name, firstDeath) || strings.HasPrefix(name, lastDeath)
		})
	}
	return Address{RoutingKey: queue}, m, nil
}
