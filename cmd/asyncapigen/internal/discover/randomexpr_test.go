package discover_test

import (
	"fmt"
	"strings"
)

// variable returns the name of a variable of a type.
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

// path returns an expression of a type that a variable leads to by one step.
func (g *generator) path(kind string) (string, bool) {
	var paths []string
	for _, v := range g.vars {
		switch classOf(v.kind) {
		case "struct":
			for _, f := range g.fieldsOf(v.kind) {
				if f[1] == kind {
					paths = append(paths, v.name+"."+f[0])
				}
			}
		case "pointer":
			name := v.name
			if g.next(4) > 0 { // else it may be nil
				name = "some(" + name + ")"
			}
			if v.kind[1:] == kind {
				paths = append(paths, "(*"+name+")")
			}
			for _, f := range g.fieldsOf(v.kind[1:]) {
				if f[1] == kind {
					paths = append(paths, name+"."+f[0])
				}
			}
		case "slice":
			if v.kind[2:] == kind {
				paths = append(paths, g.element(v.name, fmt.Sprint(g.next(3))))
			}
		case "array":
			if v.kind[3:] == kind {
				paths = append(paths, fmt.Sprintf("%s[%d]", v.name, g.next(2)))
			}
		case "map":
			if key, elem := mapTypes(v.kind); elem == kind {
				paths = append(paths, fmt.Sprintf("%s[%s]", v.name, literal(key)))
			}
		}
	}
	if len(paths) == 0 {
		return "", false
	}
	return paths[g.next(len(paths))], true
}

// element returns an element of a list, where an index out of range panics only
// sometimes: what follows a panic isn't run.
func (g *generator) element(list, index string) string {
	if g.next(8) == 0 {
		return fmt.Sprintf("%s[%s]", list, index)
	}
	return fmt.Sprintf("elem(%s, %s)", list, index)
}

// divisor returns a number to divide by, which is zero only sometimes.
func (g *generator) divisor(x string) string {
	if g.next(8) == 0 {
		return x
	}
	return fmt.Sprintf("nonzero(%s)", x)
}

// expr returns an expression of a type without effects: the language leaves
// open in which order calls and reads of variables come.
func (g *generator) expr(kind string, depth int) string {
	if text, ok := g.met(kind); ok {
		return text
	}
	if name, ok := g.variable(kind); ok && g.next(5) > 1 {
		return name
	}
	if text, ok := g.path(kind); ok && g.next(3) > 0 {
		return text
	}
	if depth > 2 {
		return literal(kind)
	}
	depth++
	of := func(kind string) string { return g.expr(kind, depth) }
	if g.next(6) == 0 {
		return g.wrapped(kind, of)
	}
	return g.made(kind, of)
}

// made returns an expression that makes a value of a type out of others. It is
// a flat switch over the classes of types.
func (g *generator) made(kind string, of func(string) string) string {
	switch classOf(kind) {
	case "integer":
		return g.integer(kind, of)
	case "float":
		return strings.ReplaceAll(g.filled([]string{
			"K($i) / 4", "K(math.Sqrt(math.Abs(float64($i))))", "K($f * $f)", "K(must(strconv.ParseFloat(strconv.Itoa($i), 64)))",
			"(K($f) / 3)", "(K($f) / K($f))", "K(math.Floor($f))", "(-K($f))", "K(min(float64($i), 2.5))",
		}, of), "K(", kind+"(")
	case "complex":
		return g.filled([]string{"complex($f, 2)", "($c + 1i)", "($c * $c)", "($c / (1 + 2i))", "($c - $c)", "complex(imag($c), real($c))"}, of)
	case "bool":
		return g.boolean(of)
	case "string":
		return g.textual(of)
	case "slice":
		return g.slice(kind, of)
	case "ints":
		return fmt.Sprintf("ints(%s)", of("[]int"))
	case "array":
		return g.array(kind, of)
	case "map":
		return g.mapOf(kind, of)
	case "pointer":
		if name, ok := g.variable(kind[1:]); ok {
			return "&" + name
		}
		if kind == "*circle" {
			return literal(kind)
		}
		return fmt.Sprintf("ptr(%s)", of(kind[1:]))
	case "any":
		return fmt.Sprintf("any(%s)", of(g.oneOf("int", "string", "*S", "small", "[3]int", "bool", "error", "level", "float64", "square", "uint8", "point", "[]int", "money")))
	case "error":
		return g.filled([]string{
			"error(nil)", "check($i)", "error(code($i))", "fmt.Errorf(\"wrapped: %w\", $e)", "error(&opError{$s, $e})",
			"errors.New($s)", "errOdd", "errEven", "errors.Unwrap($e)", "errors.Join($e, check($i))", "try(func() { unused(1 / ($i)) })",
		}, of)
	case "shape":
		return fmt.Sprintf(g.oneOf("shape(square{%s & 7})", "shape(&circle{square{%s & 7}, \"c\"})", "(square{%s & 3}).Grow(1)"), of("int"))
	case "channel":
		return fmt.Sprintf("func() chan int { c := make(chan int, 3); c <- %s; return c }()", of("int"))
	case "func":
		return g.function(kind, of)
	}
	return g.structOf(kind, of)
}

