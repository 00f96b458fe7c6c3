package eval_test

import "testing"

const constantDeclarations = `
type number interface{ ~float32 | ~float64 }

type single float32

type limit[T number] struct{ Most T }

var of = limit[single]{0.1}

const third = 1. / 3

const aboveHalf = 1 + 1./(1<<24) + 1./(1<<60) // which no float64 is

func compared[T number](x T) {
	show(x > 0.1); show(x < 0.1); show(x >= 0.1); show(x <= 0.1); show(x == 0.1); show(0.1 != x); show(x-0.1 == 0)
	show(min(x, 0.1) == x); show(max(0.1, x) == x)
	switch x {
	case 0.1:
		show("found")
	}
	switch {
	case 0.1 < x:
		show("larger")
	}
}

func assigned[T number](x T) {
	var y T = 0.1; show(x == y); y = 0.3; y -= 0.2; show(fmt.Sprint(y)); y = third; show(fmt.Sprint(y*3, y))
	show(T(0.1) == x); show([]T{0.1}[0] == x); show(limit[T]{0.1}.Most == x); show(map[T]int{0.1: 1}[x]); m := map[T]T{x: 0.2}; m[0.1] = 0.3; show(len(m))
	ch := make(chan T, 1); ch <- 0.1; show(<-ch == x); show(returned[T]() == x); show(variadic(x, 0.1)); show(func(y T) bool { return x == y }(0.1)); show(any(T(0.1)) == any(x))
	const tenth = 0.1; show(x == tenth); show(x*3 == tenth*3); for y := T(0); y < 0.3; y += 0.1 { show(fmt.Sprint(y)) }
}

func returned[T number]() (x T) { return 0.1 }

func variadic[T number](x T, others ...T) bool { return others[0] == x }

func precise[T number]() {
	var x T = aboveHalf; show(x == 1); show(T(aboveHalf) == 1); show(x == aboveHalf); x = -1e-50; show(fmt.Sprint(x)); show(fmt.Sprint(T(-1e-50))); x = 16777217; show(fmt.Sprint(int(x)))
}

func whole[T ~uint64 | ~float64 | ~float32](x T) { show(fmt.Sprint(x+16777217.0, x == 16777217, x*1e3, x/2, 7/(x+2), T(9007199254740993.0))) }

func integers[T ~int8 | ~int](x T) {
	show(map[T]int{2.0: 1}[x]); show(x == 2.0); show(fmt.Sprint([]any{T(2.0), x + 1.0, x << 2.0, x >> 1.0, 7.0 / x, x & 3.0, x % 2.0, -x * 2.0})); show(any(x) == any(x*0 + 2.0)); show(make([]int, x)[x-2.0]); var y T = 2.0; show(any(y) == any(x)); show(string(rune(y) + 'a')); var z any = y; switch z { case x: show("found") }
	show(len([]int{1, 2, 3}[:y])); show(y|1.0 == 3); y <<= 2.0; show(int(y)); y %= 3.0; show(int(y)); ch := make(chan T, 1); ch <- 4e0; show(int(<-ch)); show(fmt.Sprintf("%d %v", 4e0 + x, min(x, 1.0)))
}

func letters[T ~rune | ~float64](x T) { show(x == 'a'); show(fmt.Sprint(x + 'b')) }

func composed[T ~complex64 | ~complex128](x T) {
	show(x == 0.1+0.2i); show(fmt.Sprint(x*0.1, x+0.1i, x/third)); show(map[T]int{0.1 + 0.2i: 1}[x]); show(real(complex128(T(0.1))) == 0.1)
}

type asking interface{ ask() string }

type early struct{}

func (early) ask() string { return fmt.Sprintf("%T %v", later, later == any(math.Float64frombits(0x3fb999999999999a))) }

var asked = asking(early{}).ask() // before the turn of later, which the compiler has from the start

var later any = 0.1
`

