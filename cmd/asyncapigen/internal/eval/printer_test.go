package eval_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// randomOperands are expressions of the program of library_test.go.
var randomOperands = []string{
	`1`, `-7`, `uint8(200)`, `'x'`, `"text"`, `""`, `"é\n"`, `1.5`, `-0.25`, `1e21`, `float32(0.1)`, `true`, `nil`,
	`color(1)`, `plain(3)`, `point{1, 2}`, `&point{3, 4}`, `(*point)(nil)`, `byPointer{"a"}`, `&byPointer{"b"}`,
	`promoted{point{1, 2}, 3}`, `&promoted{point{5, 6}, 7}`, `withError{3}`, `errBase`, `&wrapping{errBase}`, `formatting{}`,
	`goSyntax{4}`, `panicking{"why"}`, `panicking{withError{1}}`, `box[int]{5}`, `box[point]{point{1, 2}}`, `page[color]{[]color{0, 1}}`,
	`[]int{1, 2}`, `[]int(nil)`, `[]string{"a", "b c"}`, `[]byte("hi")`, `myBytes("my")`, `[2]bool{true}`, `[3]byte{1, 2, 3}`,
	`[]any{1, "a", nil, color(0), point{}}`, `[]error{errBase, nil}`, `[]fmt.Stringer{color(0), point{}}`, `[]point{{1, 2}}`,
	`map[string]int{"b": 1, "a": 2}`, `map[color]any{1: nil, 0: "z"}`, `map[int]point{3: {}, -1: {}}`, `map[string]int(nil)`,
	`map[bool][]int{true: {1}, false: nil}`, `struct{ A any; b color }{color(1), 1}`, `&struct{ E error }{errBase}`, `struct{}{}`,
	`shape{Name: "s", Tags: []string{"t"}, Any: box[string]{"v"}}`, `&shape{At: point{9, 9}, Color: 1, hidden: 1}`,
	`fmt.Errorf("e: %w", errBase)`, `errors.Join(errBase, withError{2})`, `3 * time.Second`, `time.March`, `time.Date(2024, 2, 3, 4, 5, 6, 7, time.UTC)`,
	`derived{base{1, 1, color(1), withError{2}}, 2}`, `&derived{}`, `deeper{derived{base{Color: 1}, 3}}`, `holding{color(1)}`, `holding{}`,
	`arraying{colors{0, 1}}`, `tabling{table{"a": 1}}`, `[]derived{{}}`, `struct{ base }{base{E: errBase}}`,
	`caught(func() { _ = 1 / len(none) })`, `caught(func() { _ = none[0] })`, `caught(func() { var m map[string]int; m["a"] = 1 })`,
	`caught(func() { var p *point; _ = p.X })`, `caught(func() { _ = [2]int(none) })`, `caught(func() { var c chan int; close(c) })`,
	`error(nil)`, `[][]byte{[]byte("x"), nil}`, `[]myBytes{myBytes("y")}`, `[1]*int{nil}`, `[]func(){nil}`,
}

func randomFormat(random *rand.Rand) string {
	var format strings.Builder
	for range 1 + random.IntN(3) {
		format.WriteString([]string{"", "a", " ", "é:"}[random.IntN(4)] + "%")
		for range random.IntN(3) {
			format.WriteByte("+-# 0"[random.IntN(5)])
		}
		if random.IntN(8) == 0 {
			fmt.Fprintf(&format, "[%d]", random.IntN(4))
		}
		if random.IntN(4) == 0 {
			format.WriteString([]string{"*", strconv.Itoa(random.IntN(9))}[random.IntN(2)])
		}
		if random.IntN(5) == 0 {
			format.WriteString([]string{".", ".*", ".2"}[random.IntN(3)])
		}
		format.WriteByte("vvvvsdxXqTtgfeobcUpw%z"[random.IntN(22)])
	}
	return format.String()
}

// What package fmt makes of any format and any operands is known as in the
// running program, or not at all.
func TestPrinter_PrintsAsTheLibrary(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 11))
	var bodies []struct{ name, body string }
	for i := range 60 {
		var body strings.Builder
		for range 25 {
			operands := make([]string, random.IntN(4))
			for j := range operands {
				operands[j] = randomOperands[random.IntN(len(randomOperands))]
			}
			list := strings.Join(append([]string{""}, operands...), ", ")
			switch random.IntN(8) {
			case 0:
				fmt.Fprintf(&body, "show(fmt.Sprint(%s))\n", strings.TrimPrefix(list, ", "))
			case 1:
				fmt.Fprintf(&body, "show(fmt.Sprintln(%s))\n", strings.TrimPrefix(list, ", "))
			case 2:
				fmt.Fprintf(&body, "show(fmt.Errorf(%q%s).Error())\n", randomFormat(random), list)
			default:
				fmt.Fprintf(&body, "show(fmt.Sprintf(%q%s))\n", randomFormat(random), list)
			}
		}
		bodies = append(bodies, struct{ name, body string }{strconv.Itoa(i), body.String()})
	}
	source := libraryProgram([]string{"bytes", "errors", "fmt", "io", "time"}, printedDeclarations, bodies, 0, len(bodies))
	source = strings.Replace(source, showDecl, "func show(v any) { fmt.Printf(\"%q\\n\", v) }\n", 1)
	want := strings.Split(strings.TrimSpace(printedBy(t, source)), "\n")
	t.Run("evaluated", func(t *testing.T) {
		got := evaluate(t, source).shown
		require.Len(t, got, len(want))
		unknown := 0
		for i := range want {
			if strings.HasPrefix(got[i], "unknown: ") {
				unknown++
				continue
			}
			printed, err := strconv.Unquote(want[i])
			require.NoError(t, err)
			require.Equal(t, printed, got[i], "line %d", i)
		}
		t.Logf("%d of %d aren't known", unknown, len(want))
		require.Less(t, unknown, len(want)/5)
	})
}

var printedDeclarations = libraryDeclarations[:strings.Index(libraryDeclarations, "type inner struct")] + `
var errBase = errors.New("base")

var none []int

func caught(do func()) (v any) {
	defer func() { v = recover() }()
	do()
	return nil
}

type base struct {
	Color color
	inner color
	Any   any
	E     error
}

type derived struct {
	base
	N int
}

type deeper struct{ derived }

type namer interface{ String() string }

type holding struct{ namer }

type colors []color

type arraying struct{ colors }

type table map[string]color

type tabling struct{ table }
`
