package discover_test

import (
	"fmt"
	"strings"
)

func (g *generator) declare(kind string) {
	name := g.fresh()
	switch g.next(4) {
	case 0:
		g.line("var %s %s = %s", name, kind, g.expr(kind, 0))
	case 1:
		g.line("var %s %s", name, kind)
	default:
		g.line("%s := (%s)(%s)", name, kind, g.expr(kind, 0))
	}
	g.line("unused(%s)", name)
	g.vars = append(g.vars, variable{name, kind})
}

// block writes a block, whose variables end with it.
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

// body returns a block that functions around may run again.
func (g *generator) body() string {
	labels, depth := g.labels, g.depth
	g.labels = nil
	g.depth++
	g.repeats++
	defer func() { g.labels, g.depth = labels, depth; g.repeats-- }()
	return strings.TrimSuffix(g.captured(g.block), "\n")
}

func (g *generator) statement() {
	if g.depth > 3 {
		g.assign()
		return
	}
	if g.world && g.next(6) == 0 {
		g.meet()
		return
	}
	switch g.next(37) {
	case 0, 1, 2, 3, 4:
		g.declare(g.kind())
	case 5, 6, 7, 8, 9:
		g.assign()
	case 10, 11:
		g.conditional()
	case 12, 13, 14:
		g.loop()
	case 15:
		g.choice()
	case 16:
		g.typeChoice()
	case 17, 18:
		if len(g.vars) > 0 {
			g.show(g.vars[g.next(len(g.vars))])
		}
	case 19:
		g.called()
	case 20, 21:
		g.leave()
	case 22:
		g.jump()
	case 23:
		g.concurrent()
	case 24:
		g.shadow()
	case 25:
		g.constants()
	case 26:
		g.several()
	case 27:
		g.failing()
	case 28:
		g.localType()
	case 29:
		g.orderless()
	case 30:
		g.deferred()
	case 31:
		g.copied()
	case 32, 33, 34, 35:
		g.idiom(idioms)
	default:
		g.block()
	}
}

func (g *generator) conditional() {
	init := ""
	vars := len(g.vars)
	if g.next(3) == 0 {
		name := g.fresh()
		kind := g.oneOf("int", "string", "error", "bool")
		init = fmt.Sprintf("%s := (%s); unused(%s) && ", name, g.expr(kind, 1), name)
		g.vars = append(g.vars, variable{name, kind})
	}
	g.line("if %s(%s) %s", init, g.expr("bool", 0), strings.TrimSuffix(g.captured(g.block), "\n"))
	for range g.next(3) {
		g.trim()
		g.line(" else if (%s) %s", g.expr("bool", 1), strings.TrimSuffix(g.captured(g.block), "\n"))
	}
	if g.next(2) == 0 {
		g.trim()
		g.text.WriteString(" else ")
		g.block()
	}
	g.vars = g.vars[:vars]
}

// trim takes back the last line break.
func (g *generator) trim() {
	text := strings.TrimSuffix(g.text.String(), "\n")
	g.text.Reset()
	g.text.WriteString(text)
}

// loop writes a loop of a few rounds.
func (g *generator) loop() {
	name := ""
	if g.next(2) == 0 {
		name = g.fresh()
	}
	vars := len(g.vars)
	head, kinds := g.loopHead()
	if name != "" {
		g.line("%s:", name)
	}
	g.vars = append(g.vars, kinds...)
	outer := g.labels
	g.labels = append(g.labels, label{name, true})
	g.repeats++
	g.line("%s {", head)
	g.line("unused(%s)", strings.Join(names(kinds), ", "))
	if name != "" {
		g.line("if (%s) {\ncontinue %s\n}", g.expr("bool", 1), name)
	}
	g.block()
	g.line("}")
	g.repeats--
	g.labels = outer
	g.vars = g.vars[:vars]
}

