package scan

import (
	"context"
	"go/token"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Messages that the program sends on over channels of its own are received by goroutines
// that may have started before, so the program is evaluated once more, and what was sent
// over a channel is received from it. See docs/decisions/0087.

// A forward is what is sent over the channels that one call of make makes, as far as
// messages are in it.
type forward struct {
	value   value.Value // the first with a message, nil for none
	of      *Consumer
	several bool // messages of several consumers are
	looked  int  // how many values were looked at for messages
}

// maxLooked bounds how many values are looked at of what is sent over the channels of one
// call: the sent values, their fields and what they point to.
const maxLooked = 5_000_000

// maxForwards bounds over how many channels, one after the other, a message is followed.
const maxForwards = 3

// followed evaluates the program from an entry point, and follows messages over its
// channels.
func (s *scanner) followed(ctx context.Context, e entry) []*run {
	s.sent, s.forwarded = make(map[token.Pos]*forward), nil
	defer func() { s.sent, s.forwarded = nil, nil }()
	runs := s.starts(ctx, e)
	var earlier [][]*run
	for len(earlier) < maxForwards && s.forward() {
		again := s.starts(ctx, e)
		if len(again) != len(runs) {
			break
		}
		earlier, runs = append(earlier, runs), again
	}
	for _, others := range earlier { // whose messages were received later
		for i, r := range runs {
			r.takeHandled(others[i])
		}
	}
	return runs
}

// forward has what was sent over channels received from them, and reports whether there
// is something new.
func (s *scanner) forward() bool {
	isNew := false
	known := s.forwarded
	s.forwarded = make(map[token.Pos]value.Value)
	for at, f := range s.sent {
		if f.value != nil && !f.several {
			s.forwarded[at] = f.value
			isNew = isNew || known[at] == nil
		}
	}
	return isNew
}

// takeHandled adds what became of the messages that another run has consumed.
func (r *run) takeHandled(other *run) {
	for _, c := range r.consumers {
		for _, from := range other.consumers {
			if r.names[c] == other.names[from] && c.isAlso(from) {
				c.add(from)
			}
		}
	}
}

// Sent implements [eval.Forwarder].
func (s *scanner) Sent(made token.Pos, v value.Value) {
	if s.sent == nil {
		return
	}
	f := s.sent[made]
	if f == nil {
		f = new(forward)
		s.sent[made] = f
	}
	if f.looked > maxLooked {
		f.several = f.value != nil // it isn't known
		return
	}
	w := value.Walk{Visit: func(_ *value.Cell, part value.Value) {
		f.looked++
		body, ok := part.(*content)
		if !ok {
			return
		}
		if f.value == nil {
			f.value, f.of = s.copied(v), body.of
		}
		f.several = f.several || !f.of.isAlso(body.of)
	}}
	w.All([]value.Value{v})
}

// copied returns a value as it is now, with what it points to.
func (s *scanner) copied(v value.Value) value.Value {
	if p, ok := v.(value.Pointer); ok {
		return value.Pointer{Type: p.Type, To: value.NewCell(s.ev.Copied(p.To.Load()))}
	}
	return s.ev.Copied(v)
}

// Received implements [eval.Forwarder]. Of messages of several consumers it isn't known
// which comes next: each consumer has more than the one that is followed.
func (s *scanner) Received(made token.Pos, known value.Value) value.Value {
	f := s.sent[made]
	told := s.forwarded[made]
	switch {
	case f != nil && f.several:
		return &value.Unknown{Reason: "a message of one of several consumers", Pos: made}
	case told != nil && value.IsUnknown(known):
		return s.ev.Copied(told)
	}
	return known
}