// wrapped returns an expression of any type by way of another one.
func (g *generator) wrapped(kind string, of func(string) string) string {
	x := func() string { return of(kind) }
	return []func() string{
		func() string { return fmt.Sprintf("pick[%s](%s, %s, %s)", kind, of("bool"), x(), x()) },
		func() string {
			return fmt.Sprintf("func() %s {\nif %s {\nreturn %s\n}\nreturn %s\n}()", kind, of("bool"), x(), x())
		},
		func() string {
			if class := classOf(kind); (class == "any" || class == "error") && g.next(8) > 0 {
				return fmt.Sprintf("pick(%s != nil, %s, %s)", x(), x(), x()) // what asserts nil to be of the type panics
			}
			return fmt.Sprintf("(any(%s)).(%s)", literal(kind), kind)
		},
		func() string { return fmt.Sprintf("[]%s{%s, %s}[(%s)&1]", kind, x(), x(), of("int")) },
		func() string {
			return fmt.Sprintf("map[string]%s{%q: %s}[%s]", kind, g.oneOf("a", "b"), x(), of("string"))
		},
		func() string { return fmt.Sprintf("(Pair[%s, int]{%s, 1}).Swapped().Second", kind, x()) },
		func() string {
			return fmt.Sprintf("func() (x %s) {\nc := make(chan %s, 1)\nc <- %s\nclose(c)\nfor x = range c {\n}\nreturn\n}()", kind, kind, x())
		},
		func() string { return fmt.Sprintf("*ptr(%s)", x()) },
		func() string {
			return fmt.Sprintf("func() (x %s) {\ndefer func() {\nif recover() != nil {\nx = %s\n}\n}()\nx = %s\nreturn\n}()", kind, x(), x())
		},
		func() string {
			return fmt.Sprintf("(func(x ...%s) %s { return x[len(x)-1] })(%s, %s)", kind, kind, x(), x())
		},
		func() string { return fmt.Sprintf("identity[%s](%s)", kind, x()) },
		func() string {
			return fmt.Sprintf("must(func() (%s, error) { return %s, %s }())", kind, x(), of("error"))
		},
		func() string {
			return fmt.Sprintf("func() (x %s) {\ns := (&Stack[%s]{}).Push(%s, %s)\nx, _ = s.Pop()\nreturn\n}()", kind, kind, x(), x())
		},
	}[g.next(13)]()
}

