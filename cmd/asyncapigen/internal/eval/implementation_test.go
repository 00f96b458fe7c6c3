package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// implementing are interfaces that types implement, and functions that return one of which
// nothing is known but that it is the program's own.
const implementing = `
func maybe(n int) bool { return os.Getpid() == n }

type only interface{ Only() string }

type both interface{ Both() string }

type beside interface{ Beside() string }

type counted interface{ Counted() string }

type silent struct{}

func (silent) Only() string { return "silent" }

func (silent) Both() string { return "silent" }

func (silent) Beside() string { return "silent" }

func (silent) Counted() string { return "silent" }

type loud struct{}

func (*loud) Both() string { return "loud" }

// neverOf has no instance, and onceOf has one.
type (
	neverOf[T any] struct{}
	onceOf[T any]  struct{}
)

func (neverOf[T]) Beside() string { return "never" }

func (onceOf[T]) Counted() string { return "once" }

var _ onceOf[int]

// asGiven returns what it is given, by a recursion that is too deep to be followed.
func asGiven[T any](n int, v T) T {
	if maybe(n) {
		return asGiven(n+1, v)
	}
	return v
}
`

func TestImplementation_IsNoTypeOfTheProgram(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"the only type", `show(asGiven[only](1, silent{}).Only())`, "unknown: the result of asGiven[only](1, silent{}).Only(), and so on the result of a recursion that is too deep to follow"},
		{"one of two types", `show(asGiven[both](1, silent{}).Both())`, "unknown: the result of asGiven[both](1, silent{}).Both(), and so on the result of a recursion that is too deep to follow"},
		{"a type beside a generic one without an instance", `show(asGiven[beside](1, silent{}).Beside())`, "unknown: the result of asGiven[beside](1, silent{}).Beside(), and so on the result of a recursion that is too deep to follow"},
		{"a type beside an instance", `show(asGiven[counted](1, silent{}).Counted())`, "unknown: the result of asGiven[counted](1, silent{}).Counted(), and so on the result of a recursion that is too deep to follow"},
		{"any type", `_, ok := asGiven[any](1, silent{}).(silent); show(ok)`, "unknown: whether asGiven[any](1, silent{}).(silent) succeeds, and so on the result of a recursion that is too deep to follow"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := libraryProgram([]string{"fmt", "os"}, implementing, []struct{ name, body string }{{test.name, test.body}}, 0, 1)
			require.Equal(t, []string{"# " + test.name, test.want}, evaluate(t, source).shown)
		})
	}
}
