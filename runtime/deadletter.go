package runtime

import "time"

// Reasons of dead letters.
const (
	ReasonUndecodable = "undecodable" // the body isn't what the handler takes, or headers can't be read
	ReasonRejected    = "rejected"    // by Reject, or FailurePolicy.Permanent
	ReasonAttempts    = "attempts"    // the last attempt failed too
)

// A Failure is what a dead letter tells of its message beside the message itself,
// which is as it came.
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
	return f, true
}

// deadTable returns p with what f adds to it, as the value of a header.
func (p *passage) deadTable(f Failure) map[string]any {
	table := p.table()
	table["reason"], table["error"], table["route"], table["queue"], table["time"] = f.Reason, f.Error, f.Route, f.Queue, f.Time
	return table
}
