package value

import (
	"go/constant"
	"go/token"
	"go/types"
)

// Channel is a channel that isn't nil. Values of other channel types may be the
// same channel.
type Channel struct {
	Type  types.Type
	State *ChannelState
}

// ChannelState is what a channel holds, as the goroutine sees it that made the
// channel, and as far as that goroutine itself has changed it.
type ChannelState struct {
	Elem     types.Type // of what it holds
	Owner    any        // the goroutine that made it
	Made     token.Pos  // the call that made it
	Capacity int        // -1 where it isn't known
	Queue    *Cell      // a *Slice of what is in it
	Closed   *Cell      // a boolean
	Taken    *Cell      // the number of values that its owner has received from others
	Mixed    *Cell      // the number of the first ones of these that may come in any order
	Sent     []*Cell    // each a *Slice of what another goroutine sends

	// Received says that another goroutine receives from it: what is sent then
	// goes to code that doesn't know it.
	Received bool
}

// NewChannel returns an open channel of type t without values.
func NewChannel(t types.Type, owner any, made token.Pos, capacity int) Channel {
	return Channel{t, &ChannelState{
		Elem: ChannelElem(t), Owner: owner, Made: made, Capacity: capacity,
		Queue: NewCell(&Slice{}), Closed: NewCell(NewConst(constant.MakeBool(false), types.Typ[types.Bool])),
		Taken: NewCell(integer(0)), Mixed: NewCell(integer(0)),
	}}
}

// MakeChannel is NewChannel for one that is made now.
func (s *State) MakeChannel(t types.Type, owner any, made token.Pos, capacity int) Channel {
	c := NewChannel(t, owner, made, capacity)
	number := s.next()
	for _, cell := range c.State.cells() {
		cell.declared = number
	}
	return c
}

func (c *ChannelState) cells() []*Cell { return []*Cell{c.Queue, c.Closed, c.Taken, c.Mixed} }

// withSent returns the cells, and those of what other goroutines send. Each of them has one.
func (c *ChannelState) withSent() []*Cell { return append(c.cells(), c.Sent...) }

// Queued returns what has been sent, and false where it isn't known. It doesn't
// count as a look at the channel.
func Queued(queue *Cell) (values []Value, known bool) {
	s, known := queue.v.(*Slice)
	if !known {
		return nil, false
	}
	for _, cell := range s.Elems {
		values = append(values, cell.v)
	}
	return values, true
}

// Enqueue adds a value to a queue. One that isn't known stays so.
func (s *State) Enqueue(queue *Cell, v Value) {
	switch in := queue.v.(type) {
	case *Slice:
		values, _ := Queued(queue)
		s.SetQueue(queue, append(values, v))
	case *Unknown:
		s.LoseQueue(queue, in, v)
	}
}

// LoseQueue makes a queue unknown: it may hold what it held, and the values.
func (s *State) LoseQueue(queue *Cell, why *Unknown, values ...Value) {
	held, isUnknown := queue.Load().(*Unknown)
	if isUnknown && !HasReferences(values...) {
		return
	}
	if isUnknown {
		values = append(values, held)
	}
	known, _ := Queued(queue)
	s.Set(queue, why.Bare().Of(append(known, values...)...))
}

// SetQueue sets what a queue holds.
func (s *State) SetQueue(queue *Cell, values []Value) {
	s.Work(len(values))
	slice := &Slice{Elems: make([]*Cell, len(values))}
	for i, v := range values {
		slice.Elems[i] = NewCell(v)
	}
	s.Set(queue, slice)
}

func integer(n int) Const { return NewConst(constant.MakeInt64(int64(n)), types.Typ[types.Int]) }
