package model

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// What dig refuses by an error: types that it doesn't take, two constructors of one
// type, and those that need each other. The program may go on after the error.

// refuses completes "it is ..." with why a container doesn't take a constructor; "" where
// it does.
func (d *container) refuses(p *provider) string {
	sig, ok := p.fn.Type.Underlying().(*types.Signature)
	if !ok {
		return "a constructor that is no function"
	}
	if why := refusedNeeds(sig); why != "" {
		return why
	}
	needs, why := givenBy(sig)
	if why != "" {
		return why
	}
	providers, known := elements(d.providers.Load())
	for i, n := range needs {
		if n.group != "" {
			continue
		}
		if slices.ContainsFunc(needs[:i], n.same) || d.builtin(n.typ) != nil {
			return "that several constructors give " + typeText(n.typ)
		}
		if from, _ := giver(providers, n); known && from != nil {
			return "that several constructors give " + typeText(n.typ)
		}
	}
	if known && leadsBack(append(slices.Clone(providers), p), p, p, make(map[*provider]bool)) {
		return "a constructor that needs its own result"
	}
	return ""
}

func (n need) same(other need) bool {
	return n.name == other.name && n.group == other.group && value.SameType(n.typ, other.typ)
}

// leadsBack reports whether what a constructor needs is made of what another one gives.
func leadsBack(providers []value.Value, p, to *provider, seen map[*provider]bool) bool {
	for _, n := range neededBy(p.fn.Type.Underlying().(*types.Signature)) {
		for _, from := range givers(providers, n) {
			if seen[from] {
				continue
			}
			seen[from] = true
			if from == to || leadsBack(providers, from, to, seen) {
				return true
			}
		}
	}
	return false
}

// givers returns the constructors that give what is needed: several to a value group.
func givers(providers []value.Value, n need) (all []*provider) {
	if n.group == "" {
		if from, _ := giver(providers, n); from != nil {
			all = append(all, from)
		}
		return all
	}
	for _, v := range providers {
		if p := v.(*provider); len(p.givesToGroup(n)) > 0 {
			all = append(all, p)
		}
	}
	return all
}

// neededBy returns what a function needs.
func neededBy(sig *types.Signature) []need {
	var all []need
	for t := range parameters(sig) {
		all = append(all, needsOf(need{typ: t})...)
	}
	return all
}

// needsOf returns what a need comes to: the fields of a struct that embeds dig.In.
func needsOf(n need) []need {
	u, ok := n.typ.Underlying().(*types.Struct)
	if !ok || !embeds(u, "In") || n.group != "" {
		return []need{n}
	}
	var all []need
	for i := range u.NumFields() {
		if !isDig(u.Field(i).Type(), "In") && u.Field(i).Exported() {
			all = append(all, needsOf(needOf(u.Field(i), reflect.StructTag(u.Tag(i))))...)
		}
	}
	return all
}

// parameters returns the types of a function's parameters, but for that of the last one
// of a variadic function, which gets nothing.
func parameters(sig *types.Signature) func(yield func(types.Type) bool) {
	return func(yield func(types.Type) bool) {
		n := sig.Params().Len()
		if sig.Variadic() {
			n--
		}
		for i := range n {
			if !yield(sig.Params().At(i).Type()) {
				return
			}
		}
	}
}

// refusedNeeds completes "it is ..." with why dig doesn't give a function what it needs;
// "" where it does.
func refusedNeeds(sig *types.Signature) string {
	for t := range parameters(sig) {
		if why := refusedNeed(t); why != "" {
			return why
		}
	}
	return ""
}

