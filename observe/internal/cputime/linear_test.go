package cputime_test

import (
	"strings"
	"testing"

	"github.com/warrenmq/warren/observe/internal/cputime"
)

// failing records that a test would have failed.
type failing struct {
	testing.TB
	failed bool
}

func (*failing) Helper()                 {}
func (f *failing) Fatalf(string, ...any) { f.failed = true }

func TestRequireLinear_TellsLinearFromQuadratic(t *testing.T) {
	scan := func(text string) {
		for i := range len(text) {
			if text[i] == 'b' {
				panic("there is none")
			}
		}
	}
	cputime.RequireLinear(t, "linear", 100_000, func(size int) func() {
		text := strings.Repeat("a", size)
		return func() { scan(text) }
	})
	recorded := &failing{TB: t}
	cputime.RequireLinear(recorded, "quadratic", 500, func(size int) func() {
		text := strings.Repeat("a", size)
		return func() {
			for i := range len(text) {
				scan(text[i:])
			}
		}
	})
	if !recorded.failed {
		t.Fatal("quadratic work passes for linear")
	}
}
