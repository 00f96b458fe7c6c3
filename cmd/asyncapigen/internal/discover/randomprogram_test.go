package discover_test

import (
	"fmt"
	"strings"
)

// A generator writes Go programs over the grammar of the language and the
// functions that the evaluator knows. Every choice is taken from next, so that
// random numbers make a program, and the bytes of a fuzzer as well.
//
// A program registers routes whose fields depend on what it computed. What a
// plain program registers is determined by its text. One that meets the world
// (see world) also reads the environment, the arguments and a file.
type generator struct {
	next  func(n int) int // a number from 0 to n-1
	world bool

	id       string            // of the program: the names that it declares begin with it
	top      strings.Builder   // declarations
	text     *strings.Builder  // the body that is being written
	structs  map[string]fields // the structs that it declares
	palette  []string
	vars     []variable
	names    int
	depth    int // of statements
	labels   []label
	repeats  int // how many loops and functions are around: a route may be registered again
	meetings int // how often it has met the world
}

type variable struct{ name, kind string }

type label struct {
	name   string
	isLoop bool
}

// fields are those of a struct: a name and a type each.
type fields [][2]string

// A sample is a program: declarations, among them that of a function with the
// name of the id.
type sample struct {
	id, text string
	world    bool // it meets the world
}

// sample writes a program.
func (g *generator) sample(id string) sample {
	g.id, g.structs, g.vars, g.labels, g.depth, g.repeats, g.meetings = id, make(map[string]fields), nil, nil, 0, 0, 0
	g.top.Reset()
	g.choosePalette()
	for range g.next(3) {
		g.declareType()
	}
	for range g.next(3) {
		g.declareGlobal()
	}
	body := g.captured(func() {
		g.line("func %s() {", id)
		if g.next(16) > 0 { // else it serves only if nothing panics
			g.line("defer func() {\nif v := recover(); v != nil {\n%s\n}\n}()", g.register(`"panics"`))
		}
		for range 3 + g.next(8) {
			g.statement()
		}
		if g.world {
			g.meet()
			for range 1 + g.next(3) {
				g.statement()
			}
		}
		for _, v := range g.vars {
			g.show(v)
		}
		g.line("}\n")
	})
	text := g.top.String() + body
	return sample{id: id, text: text, world: g.world}
}

// captured returns what write writes.
func (g *generator) captured(write func()) string {
	around := g.text
	g.text = new(strings.Builder)
	defer func() { g.text = around }()
	write()
	return g.text.String()
}

func (g *generator) line(format string, args ...any) {
	if len(args) == 0 {
		g.text.WriteString(format + "\n")
		return
	}
	fmt.Fprintf(g.text, format+"\n", args...)
}

func (g *generator) fresh() string {
	g.names++
	return fmt.Sprintf("v%d", g.names)
}

// global returns a new name for a declaration outside of functions.
func (g *generator) global() string {
	g.names++
	return fmt.Sprintf("%s_%d", g.id, g.names)
}

// oneOf returns one of the alternatives.
func (g *generator) oneOf(alternatives ...string) string {
	return alternatives[g.next(len(alternatives))]
}

// register returns a statement that registers a route which tells a text.
func (g *generator) register(text string) string {
	g.names++
	site := fmt.Sprintf("r%d", g.names)
	if g.repeats > 0 || g.next(3) > 0 {
		return fmt.Sprintf("add(%q, %s)", site, text)
	}
	var more string
	switch g.next(4) {
	case 0:
		more = fmt.Sprintf(", Tags: []string{%q}, RoutingKeys: nil", site)
	case 1:
		more = fmt.Sprintf(", Exchange: &runtime.Exchange{Name: %q, Type: runtime.Topic, Durable: %s}, RoutingKeys: []string{\"a\", %q}", site, g.expr("bool", 2), site)
	}
	queue := fmt.Sprintf("runtime.Queue{Name: %q, Durable: %s, Arguments: map[string]any{\"x-max-length\": %d}}", site, g.expr("bool", 2), g.next(9))
	route := fmt.Sprintf("runtime.Route{Name: %q, Description: %s, Queue: %s, Handler: runtime.Consume(on)%s}", site, text, queue, more)
	if g.next(2) == 0 {
		return fmt.Sprintf("router.MustRegister(%s)", route)
	}
	return fmt.Sprintf("if err := router.Register(%s); err != nil {\npanic(err)\n}", route)
}