// loopHead returns how a loop begins, and the variables of its rounds.
func (g *generator) loopHead() (head string, kinds []variable) {
	i, x := g.fresh(), g.fresh()
	kinds = []variable{{i, "int const"}}
	switch g.next(12) {
	case 0:
		head = fmt.Sprintf("for %s := range %d", i, g.next(4))
	case 1, 2:
		head = fmt.Sprintf("for %s := 0; %s < %d; %s++", i, i, g.next(4), i)
	case 3:
		head = fmt.Sprintf("for %s, %s := range (%s)", i, x, g.expr("[]int", 1))
		kinds = append(kinds, variable{x, "int"})
	case 4:
		head = fmt.Sprintf("for %s, %s := range (%s)", i, x, g.expr(g.oneOf("[]S", "[2]S"), 1))
		kinds = append(kinds, variable{x, "S"})
	case 5:
		head = fmt.Sprintf("for %s, %s := range (%s)", i, x, g.expr("string", 1))
		kinds = append(kinds, variable{x, "rune"})
	case 6:
		head = fmt.Sprintf("for %s := range count(%d)", i, g.next(4))
	case 7:
		head = fmt.Sprintf("for %s, %s := range (&Stack[string]{}).Push(%s, %s).All()", i, x, g.expr("string", 1), g.expr("string", 1))
		kinds = append(kinds, variable{x, "string"})
	case 8:
		head = fmt.Sprintf("for _, %s := range slices.Sorted(maps.Keys(%s))", i, g.expr("map[string]int", 1))
		kinds[0].kind = "string const"
	case 9:
		c := g.fresh()
		g.line("%s := %s\nclose(%s)", c, g.expr("chan int", 2), c)
		head = fmt.Sprintf("for %s := range %s", i, c)
	case 10:
		n := g.fresh()
		g.line("%s := %d", n, 1+g.next(3))
		head = fmt.Sprintf("for %s := (%s); %s > 0; %s--", i, n, n, n)
	default:
		head = fmt.Sprintf("for %s := range [3]int{%d}", i, g.next(3))
	}
	return head, kinds
}

func names(vars []variable) []string {
	var list []string
	for _, v := range vars {
		list = append(list, v.name)
	}
	return list
}

// leave writes a break or a continue, or a return.
func (g *generator) leave() {
	if len(g.labels) == 0 {
		return
	}
	l := g.labels[len(g.labels)-1]
	word := "break"
	if l.isLoop {
		word = g.oneOf("break", "continue")
	}
	if l := g.labels[g.next(len(g.labels))]; l.name != "" {
		if !l.isLoop {
			word = "break"
		}
		word += " " + l.name
	}
	g.line("if (%s) {\n%s\n}", g.expr("bool", 0), word)
}

func (g *generator) choice() {
	g.labels = append(g.labels, label{})
	defer func() { g.labels = g.labels[:len(g.labels)-1] }()
	kind := g.oneOf("int", "string", "level", "bool", "any", "error")
	head := "switch (" + g.expr(kind, 0) + ")"
	if kind == "bool" {
		head = g.oneOf("switch", "switch x := ("+g.expr("int", 1)+"); x > 2")
	}
	g.line("%s {", head)
	for range 1 + g.next(3) {
		g.line("case %s, %s:", g.expr(kind, 1), g.expr(kind, 1))
		g.block()
		if g.next(4) == 0 {
			g.line("fallthrough")
		}
	}
	g.line("default:")
	g.block()
	g.line("}")
}

func (g *generator) typeChoice() {
	g.labels = append(g.labels, label{})
	defer func() { g.labels = g.labels[:len(g.labels)-1] }()
	x := g.fresh()
	from := g.oneOf("any", "error", "shape")
	g.line("switch %s := any(%s).(type) {", x, g.expr(from, 0))
	seen := map[string]bool{}
	for range 2 + g.next(2) {
		kind := g.oneOf("int", "string", "*opError", "code", "square", "*circle", "*S", "level", "bool")
		if seen[kind] {
			continue
		}
		seen[kind] = true
		g.line("case %s:\nunused(%s)", kind, x)
		vars := len(g.vars)
		if kind != "*opError" && kind != "code" {
			g.vars = append(g.vars, variable{x, kind})
		}
		g.block()
		g.vars = g.vars[:vars]
	}
	g.line("case nil:")
	g.block()
	g.line("case named, fmt.Stringer:\nunused(%s)", x)
	g.block()
	if g.next(2) == 0 {
		g.line("default:\nunused(%s)", x)
		g.block()
	}
	g.line("}")
}

