package client

import (
	"cmp"
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// jsonField is a field of a struct's JSON object, as encoding/json finds it.
type jsonField struct {
	name   string // the key
	path   []step // the embedded fields that lead to it, and the field itself
	tag    schema.JSONTag
	tagged bool
}

// step is one field on the way to a jsonField.
type step struct {
	field *types.Var
	index int
}

func (f jsonField) field() *types.Var { return f.path[len(f.path)-1].field }

// throughPointer reports whether the field is absent where an embedded pointer
// is nil.
func (f jsonField) throughPointer() bool {
	for _, step := range f.path[:len(f.path)-1] {
		if _, ok := types.Unalias(step.field.Type()).(*types.Pointer); ok {
			return true
		}
	}
	return false
}

// structAt is a struct that is embedded at the end of a path.
type structAt struct {
	structure *types.Struct
	key       string
	path      []step
}

// jsonFields lists the fields of a struct's JSON object in the order in which
// they are encoded. It follows encoding/json: embedded structs level by level;
// of several fields of one name the least deep one wins, then the only one with
// a tag, and otherwise there is none.
func jsonFields(structure *types.Struct) []jsonField {
	var all []jsonField
	visited := make(map[string]bool)
	level := []structAt{{structure: structure, key: "the struct itself"}}
	count := map[string]int{}
	for len(level) > 0 {
		var next []structAt
		nextCount := make(map[string]int)
		for _, at := range level {
			if visited[at.key] {
				continue
			}
			visited[at.key] = true
			fields, embedded := at.read()
			all = append(all, fields...)
			if count[at.key] > 1 {
				all = append(all, fields...) // the copies annihilate each other
			}
			for _, e := range embedded {
				if nextCount[e.key]++; nextCount[e.key] == 1 {
					next = append(next, e)
				}
			}
		}
		level, count = next, nextCount
	}
	return dominant(all)
}

// read splits the fields of one struct into those of the JSON object and the
// embedded structs whose fields are promoted.
func (at structAt) read() (fields []jsonField, embedded []structAt) {
	for i := range at.structure.NumFields() {
		field := at.structure.Field(i)
		target := pointee(field.Type())
		inner, isStruct := target.Underlying().(*types.Struct)
		if !field.Exported() && (!field.Embedded() || !isStruct) {
			continue
		}
		tag := schema.ParseJSONTag(reflect.StructTag(at.structure.Tag(i)))
		if tag.Skip {
			continue
		}
		path := append(slices.Clip(at.path), step{field, i})
		if isStruct && promotes(field, tag) {
			embedded = append(embedded, structAt{inner, typeKey(target), path})
			continue
		}
		name := cmp.Or(tag.Name, field.Name())
		fields = append(fields, jsonField{name: name, path: path, tag: tag, tagged: tag.Name != ""})
	}
	return fields, embedded
}

// pointee returns what an unnamed pointer points to, other types as they are.
func pointee(t types.Type) types.Type {
	if pointer, ok := types.Unalias(t).(*types.Pointer); ok {
		return types.Unalias(pointer.Elem())
	}
	return types.Unalias(t)
}

// dominant keeps the field that wins for each name, in the order of the struct.
func dominant(all []jsonField) []jsonField {
	byName := make(map[string][]jsonField)
	for _, f := range all {
		byName[f.name] = append(byName[f.name], f)
	}
	var winners []jsonField
	for _, candidates := range byName {
		slices.SortStableFunc(candidates, func(a, b jsonField) int { return rank(a) - rank(b) })
		if len(candidates) == 1 || rank(candidates[0]) < rank(candidates[1]) {
			winners = append(winners, candidates[0])
		}
	}
	slices.SortFunc(winners, func(a, b jsonField) int { return slices.CompareFunc(a.path, b.path, compareSteps) })
	return winners
}

// rank is smaller for fields that win: by depth, then by having a tag.
func rank(f jsonField) int {
	rank := 2 * len(f.path)
	if !f.tagged {
		rank++
	}
	return rank
}

func compareSteps(a, b step) int { return a.index - b.index }

// keptEmbeds finds the embedded structs that can stay embedded in a copy: types without
// encoding methods, all of whose JSON fields the object has from them, that are within
// reach or behind a pointer. The fields of the latter are absent where it is nil, and
// may be null where it isn't, which no field could tell apart. The result is keyed by
// pathKey.
func (g *generator) keptEmbeds(fields []jsonField) map[string]bool {
	supplied := make(map[string]int)
	ends := make(map[string]*types.Var)
	for _, f := range fields {
		for n := 1; n < len(f.path); n++ {
			key := pathKey(f.path[:n])
			supplied[key]++
			ends[key] = f.path[n-1].field
		}
	}
	kept := make(map[string]bool)
	for key, field := range ends {
		kept[key] = g.canStayEmbedded(field, supplied[key])
	}
	return kept
}

func (g *generator) canStayEmbedded(field *types.Var, supplied int) bool {
	target := pointee(field.Type())
	structure, isStruct := target.Underlying().(*types.Struct)
	if !isStruct || !field.Embedded() || encodesItself(target) || len(jsonFields(structure)) != supplied {
		return false
	}
	_, isNamed := target.(*types.Named)
	_, isPointer := types.Unalias(field.Type()).(*types.Pointer)
	return g.within(target) && field.Exported() || isNamed && isPointer && !g.within(target)
}

func pathKey(path []step) string {
	var key strings.Builder
	for _, step := range path {
		fmt.Fprintf(&key, ".%d", step.index)
	}
	return key.String()
}