// show registers a route that tells the value of a variable.
func (g *generator) show(v variable) {
	g.line("%s", g.register(g.tell(v.name, v.kind)))
}

// tell returns an expression of the text that says what a value is.
func (g *generator) tell(expr, kind string) string {
	switch classOf(kind) {
	case "pointer":
		return fmt.Sprintf("through(%s, func(x %s) string { return %s })", expr, kind[1:], g.tellShort("x", kind[1:]))
	case "func":
		in, out := funcTypes(kind)
		return fmt.Sprintf("func() string {\nf := %s\nif f == nil {\nreturn \"nil\"\n}\nx, y := f(%s), f(%s)\nreturn %s + %s\n}()",
			expr, literal(in), literal(in), g.tellShort("x", out), g.tellShort("y", out))
	case "channel":
		return fmt.Sprintf("fmt.Sprint(len(%s), cap(%s), %s == nil)", expr, expr, expr)
	case "complex":
		return fmt.Sprintf("fmt.Sprint(real(%s), imag(%s))", expr, expr)
	case "any", "error", "shape":
		return fmt.Sprintf("describe(%s)", expr)
	case "slice":
		return fmt.Sprintf("fmt.Sprint(len(%s), %s == nil, cap(%s[:0:len(%s)])) + each(%s, func(x %s) string { return %s })",
			expr, expr, expr, expr, expr, kind[2:], g.tellShort("x", kind[2:]))
	case "map":
		key, elem := mapTypes(kind)
		switch key {
		case "point", "ends":
			return fmt.Sprintf("fmt.Sprint(len(%s), %s == nil, %s)", expr, expr, expr)
		case "any": // no order is sure of keys of several types
			return fmt.Sprintf("fmt.Sprint(len(%[1]s), %[1]s == nil, %[1]s[nil], %[1]s[1], %[1]s[\"a\"], %[1]s[level(2)], %[1]s[[3]int{1}])", expr)
		}
		return fmt.Sprintf("eachKey(%s, func(x %s) string { return %s })", expr, elem, g.tellShort("x", elem))
	case "array":
		return fmt.Sprintf("each(func() []%s { x := %s; return x[:] }(), func(x %s) string { return %s })", kind[3:], expr, kind[3:], g.tellShort("x", kind[3:]))
	case "struct":
		parts := []string{`"{"`}
		for _, f := range g.fieldsOf(kind) {
			parts = append(parts, g.tellShort(expr+"."+f[0], f[1]))
		}
		return strings.Join(parts, " + ")
	default:
		return fmt.Sprintf(g.oneOf("fmt.Sprint(%s)", "fmt.Sprintf(\"%%v %%[1]T\", %s)", "strings.TrimSpace(fmt.Sprintln(%s))"), expr)
	}
}

// tellShort is tell for parts of a value: it doesn't follow pointers.
func (g *generator) tellShort(expr, kind string) string {
	switch classOf(kind) {
	case "pointer", "func":
		return fmt.Sprintf("fmt.Sprint(%s == nil)", expr)
	case "any", "error", "shape":
		return fmt.Sprintf("describe(%s)", expr)
	case "struct", "slice", "array", "map":
		if strings.Contains(kind, "*") || strings.Contains(kind, "func") {
			return `"-"`
		}
		return g.tell(expr, kind)
	case "channel":
		return fmt.Sprintf("fmt.Sprint(len(%s))", expr)
	}
	return fmt.Sprintf("fmt.Sprint(%s)", expr)
}
