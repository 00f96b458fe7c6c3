package discover

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A router that another one is assigned to has the routes of that. A router that has routes
// holds a pointer to itself in one of its fields: an assignment takes that away.

// noteFilled notes that a router gets a route, a declaration or a failure policy, and whether it
// had others that are gone, or has those of another router. It needn't have what it gets under a
// condition: a broker that gets the router there is asked whether it does.
func (f *finder) noteFilled(call *model.Call) {
	router, isKnown := call.Fn.Recv.(value.Pointer)
	if !isKnown {
		return
	}
	f.ev.OpenAs(router.To, value.Pointee(router.Type))
	note := noteOf(router.To)
	if note == nil || !mayBeOther(note.Peek(), router.To) {
		return
	}
	if f.filled[router.To] && mayBe(note.Peek(), value.IsNil) || mayBe(note.Peek(), isPointerBut(router.To)) {
		f.replaced[router.To] = true
	}
	if f.ev.Uncertain() == nil {
		f.filled[router.To] = true
	}
	call.Set(note, router)
}

// A registeringCall is a call that registers routes, and the router that gets them.
type registeringCall struct {
	at     token.Pos
	router *value.Cell
}

// noteAgain notes that a call registers routes, or does so once more: a loop of which nothing
// else changes isn't endless then, since the router refuses them at the second time.
func (f *finder) noteAgain(call *model.Call) {
	router, isKnown := call.Fn.Recv.(value.Pointer)
	if !isKnown {
		return
	}
	key := registeringCall{call.At.Pos(), router.To}
	times := f.times[key]
	if times == nil {
		times = value.Beside(router.To, value.NewConst(constant.MakeInt64(0), types.Typ[types.Int]))
		f.times[key] = times
	}
	if n, known := value.IntOf(times.Peek()); known && n < 2 {
		call.Note(times, value.NewConst(constant.MakeInt64(int64(n+1)), types.Typ[types.Int]))
	}
}

// noteGiven notes whether another router may have been assigned to one that a broker gets, after
// that has got something wherever the program comes here.
func (f *finder) noteGiven(router any) {
	cell, isKnown := router.(*value.Cell)
	if !isKnown || !f.filled[cell] && !f.isFilledHere(cell) {
		return
	}
	if note := noteOf(cell); note != nil && mayBeOther(note.Peek(), cell) {
		f.replaced[cell] = true
	}
}

// isFilledHere reports whether a router has got a route wherever the program comes here.
func (f *finder) isFilledHere(router *value.Cell) bool {
	here := f.ev.Way()
	return slices.ContainsFunc(f.registrations, func(r registration) bool {
		return r.route.Router == any(router) && f.ev.Beside(r.way, here) == nil
	})
}

// isReplaced reports whether another router may have been assigned to one that has got
// something. Of one that has got it under a condition, that is asked where a broker gets it.
func (f *finder) isReplaced(router any) bool {
	cell, isKnown := router.(*value.Cell)
	if f.replaced[cell] {
		return true
	}
	hasWay := func(r registration) bool { return r.route.Router == router && len(r.way) > 0 }
	if !isKnown || !f.filled[cell] || slices.ContainsFunc(f.registrations, hasWay) {
		return false
	}
	note := noteOf(cell)
	return note != nil && mayBeOther(note.Peek(), cell)
}

// mayBeOther reports whether a note isn't that of a router, or is one of several. One that isn't
// known counts as the router's: code that isn't followed and goroutines make it so, though they
// don't assign routers. That isn't told apart from an assignment to one of several variables.
func mayBeOther(note value.Value, router *value.Cell) bool {
	return mayBe(note, func(v value.Value) bool {
		p, isPointer := v.(value.Pointer)
		return !isPointer || p.To != router
	})
}

// isPointerBut returns whether a note is that of a router, and not of this one.
func isPointerBut(router *value.Cell) func(value.Value) bool {
	return func(v value.Value) bool {
		p, isPointer := v.(value.Pointer)
		return isPointer && p.To != router
	}
}

// mayBe reports whether a value is one that is meant, or may be.
func mayBe(v value.Value, is func(value.Value) bool) bool {
	u, isUnknown := v.(*value.Unknown)
	if !isUnknown {
		return is(v)
	}
	return slices.ContainsFunc(u.Among, func(v value.Value) bool { return mayBe(v, is) })
}

// noteOf returns the field in which a router holds that it has routes, the first one that
// nil can be assigned to; nil where the variable isn't known to hold a router.
func noteOf(router *value.Cell) *value.Cell {
	s, isStruct := router.Peek().(*value.Struct)
	if !isStruct {
		return nil
	}
	for i, cell := range s.Fields {
		if value.IsNil(value.Zero(value.FieldType(s.Type, i))) {
			return cell
		}
	}
	return nil
}