// called writes a function that is called at once, later, or in a try.
func (g *generator) called() {
	switch g.next(7) {
	case 0, 1:
		g.line("defer func() %s()", g.body())
	case 2:
		g.line("func() %s()", g.body())
	case 3:
		g.line("%s", g.register(fmt.Sprintf("describe(try(func() %s))", g.body())))
	case 4:
		if v, ok := g.variable("*S"); ok {
			g.line("defer %s.Add(%s)", v, g.expr("int", 1))
		}
	case 5:
		g.line("defer func(n int, s string) {\n%s\n}(%s, %s)", g.inRepeat(func() string { return g.register("fmt.Sprint(n, s)") }), g.expr("int", 0), g.expr("string", 0))
	default:
		f := g.fresh()
		g.line("%s := func(n int) int {\nif n > 2 {\nreturn n\n}\n%s\nreturn n + 1\n}", f, g.body())
		g.line("unused(%s)", f)
		g.vars = append(g.vars, variable{f, "func(int) int"})
	}
}

func (g *generator) inRepeat(f func() string) string {
	g.repeats++
	defer func() { g.repeats-- }()
	return f()
}

// jump writes a goto, forward or backward.
func (g *generator) jump() {
	l, n := g.fresh(), g.fresh()
	body := g.body()
	if g.next(2) == 0 {
		g.line("{\n%s := 0\n%s:\n%s++\n%s\nif %s < %d {\ngoto %s\n}\n}", n, l, n, body, n, 1+g.next(3), l)
		return
	}
	g.line("{\nif (%s) {\ngoto %s\n}\n%s\n%s:\n}", g.expr("bool", 0), l, body, l)
}

// concurrent writes goroutines that are waited for, and channels that don't
// block.
func (g *generator) concurrent() {
	wg, c := g.fresh(), g.fresh()
	n := 6
	if g.world {
		n = 8 // what goroutines do at a time may be refused
	}
	switch g.next(n) {
	case 0:
		// A panic would race with the end of main.
		g.line("var %s sync.WaitGroup\n%s.Add(1)\ngo func() {\ndefer %s.Done()\nunused(try(func() %s))\n}()\n%s.Wait()", wg, wg, wg, g.body(), wg)
	case 1:
		g.line("var %s sync.WaitGroup\n%s.Go(func() %s)\n%s.Wait()", wg, wg, g.body(), wg)
	case 2:
		g.line("%s := make(chan int, 1)\nselect {\ncase x := <-%s:\nunused(x)\n%s\ndefault:\n%s\n}", c, c, g.body(), g.body())
	case 3:
		g.line("%s := make(chan string, 2)\n%s <- %s\nselect {\ncase %s <- \"x\":\n%s\ndefault:\n%s\n}", c, c, g.expr("string", 0), c, g.body(), g.body())
		g.line("%s", g.register(fmt.Sprintf("fmt.Sprint(<-%s, len(%s))", c, c)))
	case 4:
		g.line("var %s sync.Once\nfor range 2 {\n%s.Do(func() %s)\n}", wg, wg, g.body())
	case 5:
		g.line("var %s sync.Mutex\nfunc() {\n%s.Lock()\ndefer %s.Unlock()\n%s\n}()", wg, wg, wg, g.body())
	case 6:
		g.line("%s := make(chan int)\ngo func() {\ndefer close(%s)\nfor i := range 3 {\n%s <- i * %s\n}\n}()\nfor x := range %s {\n%s\n}", c, c, c, g.expr("int", 1), c,
			g.inRepeat(func() string { return g.register("fmt.Sprint(x)") }))
	default:
		g.line("%s := make(chan struct{})\ngo func() {\n%s\nclose(%s)\n}()\n<-%s", c, g.body(), c, c)
	}
}

