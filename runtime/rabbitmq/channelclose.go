package rabbitmq

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// What a channel exception says of the message that it is about.
var (
	namedExchange = regexp.MustCompile(`exchange '([^']*)'`)
	namedSize     = regexp.MustCompile(`message size (\d+)`)
	namedLimit    = regexp.MustCompile(`larger than (?:configured )?max size (\d+)`)
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

// attributeClose notes which message the server closed the channel over: the only one
// that can have caused it. All others may have been taken or not. It is called by the
// goroutine that writes, so that no message is half written.
func (s *session) attributeClose() {
	defer close(s.judged)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.readCause()
	if s.cause == nil || !s.cause.Server || s.link.hasEnded() || s.link.conn.IsClosed() {
		return
	}
	candidates := s.candidates(s.cause.Reason)
	if namedSize.MatchString(s.cause.Reason) { // it takes none of the size, so it was the first
		candidates = candidates[:min(len(candidates), 1)]
	}
	if len(candidates) == 1 {
		s.closedBy = candidates[0]
	}
	if n := len(candidates); n > 0 {
		s.lastRead = candidates[n-1].tag
	}
}

// candidates returns the messages that the server can have meant by reason, in the
// order in which they were sent. There may be several: an earlier one to the same
// exchange may have been taken before the exchange went. After the last of them the
// server has read nothing.
func (s *session) candidates(reason string) []*request {
	isCandidate := mayHaveCaused(reason)
	var candidates []*request
	for _, r := range s.pending {
		acked := r.confirm != nil && r.confirm.Acked()
		if !acked && isCandidate(r) {
			candidates = append(candidates, r)
		}
	}
	slices.SortFunc(candidates, func(a, b *request) int { return cmp.Compare(a.tag, b.tag) })
	return candidates
}

// noteLimit reports whether the server has closed a channel because of a limit that
// it names, by which messages are refused before they are sent from now on.
func (p *publisher) noteLimit(cause *amqp.Error) bool {
	about := namedLimit.FindStringSubmatch(cause.Reason)
	if about == nil {
		return false
	}
	limit, err := strconv.ParseInt(about[1], 10, 64)
	if err != nil {
		return false
	}
	p.maxSize.Store(limit)
	return true
}

// refusal is the error of the message that the server closed the channel over.
func (s *session) refusal() error {
	tooLarge := namedSize.MatchString(s.cause.Reason) || namedLimit.MatchString(s.cause.Reason)
	switch {
	case s.cause.Code == amqp.NotFound:
		return runtime.ErrNoExchange
	case s.cause.Code == amqp.AccessRefused:
		return fmt.Errorf("the server refuses the message: the user lacks the permission to write to the exchange, or the exchange is internal: %w", s.cause)
	case s.cause.Code == amqp.PreconditionFailed && tooLarge:
		return fmt.Errorf("%w: %w", runtime.ErrTooLarge, s.cause)
	default:
		return fmt.Errorf("the server refuses the message: %w", s.cause)
	}
}