func (g *generator) integer(kind string, of func(string) string) string {
	if kind != "int" && g.next(2) == 0 {
		op := g.oneOf("+", "-", "*", "/", "%", "&", "|", "^", "&^", "<<", ">>")
		if strings.ContainsAny(op, "<>") {
			return fmt.Sprintf("(%s %s (uint(%s) & 7))", of(kind), op, of("int"))
		}
		y := of(kind)
		if op == "/" || op == "%" {
			y = g.divisor(y)
		}
		return fmt.Sprintf("(%s %s %s)", of(kind), op, y)
	}
	if kind != "int" {
		return fmt.Sprintf("%s(%s)", kind, of(g.oneOf("int", "int", "uint8", "int64")))
	}
	return []func() string{
		func() string { return fmt.Sprint(g.next(20) - 5) },
		func() string {
			switch op := g.oneOf("+", "-", "*", "/", "%", "&", "|", "<<", "^", ">>"); op {
			case "/", "%":
				return fmt.Sprintf("(%s %s %s)", of("int"), op, g.divisor(of("int")))
			case "<<", ">>": // Go's compiler refuses x << (-4 << n & 127), which go/types takes
				return fmt.Sprintf("(%s %s (int(%s)%s))", of("int"), op, of("int"), g.oneOf(" & 15", " & 15", " & 127", ""))
			default:
				return fmt.Sprintf("(%s %s %s)", of("int"), op, of("int"))
			}
		},
		func() string {
			return fmt.Sprintf("len(%s)", of(g.oneOf("string", "[]int", "map[string]int", "[]string", "[3]int")))
		},
		func() string { return fmt.Sprintf("%s[%s]", of("map[string]int"), of("string")) },
		func() string { return g.element(of("[]int"), of("int")) },
		func() string { return fmt.Sprintf("(%s).Get(%s)", of("S"), of("int")) },
		func() string {
			return fmt.Sprintf("int(%s)", of(g.oneOf("int8", "uint8", "small", "level", "uint64", "rune")))
		},
		func() string { return fmt.Sprintf("max(%s, min(%s, 3))", of("int"), of("int")) },
		func() string { return fmt.Sprintf("(%s).C[%d]", of("T"), g.next(3)) },
		func() string { return fmt.Sprintf("(%s).Area()", of(g.oneOf("shape", "square", "U"))) },
		func() string { return fmt.Sprintf("sum(%s, %s)", of("int"), of("int")) },
		func() string { return fmt.Sprintf("sum(%s...)", of("[]int")) },
		func() string { return fmt.Sprintf("fold(%s, 1, func(a, b int) int { return 2*a + b })", of("[]int")) },
		func() string { return fmt.Sprintf("must(parse(%s))", of("int")) },
		func() string { return fmt.Sprintf("must(strconv.Atoi(%s))", of("string")) },
		func() string {
			if g.next(4) == 0 {
				return fmt.Sprintf("int(real(%s))", of("complex128"))
			}
			return of("int")
		},
		func() string { return g.libraryInt(of) },
		func() string { return g.libraryInt(of) },
	}[g.next(18)]()
}

func (g *generator) boolean(of func(string) string) string {
	compare := g.oneOf("<", "==", ">=", "!=")
	kind := g.oneOf("int", "string", "float64", "uint8", "level")
	return []func() string{
		func() string { return fmt.Sprintf("(%s %s %s)", of(kind), compare, of(kind)) },
		func() string { return fmt.Sprintf("(%s %s %s)", of("int"), compare, of("int")) },
		func() string { return fmt.Sprintf("(%s && !%s || %s)", of("bool"), of("bool"), of("bool")) },
		func() string { return fmt.Sprintf("(%s == %s)", of("[3]int"), of("[3]int")) },
		func() string { return fmt.Sprintf("(%s == %s)", of("*S"), of("*S")) },
		func() string {
			return fmt.Sprintf("(%s != nil)", of(g.oneOf("*S", "error", "any", "[]int", "map[string]int", "shape")))
		},
		func() string {
			return fmt.Sprintf("(any(%s) == %s)", of(g.oneOf("int", "int8", "string", "level", "any", "point", "*S")), of("any"))
		},
		func() string {
			return fmt.Sprintf("errors.Is(%s, %s)", of("error"), g.oneOf("errOdd", "errEven", "code(2)"))
		},
		func() string { return fmt.Sprintf("errors.As(%s, new(%s))", of("error"), g.oneOf("*opError", "code")) },
		func() string { return fmt.Sprintf("(%s == (square{%s}))", of("square"), of("int")) },
		func() string {
			return fmt.Sprintf("(Pair[int, string]{%s, %s} == %s)", of("int"), of("string"), of("Pair[int, string]"))
		},
		func() string {
			return fmt.Sprintf("func() bool { _, ok := %s.(%s); return ok }()", of("any"), g.oneOf("int", "named", "*S", "fmt.Stringer", "error", "[3]int"))
		},
		func() string {
			return fmt.Sprintf("func() bool { _, ok := %s[%s]; return ok }()", of("map[string]int"), of("string"))
		},
		func() string { return g.libraryBool(of) },
		func() string { return g.libraryBool(of) },
	}[g.next(15)]()
}

