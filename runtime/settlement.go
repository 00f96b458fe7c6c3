package runtime

import "fmt"

// A Settlement is what becomes of a delivery. The zero value is Ack. For the
// server, all but Requeue and Refuse are acknowledgements.
type Settlement int

const (
	Ack        Settlement = iota // handled: the queue forgets it
	Requeue                      // back to the queue, to be delivered again
	Refuse                       // refused for good: the server brings it to the dead-letter exchange of the queue, or drops it
	Retry                        // a copy waits to be handled again, see FailurePolicy
	DeadLetter                   // a copy is among the dead letters, see FailurePolicy
	Discard                      // forgotten, as the handler said by Drop, or passed over, in a stream
)

var settlementNames = [...]string{"ack", "requeue", "refuse", "retry", "dead-letter", "discard"}

// String returns the name as it is logged: "ack", "requeue", "refuse", "retry",
// "dead-letter" or "discard".
func (s Settlement) String() string {
	if s < 0 || int(s) >= len(settlementNames) {
		return fmt.Sprintf("Settlement(%d)", int(s))
	}
	return settlementNames[s]
}
