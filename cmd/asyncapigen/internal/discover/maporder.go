package discover

import (
	"go/ast"
	"go/token"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// A program ranges over a map in another order each time. What it registers is
// known only if it is the same in each, which is found by evaluating the program
// again with the loops in other orders.

// maxOrdered is the number of loops up to which each is looked at by itself.
const maxOrdered = 8

// maxRotated is the number of a map's entries up to which the program is evaluated for
// each place at which the loop may begin, and minRotated that of a program that takes
// many steps.
const (
	minRotated = 2
	maxRotated = 64
)

// compareOrders reports the loops over maps on whose order the routes depend.
func (f *finder) compareOrders() {
	loops := f.ev.MapLoops()
	if len(loops) == 0 || f.diagnostics.HasErrors() {
		return
	}
	if len(loops) > maxOrdered {
		f.compareOrder(loops[0], loops...)
		return
	}
	for _, loop := range loops {
		f.compareOrder(loop, loop)
	}
}

func (f *finder) compareOrder(at token.Pos, loops ...token.Pos) {
	ascending, declared := f.evaluation, f.declared
	defer func() {
		f.ev.VisitMaps(value.Ascending)
		f.evaluation, f.declared = ascending, declared
	}()
	of, differs, remedy := f.orderedBy(at)
	for _, order := range f.furtherOrders(loops) {
		f.ev.VisitMaps(order, loops...)
		f.runAgain(loops)
		common, why := f.commonWith(ascending.found, declared, " isn't the same in each, and the order "+differs)
		if why != "" {
			ascending.diagnostics.Add(diagnostic.Diagnostic{
				Code: diagnostic.MapOrder, Pos: f.program.Position(f.ev.LoopSite(at)),
				What: "what is registered depends on the order of " + of, Why: why, Remedy: remedy,
			})
			return
		}
		ascending.found = common
		ascending.constructions = withoutOrdered(ascending.constructions, f.constructions, diagnostic.Diagnostic{
			Code: diagnostic.UnknownTarget, Pos: f.program.Position(f.ev.LoopSite(at)),
			Why: "it depends on the order of " + of + ", which " + differs, Remedy: remedy,
		})
	}
}

// orderedBy says what has several orders, by what, and how to give it one.
func (f *finder) orderedBy(loop token.Pos) (of, differs, remedy string) {
	const eachTime = "is another one each time"
	switch f.ev.LoopKind(loop) {
	case eval.Shuffle:
		return "the values of a group, which the container shuffles", eachTime, "sort them, or pass them by a slice of your own"
	case eval.MapLiteral:
		return "the entries of this map literal", "depends on which calls the compiler inlines", "make the calls before the literal"
	default:
		return "the entries of this map", eachTime, "range over the sorted keys"
	}
}

// furtherOrders returns the orders besides the ascending one in which loops are looked at:
// all of up to three entries, and of more such ones in which of each two entries each comes
// before the other, and of up to maxRotated each takes every place. A program that takes
// many steps, or has many starts with such a loop, is evaluated in fewer.
func (f *finder) furtherOrders(loops []token.Pos) []value.Order {
	entries := 2
	for _, loop := range loops {
		entries = max(entries, f.ev.LoopEntries(loop))
	}
	starts := max(1, len(f.startsOver(loops)))
	places := min(max(f.ev.Affords()/(2*starts), minRotated), maxRotated)
	orders := []value.Order{value.Descending}
	for i := 1; i < entries; i += (entries + places - 1) / places {
		orders = append(orders, value.From(i))
		if entries > 2 {
			orders = append(orders, value.Back(i))
		}
	}
	return orders
}

// withoutOrdered returns what is made, where the target of what is made otherwise in
// another order is lost.
func withoutOrdered(made, otherwise []Construction, lost diagnostic.Diagnostic) []Construction {
	isWithin := func(all []Construction, c Construction) bool {
		return slices.ContainsFunc(all, func(other Construction) bool {
			return c.At == other.At && value.SameType(c.Body, other.Body) && value.SameType(c.Result, other.Result) && reflect.DeepEqual(c.Endpoint, other.Endpoint)
		})
	}
	var all []Construction
	noted := make(map[ast.Expr]bool) // the calls that make what is lost
	lose := func(c Construction) {
		if !noted[c.At] {
			noted[c.At], c.Lost = true, &lost
			all = append(all, c)
		}
	}
	known := slices.DeleteFunc(slices.Clone(otherwise), func(c Construction) bool { return c.Lost != nil })
	for _, c := range made {
		if c.Lost == nil && !isWithin(known, c) {
			lose(c)
			continue
		}
		noted[c.At] = noted[c.At] || c.Lost != nil && *c.Lost == lost
		all = append(all, c)
	}
	for _, c := range known {
		if !isWithin(made, c) {
			lose(c)
		}
	}
	return all
}

// commonWith returns what is certain of the routes that were found another time. It says what
// isn't known now, which explains routes that are missing, or isn't the same; that is empty
// where there is nothing.
func (f *finder) commonWith(found []registered.Route, declared registered.Declared, differs string) (common []registered.Route, why string) {
	for _, d := range f.diagnostics {
		if d.Severity == diagnostic.Error {
			return nil, "in another order, " + d.What + ", at " + d.Pos.String() + ": " + d.Why
		}
	}
	common, name, same := commonInAnyOrder(found, f.found)
	if !same {
		return nil, "the route " + quoted(name) + differs
	}
	if !declared.Equal(f.declared) {
		return nil, "what Router.Declare gets" + differs
	}
	return common, ""
}

// commonInAnyOrder returns what is certain of the routes that two evaluations have found, in
// whichever order, or the name of one that isn't the same, and false.
func commonInAnyOrder(a, b []registered.Route) (common []registered.Route, differing string, same bool) {
	common = slices.Clone(a)
	left := make(map[string]int) // where the routes of a are that weren't compared
	for i, route := range a {
		left[route.Name] = i
	}
	for _, route := range b {
		i, isLeft := left[route.Name]
		if !isLeft {
			return nil, route.Name, false
		}
		if common[i], same = a[i].Common(route); !same {
			return nil, route.Name, false
		}
		delete(left, route.Name)
	}
	for name := range left {
		return nil, name, false
	}
	return common, "", true
}
