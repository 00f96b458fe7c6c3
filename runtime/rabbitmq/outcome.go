package rabbitmq

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// outcome says what became of r, whose confirm is done, and makes room for
// another message.
func (s *session) outcome(r *request) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readReturns()
	acked := r.confirm.Acked()
	// The library "nacks" what is pending when the channel ends, but not before
	// it says that the channel is closed.
	lost := !acked && s.channel.IsClosed()
	if lost {
		s.attributeClose()
	}
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

// What a channel exception says of the message that it is about.
var (
	namedExchange = regexp.MustCompile(`exchange '([^']*)'`)
	namedSize     = regexp.MustCompile(`message size (\d+)`)
)

func exchangeIn(reason string) (name string, found bool) {
	about := namedExchange.FindStringSubmatch(reason)
	if about == nil {
		return "", false
	}
	if about[1] == "amq.default" { // what permissions call the default exchange
		return "", true
	}
	return about[1], true
}

// mayHaveCaused returns a function that reports whether a message may be the one
// that reason is about.
func mayHaveCaused(reason string) func(*request) bool {
	if exchange, named := exchangeIn(reason); named {
		return func(r *request) bool { return r.to.Exchange == exchange }
	}
	if about := namedSize.FindStringSubmatch(reason); about != nil {
		return func(r *request) bool { return strconv.Itoa(len(r.message.Body)) == about[1] }
	}
	return func(*request) bool { return true }
}

// attributeClose notes, once, which message the server closed the channel over:
// the only one that can have caused it. All others may have been taken or not.
func (s *session) attributeClose() {
	if s.attributed {
		return
	}
	s.attributed = true
	s.readCause()
	if s.cause == nil || !s.cause.Server || s.link.hasEnded() || s.link.conn.IsClosed() {
		return
	}
	s.closedBy = s.onlyCandidate(s.cause.Reason)
}

// onlyCandidate returns the only message that the server can have meant by reason,
// nil where there are several: an earlier one to the same exchange may have been
// taken before the exchange went.
func (s *session) onlyCandidate(reason string) *request {
	isCandidate := mayHaveCaused(reason)
	var candidates []*request
	for _, r := range s.pending {
		acked := r.confirm != nil && r.confirm.Acked()
		if !acked && isCandidate(r) {
			candidates = append(candidates, r)
		}
	}
	if len(candidates) != 1 {
		return nil
	}
	return candidates[0]
}

// refusal is the error of the message that the server closed the channel over.
func (s *session) refusal() error {
	switch s.cause.Code {
	case amqp.NotFound:
		return runtime.ErrNoExchange
	case amqp.AccessRefused:
		return fmt.Errorf("the server refuses the message: the user lacks the permission to write to the exchange, or the exchange is internal: %w", s.cause)
	case amqp.PreconditionFailed:
		return fmt.Errorf("the server refuses the message: make it smaller, or raise the server's max_message_size: %w", s.cause)
	default:
		return fmt.Errorf("the server refuses the message: %w", s.cause)
	}
}
