package model

import (
	"go/constant"
	"go/types"
	"sort"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// sortSlice is the model of sort.Slice and SliceStable. It sorts in place, by the
// same swaps as the running program and by the program's own function.
func sortSlice(run func(sort.Interface)) Function {
	return func(c *Call) (value.Value, bool) {
		if len(c.Args) != 2 || value.IsNil(c.Args[0]) {
			return value.Tuple{}, true
		}
		slice, ok := c.Args[0].(*value.Slice)
		if !ok {
			c.Expose(c.At, c.Args, c.because(c.Args[0]))
			return value.Tuple{}, true
		}
		s := &sorter{call: c, cells: slice.Elems, less: c.Args[1]}
		run(s)
		if s.unknown != nil {
			c.Havoc(s.unknown, slice)
			c.exposeFunctions(c.Args, s.unknown)
		}
		return value.Tuple{}, true
	}
}

type sorter struct {
	call    *Call
	cells   []*value.Cell
	less    value.Value
	unknown *value.Unknown // the first comparison that isn't known
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
	s.call.Store(s.cells[i], b)
	s.call.Store(s.cells[j], a)
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
	shared := make(map[*value.Cell]bool, len(cells[0]))
	for _, cell := range cells[0] {
		shared[cell] = true
	}
	found := false
	for _, cell := range cells[1] {
		found = found || shared[cell]
	}
	return value.NewConst(constant.MakeBool(found), types.Typ[types.Bool]), true
}

// mapsClone is the model of maps.Clone.
func mapsClone(c *Call) (value.Value, bool) {
	m, ok := c.Args[0].(*value.Map)
	if !ok {
		return c.Args[0], true
	}
	return c.CloneMap(m), true
}
