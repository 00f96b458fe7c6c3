package runtime

import "fmt"

// A Settlement is what becomes of a delivery. The zero value is Ack.
type Settlement int

const (
	Ack     Settlement = iota // handled: the queue forgets it
	Requeue                   // back to the queue, to be delivered again
	Drop                      // refused for good: the queue's dead-letter exchange gets it
)

// String returns the name as it is logged: "ack", "requeue" or "drop".
func (s Settlement) String() string {
	switch s {
	case Ack:
		return "ack"
	case Requeue:
		return "requeue"
	case Drop:
		return "drop"
	default:
		return fmt.Sprintf("Settlement(%d)", int(s))
	}
}
