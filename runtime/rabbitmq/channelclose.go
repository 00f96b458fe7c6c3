package rabbitmq

import (
	"fmt"
	"regexp"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

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
