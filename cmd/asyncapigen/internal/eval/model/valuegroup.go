package model

import (
	"go/types"
	"reflect"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Value groups of dig: what several constructors give for one name, which others get as a slice,
// in another order each time (param.go and group.go of dig 1.19).

// groupTag is what the tag of a field says of a value group.
type groupTag struct {
	name    string
	flatten bool // what is given is a slice, whose elements are of the group
	soft    bool // constructors aren't called for it
}

// groupOf reads the tag of a field. It reports false for a tag that dig refuses.
func groupOf(tag reflect.StructTag) (g groupTag, ok bool) {
	words := strings.Split(tag.Get("group"), ",")
	g.name = words[0]
	for _, option := range words[1:] {
		switch option {
		case "flatten":
			g.flatten = true
		case "soft":
			g.soft = true
		default:
			return g, false
		}
	}
	return g, tag.Get("name") == "" && !holdsTrue(tag, "optional")
}

// neededGroup returns what a field of a struct with dig.In needs of a value group; false where
// dig refuses it.
func neededGroup(field *types.Var, tag reflect.StructTag) (need, bool) {
	g, ok := groupOf(tag)
	s, isSlice := field.Type().Underlying().(*types.Slice)
	if !ok || !isSlice || g.flatten {
		return need{}, false
	}
	return need{typ: s.Elem(), group: g.name, soft: g.soft, slice: field.Type()}, true
}

// givenGroup returns what a field of a struct with dig.Out gives to a value group.
func givenGroup(field *types.Var, tag reflect.StructTag) (need, bool) {
	g, ok := groupOf(tag)
	if !ok || g.soft {
		return need{}, false
	}
	if !g.flatten {
		return need{typ: field.Type(), group: g.name}, true
	}
	s, isSlice := field.Type().Underlying().(*types.Slice)
	if !isSlice {
		return need{}, false
	}
	return need{typ: s.Elem(), group: g.name, flatten: true}, true
}

// valuesOf returns the values of a group, of the constructors that are called for it. Dig shuffles
// them, in a list that has room for as many as there are constructors.
// Source: paramGroupedSlice.Build of dig.
func (r *resolution) valuesOf(n need) (value.Value, found) {
	providers, known := elements(r.from.providers.Load())
	if !known {
		return r.lost(value.Because(r.call.At, r.from.providers.Load()), inEveryCase)
	}
	var all []value.Value
	called := 0
	for _, p := range r.inCallOrder(providers) {
		paths := p.givesToGroup(n)
		if len(paths) == 0 || n.soft && value.IsNil(p.made.Load()) {
			continue
		}
		called++
		results, how := r.build(p)
		if how != ready {
			return nil, how
		}
		for _, at := range paths {
			added, known := addedToGroup(results, at)
			if !known {
				return r.lost(value.UnknownAt(r.call.At.Pos(), "a list of values for a group, which isn't known"), plainConstructor)
			}
			all = append(all, added...)
		}
	}
	if len(all) > 1 {
		all = value.Arranged(all, r.call.OrderOfGroup(r.call.At, len(all)))
	}
	s := &value.Slice{Type: n.slice, Open: n.soft || called != len(all)}
	for _, v := range all {
		s.Elems = append(s.Elems, value.NewCell(r.call.Copied(v)))
	}
	s.Elems = s.Elems[:len(all):len(all)]
	return s, ready
}

// inCallOrder returns the constructors that are there for a function, in the order in which those
// of a group are called: the private ones of its module first, then those of the modules around it,
// and in the outermost one all others.
func (r *resolution) inCallOrder(providers []value.Value) (all []*provider) {
	for m := r.at; ; m = m.outer {
		outermost := m == nil || m.outer == nil
		for _, v := range providers {
			p := v.(*provider)
			if p.private && p.from == m || !p.private && outermost {
				all = append(all, p)
			}
		}
		if outermost {
			return all
		}
	}
}

// groupPath is where the results of a constructor have what it gives to a group.
type groupPath struct {
	result, field int
	flatten       bool
}

// givesToGroup returns where the results of a constructor have what it gives to a group.
func (p *provider) givesToGroup(n need) (paths []groupPath) {
	sig, ok := p.fn.Type.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	for i := range sig.Results().Len() {
		u, isStruct := sig.Results().At(i).Type().Underlying().(*types.Struct)
		if !isStruct || !embeds(u, "Out") {
			continue
		}
		for j := range u.NumFields() {
			if tag := reflect.StructTag(u.Tag(j)); tag.Get("group") != "" {
				if g, ok := givenGroup(u.Field(j), tag); ok && g.group == n.group && value.SameType(g.typ, n.typ) {
					paths = append(paths, groupPath{i, j, g.flatten})
				}
			}
		}
	}
	return paths
}

// addedToGroup returns what results add to a group.
func addedToGroup(results value.Tuple, at groupPath) ([]value.Value, bool) {
	out := pointedStruct(results[at.result])
	if out == nil {
		return nil, false
	}
	v := out.Fields[at.field].Load()
	if at.flatten {
		return elements(v)
	}
	return []value.Value{v}, true
}
