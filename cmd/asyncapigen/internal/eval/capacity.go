package eval

import (
	"go/types"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// sizes are those of the compiler on the machines that services run on.
var sizes = types.SizesFor("gc", "amd64")

// onStack is the size in bytes of the arrays of slices that the compiler may keep
// on the stack. It decides so by an analysis of its own, and the capacity of such
// a slice isn't what it would be otherwise.
const onStack = 32

// grownCapacity returns the least and the most capacity of an array for n elements
// to which append moves s.
func grownCapacity(elem types.Type, n int, s *value.Slice) (least, most int) {
	size := int(sizes.Sizeof(elem))
	if size == 0 {
		return n, n
	}
	least, most = 2*value.MaxElements, n
	consider := func(capacity int) {
		capacity = max(n, min(capacity, 2*value.MaxElements))
		least, most = min(least, capacity), max(most, capacity)
	}
	scanned := hasPointers(elem)
	grown := func(old int) int { return roundedUp(nextCapacity(n, old)*size, scanned) / size }
	consider(grown(cap(s.Elems)))
	for old := cap(s.Elems) + 1; old <= s.MostCapacity() && old < n; old++ {
		consider(grown(old))
	}
	if n <= onStack/size {
		consider(onStack / size)
		consider(roundedUp(n*size, scanned) / size) // where it is moved from the stack
	}
	return least, most
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

// roundedUp returns the size in bytes of the memory that package runtime gives for
// size bytes.
func roundedUp(size int, scanned bool) int {
	const header, withoutHeader, page = 8, 512, 8192
	extra := 0
	if scanned && size > withoutHeader {
		extra = header
	}
	if size > sizeClasses[len(sizeClasses)-1]-header {
		return (size + page - 1) / page * page
	}
	i, _ := slices.BinarySearch(sizeClasses, size+extra)
	return sizeClasses[i] - extra
}

// sizeClasses are the sizes of the small objects of package runtime.
var sizeClasses = []int{
	8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224,
	240, 256, 288, 320, 352, 384, 416, 448, 480, 512, 576, 640, 704, 768, 896, 1024,
	1152, 1280, 1408, 1536, 1792, 2048, 2304, 2688, 3072, 3200, 3456, 4096, 4864, 5376, 6144, 6528,
	6784, 6912, 8192, 9472, 9728, 10240, 10880, 12288, 13568, 14336, 16384, 18432, 19072, 20480, 21760, 24576,
	27264, 28672, 32768,
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
