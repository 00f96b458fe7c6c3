package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// implementing is an interface that one type implements, and a function that returns one of which
// nothing is known but that it is the program's own.
const implementing = `
func maybe(n int) bool { return os.Getpid() == n }

type only interface{ Only() string }

type silent struct{}

func (silent) Only() string { return "silent" }

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
		{"any type", `_, ok := asGiven[any](1, silent{}).(silent); show(ok)`, "unknown: whether asGiven[any](1, silent{}).(silent) succeeds, and so on the result of a recursion that is too deep to follow"},
	} {
		t.Run(test.name, func(t *testing.T) {
			source := libraryProgram([]string{"fmt", "os"}, implementing, []struct{ name, body string }{{test.name, test.body}}, 0, 1)
			require.Equal(t, []string{"# " + test.name, test.want}, evaluate(t, source).shown)
		})
	}
}
