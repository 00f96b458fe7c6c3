package eval_test

import "testing"

const genericDeclarations = `
type box[T any] struct{ of T }

type pair[K, V any] struct {
	key K
	of  V
}

type list[T any] = []T

type plain = int

func is[T any](v any) bool {
	_, ok := v.(T)
	return ok
}

func named[T any]() []any { return []any{box[T]{}, &box[box[T]]{}, pair[int, T]{}, pair[T, int]{}} }

func aliased[T any]() []any { return []any{list[T]{}, box[list[T]]{}, list[plain]{}, *new(plain)} }

func unnamed[K comparable, V any]() []any {
	return []any{map[K]V{}, map[string]V{}, map[K]int{}, [2]V{}, (<-chan V)(nil), func(K) (V, error) { panic(1) }, struct{ A K }{}, (*V)(nil)}
}

func local[T any]() any {
	type own struct{ of T }
	return own{}
}
`

func TestTypeArgs_AreThoseOfTheRunningFunction(t *testing.T) {
	requireAsPrinted(t, []string{"fmt"}, genericDeclarations, []struct{ name, body string }{
		{"of types with a name", `l := named[string](); show(is[box[string]](l[0])); show(is[box[int]](l[0])); show(is[*box[box[string]]](l[1])); show(is[pair[int, string]](l[2])); show(is[pair[string, int]](l[3])); show(is[pair[int, int]](l[3])); show(is[pair[int, int]](named[int]()[3]))`},
		{"of aliases", `l := aliased[string](); show(is[[]string](l[0])); show(is[[]int](l[0])); show(is[box[[]string]](l[1])); show(is[[]int](l[2])); show(is[int](l[3]))`},
		{"of types without a name", `l := unnamed[int, string](); show(is[map[int]string](l[0])); show(is[map[string]string](l[1])); show(is[map[int]int](l[2])); show(is[[2]string](l[3])); show(is[<-chan string](l[4])); show(is[func(int) (string, error)](l[5])); show(is[struct{ A int }](l[6])); show(is[*string](l[7]))`},
		{"of types of the function", `show(local[string]() == local[string]()); show(local[string]() == local[int]())`},
	})
}
