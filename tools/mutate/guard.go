package main

import (
	"cmp"
	"fmt"
	"go/token"
	"slices"
	"strconv"
)

// The functions that guarded code calls, which a file of its package has: slipFunctions.
const (
	askSlip   = "mutateSlip"
	slipOne   = "mutateOne"
	slipError = "mutateError"
)

var slipOperators = map[token.Token]string{
	token.LSS: "mutateLess", token.LEQ: "mutateLessOrEqual", token.GTR: "mutateGreater", token.GEQ: "mutateGreaterOrEqual",
	token.SUB: "mutateMinus",
}

// slipFunctions is their source, by the package's name.
func slipFunctions(name string) []byte {
	return fmt.Appendf(nil, `package %s

import (
	"cmp"
	"testing"
)

func mutateSlip(number int32) bool { return testing.MutateIs(number) }

func mutateOne(number int32) int {
	if mutateSlip(number) {
		return 1
	}
	return 0
}

func mutateError(number int32, err error) error {
	if mutateSlip(number) {
		return nil
	}
	return err
}

func mutateLess[T cmp.Ordered](number int32, a, b T) bool { return a < b || a == b && mutateSlip(number) }

func mutateLessOrEqual[T cmp.Ordered](number int32, a, b T) bool { return a < b || a == b && !mutateSlip(number) }

func mutateGreater[T cmp.Ordered](number int32, a, b T) bool { return a > b || a == b && mutateSlip(number) }

func mutateGreaterOrEqual[T cmp.Ordered](number int32, a, b T) bool { return a > b || a == b && !mutateSlip(number) }

func mutateMinus[T ~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr | ~float32 | ~float64 | ~complex64 | ~complex128](number int32, a, b T) T {
	if mutateSlip(number) {
		return a + b
	}
	return a - b
}
`, name)
}

// A numbered change has a guard in a build.
type numbered struct {
	mutation
	number int // from 1
}

// guardText returns a file's text with the guards of changes of it, one within another where
// their nodes are. What negates a condition is around what is changed in it: the guard of an
// operator has its operands within, and none that stands for the whole.
func guardText(text []byte, changes []numbered) string {
	all := slices.Clone(changes)
	slices.SortStableFunc(all, func(a, b numbered) int {
		return cmp.Or(cmp.Compare(a.guard.from, b.guard.from), cmp.Compare(b.guard.to, a.guard.to), cmp.Compare(a.depth(), b.depth()))
	})
	return guardPart(text, all, 0, len(text))
}

// depth is less for a change whose guard is around those of others at the same place.
func (c numbered) depth() int {
	if c.kind == negatedCondition {
		return 0
	}
	return 1
}

// guardPart returns a part of a text with the guards of those changes that are within it.
// They are sorted, the outer ones first.
func guardPart(text []byte, changes []numbered, from, to int) string {
	var made []byte
	at := from
	for i, c := range changes {
		if c.guard.from < at || c.guard.to > to {
			continue // elsewhere, or within the last one
		}
		made = append(made, text[at:c.guard.from]...)
		inner := changes[i+1:]
		made = append(made, c.guard.text(strconv.Itoa(c.number), func(from, to int) string { return guardPart(text, inner, from, to) })...)
		at = c.guard.to
	}
	return string(append(made, text[at:to]...))
}
