package rabbitmq

import (
	"errors"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// lost reports whether the channel has ended without an answer to r. The library
// "nacks" what is pending when the channel ends, but not before it says that the
// channel is closed.
func (s *session) lost(r *request) bool { return !r.confirm.Acked() && s.channel.IsClosed() }

// outcome says what became of r, whose confirm is done, and makes room for
// another message.
func (s *session) outcome(r *request) error {
	acked, lost := r.confirm.Acked(), s.lost(r)
	if lost {
		<-s.judged
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readReturns()
	delete(s.pending, r.tag)
	<-s.room
	switch {
	case acked && r.returned:
		return runtime.ErrUnroutable
	case acked:
		return nil
	case !lost:
		return runtime.ErrNacked
	case r == s.closedBy:
		return s.refusal()
	case s.lastRead > 0 && r.tag > s.lastRead:
		return errNotTaken
	case s.cause != nil:
		return unknown(s.cause)
	default:
		return unknown(errors.New("the broker was shut down"))
	}
}

// readReturns notes which messages found no queue. The server returns a message
// before it confirms it, and the library delivers in that order, so the return
// of a confirmed message is here.
func (s *session) readReturns() {
	for {
		select {
		case ret, open := <-s.returns:
			if !open {
				s.returns = nil
				return
			}
			s.noteReturn(&ret)
		default:
			return
		}
	}
}

// noteReturn finds the message that was returned. A return carries no tag, but
// the whole message: it belongs to the earliest that equals it, and which of
// several equal messages was routed makes no difference. Where a server plugin has
// changed the properties, the address decides.
func (s *session) noteReturn(ret *amqp.Return) {
	r := s.earliest(func(r *request) bool { return r.mandatory && !r.returned && r.equals(ret) })
	if r == nil {
		r = s.earliest(func(r *request) bool { return r.mandatory && !r.returned && r.addressed(ret) })
	}
	if r != nil {
		r.returned = true
	}
}

func (s *session) earliest(is func(*request) bool) *request {
	var found *request
	for _, r := range s.pending {
		if is(r) && (found == nil || r.tag < found.tag) {
			found = r
		}
	}
	return found
}

// readCause notes why the channel has ended.
func (s *session) readCause() {
	select {
	case err, failed := <-s.closes:
		if failed {
			s.cause = err
		}
	default:
	}
}