func (g *generator) textual(of func(string) string) string {
	return []func() string{
		func() string { return fmt.Sprintf("(%s + %s)", of("string"), of("string")) },
		func() string { return fmt.Sprintf("fmt.Sprint(%s, %s)", of("int"), of("bool")) },
		func() string { return fmt.Sprintf("strconv.Itoa(%s)", of("int")) },
		func() string { return fmt.Sprintf("string([]byte{'x', byte('a' + (%s)&3)})", of("int")) },
		func() string { return fmt.Sprintf("(%s)[:min(1, len(%s))]", "\"ab\"", of("string")) },
		func() string { return fmt.Sprintf("%q", g.oneOf("a", "b", "", "é", "a b,c", "日本", "%d", "12")) },
		func() string { return fmt.Sprintf("string(rune(65 + (%s)&15))", of("int")) },
		func() string { return fmt.Sprintf("(%s).Name()", of(g.oneOf("small", "*S"))) },
		func() string { return fmt.Sprintf("(%s).String()", of("level")) },
		func() string {
			return fmt.Sprintf("describe(%s)", of(g.oneOf("any", "error", "int", "level", "shape")))
		},
		func() string { return fmt.Sprintf("string(%s)", of(g.oneOf("[]byte", "rune"))) },
		func() string { return fmt.Sprintf("string([]rune(%s))", of("string")) },
		func() string { return g.libraryString(of) },
		func() string { return g.libraryString(of) },
		func() string { return g.libraryString(of) },
		func() string { return g.formatted(of) },
	}[g.next(16)]()
}

// formatted returns a call of Sprintf.
func (g *generator) formatted(of func(string) string) string {
	verbs := [][2]string{
		{"%d", "int"},
		{"%5d", "int"},
		{"%-4d|", "int"},
		{"%x", "int"},
		{"%08b", "uint8"},
		{"%s", "string"},
		{"%q", "string"},
		{"%10s", "string"},
		{"%x", "string"},
		{"%v", "[]int"},
		{"%v", "bool"},
		{"%t", "bool"},
		{"%.2f", "float64"},
		{"%g", "float64"},
		{"%c", "rune"},
		{"%U", "rune"},
		{"%v", "map[string]int"},
		{"%v", "[]string"},
		{"%q", "[]string"},
		{"%T", "any"},
		{"%T", "level"},
		{"%v", "error"},
		{"%s", "level"},
		{"%v", "level"},
		{"%+v", "square"},
		{"%v", "Pair[int, string]"},
		{"%+d", "int8"},
	}
	var format, args string
	for range 1 + g.next(3) {
		verb := verbs[g.next(len(verbs))]
		format += verb[0] + g.oneOf(" ", "", "%%")
		args += ", " + of(verb[1])
	}
	return fmt.Sprintf("fmt.Sprintf(%q%s)", format, args)
}

func (g *generator) slice(kind string, of func(string) string) string {
	elem := kind[2:]
	if kind == "[]string" || kind == "[]int" {
		if g.next(3) == 0 {
			return g.librarySlice(kind, of)
		}
	}
	return []func() string{
		func() string { return fmt.Sprintf("%s{%s, %s}", kind, of(elem), of(elem)) },
		func() string { return fmt.Sprintf("append(%s(nil), %s...)", kind, of(kind)) },
		func() string { return fmt.Sprintf("append(%s{%s}, %s)", kind, of(elem), of(elem)) },
		func() string { return fmt.Sprintf("make(%s, %d, %d)", kind, g.next(3), 3+g.next(3)) },
		func() string {
			return fmt.Sprintf("%s{2: %s, 0: %s}[%d:%d]", kind, of(elem), of(elem), g.next(2), 2+g.next(2))
		},
		func() string {
			return fmt.Sprintf("apply(%s, func(n int) %s { return %s })", of("[]int"), elem, of(elem))
		},
		func() string {
			if name, ok := g.variable(kind); ok {
				return fmt.Sprintf(g.oneOf("append(%[1]s, %[2]s)", "append(%[1]s[:len(%[1]s)/2], %[2]s)", "%[1]s[:len(%[1]s)/2]", "%[1]s[len(%[1]s)/2:]", "%[1]s[:0:len(%[1]s)/2]"), name, of(elem))
			}
			return fmt.Sprintf("append(%s, %s)", of(kind), of(elem))
		},
		func() string { return fmt.Sprintf("slices.Clone(%s)", of(kind)) },
		func() string { return kind + "(nil)" },
	}[g.next(9)]()
}

