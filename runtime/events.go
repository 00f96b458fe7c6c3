package runtime

import "time"

// Events are functions that a broker calls when something happens to its connections
// and routes, for logs, alarms and metrics. Those that are nil aren't called.
//
// One goroutine of the broker calls them, one at a time and in the order of the events.
// It waits for each function, and nothing else does: 256 events wait at most, and those
// beyond are dropped and counted. A panic is logged. Shutdown of the broker waits until
// those that wait have been called, or its context ends: a function that shuts the
// broker down does so in a goroutine, since Shutdown would wait for the function.
type Events struct {
	Connected         func(Event) // a connection was made
	ConnectionLost    func(Event) // a connection has ended; Err says why
	Blocked           func(Event) // the server takes no messages, because it is out of memory or disk space
	Unblocked         func(Event) // it takes messages again
	ConsumerCancelled func(Event) // the server has ended the consuming of a route, whose queue was deleted
	ChannelLost       func(Event) // the channel of a route has ended while its connection goes on
	TopologyRefused   func(Event) // the server refuses what a route, or the router, declares
	LateReply         func(Event) // a reply has come after its caller has gone
}

// An Event is something that has happened to a broker.
type Event struct {
	Kind       EventKind
	Time       time.Time
	Connection string // "consuming" or "publishing"; "" in memory
	Route      string // the name of the route that it is about, "" for none
	Queue      string // of that route
	Err        error  // why, nil where there is nothing to say
}

// An EventKind says what has happened, as metrics and logs call it.
type EventKind string

// The kinds of events, see [Events].
const (
	EventConnected         EventKind = "connected"
	EventConnectionLost    EventKind = "connection_lost"
	EventBlocked           EventKind = "blocked"
	EventUnblocked         EventKind = "unblocked"
	EventConsumerCancelled EventKind = "consumer_cancelled"
	EventChannelLost       EventKind = "channel_lost"
	EventTopologyRefused   EventKind = "topology_refused"
	EventLateReply         EventKind = "late_reply"
)

// Of returns the function for the events of a kind, nil for none.
func (e *Events) Of(kind EventKind) func(Event) {
	switch kind {
	case EventConnected:
		return e.Connected
	case EventConnectionLost:
		return e.ConnectionLost
	case EventBlocked:
		return e.Blocked
	case EventUnblocked:
		return e.Unblocked
	case EventConsumerCancelled:
		return e.ConsumerCancelled
	case EventChannelLost:
		return e.ChannelLost
	case EventTopologyRefused:
		return e.TopologyRefused
	case EventLateReply:
		return e.LateReply
	default:
		return nil
	}
}