var roundedConstants = []struct{ name, body string }{
	{"compared with a double", `compared(0.1)`},
	{"compared with a single", `compared(float32(0.1)); compared(single(0.1))`},
	{"assigned to a double", `assigned(0.1)`},
	{"assigned to a single", `assigned(float32(0.1)); assigned(single(0.1)); show(of.Most == 0.1)`},
	{"rounded once, and twice by a conversion", `precise[float32](); precise[float64]()`},
	{"whole", `whole(uint64(0)); whole(0.0); whole(float32(0)); letters('a'); letters(97.0); integers(2); integers(int8(2))`},
	{"complex", `composed(complex64(0.1 + 0.2i)); composed(0.1 + 0.2i)`},
	{"compared with an interface", `f := 0.1; var v any = f; show(v == 0.1); show(0.1 != v); show(any(f) == 0.1); switch v { case 0.1: show("found") }; z := 0.1+0.2i; v = z; show(v == 0.1+0.2i); v = float32(0.1); show(v == 0.1); show(v == float32(0.1)); switch v { case 0.1: show("another") ; case float32(0.1): show("single") }; switch (any)(f) { case third: show("third"); case 0.1: show("found") }`},
	{"in an interface", `f := 0.1; show(any(0.1).(float64) == f); show(any(0.1) == any(f)); show(map[any]int{any(0.1): 1}[f]); show(map[any]int{f: 1}[any(0.1)]); show(map[any]int{f: 1}[0.1]); show(reflect.DeepEqual(any(0.1), f)); show(reflect.DeepEqual([]any{any(third)}, []any{1 / (f*0 + 3)})); v := any(0.1+0.2i); show(real(v.(complex128)) == f); show(interface{ any }(0.1).(float64)*3 == f*3); show(any(0.1 - 0.0).(float64) == f)`},
	{"in what a package variable starts with", `show(asked); show(later == 0.1)`},
}

func TestConstants_AreRoundedToTheirTypes(t *testing.T) {
	requireAsPrinted(t, []string{"fmt", "math", "reflect"}, constantDeclarations, roundedConstants)
}

const unevaluatedDeclarations = `
type sized struct {
	first byte
	of    [3]int
	to    *[3]int
	next  *sized
}

var (
	calls int
	none  *sized
	empty []*sized
	five  = 5
	sum   any = 3
	to    *[3]int
)

func called() *sized { calls++; return nil }

func pointed() *[3]int { calls++; return nil }

func listed() [3]int { calls++; return [3]int{} }

func exactly(x int64) int64 { return x }

func result() int64 { return int64(9007199254740993.0) }

func sizeOf[T any](x func() T) uintptr { n := unsafe.Sizeof(x()); _, _ = unsafe.Alignof(x()), unsafe.Offsetof(struct{ a T; b int }{a: x()}.b); return n }

func panics(f func()) { defer func() { show(recover() != nil); show(calls); calls = 0 }(); f() }

func length[T [3]int | [4]int](p *T) int { return len(*p) }

func within[T [3]int | [4]int](p *struct{ of T }) int { return cap(p.of) }

func rounds[T [3]int](p *T) { for range *p {} }

func keys[T [3]int](p *T) { for i := range *p { _ = i } }

func fields[T [3]int](p *struct{ of T }) { for i := range p.of { _ = i } }

func pointers[T *[3]int](p T) int { n := len(p); for i := range p { n += i }; for i, _ := range p { n += i }; return n }

type generic[T any] [3]T

func ofGeneric[T any](p *generic[T]) int { n := len(*p); for i := range *p { n += i }; return n }
`