func (g *generator) shadow() {
	if len(g.vars) == 0 {
		return
	}
	v := g.vars[g.next(len(g.vars))]
	if strings.Contains(v.kind, "const") {
		return
	}
	name := v.name
	g.line("{\n%s := %s\nunused(%s)", name, v.name, name)
	g.assignTo(variable{name, v.kind})
	g.block()
	g.show(variable{name, v.kind})
	g.line("}")
}

func (g *generator) constants() {
	a := g.fresh()
	g.line("const (\n%[1]s_a = iota * %[2]d\n%[1]s_b\n_\n%[1]s_c %[3]s = iota + %[1]s_b<<2\n%[1]s_d\n%[1]s_s = %[4]q\n)", a, 1+g.next(5), g.oneOf("int", "int8", "float64", "uint16"), g.oneOf("x", "é", "日"))
	g.line("%s", g.register(fmt.Sprintf("fmt.Sprint(%[1]s_a, %[1]s_b, %[1]s_c, %[1]s_d, %[1]s_s[0], len(%[1]s_s), %[1]s_b/%[2]d)", a, 1+g.next(3))))
}

// several writes a statement with several values.
func (g *generator) several() {
	a, b := g.fresh(), g.fresh()
	switch g.next(6) {
	case 0:
		g.line("%s, %s := pair(%s)\nunused(%s, %s)", a, b, g.expr("int", 0), a, b)
		g.vars = append(g.vars, variable{a, "int"}, variable{b, "string"})
	case 1:
		g.line("%s, %s := %s, %s\n%s, %s = %s, %s\nunused(%s, %s)", a, b, g.expr("int", 0), g.expr("int", 0), a, b, b, a, a, b)
		g.vars = append(g.vars, variable{a, "int"}, variable{b, "int"})
	case 2:
		g.line("%s, %s := %s[%s]\nunused(%s, %s)", a, b, g.expr("map[string]int", 0), g.expr("string", 1), a, b)
		g.vars = append(g.vars, variable{a, "int"}, variable{b, "bool"})
	case 3:
		kind := g.oneOf("int", "string", "error", "*S", "level")
		g.line("%s, %s := any(%s).(%s)\nunused(%s, %s)", a, b, g.expr(g.oneOf("any", "error", kind), 0), kind, a, b)
		g.vars = append(g.vars, variable{a, kind}, variable{b, "bool"})
	case 4:
		g.line("%s, %s := func(n int, rest ...int) (sum int, err error) {\ndefer func() { sum += len(rest) }()\nfor _, x := range rest {\nif x == n {\nreturn x, errOdd\n}\nsum += x\n}\nreturn\n}(%s, %s...)\nunused(%s, %s)",
			a, b, g.expr("int", 0), g.expr("[]int", 0), a, b)
		g.vars = append(g.vars, variable{a, "int"}, variable{b, "error"})
	default:
		g.line("%s, %s := strconv.Atoi(%s)\nunused(%s, %s)", a, b, g.expr("string", 0), a, b)
		g.vars = append(g.vars, variable{a, "int"}, variable{b, "error"})
	}
}

// failing writes a call that may fail, and what is done about that.
func (g *generator) failing() {
	n, err := g.fresh(), g.fresh()
	g.line("%s, %s := parse(%s)\nunused(%s)", n, err, g.expr("int", 0), n)
	g.vars = append(g.vars, variable{n, "int"})
	switch g.next(4) {
	case 0:
		g.line("if %s != nil {\n%s\n}", err, g.register(err+".Error()"))
	case 1:
		g.line("var %[1]sOp *opError\nif errors.As(%[1]s, &%[1]sOp) {\n%[2]s\n}", err, g.register(err+"Op.Op"))
	case 2:
		g.line("switch {\ncase errors.Is(%s, errOdd):\n%s\ncase errors.Is(%s, code(2)):\n%s\n}", err, g.register(`"odd"`), err, g.register(`"two"`))
	default:
		g.line("if %s == nil %s", err, strings.TrimSuffix(g.captured(g.block), "\n"))
	}
}

