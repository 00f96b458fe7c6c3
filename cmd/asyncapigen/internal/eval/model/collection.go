package model

import (
	"go/ast"
	"go/types"
	"slices"
	"sort"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// sortSlice is the model of sort.Slice and SliceStable. It sorts in place, by the
// same swaps as the running program and by the program's own function.
func sortSlice(run func(sort.Interface)) Function {
	return func(c *Call) (value.Value, bool) {
		if isNilInterface(c.Args[0]) {
			c.panics("reflect: call of Value.Type on zero Value")
		}
		slice, ok := c.Args[0].(*value.Slice)
		switch {
		case value.IsNil(c.Args[0]) && isSliceType(value.TypeOf(c.Args[0])):
			return value.Tuple{}, true
		case !ok:
			c.Expose(c.At, c.Args, c.because(c.Args[0]))
			return value.Tuple{}, true
		}
		s := c.sorter(slice)
		run(s)
		if s.unknown != nil {
			c.Havoc(s.unknown, slice)
			c.exposeFunctions(c.Args, s.unknown)
		}
		return value.Tuple{}, true
	}
}

func isSliceType(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// sliceIsSorted is the model of sort.SliceIsSorted.
func sliceIsSorted(c *Call) (value.Value, bool) {
	if isNilInterface(c.Args[0]) {
		c.panics("reflect: call of reflect.Value.Len on zero Value")
	}
	if value.IsNil(c.Args[0]) && isSliceType(value.TypeOf(c.Args[0])) {
		return boolean(true), true
	}
	slice, ok := c.Args[0].(*value.Slice)
	if !ok {
		return nil, false
	}
	s := c.sorter(slice)
	sorted := sort.IsSorted(s)
	if s.unknown != nil {
		c.exposeFunctions(c.Args, s.unknown)
		return s.unknown, true
	}
	return boolean(sorted), true
}

type sorter struct {
	call    *Call
	cells   []*value.Cell
	elem    types.Type // of each
	less    value.Value
	unknown *value.Unknown // the first comparison that isn't known
}

func (c *Call) sorter(slice *value.Slice) *sorter {
	return &sorter{call: c, cells: slice.Elems, elem: value.SliceElem(slice.Type), less: c.Args[1]}
}

func (s *sorter) Len() int { return len(s.cells) }

func (s *sorter) Less(i, j int) bool {
	if s.unknown != nil {
		return false
	}
	v := s.call.Call(s.call.At, s.less, []value.Value{integer(i), integer(j)})
	holds, known := value.Truth(v)
	if !known {
		s.unknown = s.call.because(v)
	}
	return holds
}

func (s *sorter) Swap(i, j int) {
	a, b := s.call.Copied(s.cells[i].Load()), s.call.Copied(s.cells[j].Load())
	s.call.Store(s.cells[i], b, s.elem)
	s.call.Store(s.cells[j], a, s.elem)
}

// slicesOverlap is the model of a function of package slices that compares
// addresses: it reports whether two slices share elements.
func slicesOverlap(c *Call) (value.Value, bool) {
	var cells [2][]*value.Cell
	for i := range cells {
		if slice, ok := c.Args[i].(*value.Slice); ok {
			cells[i] = slice.Elems
		}
	}
	shared := make(map[*value.Cell]bool)
	for _, cell := range cells[0] {
		shared[cell] = true
	}
	found := false
	for _, cell := range cells[1] {
		found = found || shared[cell]
	}
	return boolean(found), true
}

// slicesInsert is the model of slices.Insert where it isn't known whether the array
// has room for what is inserted.
func slicesInsert(c *Call) (value.Value, bool) {
	i, known := value.IntOf(c.Args[1])
	return c.replaced(i, i, c.Args[2], known)
}

// slicesReplace is the model of slices.Replace, as slicesInsert is of Insert.
func slicesReplace(c *Call) (value.Value, bool) {
	i, known := value.IntOf(c.Args[1])
	j, alsoKnown := value.IntOf(c.Args[2])
	return c.replaced(i, j, c.Args[3], known && alsoKnown)
}

func (c *Call) replaced(i, j int, by value.Value, known bool) (value.Value, bool) {
	s, ok := c.Args[0].(*value.Slice)
	added, alsoKnown := elements(by)
	if !ok || !known || !alsoKnown || i < 0 || j < i || j > len(s.Elems) {
		return nil, false
	}
	all, _ := elements(s)
	all = slices.Concat(all[:i], added, all[j:])
	if len(all) <= s.SureCap() || len(all) > cap(s.Elems) {
		return nil, false
	}
	for i := range all {
		all[i] = c.Copied(all[i])
	}
	grown, ok := c.Append(c.At, s, all[len(s.Elems):], s.Type).(*value.Slice)
	for i := range all[:len(s.Elems)] {
		c.Store(grown.Elems[i], all[i], value.SliceElem(s.Type))
	}
	return grown, ok
}

// chosenCapacity is the model of a method that tells how large the array of a
// slice is, which the compiler chooses.
func chosenCapacity(c *Call) (value.Value, bool) { return value.UnknownResult(c.At), true }

// newBuffer is the model of bytes.NewBuffer for bytes of which it isn't known how many more
// their array has room for: the buffer writes to that as far as it goes, and others may too.
func newBuffer(c *Call) (value.Value, bool) {
	s, ok := c.Args[0].(*value.Slice)
	if !ok || s.SureCap() == cap(s.Elems) {
		return nil, false
	}
	if call, ok := c.At.(*ast.CallExpr); ok && c.CopiesText(call.Args[0]) {
		return nil, false
	}
	why := c.because(s)
	c.Havoc(why, s)
	return why, true
}

// mapsClone is the model of maps.Clone.
func mapsClone(c *Call) (value.Value, bool) {
	m, ok := c.Args[0].(*value.Map)
	switch {
	case ok:
		return c.CloneMap(m), true
	case value.IsNil(c.Args[0]):
		return c.Args[0], true
	default:
		return c.because(c.Args[0]), true
	}
}