var unevaluated = []struct{ name, body string }{
	{"a conversion of a constant", `x := int64(9007199254740993.0); show(x); var y uint64 = uint64(18446744073709551615.0); show(y); show(exactly(int64(1e18 + 1))); show(result()); z := float32(-1e-50); show(1/z > 0); show(fmt.Sprint(z, complex64(-1e-50))); u := float32(1.000000059604644775390626); show(fmt.Sprint(u)); f := func(x float32) { show(fmt.Sprint(x)) }; f(float32(-1e-50)); d := (int64)(1e17 + 3); show(d); go exactly(int64(9007199254740993.0))`},
	{"a function of the language", `x := min(-1e-400, 0.0); show(fmt.Sprint(x)); y := real(-1e-400 + 1i); show(fmt.Sprint(y)); z := complex(-1e-400, 1); show(fmt.Sprint(z)); n := len(none.of); show(n)`},
	{"a size", `_ = unsafe.Sizeof(called()); x := unsafe.Sizeof(*called()); var y uintptr = unsafe.Alignof(called()) + 0; show(int(x)); show(int(y)); show(calls); panics(func() { x := unsafe.Offsetof(called().of); show(int(x)) }); n, m := calls, unsafe.Sizeof(called()); show(n); show(int(m)); a := [...]int{0, int(unsafe.Sizeof(called()))}; show(a[1]+calls)`},
	{"a size of a type parameter", `show(int(sizeOf(called))); show(int(sizeOf(func() [2]string { calls++; return [2]string{} }))); show(calls)`},
	{"an array of which the length is asked for", `panics(func() { show(len(none.of)+cap(none.next.of)+len(*to)+len(to)+len(*none.to)) }); panics(func() { n := len(empty[five].of); show(n) }); panics(func() { n := len(sum.([3]int)); show(n) }); panics(func() { n := len([3]int(make([]int, 1))); show(n) }); panics(func() { n := len([1]func(){func() { called() }}); show(n) }); panics(func() { n := len([1]int{len("x") / (five - 5)}); show(n) })`},
	{"but for one with a call", `panics(func() { n := len([1]int{1 / len(empty)}); show(n) }); panics(func() { n := len(*pointed()); show(n) }); panics(func() { n := len(pointed()); show(n) }); panics(func() { n := len(called().of); show(n) }); panics(func() { n := cap(called().to); show(n) }); panics(func() { n := len(listed()); show(n) }); panics(func() { n := len(empty[len(empty)].of); show(n) }); panics(func() { ch := make(chan *sized, 1); ch <- nil; n := len((<-ch).of); show(n) })`},
	{"but for one of a type parameter", `panics(func() { show(length[[3]int](nil)) }); panics(func() { show(length(&[4]int{})) }); panics(func() { show(within[[3]int](nil)) }); panics(func() { show(ofGeneric[int](nil)) })`},
	{"an array that one variable ranges over", `panics(func() { for range none.of {} }); panics(func() { for i := range none.next.of { show(i) } }); panics(func() { for _ = range *to {} }); panics(func() { for i := range to { show(i) } }); panics(func() { for range empty[five].of {} }); panics(func() { for range sum.([3]int) {} }); panics(func() { for range [1]func(){func() { called() }} {} }); panics(func() { for range [1]int{len("x") / (five - 5)} {} }); panics(func() { for range (*[3]int)(make([]int, 1)) {} })`},
	{"but for one that a call gives", `panics(func() { for i := range pointed() { show(i) } }); panics(func() { for i := range *pointed() { show(i) } }); panics(func() { for range called().of {} }); panics(func() { for range (listed()) {} }); panics(func() { for range [1]int{1 / len(empty)} {} }); panics(func() { for range empty[len(empty)].of {} }); panics(func() { ch := make(chan *sized, 1); ch <- nil; for range (<-ch).of {} })`},
	{"but for one that two range over", `panics(func() { for i, _ := range none.of { show(i) } }); panics(func() { for _, _ = range none.of {} }); panics(func() { for i, _ := range to { show(i) } }); panics(func() { for i, _ := range *to { show(i) } }); panics(func() { for i, _ := range none.to { show(i) } }); panics(func() { for i, _ := range pointed() { show(i) } }); panics(func() { var i int; for i, _ = range empty[five].of { show(i) } }); panics(func() { for i, _ := range sum.([3]int) { show(i) } }); panics(func() { for i, v := range to { show(i + v) } })`},
	{"but for one of a type parameter that is ranged over", `panics(func() { rounds[[3]int](nil) }); panics(func() { keys[[3]int](nil) }); panics(func() { fields[[3]int](nil) }); panics(func() { show(pointers[*[3]int](nil)) })`},
}

func TestConstants_AreNotEvaluated(t *testing.T) {
	requireAsPrinted(t, []string{"fmt", "unsafe"}, unevaluatedDeclarations, unevaluated)
}
