package eval

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A function that has escaped may be called at any later time. It is followed again
// where it may do something else than it did: where a variable has changed since that
// it looks at, or writes to. See docs/decisions/0073.

// callable is a function that code which isn't followed may call.
type callable struct {
	key     any
	fn      *value.Func
	leads   bool // to what the user records
	changes bool // variables that aren't its own

	left bool // by one of them that was followed

	number int         // as they escaped
	seen   *value.Cell // the sights of when it was last followed
	due    bool        // it is followed whatever it sees
	queued bool
	call   int // the call at which it was last followed
	turns  int // how often it was followed there
}

// sights are the variables that a function used, with what they held after that.
type sights struct {
	all []sight
	of  map[*value.Cell]bool
}

type sight struct {
	cell *value.Cell
	v    value.Value
	keys uint32 // that were added, of a map
}

// DynamicType implements [value.Atom].
func (*sights) DynamicType() types.Type { return nil }

// escapes are the functions that have escaped.
type escapes struct {
	known   map[any]*callable
	all     []*callable
	methods map[*types.Func][]*callable // of all, those that are bound methods
	leading []*callable                 // of these, those that lead to what the user records
	matter  int                         // how many of them lead to something or change something
	queue   []*callable                 // may have to be followed
	count   int                         // of all there ever were
	given   map[*types.TypeName]bool    // the types with methods of which such code has got values
	call    int                         // counts the calls of code that isn't followed
	widened bool                        // at this call, what functions change is unknown as a whole

	writing map[*value.Cell]*value.Func // what stands for the methods that write to a writer

	// Withheld are the methods that the code which got their values can't call: it may
	// give the values back, and others get them then.
	withheld   []withheld
	isWithheld map[any]bool // by their keys

	// Users are those that have seen a variable; at least those that did when they
	// were last followed.
	users map[*value.Cell]map[*callable]bool
}

type withheld struct {
	key any
	fn  *value.Func
}

// escapes notes a function that code which isn't followed may call from now on.
func (ev *Evaluator) escapes(at ast.Expr, fn *value.Func) {
	fn = ev.ofAnyWhereMany(at, fn)
	key := ev.keyOf(fn)
	if c := ev.escaped.known[key]; c != nil {
		if c.seen.Load() == nil { // not in the present state
			c.due = true
			ev.escaped.enqueue(c)
		}
		return
	}
	ev.escaped.count++
	c := &callable{key: key, fn: fn, leads: ev.leads(fn), changes: ev.mutates(fn), number: ev.escaped.count, seen: ev.Declared(nil), due: true, left: ev.callingEscaped}
	if ev.escaped.known == nil {
		ev.escaped.known, ev.escaped.methods = make(map[any]*callable), make(map[*types.Func][]*callable)
	}
	ev.escaped.known[key] = c
	ev.escaped.all = append(ev.escaped.all, c)
	if fn.Bound {
		ev.escaped.methods[fn.Obj] = append(ev.escaped.methods[fn.Obj], c)
	}
	if c.matters() {
		ev.escaped.matter++
		ev.escaped.use(c.seen, c)
	}
	if c.leads {
		ev.escaped.leading = append(ev.escaped.leading, c)
	}
	ev.escaped.enqueue(c)
}

// ofAnyWhereMany returns a method as it has escaped before, of the same value; and as one of any
// value of its type, where a few others of it were left by functions that were followed: each time
// that a method is followed which returns a value of its own type, such as that of a logger with
// attributes, it leaves another one.
func (ev *Evaluator) ofAnyWhereMany(at ast.Expr, fn *value.Func) *value.Func {
	const few = 3
	if fn.Obj == nil || !fn.Bound || value.IsUnknown(fn.Recv) || ev.escaped.known[ev.keyOf(fn)] != nil {
		return fn
	}
	others := ev.escaped.methods[fn.Obj]
	ev.work(len(others))
	left := 0
	for _, c := range others {
		if value.IsUnknown(c.fn.Recv) {
			continue
		}
		if value.Same(c.fn.Recv, fn.Recv) {
			return c.fn
		}
		if c.left {
			left++
		}
	}
	named := value.NamedOf(typeOrInvalid(fn.Recv))
	if !ev.callingEscaped || named == nil || left < few {
		return fn
	}
	return ev.methodOfAny(at, madeMethod{named, fn.Obj})
}

