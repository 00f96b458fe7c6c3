package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What takes the evaluation time counts for its bounds, so that no program takes hours.
func TestAffords_CountsWhatTakesTime(t *testing.T) {
	for _, test := range []struct {
		name, body string
		most       int // how often it may be evaluated
	}{
		{"rounds over a number", `for range 1000 {}`, 2000},
		{"rounds", `for i := 0; i < 1000; i++ {}`, 550},
		{"calls", `f := func() {}; for range 1000 { f() }`, 700},
		{"elements that a list begins with", `for range 100 { _ = append([]int(nil), list...) }`, 100},
		{"elements that are appended where there is room", `room := make([]int, 0, 1000); for range 100 { _ = append(room, list...) }`, 100},
		{"elements that move to another array", `for range 100 { _ = append(list[:1000:1000], 1) }`, 100},
		{"elements that are copied", `other := make([]int, 1000); for range 100 { copy(list, other) }`, 100},
		{"variables that a goroutine sees", `for range 100 { go func() { list[0] = 1 }() }`, 100},
		{"bytes", `s := strings.Repeat("a", 10_000); for range 100 { _ = s + "b" }`, 100},
		{"bytes of a string", `s := strings.Repeat("a", 10_000); for range 100 { _ = []byte(s) }`, 100},
		{"bytes that become a string", `s := []byte(strings.Repeat("a", 10_000)); for range 100 { _ = string(s) }`, 100},
		{"bytes that a function looks at", `s := strings.Repeat("a", 10_000); for range 100 { _ = strings.Contains(s, "b") }`, 100},
		{"bytes that a regular expression is compared with", `s, re := strings.Repeat("x", 10_000), regexp.MustCompile("(x+x+)+y"); for range 10 { _ = re.MatchString(s) }`, 100},
		{"arrays that are compared", `var a, b [10_000]int; for range 100 { _ = a == b }`, 100},
		{"entries that are counted", `m := map[int]int{}; for i := range 1000 { m[i] = i }; for range 1000 { _ = len(m) }`, 100},
		{"entries that are not visited", `m := map[int]int{}; for i := range 1000 { m[i] = i }; for range 100 { for range m { break } }`, 100},
		{"what an unknown list may be", `one := [][]int{list, nil}[os.Getpid()&1]; for range 100 { _ = append(one, 1) }`, 100},
		{"memory around a variable", `other := make([]*int, 1000); for i := range other { other[i] = new(int) }; for range 100 { *(*int)(unsafe.Pointer(uintptr(unsafe.Pointer(&other[0])) + 8)) = 1 }`, 400},
		{"functions that may be called at any time", `n := 0; for range 50 { http.HandleFunc("/", func(http.ResponseWriter, *http.Request) { n++ }) }; for range 50 { http.ListenAndServe("", nil); n = 0 }`, 800},
	} {
		t.Run(test.name, func(t *testing.T) {
			recorded := evaluate(t, libraryProgram([]string{"fmt", "net/http", "os", "regexp", "strings", "unsafe"},
				"\nvar _ http.Header\nvar _ = os.Exit\nvar _ = regexp.MustCompile\nvar _ = strings.Repeat\nvar _ unsafe.Pointer\n",
				[]struct{ name, body string }{{"", "list := make([]int, 1000); _ = list; " + test.body}}, 0, 1))
			require.LessOrEqual(t, recorded.affords, test.most)
		})
	}
}