func (g *generator) array(kind string, of func(string) string) string {
	elem := kind[3:]
	switch g.next(4) {
	case 0:
		return fmt.Sprintf("%s{}", kind)
	case 1:
		return fmt.Sprintf("%s(append(%s, %s, %s, %s))", kind, of("[]"+elem), of(elem), of(elem), of(elem))
	case 2:
		return fmt.Sprintf("[...]%s{%s, %s: %s}", elem, of(elem), map[bool]string{true: "2", false: "1"}[kind[1] == '3'], of(elem))
	}
	return fmt.Sprintf("%s{%s, 1: %s}", kind, of(elem), of(elem))
}

func (g *generator) mapOf(kind string, of func(string) string) string {
	key, elem := mapTypes(kind)
	switch g.next(4) {
	case 0:
		return fmt.Sprintf("make(%s)", kind)
	case 1:
		return fmt.Sprintf("maps.Clone(%s)", of(kind))
	case 2:
		return fmt.Sprintf("%s{}", kind)
	}
	keys := map[string][2]string{
		"string": {`"a"`, `"c"`}, "int": {"1", "2"}, "point": {"point{1, 2}", "{Y: 1}"}, "ends": {`{"a", "b"}`, `ends{1: "c"}`}, "any": {"1", "level(1)"},
	}[key]
	return fmt.Sprintf("%s{%s: %s, %s: %s}", kind, keys[0], of(elem), keys[1], of(elem))
}

func (g *generator) function(kind string, of func(string) string) string {
	in, out := funcTypes(kind)
	if kind == "func(string) string" {
		return g.oneOf("strings.ToUpper", "strings.TrimSpace", "path.Base", "func(s string) string { return s + s }", "identity[string]", "strings.NewReplacer(\"a\", \"bc\").Replace")
	}
	switch g.next(9) {
	case 5:
		return fmt.Sprintf("func() func(int) int { f, s := (*S).Add, &S{A: %s}; return func(n int) int { return f(s, n) } }()", of("int"))
	case 6:
		return fmt.Sprintf("(&S{A: %s}).Add", of("int"))
	case 7:
		return fmt.Sprintf("shape(square{%s & 3}).(interface{ Twice(int) int }).Twice", of("int"))
	case 0:
		return fmt.Sprintf("(%s).Get", of("S"))
	case 1:
		if name, ok := g.variable("int"); ok {
			return fmt.Sprintf("func(n int) int { %s += n; return %s }", name, name)
		}
		return "func(n int) int { return n * n }"
	case 2:
		return fmt.Sprintf("func(n int) int { a, b := pair(n); return a + len(b) + %s }", of("int"))
	case 3:
		return fmt.Sprintf("func() func(int) int { x := %s; return func(n int) int { x += n; return x } }()", of("int"))
	case 4:
		return fmt.Sprintf("func(n int) int { return S.Get(S{A: n}, %s) }", of("int"))
	}
	return fmt.Sprintf("func(%s) %s { return %s }", in, out, of(out))
}

func (g *generator) structOf(kind string, of func(string) string) string {
	switch kind {
	case "S":
		if g.next(3) == 0 {
			return fmt.Sprintf("(%s).S", of("T"))
		}
		return fmt.Sprintf("S{A: %s, B: %s, C: %s, D: %s}", of("int"), of("string"), of("[3]int"), of("*S"))
	case "T":
		return fmt.Sprintf("T{%s, %s}", of("S"), of("func(int) int"))
	case "U":
		return fmt.Sprintf("U{%s, %s, %s}", of("*S"), of("shape"), of("small"))
	case "square":
		return fmt.Sprintf("square{%s}", of("int"))
	case "Pair[int, string]":
		return fmt.Sprintf("Pair[int, string]{First: %s, Second: %s}", of("int"), of("string"))
	case "Stack[int]":
		return fmt.Sprintf("*(&Stack[int]{}).Push(%s...)", of("[]int"))
	}
	f := g.structs[kind]
	if f == nil {
		return literal(kind)
	}
	k := f[0][1]
	return fmt.Sprintf(g.oneOf("%[1]s{K: %[2]s}", "(%[1]s{}).With(%[2]s)", "*new(%[1]s).Put(%[2]s)"), kind, of(k))
}