// give notes that code which isn't followed gets a value of a type.
func (e *escapes) give(t *types.TypeName) {
	if e.given == nil {
		e.given = make(map[*types.TypeName]bool)
	}
	e.given[t] = true
}

// withhold notes a method that code can't call which isn't followed.
func (ev *Evaluator) withhold(fn *value.Func) {
	e, key := &ev.escaped, ev.keyOf(fn)
	if e.isWithheld[key] {
		return
	}
	if e.isWithheld == nil {
		e.isWithheld = make(map[any]bool)
	}
	e.isWithheld[key] = true
	e.withheld = append(e.withheld, withheld{key, fn})
}

// keyOf returns what tells a function that escapes from others: a method of a pointer is
// made each time that it is taken, and so is that of a value that isn't known, which leads
// to another one again when it is followed.
func (ev *Evaluator) keyOf(fn *value.Func) any {
	if !fn.Bound || fn.Closure != nil || fn.Obj == nil {
		return fn
	}
	of := genericMethod{fn.Obj, nil}
	if len(fn.TArgs) > 0 {
		of = genericMethod{fn.Obj.Origin(), ev.instances.list(fn.TArgs)}
	}
	switch recv := fn.Recv.(type) {
	case value.Pointer:
		return method{of, recv.To}
	case *value.Unknown:
		if recv.Targets == nil && recv.Among == nil {
			return methodOfUnknown{of, value.NamedOf(typeOrInvalid(recv)), recv.NonNil, recv.Foreign}
		}
	}
	return fn
}

// genericMethod is a method, with what its type parameters stand for: each list of types is one.
type genericMethod struct {
	obj  *types.Func
	args *types.Tuple
}

type method struct {
	genericMethod
	recv *value.Cell
}

type methodOfUnknown struct {
	genericMethod
	of      *types.Named
	nonNil  bool
	foreign bool
}

// matters reports whether it matters in which state the function is called.
func (c *callable) matters() bool { return c.leads || c.changes }

// any reports whether code that isn't followed may call a function that matters.
func (e *escapes) any() bool { return e.matter+len(e.queue) > 0 }

func (e *escapes) enqueue(c *callable) {
	if !c.queued {
		c.queued = true
		e.queue = append(e.queue, c)
	}
}

// enqueueLeading has those followed that lead to what the user records.
func (e *escapes) enqueueLeading() {
	for _, c := range e.leading {
		c.due = true
		e.enqueue(c)
	}
}

// use notes that a function has seen a variable.
func (e *escapes) use(cell *value.Cell, c *callable) {
	if e.users == nil {
		e.users = make(map[*value.Cell]map[*callable]bool)
	}
	if e.users[cell] == nil {
		e.users[cell] = make(map[*callable]bool)
		cell.Watch()
	}
	e.users[cell][c] = true
}

// clone returns what the functions are now. Others that escape aren't among them.
func (e *escapes) clone() escapes {
	now := *e
	now.queue = slices.Clone(e.queue)
	return now
}

// restore forgets the functions that have escaped since.
func (e *escapes) restore(then escapes) {
	for _, c := range e.all[len(then.all):] {
		delete(e.known, c.key)
		e.methods[c.fn.Obj] = slices.DeleteFunc(e.methods[c.fn.Obj], func(other *callable) bool { return other == c })
	}
	for _, c := range e.queue {
		c.queued = false
	}
	for _, c := range then.queue {
		c.queued = true
	}
	for _, w := range e.withheld[len(then.withheld):] {
		delete(e.isWithheld, w.key)
	}
	then.known, then.methods, then.users, then.count, then.writing, then.isWithheld = e.known, e.methods, e.users, e.count, e.writing, e.isWithheld
	*e = then
}