// deferred writes a function whose deferred functions tell their order.
func (g *generator) deferred() {
	name := g.fresh()
	g.line("%s := func() (s string) {\ndefer func() { s += fmt.Sprint(recover()) }()\nfor i := range %d {\ndefer func(n int) { s += strconv.Itoa(n) }(i)\n}\nif (%s) {\npanic(%s)\n}\nreturn %s\n}()\nunused(%s)",
		name, 1+g.next(4), g.expr("bool", 1), g.expr("string", 1), g.expr("string", 1), name)
	g.vars = append(g.vars, variable{name, "string"})
}

// copied writes a copy of a variable, of which one of the two is changed.
func (g *generator) copied() {
	if len(g.vars) == 0 {
		return
	}
	v := g.vars[g.next(len(g.vars))]
	if strings.Contains(v.kind, "const") {
		return
	}
	name := g.fresh()
	g.line("%s := %s\nunused(%s)", name, v.name, name)
	g.assignTo([]variable{v, {name, v.kind}}[g.next(2)])
	g.show(v)
	g.show(variable{name, v.kind})
	g.vars = append(g.vars, variable{name, v.kind})
}

// orderless writes a loop over a map which does the same in each order.
func (g *generator) orderless() {
	n, key, x := g.fresh(), g.fresh(), g.fresh()
	kind := g.oneOf("map[string]int", "map[point]int", "map[ends]int")
	g.line("%s := 0\nunused(%s)", n, n)
	loop := fmt.Sprintf("for %s, %s := range %s", key, x, g.expr(kind, 0))
	switch g.next(3) {
	case 0:
		g.line("%s {\n%s += len(fmt.Sprint(%s)) * %s\n}", loop, n, key, x)
	case 1:
		g.line("%s {\nif %s > 1 {\ncontinue\n}\n%s |= 1 << (uint(%s) & 3)\nunused(%s)\n}", loop, x, n, x, key)
	default:
		g.line("%s {\n%s = max(%s, %s)\nunused(%s)\n}", loop, n, n, x, key)
	}
	g.vars = append(g.vars, variable{n, "int"})
}

func (g *generator) localType() {
	name, v := "L"+g.fresh(), g.fresh()
	kind := simple[g.next(len(simple))]
	g.line("type %s struct {\nX %s\nY []%s\n}\n%s := %s{X: %s}\n%s.Y = append(%s.Y, %s{X: %s})\nunused(%s)", name, kind, name, v, name, g.expr(kind, 1), v, v, name, g.expr(kind, 1), v)
	g.line("%s", g.register(fmt.Sprintf("fmt.Sprint(len(%s.Y[0].Y)) + %s", v, g.tellShort(v+".Y[0].X", kind))))
}

func (g *generator) assign() {
	if len(g.vars) == 0 {
		g.declare("int")
		return
	}
	g.assignTo(g.vars[g.next(len(g.vars))])
}

func (g *generator) assignTo(v variable) {
	if strings.Contains(v.kind, "const") {
		return
	}
	switch classOf(v.kind) {
	case "integer":
		if v.kind == "int" && g.next(4) == 0 {
			g.line("%s %s %s", v.name, g.oneOf("=", "+=", "-="), g.effect())
			return
		}
		if g.next(5) == 0 {
			g.line("%s%s", v.name, g.oneOf("++", "--"))
			return
		}
		op, x := g.oneOf("=", "+=", "-=", "*=", "|=", "^=", "&^=", "/=", "%=", "&="), g.expr(v.kind, 0)
		if op == "/=" || op == "%=" {
			x = g.divisor(x)
		}
		g.line("%s %s %s", v.name, op, x)
	case "float", "complex":
		g.line("%s %s %s", v.name, g.oneOf("=", "+=", "-=", "*="), g.expr(v.kind, 0))
	case "string":
		g.line("%s %s %s", v.name, g.oneOf("=", "+="), g.expr("string", 0))
	case "slice":
		g.assignSlice(v)
	case "array":
		g.line("%s[%s&1] = %s", v.name, g.expr("int", 1), g.expr(v.kind[3:], 0))
	case "map":
		g.assignMap(v)
	case "pointer":
		g.assignThrough(v)
	case "struct":
		f := g.fieldsOf(v.kind)
		if g.next(4) == 0 || len(f) == 0 {
			g.line("%s = %s", v.name, g.expr(v.kind, 0))
			return
		}
		field := f[g.next(len(f))]
		g.line("%s.%s = %s", v.name, field[0], g.expr(field[1], 0))
	case "channel":
		g.line("select {\ncase %s <- %s:\ndefault:\n}", v.name, g.expr("int", 0))
	default:
		g.line("%s = %s", v.name, g.expr(v.kind, 0))
	}
}

