package discover_test

import (
	"fmt"
	"strings"
)

// A generator writes small Go programs that meet no outside world: what they
// register is determined by their text. Every choice is taken from next, so
// that random numbers make a program, and the bytes of a fuzzer as well.
type generator struct {
	next func(n int) int // a number from 0 to n-1

	text   strings.Builder
	vars   []variable
	names  int
	depth  int // of statements
	labels []string
}

type variable struct{ name, kind string }

// prelude declares what generated programs use.
const prelude = `package main

import (
	"context"
	"fmt"
	"strings"
	"strconv"

	"github.com/warrenmq/warren/runtime"
)

type S struct {
	A int
	B string
	C [3]int
	D *S
	E []int
}

func (s S) Get(n int) int   { s.A += n; return s.A }
func (s *S) Add(n int) int  { s.A += n; return s.A }
func (s *S) Name() string   { return s.B + "." }

type T struct {
	S
	F func(int) int
}

type named interface{ Name() string }

type small int8

func (n small) Name() string { return "small" }

func pick[X any](b bool, x, y X) X {
	if b {
		return x
	}
	return y
}

func apply[X, Y any](list []X, f func(X) Y) (result []Y) {
	for _, x := range list {
		result = append(result, f(x))
	}
	return
}

func pair(n int) (int, string) { return n + 1, strconv.Itoa(n) }

func on(context.Context, int) error { return nil }

var router = runtime.NewRouter()

func unused(...any) {}

`

var kinds = []string{
	"int", "int", "string", "string", "bool", "int8", "uint8", "[]int", "[]string", "[3]int",
	"map[string]int", "S", "*S", "any", "func(int) int", "T", "small",
}

// program writes a function called name.
func (g *generator) program(name string) {
	g.vars, g.labels, g.depth = nil, nil, 0
	g.line("func %s() {", name)
	g.line("defer func() {\nif v := recover(); v != nil {\nadd(\"%s panics\")\n}\n}()", name)
	for range 3 + g.next(8) {
		g.statement()
	}
	for _, v := range g.vars {
		g.show(v)
	}
	g.line("}\n")
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(&g.text, format+"\n", args...) }

func (g *generator) fresh() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

func (g *generator) declare(kind string) {
	name := g.fresh()
	switch g.next(3) {
	case 0:
		g.line("var %s %s = %s", name, kind, g.expr(kind, 0))
	case 1:
		g.line("var %s %s", name, kind)
	default:
		g.line("%s := %s(%s)", name, "("+kind+")", g.expr(kind, 0))
	}
	g.line("unused(%s)", name)
	g.vars = append(g.vars, variable{name, kind})
}

func (g *generator) variable(kind string) (string, bool) {
	var of []string
	for _, v := range g.vars {
		if v.kind == kind {
			of = append(of, v.name)
		}
	}
	if len(of) == 0 {
		return "", false
	}
	return of[g.next(len(of))], true
}

// show registers a route that tells the value of a variable.
func (g *generator) show(v variable) {
	switch v.kind {
	case "S":
		g.line("add(fmt.Sprint(%s.A, %s.B, %s.C, %s.D == nil, %s.E))", v.name, v.name, v.name, v.name, v.name)
	case "T":
		g.line("add(fmt.Sprint(%s.A, %s.B, %s.F == nil))", v.name, v.name, v.name)
	case "*S":
		g.line("if %s != nil {\nadd(fmt.Sprint(%s.A, %s.B, %s.C, %s.D == %s))\n}", v.name, v.name, v.name, v.name, v.name, v.name)
	case "map[string]int":
		g.line("add(fmt.Sprint(len(%s), %s[\"a\"], %s[\"b\"], %s == nil))", v.name, v.name, v.name, v.name)
	case "func(int) int":
		g.line("if %s != nil {\nadd(fmt.Sprint(%s(2), %s(3)))\n}", v.name, v.name, v.name)
	case "any":
		g.line("switch x := %s.(type) {\ncase nil:\nadd(\"nil\")\ncase int, string:\nadd(fmt.Sprint(x))\ncase named:\nadd(x.Name())\ncase *S:\nadd(\"*S\")\ndefault:\nadd(\"other\")\n}", v.name)
	default:
		g.line("add(fmt.Sprintf(\"%%v\", %s))", v.name)
	}
}

