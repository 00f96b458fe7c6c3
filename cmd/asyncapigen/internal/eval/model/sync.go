package model

import "github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"

// onceDo is the model of sync.Once: it runs the function the first time.
func onceDo(c *Call) (value.Value, bool) {
	if u, ok := c.Fn.Recv.(*value.Unknown); ok {
		c.WriteThrough(u) // each that it may be may have run it
		c.Expose(c.At, c.Args, u)
		return value.Tuple{}, true
	}
	p, ok := c.Fn.Recv.(value.Pointer)
	if !ok {
		c.Fail(c.At, NilDereference)
	}
	once, ok := p.Load().(*value.Struct)
	if !ok {
		c.Expose(c.At, c.Args, value.UnknownAt(c.At.Pos(), "the sync.Once"))
		return value.Tuple{}, true
	}
	// The first field says that it has run, though not as package sync writes it.
	if holds, _ := value.Truth(once.Fields[0].Load()); holds {
		return value.Tuple{}, true
	}
	if u := firstUnknown(once); u != nil {
		c.Set(once.Fields[0], boolean(true)) // it may have run, and has now
		c.Perhaps(c.At, c.Args[0], u)
		return value.Tuple{}, true
	}
	c.Set(once.Fields[0], boolean(true))
	c.Call(c.At, c.Args[0], nil)
	return value.Tuple{}, true
}

// waitGroup returns the variable of the receiver, a sync.WaitGroup, nil where it
// isn't known. Nothing is known then of those that it may be.
func (c *Call) waitGroup() *value.Cell {
	if u, ok := c.Fn.Recv.(*value.Unknown); ok {
		c.Havoc(u.Bare(), u)
	}
	p, ok := c.Fn.Recv.(value.Pointer)
	if value.IsNil(c.Fn.Recv) {
		c.Fail(c.At, NilDereference)
	}
	if !ok || firstUnknown(p.Load()) != nil {
		return nil
	}
	return p.To
}

// waitGroupGo is the model of sync.WaitGroup's Go.
func waitGroupGo(c *Call) (value.Value, bool) {
	group, f := c.waitGroup(), c.Args[0]
	c.count(group, integer(1))
	c.Go(c.At, &value.Func{Native: func([]value.Value) value.Value {
		c.Call(c.At, f, nil)
		if group != nil {
			c.count(group, integer(-1))
		}
		return value.Tuple{}
	}, Bound: true, Recv: f})
	return value.Tuple{}, true
}

// waitGroupAdd is the model of sync.WaitGroup's Add.
func waitGroupAdd(c *Call) (value.Value, bool) {
	c.count(c.waitGroup(), c.Args[0])
	return value.Tuple{}, true
}

// waitGroupDone is the model of sync.WaitGroup's Done.
func waitGroupDone(c *Call) (value.Value, bool) {
	c.count(c.waitGroup(), integer(-1))
	return value.Tuple{}, true
}

// count adds n to what the running goroutine has added to a sync.WaitGroup, nil where it
// isn't known which that is. The sum may be negative then.
func (c *Call) count(group *value.Cell, n value.Value) {
	delta, known := value.IntOf(n)
	switch {
	case group != nil:
		c.countIn(group, n, delta, known)
	case !known || delta < 0:
		c.Risk(c.At)
	}
}

// countIn adds n, which is delta where it is known.
func (c *Call) countIn(group *value.Cell, n value.Value, delta int, known bool) {
	counter := c.Counter(group)
	before, alsoKnown := value.IntOf(counter.Load())
	if !known || !alsoKnown {
		c.Set(counter, c.because(counter.Load(), n))
	} else {
		c.Set(counter, integer(before+delta))
	}
	switch {
	case !known || delta < 0 && !alsoKnown:
		c.Risk(c.At)
	case delta < 0:
		c.Done(c.At, group)
	}
}

// waitGroupWait is the model of sync.WaitGroup's Wait.
func waitGroupWait(c *Call) (value.Value, bool) {
	if group := c.waitGroup(); group != nil {
		c.Wait(group)
	}
	return value.Tuple{}, true
}

// afterFunc is the model of time.AfterFunc: the function runs later, in a goroutine
// of its own, unless the timer is stopped.
func afterFunc(c *Call) (value.Value, bool) {
	c.MayGo(c.At, c.Args[1], "the time of "+value.Source(c.At)+" comes")
	return results(c), true
}

// signalNotify is the model of os/signal's Notify: the channel holds what comes from
// outside.
func signalNotify(c *Call) (value.Value, bool) {
	why := value.UnknownResult(c.At)
	c.Escape(c.Args[0])
	c.Havoc(why, c.Args[0])
	return value.Tuple{}, true
}

// firstUnknown returns a part of a value that isn't known, nil where all is.
func firstUnknown(v value.Value) (first *value.Unknown) {
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		if u, ok := v.(*value.Unknown); ok && first == nil {
			first = u
		}
	}}
	w.All([]value.Value{v})
	return first
}
