package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What a channel holds is known to the goroutine that made it, as far as no other
// one receives from it: what itself has sent, and what goroutines send that it has
// started. What another one receives isn't known to that, since it isn't known what
// the others do meanwhile. What a goroutine sends without room in the channel it is
// taken to have sent: it goes on when that is received, or does nothing more.

// view is what a goroutine does to a channel that another one made.
type view struct {
	sent     *value.Cell // a queue
	closed   *value.Cell // a boolean
	receives *value.Cell // a boolean

	// survivedAt is the log after its last send of which it may survive the panic where
	// the channel is closed, 0 for none.
	survivedAt int
}

func boolean(b bool) value.Value { return value.NewConst(constant.MakeBool(b), types.Typ[types.Bool]) }

// viewOf returns what the running goroutine does to a channel that it didn't make.
func (ev *Evaluator) viewOf(c *value.ChannelState) *view {
	v, ok := ev.thread.views[c]
	if !ok {
		v = &view{sent: value.Beside(c.Closed, &value.Slice{}), closed: value.Beside(c.Closed, boolean(false)), receives: ev.Declared(boolean(false))}
		ev.thread.views[c] = v
		c.Sent = append(c.Sent, v.sent)
	}
	return v
}

// makeChannel evaluates make(chan T, n).
func (ev *Evaluator) makeChannel(call *ast.CallExpr, t types.Type, elem types.Type, sizes []value.Value) value.Value {
	if len(sizes) == 0 {
		return ev.MakeChannel(t, ev.thread, call.Pos(), 0)
	}
	n, known := ev.sizeOf(call, call.Args[1], sizes[0], elem, "makechan: size out of range")
	if !known {
		n = -1
	}
	return ev.MakeChannel(t, ev.thread, call.Pos(), n)
}

// others are the goroutines that use a channel, in the eyes of the one that made it.
type others struct {
	senders []*goroutine
	queues  [][]value.Value // what they send
	known   bool            // all of what they do is
	receive bool            // one of them may receive
}

// othersOf returns the goroutines that use a channel beside the running one, which
// made it.
func (ev *Evaluator) othersOf(c *value.ChannelState) others {
	o := others{known: true}
	ev.work(len(ev.goroutines))
	for _, g := range ev.goroutines {
		v := g.views[c]
		if v == nil || g.runs() == value.No {
			continue
		}
		if receives, known := value.Truth(v.receives.Load()); !known || receives {
			o.receive = true
		}
		queue, known := value.Queued(v.sent)
		if _, closedKnown := value.Truth(v.closed.Load()); !known || !closedKnown || g.runs() != value.Yes || v.survivedAt > 0 && ev.isClosedBeside(g, c) {
			o.known = false
		}
		o.senders, o.queues = append(o.senders, g), append(o.queues, queue)
	}
	return o
}

// isClosedBeside reports whether another goroutine closes a channel, before one has sent to
// it or after.
func (ev *Evaluator) isClosedBeside(g *goroutine, c *value.ChannelState) bool {
	return slices.ContainsFunc(ev.goroutines, func(other *goroutine) bool {
		return other != g && other.signals[signal{c, closes}] != nil
	})
}

// isSentLater reports whether a goroutine that goes on after that may send to a channel when
// the running one has closed it.
func (ev *Evaluator) isSentLater(c *value.ChannelState, o others) bool {
	n, known := value.IntOf(c.Taken.Load())
	for _, queue := range o.queues {
		n -= len(queue)
	}
	if known && o.known && n == 0 {
		return false
	}
	return slices.ContainsFunc(o.senders, func(g *goroutine) bool { return !g.hasSent(c) })
}

// hasSent reports whether somebody has waited for what a goroutine sends, as far as that
// matters if the channel is closed.
func (g *goroutine) hasSent(c *value.ChannelState) bool {
	released, _ := value.IntOf(g.shares.Released.Load())
	last := g.views[c].survivedAt
	return last == 0 || released >= last
}

