package eval_test

import "testing"

// What a package's variables consist of was there before any loop that changes it, though
// nothing has used them before.
func TestLoop_SeesThatAPackagesVariablesChange(t *testing.T) {
	const declarations = `
var _ = fmt.Sprint

type counter struct{ n int }

func (c *counter) next() int { c.n++; return c.n }

var (
	first    struct{ n int }
	second   struct{ n int }
	third    struct{ n int }
	fourth   struct{ n int }
	within   struct{ counter }
	counters [2]counter
	atom     atomic.Int32
	text     strings.Builder
	queue    list.List
)
`
	requireAsPrinted(t, []string{"container/list", "fmt", "strings", "sync/atomic"}, declarations, []struct{ name, body string }{
		{"a field", `for { if first.n++; first.n > 2 { break } }; show(first.n)`},
		{"a field by a condition", `for second.n < 3 { second.n++ }; show(second.n)`},
		{"a method", `for within.next() < 3 { }; show(within.n)`},
		{"an element", `for counters[1].next() < 3 { }; show(counters[1].n)`},
		{"a goto", `again: if third.n++; third.n < 6 { goto again }; show(third.n)`},
		{"a number that is changed at once", `for atom.Add(1) < 3 { }; show(int(atom.Load()))`},
		{"a text", `for text.Len() < 3 { text.WriteByte('x') }; show(text.String())`},
		{"a list", `for queue.Len() < 3 { queue.PushBack(1) }; show(queue.Len())`},
		{"a function that is tried again", `try := func() bool { fourth.n++; return fourth.n < 3 }; retry := func(f func() bool) { for { if !f() { return } } }; retry(try); show(fourth.n)`},
	})
}