func (g *generator) block() {
	vars := len(g.vars)
	g.depth++
	g.line("{")
	for range 1 + g.next(3) {
		g.statement()
	}
	g.line("}")
	g.depth--
	g.vars = g.vars[:vars]
}

func (g *generator) statement() {
	if g.depth > 3 {
		g.assign()
		return
	}
	switch g.next(16) {
	case 0, 1, 2, 3:
		g.declare(kinds[g.next(len(kinds))])
	case 4, 5, 6, 7:
		g.assign()
	case 8:
		g.line("if %s", g.expr("bool", 0))
		g.trim()
		g.block()
		if g.next(2) == 0 {
			g.trim()
			g.text.WriteString(" else ")
			g.block()
		}
	case 9, 10:
		g.loop()
	case 11:
		g.line("switch %s {\ncase %s, %s:", g.expr("int", 0), g.expr("int", 1), "7")
		g.block()
		if g.next(2) == 0 {
			g.line("fallthrough")
		}
		g.line("default:")
		g.block()
		g.line("}")
	case 12:
		if len(g.vars) > 0 {
			g.show(g.vars[g.next(len(g.vars))])
		}
	case 13:
		g.line("%s func()", []string{"defer", ""}[g.next(2)])
		g.trim()
		labels := g.labels
		g.labels = nil
		g.block()
		g.labels = labels
		g.trim()
		g.line("()")
	case 14:
		g.leave()
	default:
		g.block()
	}
}

// trim takes back the last line break.
func (g *generator) trim() {
	text := strings.TrimSuffix(g.text.String(), "\n")
	g.text.Reset()
	g.text.WriteString(text)
}

func (g *generator) loop() {
	label := ""
	if g.next(2) == 0 {
		label = g.fresh()
		g.line("%s:", label)
	}
	vars := len(g.vars)
	i := g.fresh()
	switch g.next(4) {
	case 0:
		g.line("for %s := range %d", i, g.next(4))
	case 1:
		g.line("for %s := 0; %s < %d; %s++", i, i, g.next(4), i)
	case 2:
		g.line("for _, %s := range %s", i, g.expr("[]int", 1))
	default:
		g.line("for %s := range [3]int{%d}", i, g.next(3))
	}
	g.trim()
	g.vars = append(g.vars, variable{i, "int const"})
	outer := g.labels
	g.labels = append(g.labels, label)
	g.line(" {")
	if label != "" {
		g.line("if %s {\ncontinue %s\n}", g.expr("bool", 1), label)
	}
	g.line("unused(%s)", i)
	g.block()
	g.line("}")
	g.labels = outer
	g.vars = g.vars[:vars]
}

func (g *generator) leave() {
	if len(g.labels) == 0 {
		return
	}
	word := []string{"break", "continue"}[g.next(2)]
	g.line("if %s {\n%s %s\n}", g.expr("bool", 0), word, g.labels[g.next(len(g.labels))])
}

func (g *generator) assign() {
	if len(g.vars) == 0 {
		g.declare("int")
		return
	}
	v := g.vars[g.next(len(g.vars))]
	switch v.kind {
	case "int const":
	case "int", "int8", "uint8":
		if v.kind == "int" && g.next(4) == 0 {
			g.line("%s %s %s", v.name, []string{"=", "+=", "-="}[g.next(3)], g.effect())
			return
		}
		op := []string{"=", "+=", "-=", "*=", "|=", "^=", "&^=", "/=", "%="}[g.next(9)]
		g.line("%s %s %s", v.name, op, g.expr(v.kind, 0))
	case "small":
		g.line("%s++", v.name)
	case "string":
		g.line("%s %s %s", v.name, []string{"=", "+="}[g.next(2)], g.expr("string", 0))
	case "[]int":
		switch g.next(5) {
		case 4:
			g.line("%s = apply(%s, %s)", v.name, g.expr("[]int", 0), g.expr("func(int) int", 0))
		case 0:
			g.line("%s = append(%s[:len(%s):len(%s)], %s)", v.name, v.name, v.name, v.name, g.expr("int", 0))
		case 1:
			g.line("if len(%s) > 0 {\n%s[len(%s)-1] = %s\n}", v.name, v.name, v.name, g.expr("int", 0))
		case 2:
			g.line("%s = %s[min(1, len(%s)):]", v.name, v.name, v.name)
		default:
			g.line("copy(%s, %s)", v.name, g.expr("[]int", 0))
		}
	case "[3]int":
		g.line("%s[%s%%3] = %s", v.name, g.expr("int", 1), g.expr("int", 0))
	case "map[string]int":
		if g.next(3) == 0 {
			g.line("delete(%s, %s)", v.name, g.expr("string", 1))
			return
		}
		g.line("%s[%s] %s %s", v.name, g.expr("string", 1), []string{"=", "+="}[g.next(2)], g.expr("int", 0))
	case "S", "*S", "T":
		g.assignField(v)
	default:
		g.line("%s = %s", v.name, g.expr(v.kind, 0))
	}
}