// contents returns what the running goroutine has sent and not received, and
// whether that is all that is in the channel.
func (ev *Evaluator) contents(c *value.ChannelState) (queue []value.Value, closed, known bool) {
	if c.Owner != ev.thread || len(ev.othersOf(c).senders) > 0 {
		return nil, false, false
	}
	c.Queue.Load()
	queue, known = value.Queued(c.Queue)
	closed, closedKnown := value.Truth(c.Closed.Load())
	return queue, closed, known && closedKnown
}

// lose makes unknown what a channel holds, now and later: it may be what it held, or one
// of the values that are sent.
func (ev *Evaluator) lose(at ast.Expr, c *value.ChannelState, sent ...value.Value) {
	why := value.UnknownAt(at.Pos(), "a value of the channel "+value.Source(at))
	ev.LoseQueue(c.Queue, why, sent...)
	for _, cell := range []*value.Cell{c.Closed, c.Taken, c.Mixed} {
		if !value.IsUnknown(cell.Load()) {
			ev.Set(cell, why)
		}
	}
}

// channelsBehind returns the channels that an unknown one may be, each once.
func (ev *Evaluator) channelsBehind(at ast.Expr, channel value.Value) []*value.ChannelState {
	u, ok := channel.(*value.Unknown)
	if !ok {
		return nil
	}
	var found []*value.ChannelState
	elem := value.ChannelElem(ev.typeOf(at))
	ev.eachBehind(u, func(v value.Value) {
		c, ok := v.(value.Channel)
		isOne := ok && (elem == types.Typ[types.Invalid] || value.SameType(value.ChannelElem(c.Type), elem))
		if isOne && !slices.Contains(found, c.State) {
			found = append(found, c.State)
		}
	})
	for _, c := range ev.LostChannels() {
		isOne := elem == types.Typ[types.Invalid] || value.SameType(c.Elem, elem)
		if isOne && !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	return found
}

// blocks is an operation on a channel that no other goroutine uses: nothing follows
// it, unless code that isn't followed does something to the channel.
func (ev *Evaluator) blocks() {
	if !ev.escaped.any() {
		panic(&Panic{Final: true, waits: true})
	}
}

// sendTo evaluates ch <- v.
func (ev *Evaluator) sendTo(at ast.Expr, channel, v value.Value) {
	ev.elsewhere(at)
	if value.IsNil(channel) {
		panic(&Panic{Final: true, waits: true}) // nobody ends that
	}
	c, ok := channel.(value.Channel)
	if !ok {
		ev.risk(at)
		ev.sendThrough(at, channel, v)
		return
	}
	if user, ok := ev.user.(Forwarder); ok {
		user.Sent(c.State.Made, v)
	}
	if c.State.Received {
		ev.exposeTo(at, v)
	}
	if c.State.Owner != ev.thread {
		ev.signal(c.State, sends)
		seen := ev.viewOf(c.State)
		ev.Enqueue(seen.sent, v)
		if ev.recoverable() {
			seen.survivedAt = ev.Logged()
		}
		ev.risk(at)
		return
	}
	ev.sendOwn(at, c.State, v)
}

// sendThrough sends to a channel that isn't known: to each that it may be.
func (ev *Evaluator) sendThrough(at ast.Expr, channel, v value.Value) {
	for _, c := range ev.channelsBehind(at, channel) {
		if c.Owner == ev.thread {
			ev.lose(at, c, v)
		} else {
			ev.LoseQueue(ev.viewOf(c).sent, value.UnknownAt(at.Pos(), "a value of the channel "+value.Source(at)), v)
		}
	}
	ev.Expose(at, []value.Value{v}, value.Because(at, channel))
}

// sendOwn sends to a channel that the running goroutine made.
func (ev *Evaluator) sendOwn(at ast.Expr, c *value.ChannelState, v value.Value) {
	queue, closed, known := ev.contents(c)
	switch {
	case !known:
		ev.risk(at)
		if !c.Received {
			ev.exposeTo(at, v)
		}
		ev.lose(at, c, v)
	case closed:
		ev.Fail(at, "send on closed channel")
	case c.Capacity < 0:
		ev.lose(at, c, v)
	case len(queue) < c.Capacity:
		ev.Enqueue(c.Queue, v)
	default:
		ev.blocks()
		ev.lose(at, c, v)
	}
}

// exposeTo gives a value to goroutines that don't know what they receive.
func (ev *Evaluator) exposeTo(at ast.Expr, v value.Value) {
	ev.Expose(at, []value.Value{v}, value.UnknownAt(at.Pos(), "what receives from the channel "+value.Source(at)))
}

// closeChannel evaluates close(ch).
func (ev *Evaluator) closeChannel(call *ast.CallExpr, channel value.Value) {
	if value.IsNil(channel) {
		ev.Fail(call, "close of nil channel")
	}
	c, ok := channel.(value.Channel)
	if !ok {
		ev.risk(call)
		ev.closeThrough(call, channel)
		return
	}
	if c.State.Owner != ev.thread {
		ev.signal(c.State, closes)
		ev.risk(call)
		ev.Set(ev.viewOf(c.State).closed, boolean(true))
		return
	}
	closed, known := value.Truth(c.State.Closed.Load())
	if known && closed {
		ev.Fail(call, "close of closed channel")
	}
	o := ev.othersOf(c.State)
	if !known || len(o.senders) > 0 {
		ev.risk(call)
	}
	if ev.isSentLater(c.State, o) {
		ev.lose(call.Args[0], c.State)
	} else if known {
		ev.Set(c.State.Closed, boolean(true))
	}
}

// closeThrough closes a channel that isn't known: each that it may be is closed, or isn't.
func (ev *Evaluator) closeThrough(call *ast.CallExpr, channel value.Value) {
	why := value.Because(call, channel).Bare()
	for _, c := range ev.channelsBehind(call.Args[0], channel) {
		closed := c.Closed
		if c.Owner != ev.thread {
			closed = ev.viewOf(c).closed
		}
		ev.Set(closed, why)
	}
}

// A Forwarder is a [User] that tells what is received from channels of the program.
type Forwarder interface {
	User

	// Sent says that a value is sent over a channel that a call of make made.
	Sent(made token.Pos, v value.Value)

	// Received returns what is received from a channel in place of what the evaluation
	// takes for it.
	Received(made token.Pos, v value.Value) value.Value
}

// receive evaluates <-ch: the value, and whether there is one.
func (ev *Evaluator) receive(at ast.Expr, channel value.Value, elem types.Type) (v, ok value.Value) {
	v, ok = ev.received(at, channel, elem)
	c, isChannel := channel.(value.Channel)
	if user, forwards := ev.user.(Forwarder); isChannel && forwards {
		v = user.Received(c.State.Made, v)
	}
	return v, ok
}

func (ev *Evaluator) received(at ast.Expr, channel value.Value, elem types.Type) (v, ok value.Value) {
	ev.elsewhere(at)
	unknown := value.UnknownAt(at.Pos(), "a value received from the channel "+value.Source(at))
	if feed, isFeed := channel.(value.Feed); isFeed {
		v, more := feed.Next()
		if !more {
			panic(&Panic{Final: true, waits: true}) // it waits until the program ends
		}
		return v, boolean(true)
	}
	c, isChannel := channel.(value.Channel)
	switch {
	case value.IsNil(channel):
		panic(&Panic{Final: true, waits: true}) // nobody ends that
	case !isChannel:
		return ev.receiveThrough(at, channel, unknown)
	case c.State.Owner != ev.thread:
		return ev.receiveUnknown(at, c.State, unknown)
	}
	unknown.Of(c.State.Queue.Load())
	o := ev.othersOf(c.State)
	c.State.Queue.Load()
	queue, queueKnown := value.Queued(c.State.Queue)
	closed, closedKnown := value.Truth(c.State.Closed.Load())
	if o.receive || !o.known || !queueKnown || !closedKnown {
		return ev.loseReceived(at, c.State, unknown)
	}
	if len(o.senders) > 0 {
		return ev.receiveFrom(at, c.State, o, unknown, elem)
	}
	switch {
	case len(queue) > 0:
		ev.SetQueue(c.State.Queue, queue[1:])
		return queue[0], boolean(true)
	case closed:
		return ev.Zero(elem), boolean(false)
	default:
		ev.blocks()
		return ev.loseReceived(at, c.State, unknown)
	}
}

// receiveThrough receives from a channel that isn't known: from one of those that it may be.
// Of code that isn't read, what is in its channels isn't known anyway.
func (ev *Evaluator) receiveThrough(at ast.Expr, channel value.Value, unknown *value.Unknown) (v, ok value.Value) {
	if u, isUnknown := channel.(*value.Unknown); isUnknown {
		unknown.Foreign = u.Foreign
	}
	ev.mayEndMeanwhile()
	all := []value.Value{unknown}
	for _, c := range ev.channelsBehind(at, channel) {
		receive := ev.receiveUnknown
		if c.Owner == ev.thread {
			receive = ev.loseReceived
		}
		v, _ := receive(at, c, unknown)
		all = append(all, v)
	}
	return value.Merge(unknown, all), unknown
}

// loseReceived is a value of a channel of which isn't known what it holds: any
// that somebody has sent.
func (ev *Evaluator) loseReceived(at ast.Expr, c *value.ChannelState, unknown *value.Unknown) (v, ok value.Value) {
	v = ev.anySent(at, c, unknown)
	ev.lose(at, c)
	return v, unknown
}

// receiveUnknown is a receive by a goroutine that didn't make the channel.
func (ev *Evaluator) receiveUnknown(at ast.Expr, c *value.ChannelState, unknown *value.Unknown) (v, ok value.Value) {
	c.Received = true
	ev.Set(ev.viewOf(c).receives, boolean(true))
	return ev.anySent(at, c, unknown), unknown
}

// anySent returns something that somebody may have sent: who receives it may do
// anything with it.
func (ev *Evaluator) anySent(at ast.Expr, c *value.ChannelState, unknown *value.Unknown) value.Value {
	all := sentBy(c.Queue)
	for _, g := range append(ev.goroutines, ev.thread) {
		if v := g.views[c]; v != nil {
			all = append(all, sentBy(v.sent)...)
		}
	}
	for _, v := range all {
		if value.HasReferences(v) {
			ev.Expose(at, []value.Value{v}, unknown)
		}
	}
	return value.Merge(unknown, append(all, unknown))
}

// sentBy returns what is in a queue, as far as that is known.
func sentBy(queue *value.Cell) []value.Value {
	if u, isUnknown := queue.Peek().(*value.Unknown); isUnknown {
		return []value.Value{u}
	}
	sent, _ := value.Queued(queue)
	return sent
}

// receiveFrom receives what other goroutines send, all of which is known. Of
// several, it isn't known which one comes first.
func (ev *Evaluator) receiveFrom(at ast.Expr, c *value.ChannelState, o others, unknown *value.Unknown, elem types.Type) (v, ok value.Value) {
	var all []value.Value
	beforeLast := 0
	for _, queue := range o.queues {
		if len(queue) > 0 {
			beforeLast = len(all)
		}
		all = append(all, queue...)
	}
	own, _ := value.Queued(c.Queue)
	n, known := value.IntOf(c.Taken.Load())
	mixed, mixedKnown := value.IntOf(c.Mixed.Load())
	switch {
	case !known || !mixedKnown || len(own) > 0:
		return ev.loseReceived(at, c, unknown)
	case n < len(all):
		ev.Set(c.Taken, integerOf(n+1))
		if n < beforeLast {
			mixed = len(all) // the last one may have come before those that are left
			ev.Set(c.Mixed, integerOf(mixed))
		}
		v = all[n]
		if n < mixed {
			v = ev.anyOfThese(at, all, unknown)
		}
		if beforeLast == 0 || n+1 == len(all) {
			ev.releaseAll(o.senders, c, sends)
		}
		return v, boolean(true)
	case ev.isClosed(c, o):
		ev.releaseAll(o.senders, c, closes)
		return ev.Zero(elem), boolean(false)
	default:
		return ev.loseReceived(at, c, unknown)
	}
}

func (ev *Evaluator) anyOfThese(at ast.Expr, all []value.Value, unknown *value.Unknown) value.Value {
	v := value.Merge(unknown, all)
	if value.IsUnknown(v) {
		for _, one := range all {
			if _, isFunc := one.(*value.Func); isFunc {
				ev.Expose(at, []value.Value{one}, unknown)
			}
		}
	}
	return v
}

func (ev *Evaluator) releaseAll(senders []*goroutine, c *value.ChannelState, kind signalKind) {
	for _, g := range senders {
		ev.release(g, c, kind)
	}
}

// isClosed reports whether somebody has closed a channel, or surely will.
func (ev *Evaluator) isClosed(c *value.ChannelState, o others) bool {
	closed, _ := value.Truth(c.Closed.Load())
	for _, g := range o.senders {
		holds, _ := value.Truth(g.views[c].closed.Load())
		closed = closed || holds
	}
	return closed
}

// rangeChannel runs the body for every value that is received.
func (ev *Evaluator) rangeChannel(stmt *ast.RangeStmt, l *loop, c value.Value) control {
	elem := value.ChannelElem(ev.typeOf(stmt.X))
	for {
		ev.step(stmt.Pos())
		v, ok := ev.receive(stmt.X, c, elem)
		open, known := value.Truth(ok)
		if !known {
			ev.hasWaited(stmt.X, c)
			cond := ev.loopCondition(stmt.X, v)
			return ev.unbounded(l, cond, stmt, func() control {
				v, _ := ev.receive(stmt.X, c, elem) // what was sent in the rounds before
				return ev.rangeRound(stmt, l, v, nil)
			})
		}
		if !open {
			return control{}
		}
		if c := ev.rangeRound(stmt, l, v, nil); c.kind != next {
			return c
		}
	}
}

// rangeFeed runs the body for every value that comes.
func (ev *Evaluator) rangeFeed(stmt *ast.RangeStmt, l *loop, feed value.Feed) control {
	for v, more := feed.Next(); more; v, more = feed.Next() {
		if c := ev.rangeRound(stmt, l, v, nil); c.kind != next {
			return c
		}
	}
	return control{}
}

// channelLength evaluates len and cap of a channel.
func (ev *Evaluator) channelLength(call *ast.CallExpr, name string, c value.Channel) value.Value {
	n := c.State.Capacity
	if name == "len" {
		ev.elsewhere(call)
		queue, _, known := ev.contents(c.State)
		if n = len(queue); !known {
			n = -1
		}
	}
	if n < 0 {
		return value.UnknownAt(call.Pos(), "the result of "+value.Source(call))
	}
	return integerOf(n)
}

// A communication is the operation of a case of a select statement, with its operands.
type communication struct {
	at      ast.Expr       // the channel
	receive *ast.UnaryExpr // nil where it sends
	channel value.Value
	sent    value.Value // nil where it receives
}

// communicationOf evaluates the operands of the operation of a case.
func (ev *Evaluator) communicationOf(comm ast.Stmt) communication {
	var x ast.Expr
	switch comm := comm.(type) {
	case *ast.SendStmt:
		channel := ev.eval(comm.Chan) // at once: each operand of a select statement is copied
		return communication{at: comm.Chan, channel: channel, sent: ev.sent(comm)}
	case *ast.ExprStmt:
		x = comm.X
	case *ast.AssignStmt:
		x = comm.Rhs[0]
	}
	receive := ast.Unparen(x).(*ast.UnaryExpr)
	return communication{at: receive.X, receive: receive, channel: ev.eval(receive.X)}
}

// communicate does the operation of the case that is taken.
func (ev *Evaluator) communicate(comm ast.Stmt, c communication) {
	if c.sent != nil {
		ev.sendTo(c.at, c.channel, c.sent)
		return
	}
	ev.frame.selected = c
	ev.exec(comm, "")
}

// proceeds reports whether the operation of a case of a select statement can go on
// at once.
func (ev *Evaluator) proceeds(c communication) value.Answer {
	ev.elsewhere(c.at)
	if value.IsNil(c.channel) {
		return value.No
	}
	channel, ok := c.channel.(value.Channel)
	if !ok {
		return value.Perhaps
	}
	queue, closed, known := ev.contents(channel.State)
	isSend := c.sent != nil
	switch {
	case !known || isSend && channel.State.Capacity < 0:
		return value.Perhaps
	case closed, isSend && len(queue) < channel.State.Capacity, !isSend && len(queue) > 0:
		return value.Yes
	case ev.escaped.any():
		return value.Perhaps
	default:
		return value.No
	}
}