func (g *generator) assignSlice(v variable) {
	elem := v.kind[2:]
	switch g.next(9) {
	case 0:
		g.line("%s = append(%s[:len(%s):len(%s)], %s)", v.name, v.name, v.name, v.name, g.expr(elem, 0))
	case 1:
		g.line("if len(%s) > 0 {\n%s[len(%s)-1] = %s\n}", v.name, v.name, v.name, g.expr(elem, 0))
	case 2:
		g.line("%s = %s[min(1, len(%s)):]", v.name, v.name, v.name)
	case 3:
		g.line("copy(%s, %s)", v.name, g.expr(v.kind, 0))
	case 4:
		g.line("%s = append(%s[:len(%s)/2], %s[(len(%s)+1)/2:]...)", v.name, v.name, v.name, v.name, v.name)
	case 5:
		g.line("clear(%s)", v.name)
	case 6:
		g.line("%s = append(%s, %s, %s)", v.name, v.name, g.expr(elem, 0), g.expr(elem, 0))
	case 7:
		g.line("for i := range %s {\nif i > 0 {\n%s[i-1], %s[i] = %s[i], %s[i-1]\n}\n}", v.name, v.name, v.name, v.name, v.name)
	default:
		g.line("%s = %s", v.name, g.expr(v.kind, 0))
	}
}

func (g *generator) assignMap(v variable) {
	key, elem := mapTypes(v.kind)
	switch g.next(6) {
	case 0:
		g.line("delete(%s, %s)", v.name, g.expr(key, 1))
	case 1:
		g.line("%s = %s", v.name, g.expr(v.kind, 0))
	case 2:
		g.line("clear(%s)", v.name)
	default:
		op := "="
		if elem == "int" || elem == "string" {
			op = g.oneOf("=", "+=")
		}
		g.line("if %s != nil {\n%s[%s] %s %s\n}", v.name, v.name, g.expr(key, 1), op, g.expr(elem, 0))
	}
}

func (g *generator) assignThrough(v variable) {
	elem := v.kind[1:]
	f := g.fieldsOf(elem)
	switch {
	case g.next(3) == 0:
		g.line("%s = %s", v.name, g.expr(v.kind, 0))
	case len(f) > 0 && g.next(3) > 0:
		field := f[g.next(len(f))]
		g.line("if %s != nil {\n%s.%s = %s\n}", v.name, v.name, field[0], g.expr(field[1], 0))
	default:
		g.line("if %s != nil {\n*%s = %s\n}", v.name, v.name, g.expr(elem, 0))
	}
}

// effect returns a call that may change variables. It is the only one of its
// statement, see expr.
func (g *generator) effect() string {
	switch g.next(4) {
	case 0:
		return fmt.Sprintf("(%s).Add(%s)", g.expr("*S", 0), g.expr("int", 0))
	case 1:
		return fmt.Sprintf("(%s).Grow(2).Area()", g.expr("shape", 0))
	case 2:
		return fmt.Sprintf("must((&Stack[int]{}).Push(%s).items[0], %s)", g.expr("int", 0), g.expr("error", 0))
	}
	return fmt.Sprintf("(%s)(%s)", g.expr("func(int) int", 0), g.expr("int", 0))
}
