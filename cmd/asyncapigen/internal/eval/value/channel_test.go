package value

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnqueue_AddsToWhatIsKnown(t *testing.T) {
	s := newState()
	c := NewChannel(typeOfInt, nil, 0, 2)
	closed, known := Truth(c.State.Closed.v)
	require.True(t, known)
	require.False(t, closed)
	taken, _ := IntOf(c.State.Taken.v)
	require.Zero(t, taken)
	queue := c.State.Queue
	s.Enqueue(queue, number(1))
	s.Enqueue(queue, number(2))
	values, known := Queued(queue)
	require.True(t, known)
	require.Equal(t, []Value{number(1), number(2)}, values)
}

// A queue that isn't known may hold what is added to it.
func TestEnqueue_ToAQueueThatIsNotKnown(t *testing.T) {
	s := newState()
	p, q := Pointer{typeOfPointer, NewCell(nil)}, Pointer{typeOfPointer, NewCell(nil)}
	lost := &Unknown{Reason: "c", Targets: []Value{p}}
	queue := NewCell(lost)
	s.Enqueue(queue, number(1))
	require.Same(t, lost, queue.v)
	s.Enqueue(queue, q)
	require.Equal(t, &Unknown{Reason: "c", Targets: []Value{q, p}}, queue.v)
	_, known := Queued(queue)
	require.False(t, known)
}

func TestLoseQueue_MayHoldWhatItHeld(t *testing.T) {
	s := newState()
	p, q := Pointer{typeOfPointer, NewCell(nil)}, Pointer{typeOfPointer, NewCell(nil)}
	queue := NewCell(&Slice{})
	s.Enqueue(queue, p)
	s.LoseQueue(queue, &Unknown{Reason: "c", NonNil: true}, q)
	require.Equal(t, &Unknown{Reason: "c", Targets: []Value{p, q}}, queue.v)
	s.SetQueue(queue, nil)
	s.LoseQueue(queue, &Unknown{Reason: "c"})
	require.True(t, IsUnknown(queue.v), "nothing is known of what it will hold")
}
