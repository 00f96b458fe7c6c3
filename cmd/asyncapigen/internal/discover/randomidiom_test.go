package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// idioms are statements in which a slip of an evaluator shows: what is copied and
// what is shared, what is evaluated when, and which statement is left. The text
// that a route tells stands in TELL(...). Placeholders are those of the library's
// functions, and NAME is a new name.
var idioms = []string{
	// copies
	"NAME := [3]int{$i, 2}\nNAMEb := NAME\nNAME[1] = $i\nTELL(NAME, NAMEb, NAME == NAMEb)",
	"NAME := [2][2]int{{$i}}\nNAMEb := NAME\nNAMEb[0][1]++\nNAMEp := &NAME[1]\nNAMEp[0] = 7\nTELL(NAME, NAMEb)",
	"NAME := S{A: $i, C: [3]int{1}}\nNAMEb := any(NAME)\nNAME.C[0] = $i\nNAME.A++\nTELL(NAME.C, NAMEb.(S).C, NAMEb.(S).A)",
	"NAME := map[string][3]int{\"a\": {$i}}\nNAMEb := NAME[\"a\"]\nNAMEb[0]++\nTELL(NAME, NAMEb)",
	"NAME := []S{{A: $i}, {A: 2}}\nfor _, x := range NAME {\nx.A = 9\n}\nfor i := range NAME {\nNAME[i].A += i\n}\nTELL(NAME[0].A, NAME[1].A)",
	"NAME := [3]int{1, 2, $i}\nNAMEn := 0\nfor i, x := range NAME {\nNAME[2] = 10\nNAMEn += x * (i + 1)\n}\nTELL(NAMEn, NAME)",
	"NAME := []int{1, 2, $i}\nNAMEn := 0\nfor i, x := range NAME {\nNAME[2] = 10\nNAME = append(NAME, i)\nNAMEn += x * (i + 1)\n}\nTELL(NAMEn, NAME)",
	"NAME := point{$i, 1}\nNAMEm := map[point]string{NAME: $s}\nNAME.X++\nNAMEm[NAME] += \"x\"\nfor k := range NAMEm {\nk.Y = 5\n}\nTELL(NAMEm, len(NAMEm))",
	"NAME := map[any]int{point{1, 2}: $i, [2]int{1}: 2, int8(1): 3, 1: 4}\nTELL(NAME[point{1, 2}], NAME[[2]int{1}], NAME[int8(1)], NAME[1], NAME[uint8(1)], len(NAME))",
	"NAME := func(a [3]int, s S) int { a[0], s.A = 5, 6; return a[0] + s.A }\nNAMEa, NAMEs := [3]int{$i}, S{A: $i}\nTELL(NAME(NAMEa, NAMEs), NAMEa, NAMEs.A)",
	"NAME := make(chan [2]int, 2)\nNAMEa := [2]int{$i}\nNAME <- NAMEa\nNAMEa[0] = 3\nTELL(<-NAME, NAMEa)",
	"NAME := Pair[[2]int, int]{[2]int{1, $i}, 2}\nNAMEb := NAME.Swapped()\nNAME.First[0] = 7\nTELL(NAME, NAMEb)",
	// what is shared
	"NAME := [4]int{1, 2, 3, $i}\nNAMEb := NAME[1:3]\nNAMEb[0] = $i\nNAMEb = append(NAMEb, 8)\nNAMEb = append(NAMEb, 9)\nNAMEb[1] = 0\nTELL(NAME, NAMEb, cap(NAME[1:2]), cap(NAME[:1:2]))",
	"NAME := make([]int, 2, 4)\nNAMEb, NAMEc := append(NAME, $i), append(NAME, $i, 5)\nNAMEb[0] = 3\nTELL(NAME, NAMEb, NAMEc)",
	"NAME := []int{1, 2, 3, 4, $i}\ncopy(NAME[1:], NAME)\nNAMEn := copy(NAME, NAME[3:])\nTELL(NAME, NAMEn, copy([]byte{1, 2}, $s))",
	"NAME := func(list ...int) []int { list[0] = 9; return list[:1] }\nNAMEl := []int{$i, 1}\nNAMEm := append(NAME(NAMEl...), 4)\nTELL(NAMEl, NAMEm, NAME(1, 2))",
	"NAME := $i\nNAMEp, NAMEf := &NAME, func() int { NAME++; return NAME }\n*NAMEp = 3\nNAMEn := NAMEf()\n*NAMEp += NAMEn\nTELL(NAME, NAMEn, NAMEf() == *NAMEp)",
	"NAME := &S{A: $i}\nNAMEu := U{NAME, square{1}, 2}\nNAMEv := NAMEu\nNAMEv.A++\nNAMEv.N++\nTELL(NAME.A, NAMEu.A, NAMEu.N, NAMEv.Add(1), NAMEu.shape.Area())",
	"NAME := map[string][]int{}\nNAME[\"a\"] = append(NAME[\"a\"], $i)\nNAMEb := NAME\nNAMEb[\"a\"][0]++\nNAMEb[\"b\"] = nil\nTELL(NAME, len(NAME))",
	// when something is evaluated
	"NAME := S{A: $i}\nNAMEf, NAMEg := NAME.Get, NAME.Add\nNAME.A = 20\nTELL(NAMEf(1), NAMEg(1), NAME.A)",
	"NAME := any(point{$i, 1})\nNAMEf := func(n int) int { NAME = point{n, 2}; return n }\nTELL(NAME.(point).X, NAMEf(5), NAME.(point), NAMEf(6), NAME)",
	"NAME := func() (s string) {\nvar v any = [1]int{$i}\ndefer func() { s = fmt.Sprint(recover()) }()\ndefer func() { v = [1]int{9} }()\npanic(v)\n}()\nTELL(NAME)",
	"NAME := []any{square{1}, point{1, 2}}\nNAMEb := NAME[0]\nNAME[0] = square{$i & 7}\nNAME[1], NAME[0] = NAME[0], NAME[1]\nTELL(NAME, NAMEb)",
	"NAME := shape(square{$i & 7})\nNAMEf := NAME.Area\nNAME = square{9}\nTELL(NAMEf(), NAME.Area(), shape.Area(NAME), square.Twice(square{1}, $i))",
	"NAME := func() (s string) {\nn := $i\ndefer func(n int) { s += fmt.Sprint(n) }(n)\ndefer func() { s += fmt.Sprint(n) }()\nn++\nfor i := range 2 {\ndefer func() { s += strconv.Itoa(i) }()\n}\nreturn \"r\"\n}\nTELL(NAME())",
	"NAME := S{A: $i}\nfunc() {\ndefer NAME.Add(NAME.A)\nNAME.A = 2\n}()\nTELL(NAME.A)",
	"NAME := 0\nNAMEl := []int{1, 2, $i}\nNAME, NAMEl[NAME] = 2, 7\nNAMEl[1], NAMEl[2] = NAMEl[2], NAMEl[1]\nTELL(NAME, NAMEl)",
	"NAME, NAMEl := 0, []int{1, 2, 3}\nNAMEf := func() int { NAME++; return NAME }\nNAMEl[NAMEf()] += $i\nNAMEl[NAMEf()] *= 2\nTELL(NAME, NAMEl)",
	"NAME := []func() int{}\nfor i := 0; i < 3; i++ {\nNAME = append(NAME, func() int { i += $i; return i })\n}\nTELL(NAME[0](), NAME[0](), NAME[1](), NAME[2]())",
	"NAME := []func() int{}\nfor i, x := range []int{$i, 2} {\nNAME = append(NAME, func() int { x++; return i + x })\n}\nTELL(NAME[0](), NAME[0](), NAME[1]())",
	"NAME := \"\"\nNAMEf := func(s string, b bool) bool { NAME += s; return b }\nNAMEb := NAMEf(\"a\", $b) && NAMEf(\"b\", $b) || NAMEf(\"c\", true)\nTELL(NAME, NAMEb)",
	"NAME := 1\n{\nNAME := NAME + $i\nNAME++\nif NAME := NAME * 2; NAME > 3 {\nNAME++\n}\nunused(NAME)\n}\nTELL(NAME)",
	// panics
	"NAME := func() (n int, err error) {\ndefer func() {\nif v := recover(); v != nil {\nerr = fmt.Errorf(\"%v\", v)\n}\n}()\nn = 1\nn = $L[$i]\nreturn\n}\nNAMEn, NAMEerr := NAME()\nTELL(NAMEn, NAMEerr)",
	"NAME := func() (s string) {\ndefer func() { s += fmt.Sprint(recover()) }()\ndefer func() {\ndefer func() { s += fmt.Sprint(recover()) }()\npanic($s)\n}()\npanic($i)\n}\nTELL(NAME())",
	"NAME := func() (s string) {\ndefer func() { s = fmt.Sprint(recover() == nil, recover(), s) }()\nfunc() { recover() }()\nreturn $s\n}\nTELL(NAME())",
	"NAME := try(func() { var m map[string]int; m[$s] = 1 })\nNAMEb := try(func() { unused(any($i).(string)) })\nNAMEc := try(func() { unused([]int{1, 2}[1:][$i&3]) })\nTELL(NAME, NAMEb, NAMEc)",
	"NAME := try(func() { var s shape; s.Area() })\nNAMEb := try(func() { var s *S; s.A = $i })\nNAMEc := try(func() { unused(any([]int{1}) == any([]int{1})) })\nTELL(NAME, NAMEb, NAMEc)",
	"NAME := try(func() { unused((*[2]int)($L)) })\nNAMEb := try(func() { unused($s[$i:]) })\nNAMEc := try(func() { unused(make([]int, $i&15-8)) })\nTELL(NAME, NAMEb, NAMEc)",
	// which statement is left
	"NAME := 0\nNAMEl:\nfor i := range 4 {\nfor j := range 4 {\nif j == 2 {\ncontinue NAMEl\n}\nif i == 3 {\nbreak NAMEl\n}\nNAME += 10*i + j + $i\n}\nNAME += 1000\n}\nTELL(NAME)",
	"NAME := \"\"\nNAMEl:\nfor i := range 5 {\nswitch i {\ncase $i:\ncontinue\ncase 3:\nbreak NAMEl\ncase 1:\nbreak\ndefault:\nNAME += \"d\"\n}\nNAME += strconv.Itoa(i)\n}\nTELL(NAME)",
	"NAME := \"\"\nfor i := range 4 {\nswitch {\ncase i == 0:\nNAME += \"a\"\nfallthrough\ncase i == $i:\nNAME += \"b\"\nif i == 2 {\nbreak\n}\nfallthrough\ndefault:\nNAME += \"c\"\ncase i == 3:\nNAME += \"e\"\n}\n}\nTELL(NAME)",
	"NAME := func(n int) (r int) {\ndefer func() { r *= 2 }()\nfor x := range count(5) {\ndefer func() { r += x }()\nif x == n {\nreturn x + 100\n}\n}\nreturn -1\n}\nTELL(NAME(2), NAME($i))",
	"NAME := \"\"\nNAMEl:\nfor i, x := range (&Stack[int]{}).Push($i, 2, 3, 4).All() {\nfor j := range count(3) {\nif j == 1 {\ncontinue NAMEl\n}\nif x == 3 {\nbreak NAMEl\n}\nNAME += fmt.Sprint(i, x, j)\n}\n}\nTELL(NAME)",
	"NAME := \"\"\nNAMEc, NAMEn := make(chan int, 1), (chan int)(nil)\nNAMEf := func(s string) int { NAME += s; return $i }\nselect {\ncase NAMEn <- NAMEf(\"a\"):\ncase NAMEc <- NAMEf(\"b\"):\ncase <-NAMEn:\n}\nTELL(NAME, <-NAMEc, len(NAMEc))",
	"NAME := make(chan int, 1)\nNAMEl := []int{$i, 2}\nNAME <- len(NAMEl)\nNAMEf := func() chan int { NAMEl[0]++; return nil }\nselect {\ncase NAMEl[len(NAME)] = <-NAME:\ncase <-NAMEf():\ndefault:\nNAMEl[1] = 7\n}\nTELL(NAMEl)",
	"NAME := \"\"\nNAMEl:\nfor {\nselect {\ndefault:\nNAME += \"x\"\nif len(NAME) > 2 {\nbreak NAMEl\n}\nbreak\n}\nNAME += \"y\"\n}\nTELL(NAME)",
	"NAMEn := 0\nNAMEa:\nif NAMEn > 3 {\ngoto NAMEb\n}\nNAMEn += 1 + $i&1\ngoto NAMEa\nNAMEb:\nTELL(NAMEn)",
	// loops that a package's variable ends
	"for dial.more() {\n}\nTELL(dial.n)",
	"for dials[$i&1].more() {\n}\nTELL(dials)",
	"for retries.n = 0; retries.n < 3; {\nretries.n++\n}\nTELL(retries.n)",
	"for {\nif retries.n += 1 + $i&1; retries.n > 5 {\nretries.n = 0\nbreak\n}\n}\nTELL(retries.n)",
	"NAME := func() bool { retries.log[1] += \"x\"; return len(retries.log[1])%3 == 0 }\nfor !NAME() {\n}\nTELL(retries.log)",
	"NAME:\nif dials[1].more() {\ngoto NAME\n}\nTELL(dials[1].n)",
	// numbers and texts
	"NAME, NAMEb, NAMEc := int8($i), uint8($i), uint32($i)\nTELL(NAME<<1, NAME>>1, NAME*NAME, -NAME, ^NAME, NAMEb<<7>>7, NAMEb-200, NAMEc-7, -NAMEc, NAME/3, NAME%3, NAME&^5)",
	"NAME := $i\nTELL(NAME>>1, NAME>>70, -NAME>>1, NAME/7, -NAME/7, NAME%7, -NAME%7, uint64(NAME)>>60, int16(NAME*40000), NAME<<62)",
	"NAME := math.MaxInt64\nNAME += $i & 3\nNAMEb := uint(0)\nNAMEb -= uint($i & 3)\nTELL(NAME, NAMEb, int32(NAMEb>>1), math.MinInt64/-max(1, $i&1))",
	"NAME := \"aé日\" + $s\nNAMEb := \"\"\nfor i, r := range NAME {\nNAMEb += fmt.Sprint(i, \" \", r, string(r))\n}\nTELL(NAMEb, len(NAME), NAME[1], []byte(NAME[:3]), []rune(NAME)[1], NAME[1:2], string([]byte{0xff, 'a'}))",
	"NAME, NAMEb := float32($f), $f\nTELL(NAME/3, NAMEb/3, NAME*NAME+0.1, NAMEb/0.1, float64(NAME)/0.1, int(NAMEb), -NAME, NAMEb == float64(NAME))",
	"NAME := $f - 1.5\nNAMEb := $f / NAME\nTELL(NAMEb, -NAME, NAME*-1, NAMEb == NAMEb, NAMEb > 1, 1/NAMEb, min(NAMEb, NAME), max(NAMEb, 1), any(NAMEb) == any(NAMEb), math.IsNaN(NAMEb))",
	"const NAME = 1 << 40 >> $k\nTELL(NAME/3, NAME%7, float32(NAME)/3, 'a'+$k, \"x\"[0]+$k, 7/2*2.0, len(\"é\")<<$k)",
	// types
	"NAME := []any{1, int8(1), uint8(1), 1.0, \"1\", level(1), small(1), nil, (*S)(nil), error(nil), '1', $i}\nNAMEn := \"\"\nfor i := range NAME {\nfor j := range NAME {\nif NAME[i] == NAME[j] {\nNAMEn += fmt.Sprint(i, j, \" \")\n}\n}\n}\nTELL(NAMEn)",
	"type NAME struct {\n*S\npoint\nX string\n}\nNAMEv := NAME{&S{A: $i}, point{3, 4}, $s}\nNAMEv.Add(2)\nNAMEv.Move(1)\nNAMEw := NAMEv\nNAMEw.point.X, NAMEw.X, NAMEw.A = 9, \"w\", 8\nTELL(NAMEv.A, NAMEv.X, NAMEv.Y, NAMEv.point, NAMEw.point.X, NAMEw.X)",
	"NAME := []any{shape(square{1}), &circle{}, level(1), money(1), code(1), &opError{}, small(1), $s}\nNAMEs := \"\"\nfor _, x := range NAME {\nswitch x := x.(type) {\ncase error:\nNAMEs += \"e\"\ncase fmt.Stringer, named:\nNAMEs += fmt.Sprintf(\"%T\", x)\ncase interface{ Grow(int) shape }:\nNAMEs += fmt.Sprint(x.Grow(1).Area())\ncase fmt.Formatter:\nNAMEs += \"f\"\n}\n}\nTELL(NAMEs)",
	"NAME := sum(small($i), 100, 100)\nNAMEb := identity(level(2))\nNAMEc := Stack[Pair[string, int]]{}\nNAMEc.Push(Pair[string, int]{$s, $i})\nTELL(NAME, NAMEb, NAMEc, apply([]level{1, 2}, level.String), fold([]string{\"a\", $s}, 0, func(n int, s string) int { return n*2 + len(s) }))",
	"var NAME *circle\nvar NAMEs shape = NAME\nNAMEe := error((*opError)(nil))\nTELL(NAMEs == nil, NAME == nil, NAMEs == shape(NAME), NAMEe == nil, any(NAME) == any((*S)(nil)), any(nil) == any(NAMEs))",
	"NAME := map[string]int{\"a\": $i, \"b\": 2}\nNAMEv, NAMEok := NAME[$s]\ndelete(NAME, \"b\")\nNAME[\"c\"]++\nNAMEn := map[string]int(nil)\ndelete(NAMEn, \"x\")\nTELL(NAMEv, NAMEok, NAME, NAMEn[\"x\"], len(NAMEn), NAMEn == nil)",
}

// idiom writes one of some idioms.
func (g *generator) idiom(of []string) {
	name := g.fresh()
	text := strings.ReplaceAll(g.filled(of, func(kind string) string { return g.expr(kind, 1) }), "NAME", name)
	before, told, _ := strings.Cut(text, "TELL")
	g.line("{\n%s%s\n}", before, g.register("strings.TrimSpace(fmt.Sprintln"+told+")"))
}

// An idiom that doesn't compile would never be in a program.
func TestGenerator_IdiomsCompile(t *testing.T) {
	b := newBench(t)
	for _, idiom := range idioms {
		g := &generator{next: func(n int) int { return 1 % n }, text: new(strings.Builder)}
		g.vars = []variable{{"i", "int"}, {"s", "string"}, {"f", "float64"}, {"b", "bool"}, {"l", "[]int"}}
		g.idiom([]string{idiom})
		s := sample{id: "p", text: "func p() {\ni, s, f, b, l := 1, \"\", 1.5, true, []int{1}\nunused(i, s, f, b, l)\n" + g.text.String() + "}\n"}
		require.NoError(t, b.check(s.source()), s.text)
	}
}
