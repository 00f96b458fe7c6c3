package eval

import (
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// sizes are those of the compiler on the machines that services run on.
var sizes = types.SizesFor("gc", "amd64")

// memorySize returns how many bytes a value of a type takes, and whether that is known: it isn't
// for a type parameter.
func memorySize(t types.Type) (size int64, known bool) {
	if value.HasTypeParam(t) {
		return 0, false
	}
	return sizes.Sizeof(t), true
}

// onStack is the size in bytes of the arrays of slices that the compiler may keep
// on the stack. It decides so by an analysis of its own, and the capacity of such
// a slice isn't what it would be otherwise.
const onStack = 32

// grownCapacities returns the capacities that an array for n elements may have, to
// which append moves s. The array of few elements may be one on the stack, and be
// moved to the heap later.
func grownCapacities(elem types.Type, n int, s *value.Slice) []int {
	size, known := memorySize(elem)
	if known {
		return capacitiesOf(int(size), hasPointers(elem), n, s)
	}
	caps := []int{n}
	for _, size := range []int{1, 2, 4, 8, 16, 24, 32, 64} { // an element takes any number of bytes
		caps = append(caps, capacitiesOf(size, size >= 8, n, s)...)
	}
	slices.Sort(caps)
	return slices.Compact(caps)
}

func capacitiesOf(size int, scanned bool, n int, s *value.Slice) []int {
	if size == 0 {
		return []int{n}
	}
	rounded := func(n int) int { return value.RoundedUp(n*size, scanned) / size }
	var caps []int
	add := func(c int) {
		if !slices.Contains(caps, c) {
			caps = append(caps, c)
		}
	}
	olds := s.Caps
	if olds == nil {
		olds = []int{cap(s.Elems)}
	}
	for _, old := range olds {
		if old < n {
			add(rounded(nextCapacity(n, old)))
		}
	}
	if n <= onStack/size {
		add(onStack / size)
		add(rounded(n))
	}
	return caps
}

// nextCapacity is the number of elements for which package runtime asks.
func nextCapacity(n, old int) int {
	const threshold = 256
	if n > 2*old {
		return n
	}
	if old < threshold {
		return 2 * old
	}
	for old < n {
		old += (old + 3*threshold) >> 2
	}
	return old
}

// hasPointers reports whether values of a type are searched by the garbage
// collector.
func hasPointers(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0 || u.Kind() == types.UnsafePointer
	case *types.Array:
		return u.Len() > 0 && hasPointers(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if hasPointers(field.Type()) {
				return true
			}
		}
		return false
	default:
		return true
	}
}