// lookAgain queues the functions that have seen a variable which has changed since.
func (ev *Evaluator) lookAgain() {
	e := &ev.escaped
	var found []*callable
	for _, cell := range ev.Stirred() {
		ev.work(len(e.users[cell]))
		for c := range e.users[cell] {
			if c.uses(cell) {
				found = append(found, c)
			} else {
				delete(e.users[cell], c)
			}
		}
	}
	slices.SortFunc(found, func(a, b *callable) int { return a.number - b.number })
	for _, c := range found {
		e.enqueue(c)
	}
}

// uses reports whether a function, when it was last followed, saw a variable. That isn't
// known where branches are joined in which it saw different things.
func (c *callable) uses(cell *value.Cell) bool {
	s, ok := c.seen.Load().(*sights)
	return !ok || cell == c.seen || s.of[cell]
}

// followCallables follows those that may do something else than they did, until none of
// them may. Few change what others look at. Where some do again and again, what they
// change becomes unknown with all that it leads to.
func (ev *Evaluator) followCallables(at ast.Expr, why *value.Unknown, follow func(*callable)) {
	const few = 3
	e := &ev.escaped
	e.call++
	e.widened = false
	for {
		if e.widened {
			ev.widen(at, why)
		}
		ev.lookAgain()
		if len(e.queue) == 0 {
			return
		}
		c := e.queue[0]
		e.queue, c.queued = e.queue[1:], false
		if !c.due && c.sees(ev) {
			continue
		}
		if c.call != e.call {
			c.call, c.turns = e.call, 0
		}
		c.due = false
		if c.turns++; c.turns == few {
			e.widened = true
		}
		c.follow(ev, follow)
	}
}

// widen makes unknown what the functions have changed, with all that it leads to.
func (ev *Evaluator) widen(at ast.Expr, why *value.Unknown) {
	ev.noteEscaped(at, ev.Escape())
	ev.HavocEscaped(why)
}

// sees reports whether a function would do what it did. In the present state it may not
// have escaped.
func (c *callable) sees(ev *Evaluator) bool {
	v := c.seen.Load()
	s, ok := v.(*sights)
	if !ok {
		return v == nil
	}
	ev.work(1 + len(s.all))
	same := value.Within
	if ev.escaped.widened {
		same = value.Alike
	}
	isOther := false
	for _, at := range s.all {
		held := at.cell.Peek()
		if !same(held, at.v) || at.cell.Keys() != at.keys {
			return false
		}
		isOther = isOther || ev.escaped.widened && !value.Within(held, at.v)
	}
	if isOther { // else noting it anew is a change, for which it is looked at again
		c.sight(ev, s.cells())
	}
	for _, at := range s.all { // it may have seen others meanwhile, in a branch that was taken back
		ev.escaped.use(at.cell, c)
	}
	return true
}

func (s *sights) cells() []*value.Cell {
	var cells []*value.Cell
	for _, at := range s.all {
		cells = append(cells, at.cell)
	}
	return cells
}

// follow follows a function, and remembers what it saw, of what there was and of what
// it has made. A variable of a package may be made when it is first looked at.
func (c *callable) follow(ev *Evaluator, follow func(*callable)) {
	if !c.matters() {
		follow(c)
		ev.Note(c.seen, &sights{})
		return
	}
	r := value.Reach{Captured: ev.capturedBy}
	r.Values(c.fn)
	r.Add(ev.inTurn...)
	r.Add(ev.memory...)
	known, globals, memory, mark := len(r.Cells), len(ev.inTurn), len(ev.memory), ev.Mark()
	used := value.Uses(r.Cells, func() { follow(c) })
	r.Add(ev.inTurn[globals:]...)
	r.Add(ev.memory[memory:]...)
	ev.work(len(r.Cells))
	used = append(used, value.Used(r.Cells[known:])...)
	c.sight(ev, append(used, ev.ChangedSince(mark)...))
}

// sight notes what variables hold that a function has used.
func (c *callable) sight(ev *Evaluator, used []*value.Cell) {
	s := &sights{of: make(map[*value.Cell]bool, len(used))}
	for _, cell := range used {
		if !s.of[cell] {
			s.of[cell] = true
			s.all = append(s.all, sight{cell, cell.Peek(), cell.Keys()})
			ev.escaped.use(cell, c)
		}
	}
	ev.Note(c.seen, s)
}