func refusedNeed(t types.Type) string {
	u, ok := t.Underlying().(*types.Struct)
	if !ok || !embeds(u, "In") {
		if leadsToDig(t) {
			return "a parameter of the type " + typeText(t) + ", which the container doesn't take"
		}
		return ""
	}
	var ignores bool
	for i := range u.NumFields() {
		if isDig(u.Field(i).Type(), "In") {
			ignores = holdsTrue(reflect.StructTag(u.Tag(i)), "ignore-unexported")
		}
	}
	for i := range u.NumFields() {
		field, tag := u.Field(i), reflect.StructTag(u.Tag(i))
		switch {
		case isDig(field.Type(), "In"):
			if !isTruth(tag, "ignore-unexported") {
				return "the tag of dig.In, which the container refuses"
			}
		case !field.Exported() && ignores:
		case !field.Exported():
			return "the field " + field.Name() + ", which isn't exported and which the container refuses"
		case !isTruth(tag, "optional"):
			return "the tag of the field " + field.Name() + ", which the container refuses"
		case tag.Get("group") != "":
			if _, ok := neededGroup(field, tag); !ok {
				return "the tag of the field " + field.Name() + ", which the container refuses"
			}
		default:
			if why := refusedNeed(field.Type()); why != "" {
				return why
			}
		}
	}
	return ""
}

// isTruth reports whether a key of a tag is absent, or one of the words for true and false.
func isTruth(tag reflect.StructTag, key string) bool {
	_, err := strconv.ParseBool(tag.Get(key))
	return tag.Get(key) == "" || err == nil
}

func holdsTrue(tag reflect.StructTag, key string) bool {
	holds, _ := strconv.ParseBool(tag.Get(key))
	return holds
}

// givenBy returns what a constructor gives, or why dig refuses its results.
func givenBy(sig *types.Signature) (all []need, why string) {
	results, _ := withoutError(sig)
	for _, t := range results {
		given, why := givenAs(need{typ: t})
		if why != "" {
			return nil, why
		}
		all = append(all, given...)
	}
	if len(all) == 0 {
		return nil, "a constructor that gives nothing"
	}
	return all, ""
}

// givenAs returns what a result comes to: the fields of a struct that embeds dig.Out.
func givenAs(n need) (all []need, why string) {
	u, ok := n.typ.Underlying().(*types.Struct)
	if !ok || !embeds(u, "Out") {
		if isOtherError(n.typ) || value.IsErrorType(n.typ) || leadsToDig(n.typ) {
			return nil, "a result of the type " + typeText(n.typ) + ", which the container doesn't take"
		}
		return []need{n}, ""
	}
	for i := range u.NumFields() {
		field, tag := u.Field(i), reflect.StructTag(u.Tag(i))
		switch {
		case isDig(field.Type(), "Out"):
		case !field.Exported():
			return nil, "the field " + field.Name() + ", which isn't exported and which the container refuses"
		case tag.Get("group") != "":
			n, ok := givenGroup(field, tag)
			if !ok {
				return nil, "the field " + field.Name() + ", which the container doesn't take for a group"
			}
			all = append(all, n)
		default:
			given, why := givenAs(need{typ: field.Type(), name: tag.Get("name")})
			if why != "" {
				return nil, why
			}
			all = append(all, given...)
		}
	}
	return all, ""
}

// isOtherError reports whether dig takes values of a type for errors, which isn't error.
func isOtherError(t types.Type) bool {
	return !value.IsErrorType(t) && types.Implements(t, errorType.Underlying().(*types.Interface))
}

// leadsToDig reports whether a type is made of dig.In or dig.Out in a way that dig
// refuses, or may.
func leadsToDig(t types.Type) bool {
	if elem := value.Pointee(t); elem != nil {
		t = elem
	}
	u, ok := t.Underlying().(*types.Struct)
	for i := 0; ok && i < u.NumFields(); i++ {
		of := u.Field(i).Type()
		elem := value.Pointee(of)
		switch {
		case !u.Field(i).Embedded():
		case elem != nil && (isDig(elem, "In") || isDig(elem, "Out")), isDig(of, "In") || isDig(of, "Out"):
			return true
		case elem == nil && leadsToDig(of):
			return true
		}
	}
	return false
}