func (g *generator) assignField(v variable) {
	switch g.next(7) {
	case 0:
		g.line("%s.A = %s", v.name, g.expr("int", 0))
	case 1:
		g.line("%s.B += %s", v.name, g.expr("string", 0))
	case 2:
		g.line("%s.C = %s", v.name, g.expr("[3]int", 0))
	case 3:
		g.line("%s.D = %s", v.name, g.expr("*S", 0))
	case 4:
		g.line("%s.E = %s", v.name, g.expr("[]int", 0))
	case 5:
		g.line("%s.A, %s.C[1] = %s.C[1], %s.Add(1)", v.name, v.name, v.name, v.name)
	default:
		g.line("%s = %s", v.name, g.expr(v.kind, 0))
	}
}

// effect returns a call that may change variables. It is the only one of its
// statement: the language leaves the order of calls and reads open.
func (g *generator) effect() string {
	if g.next(2) == 0 {
		return fmt.Sprintf("(%s).Add(%s)", g.expr("*S", 0), g.expr("int", 0))
	}
	return fmt.Sprintf("(%s)(%s)", g.expr("func(int) int", 0), g.expr("int", 0))
}

// expr returns an expression of a type without effects.
func (g *generator) expr(kind string, depth int) string {
	if name, ok := g.variable(kind); ok && g.next(3) > 0 {
		return name
	}
	if depth > 2 {
		return literals[kind]
	}
	depth++
	of := func(kind string) string { return g.expr(kind, depth) }
	if g.next(8) == 0 {
		return fmt.Sprintf("pick[%s](%s, %s, %s)", kind, of("bool"), of(kind), of(kind))
	}
	switch kind {
	case "int":
		return []func() string{
			func() string { return fmt.Sprint(g.next(20) - 5) },
			func() string {
				return fmt.Sprintf("(%s %s %s)", of("int"), []string{"+", "-", "*", "/", "%", "&", "|", "<<"}[g.next(8)], of("int"))
			},
			func() string {
				return fmt.Sprintf("len(%s)", of([]string{"string", "[]int", "map[string]int"}[g.next(3)]))
			},
			func() string { return fmt.Sprintf("%s[%s]", of("map[string]int"), of("string")) },
			func() string { return fmt.Sprintf("%s[%s]", of("[]int"), of("int")) },
			func() string { return fmt.Sprintf("(%s).Get(%s)", of("S"), of("int")) },
			func() string { return fmt.Sprintf("int(%s)", of([]string{"int8", "uint8", "small"}[g.next(3)])) },
			func() string { return fmt.Sprintf("max(%s, min(%s, 3))", of("int"), of("int")) },
			func() string { return fmt.Sprintf("strings.Index(%s, %s)", of("string"), of("string")) },
			func() string { return fmt.Sprintf("(%s).C[%d]", of("T"), g.next(3)) },
		}[g.next(10)]()
	case "int8", "uint8", "small":
		return fmt.Sprintf("%s(%s)", kind, of("int"))
	case "bool":
		switch g.next(6) {
		case 0:
			return fmt.Sprintf("(%s %s %s)", of("int"), []string{"<", "==", ">=", "!="}[g.next(4)], of("int"))
		case 1:
			return fmt.Sprintf("(%s %s %s)", of("string"), []string{"<", "==", ">="}[g.next(3)], of("string"))
		case 2:
			return fmt.Sprintf("(%s && !%s || %s)", of("bool"), of("bool"), of("bool"))
		case 3:
			return fmt.Sprintf("(%s == %s)", of("[3]int"), of("[3]int"))
		case 4:
			return fmt.Sprintf("(%s == %s)", of("*S"), of("*S"))
		default:
			return fmt.Sprintf("(any(%s) == %s)", of([]string{"int", "int8", "string"}[g.next(3)]), of("any"))
		}
	case "string":
		switch g.next(7) {
		case 0:
			return fmt.Sprintf("(%s + %s)", of("string"), of("string"))
		case 1:
			return fmt.Sprintf("fmt.Sprint(%s, %s)", of("int"), of("bool"))
		case 2:
			return fmt.Sprintf("strconv.Itoa(%s)", of("int"))
		case 3:
			return fmt.Sprintf("strings.Join(%s, %s)", of("[]string"), of("string"))
		case 4:
			return fmt.Sprintf("string([]byte{'x', byte('a' + (%s)&3)})", of("int"))
		case 5:
			return fmt.Sprintf("(%s)[:min(1, len(%s))]", "\"ab\"", of("string"))
		default:
			return fmt.Sprintf("%q", []string{"a", "b", "", "é"}[g.next(4)])
		}
	case "[]int":
		switch g.next(3) {
		case 0:
			return fmt.Sprintf("[]int{%s, %s}", of("int"), of("int"))
		case 1:
			return fmt.Sprintf("append([]int(nil), %s...)", of("[]int"))
		default:
			return fmt.Sprintf("make([]int, %d)", g.next(4))
		}
	case "[]string":
		if g.next(2) == 0 {
			return fmt.Sprintf("strings.Split(%s, \"a\")", of("string"))
		}
		return fmt.Sprintf("[]string{%s, 2: %s}", of("string"), of("string"))
	case "[3]int":
		return fmt.Sprintf("[3]int{%s, 2: %s}", of("int"), of("int"))
	case "map[string]int":
		return fmt.Sprintf("map[string]int{\"a\": %s, \"c\": %s}", of("int"), of("int"))
	case "S":
		if g.next(3) == 0 {
			return fmt.Sprintf("(%s).S", of("T"))
		}
		return fmt.Sprintf("S{A: %s, B: %s, C: %s}", of("int"), of("string"), of("[3]int"))
	case "*S":
		if name, ok := g.variable("S"); ok {
			return "&" + name
		}
		return fmt.Sprintf("&S{A: %s, D: %s}", of("int"), of("*S"))
	case "T":
		return fmt.Sprintf("T{%s, %s}", of("S"), of("func(int) int"))
	case "any":
		return fmt.Sprintf("any(%s)", of([]string{"int", "string", "*S", "small", "[3]int", "bool"}[g.next(6)]))
	default: // func(int) int
		switch g.next(4) {
		case 0:
			return fmt.Sprintf("(%s).Get", of("S"))
		case 1:
			if name, ok := g.variable("int"); ok {
				return fmt.Sprintf("func(n int) int { %s += n; return %s }", name, name)
			}
			return "func(n int) int { return n * n }"
		case 2:
			return fmt.Sprintf("func(n int) int { a, b := pair(n); return a + len(b) + %s }", of("int"))
		default:
			return fmt.Sprintf("func() func(int) int { x := %s; return func(n int) int { x += n; return x } }()", of("int"))
		}
	}
}

var literals = map[string]string{
	"int": "1", "int8": "int8(100)", "uint8": "uint8(200)", "small": "small(3)", "bool": "true", "string": `"a"`,
	"[]int": "[]int{1, 2}", "[]string": `[]string{"x"}`, "[3]int": "[3]int{1, 2, 3}", "map[string]int": `map[string]int{"a": 1}`,
	"S": "S{A: 1}", "*S": "(*S)(nil)", "T": "T{}", "any": "any(nil)", "func(int) int": "func(n int) int { return n }",
}
