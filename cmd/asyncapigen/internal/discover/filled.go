package discover

import (
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A router that another one is assigned to has the routes of that. A router that has routes
// holds a pointer to itself in one of its fields: an assignment takes that away.

// noteFilled notes that a router gets a route, a declaration or a failure policy, and whether it
// had others that are gone, or has those of another router. Those that it has in some cases only
// are reported anyway.
func (f *finder) noteFilled(call *model.Call) {
	router, isKnown := call.Fn.Recv.(value.Pointer)
	if !isKnown {
		return
	}
	f.ev.OpenAs(router.To, value.Pointee(router.Type))
	note := noteOf(router.To)
	if note == nil || f.ev.Uncertain() != nil || !mayBeOther(note.Peek(), router.To) {
		return
	}
	if f.filled[router.To] || !value.IsNil(note.Peek()) {
		f.replaced[router.To] = true
	}
	f.filled[router.To] = true
	call.Set(note, router)
}

// isReplaced reports whether another router may have been assigned to one that has got
// something.
func (f *finder) isReplaced(router any) bool {
	cell, isKnown := router.(*value.Cell)
	if !isKnown || !f.filled[cell] {
		return false
	}
	note := noteOf(cell)
	return f.replaced[cell] || note != nil && mayBeOther(note.Peek(), cell)
}

// mayBeOther reports whether a note isn't that of a router, or is one of several. One that isn't
// known counts as the router's: code that isn't followed and goroutines make it so, though they
// don't assign routers. That isn't told apart from an assignment to one of several variables.
func mayBeOther(note value.Value, router *value.Cell) bool {
	switch note := note.(type) {
	case value.Pointer:
		return note.To != router
	case *value.Unknown:
		return slices.ContainsFunc(note.Among, func(v value.Value) bool { return mayBeOther(v, router) })
	default:
		return true
	}
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
