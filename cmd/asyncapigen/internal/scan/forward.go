package scan

import (
	"cmp"
	"context"
	"go/token"
	"go/types"
	"maps"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Messages that the program sends on over channels of its own are received by goroutines
// that may have started before, so the program is evaluated once more, and what was sent
// over a channel is received from it. See docs/decisions/0087.

// A forward is what is sent over the channels that one call of make makes, as far as
// messages are in it.
type forward struct {
	value   value.Value // what all with a message have in common, nil for none
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
		s.sent = make(map[token.Pos]*forward)
		again := s.starts(ctx, e)
		if len(again) != len(runs) {
			break
		}
		earlier, runs = append(earlier, runs), again
	}
	if len(earlier) == maxForwards && s.forward() {
		s.giveUpForwards()
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
		switch {
		case f.several:
			s.forwarded[at] = unknownOfSeveral(at)
		case f.value != nil:
			s.forwarded[at] = f.value
			isNew = isNew || !isAlike(maxJoined, known[at], f.value)
		}
	}
	return isNew
}

// giveUpForwards says of the consumers whose messages are sent on, and weren't received,
// that their type isn't known.
func (s *scanner) giveUpForwards() {
	for _, at := range slices.Sorted(maps.Keys(s.sent)) {
		if f := s.sent[at]; !f.several && f.value != nil {
			s.lost(f.value, at, "it goes over more channels than are followed")
		}
	}
}

// lost says of the consumers whose messages are in a value, which is sent over the
// channel of a call, that their type isn't known.
func (s *scanner) lost(v value.Value, made token.Pos, why string) {
	w := value.Walk{Visit: func(_ *value.Cell, part value.Value) {
		if body, ok := part.(*content); ok {
			body.of.addGap(Gap{What: whichType, Why: why, Pos: s.program.Position(made)})
		}
	}}
	w.All([]value.Value{v})
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
	has := false
	w := value.Walk{Visit: func(_ *value.Cell, part value.Value) {
		f.looked++
		body, ok := part.(*content)
		if !ok {
			return
		}
		has = true
		f.of = cmp.Or(f.of, body.of)
		f.several = f.several || !f.of.isAlso(body.of)
	}}
	w.All([]value.Value{v})
	switch {
	case !has || f.several:
	case f.value == nil:
		f.value = s.copied(v)
	default:
		j := joining{s: s, made: made, sent: v}
		f.value = j.both(maxJoined, f.value, s.copied(v))
	}
}

// maxJoined bounds how deep values are looked into that are sent over one channel.
const maxJoined = 5

// joining joins values that are sent over the channels of a call.
type joining struct {
	s    *scanner
	made token.Pos
	sent value.Value // the whole value that is sent now
}

// both returns what two values have in common: structs, and what pointers lead to, are
// joined by their fields.
func (j *joining) both(levels int, a, b value.Value) value.Value {
	if value.Same(a, b) {
		return a
	}
	switch a := a.(type) {
	case *content:
		if b, ok := b.(*content); ok && types.Identical(a.typ, b.typ) && a.of.isAlso(b.of) {
			return a
		}
	case *value.Struct:
		if b, ok := b.(*value.Struct); ok && levels > 0 && types.Identical(a.Type, b.Type) && len(a.Fields) == len(b.Fields) {
			all := &value.Struct{Type: a.Type, Pos: a.Pos}
			for i, field := range a.Fields {
				all.Fields = append(all.Fields, value.NewCell(j.both(levels-1, field.Load(), b.Fields[i].Load())))
			}
			return all
		}
	case value.Pointer:
		if b, ok := b.(value.Pointer); ok && levels > 0 && types.Identical(a.Type, b.Type) {
			return value.Pointer{Type: a.Type, To: value.NewCell(j.both(levels-1, a.Load(), b.Load()))}
		}
	}
	const why = "one of several values that are sent over a channel"
	merged := value.Merge(&value.Unknown{Reason: why, Pos: j.made, Exact: true}, []value.Value{a, b})
	for _, v := range []value.Value{a, b} {
		j.s.lost(v, j.made, "it is "+why)
	}
	if u, ok := merged.(*value.Unknown); ok && u.Among == nil && !(isPlain(a) && isPlain(b)) {
		j.s.lost(j.sent, j.made, "what handles it is "+why)
	}
	return merged
}

// isPlain reports whether a value can't lead to code that handles messages.
func isPlain(v value.Value) bool {
	switch v.(type) {
	case value.Const, value.Number, value.Nil, *value.Unknown:
		return true
	}
	return false
}

// isAlike reports whether two values, of two evaluations, lead the program the same way.
func isAlike(levels int, a, b value.Value) bool {
	if a == nil || levels == 0 {
		return a != nil
	}
	switch b := b.(type) {
	case value.Const:
		return value.Same(a, b)
	case *value.Unknown:
		u, ok := a.(*value.Unknown)
		return ok && len(u.Among) == len(b.Among)
	case value.Pointer:
		p, ok := a.(value.Pointer)
		return ok && isAlike(levels-1, p.Load(), b.Load())
	case *value.Struct:
		other, ok := a.(*value.Struct)
		if !ok || !types.Identical(other.Type, b.Type) {
			return false
		}
		for i, field := range b.Fields {
			if !isAlike(levels-1, other.Fields[i].Load(), field.Load()) {
				return false
			}
		}
		return true
	}
	return !value.IsUnknown(a) && value.TypeKey(value.TypeOf(a)) == value.TypeKey(value.TypeOf(b))
}

// copied returns a value as it is now, with what it points to.
func (s *scanner) copied(v value.Value) value.Value {
	if p, ok := v.(value.Pointer); ok {
		return value.Pointer{Type: p.Type, To: value.NewCell(s.ev.Copied(p.Load()))}
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
		return unknownOfSeveral(made)
	case told != nil && (value.IsUnknown(known) || value.IsUnknown(told)):
		return s.ev.Copied(told)
	}
	return known
}

func unknownOfSeveral(made token.Pos) value.Value {
	return &value.Unknown{Reason: "a message of one of several consumers", Pos: made}
}
