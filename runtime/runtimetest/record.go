package runtimetest

import (
	"encoding/json"
	"slices"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/wire"
)

// A Sent is a message that the service has sent, as the broker saw it.
type Sent struct {
	To      runtime.Address
	Message runtime.Message // a copy, with what interceptors and the broker have set
	Err     error           // what the broker answered; nil where it has taken the message

	answered bool
}

// Record returns what the service has sent since the last call of Record, in the order
// in which the broker got it: what the service publishes and calls itself, its replies,
// and the copies of messages that wait to be tried again or are dead letters. What the
// test sends by Send isn't among it, and neither is what the broker hasn't answered yet.
func (s *Service) Record() []Sent {
	s.mu.Lock()
	defer s.mu.Unlock()
	var record []Sent
	s.sent = slices.DeleteFunc(s.sent, func(sent *Sent) bool {
		if sent.answered {
			record = append(record, *sent)
		}
		return sent.answered
	})
	return record
}

// Decode reads the body of the message, which is JSON, into target. The test ends where
// it can't be read.
func (s *Service) Decode(sent Sent, target any) {
	s.t.Helper()
	if err := json.Unmarshal(sent.Message.Body, target); err != nil {
		s.t.Fatalf("runtimetest: decode what was sent to %v: %v", sent.To, err)
	}
}

// noteSent records what the broker gets. The function that it returns takes the answer.
func (s *Service) noteSent(to runtime.Address, msg *runtime.Message) (answer func(error)) {
	sent := &Sent{To: to, Message: *msg}
	sent.Message.Body = slices.Clone(msg.Body)
	sent.Message.Headers, _ = wire.CopyHeaders(msg.Headers) // the broker has checked them
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent = append(s.sent, sent)
	return func(err error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		sent.Err, sent.answered = err, true
	}
}
