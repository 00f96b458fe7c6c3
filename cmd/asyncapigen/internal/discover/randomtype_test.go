package discover_test

import (
	"fmt"
	"strings"
)

// Types are written as in Go source.

// kinds are the types of variables; a declared struct is another one.
var kinds = []string{
	"int", "int", "string", "string", "bool", "int8", "uint8", "int16", "uint32", "int64", "uint64", "uint", "rune", "float64",
	"float32", "complex128", "[]int", "[]int", "[]string", "[]byte", "[]bool", "[3]int", "[2]string", "[2]S", "[2][3]int", "[]S", "[]*S",
	"map[string]int", "map[string]int", "map[int]string", "map[string][]int", "map[string]S", "map[point]int", "map[ends]int", "map[any]string", "point", "point", "*point", "money", "S", "S", "*S", "*S", "*int", "*[3]int",
	"any", "any", "error", "error", "func(int) int", "func(int) int", "func(string) string", "T", "U", "small", "level",
	"ints", "shape", "shape", "square", "*circle", "Pair[int, string]", "Stack[int]", "chan int", "[]any", "[]func(int) int",
}

// simple are the types of fields and elements.
var simple = []string{"int", "string", "bool", "int8", "uint8", "float64", "level", "[]int", "[3]int", "S", "*S", "map[string]int", "any"}

var structs = map[string]fields{
	"S":                 {{"A", "int"}, {"B", "string"}, {"C", "[3]int"}, {"D", "*S"}, {"E", "[]int"}},
	"T":                 {{"S", "S"}, {"F", "func(int) int"}, {"A", "int"}, {"S.B", "string"}},
	"U":                 {{"S", "*S"}, {"shape", "shape"}, {"N", "small"}},
	"square":            {{"side", "int"}},
	"point":             {{"X", "int"}, {"Y", "int"}},
	"circle":            {{"square", "square"}, {"label", "string"}},
	"Pair[int, string]": {{"First", "int"}, {"Second", "string"}},
	"Stack[int]":        {{"items", "[]int"}},
}

func (g *generator) fieldsOf(kind string) fields {
	if f, ok := g.structs[kind]; ok {
		return f
	}
	return structs[kind]
}

// choosePalette chooses the types that most variables of the program have: what
// goes wrong between variables of one type needs several.
func (g *generator) choosePalette() {
	g.palette = nil
	for range 5 {
		g.palette = append(g.palette, kinds[g.next(len(kinds))])
	}
}

// kind returns a type for a variable.
func (g *generator) kind() string {
	if g.next(4) > 0 {
		return g.palette[g.next(len(g.palette))]
	}
	if i := g.next(len(kinds) + 3*len(g.structs)); i >= len(kinds) {
		return g.declared()[(i-len(kinds))%len(g.structs)]
	}
	return kinds[g.next(len(kinds))]
}

// declared returns the structs of the program, in the order of declaration.
func (g *generator) declared() []string {
	names := make([]string, 0, len(g.structs))
	for line := range strings.Lines(g.top.String()) {
		words := strings.Fields(line)
		if len(words) > 2 && words[0] == "type" && words[2] == "struct" {
			names = append(names, words[1])
		}
	}
	return names
}

var basics = map[string]string{
	"int": "integer", "int8": "integer", "int16": "integer", "int32": "integer", "rune": "integer", "int64": "integer",
	"uint": "integer", "uint8": "integer", "byte": "integer", "uint16": "integer", "uint32": "integer", "uint64": "integer",
	"small": "integer", "level": "integer", "money": "integer", "float64": "float", "float32": "float", "complex128": "complex",
	"string": "string", "bool": "bool", "any": "any", "error": "error", "shape": "shape", "ints": "ints",
}

// classOf returns what a type is, in a word.
func classOf(kind string) string {
	switch {
	case basics[kind] != "":
		return basics[kind]
	case strings.HasPrefix(kind, "[]"):
		return "slice"
	case strings.HasPrefix(kind, "["):
		return "array"
	case strings.HasPrefix(kind, "*"):
		return "pointer"
	case strings.HasPrefix(kind, "map["):
		return "map"
	case strings.HasPrefix(kind, "func("):
		return "func"
	case strings.HasPrefix(kind, "chan "):
		return "channel"
	}
	return "struct"
}

// funcTypes returns the types of func(A) B.
func funcTypes(kind string) (in, out string) {
	in, out, _ = strings.Cut(strings.TrimPrefix(kind, "func("), ") ")
	return in, out
}

// mapTypes returns the types of map[K]V.
func mapTypes(kind string) (key, elem string) {
	key, elem, _ = strings.Cut(strings.TrimPrefix(kind, "map["), "]")
	return key, elem
}

// declareType declares a struct with methods, or a number with constants.
func (g *generator) declareType() {
	name := g.global()
	if g.next(4) == 0 {
		fmt.Fprintf(&g.top, "type %s %s\n\nconst (\n%s_a %s = %d << iota\n%s_b\n%s_c = %s_b + iota\n)\n\n", name, g.oneOf("int", "int64", "uint8"), name, name, 1+g.next(3), name, name, name)
		fmt.Fprintf(&g.top, "func (n %s) Name() string { return fmt.Sprint(\"%s \", int(n)+%d) }\n\n", name, "n", g.next(9))
		fmt.Fprintf(&g.top, "func (n *%s) Next() %s { *n += %s_b; return *n }\n\n", name, name, name)
		global := g.global()
		fmt.Fprintf(&g.top, "var %s = fmt.Sprint(%s_a, %s_b, %s_c.Name(), ptr(%s_c).Next())\n\n", global, name, name, name, name)
		g.vars = append(g.vars, variable{global, "string"})
		return
	}
	f := fields{{"K", simple[g.next(len(simple))]}}
	text := "type " + name + " struct {\nK " + f[0][1] + "\n"
	if others := g.declared(); len(others) > 0 && g.next(2) == 0 {
		other := others[g.next(len(others))]
		text += other + "\n"
		f = append(f, [2]string{other, other}, [2]string{other + ".K", g.structs[other][0][1]})
	} else if g.next(2) == 0 {
		text += "*S\n"
		f = append(f, [2]string{"S", "*S"})
	}
	for _, field := range []string{"L", "M"}[:g.next(3)] {
		kind := simple[g.next(len(simple))]
		text += field + " " + kind + "\n"
		f = append(f, [2]string{field, kind})
	}
	k := f[0][1]
	fmt.Fprintf(&g.top, "%s}\n\nfunc (x %s) Got() %s { return x.K }\n\nfunc (x *%s) Put(k %s) *%s { x.K = k; return x }\n\n", text, name, k, name, k, name)
	fmt.Fprintf(&g.top, "func (x %s) With(k %s) %s { x.Put(k); return x }\n\n", name, k, name)
	g.structs[name] = f
}

// declareGlobal declares a variable of the package.
func (g *generator) declareGlobal() {
	name, kind := g.global(), g.kind()
	if kind == "chan int" {
		kind = "int"
	}
	fmt.Fprintf(&g.top, "var %s %s = must(func() (x %s, err error) {\nerr = try(func() { x = %s })\nreturn\n}())\n\n", name, kind, kind, g.expr(kind, 1))
	g.vars = append(g.vars, variable{name, kind})
}

var literals = map[string]string{
	"int8": "identity(int8(100))", "uint8": "identity(uint8(200))", "small": "small(3)", "bool": "true", "string": `"a"`, "rune": "'é'",
	"float64": "1.5", "float32": "float32(0.1)", "complex128": "identity(complex(1, 2))", "level": "level(2)", "any": "any(nil)", "error": "error(nil)",
	"shape": "shape(square{2})", "ints": "ints{3, 1, 2}", "*circle": "&circle{square{1}, \"c\"}", "chan int": "make(chan int, 2)",
	"func(int) int": "func(n int) int { return n }", "func(string) string": "strings.ToUpper", "S": "S{A: 1}", "*S": "(*S)(nil)",
	"ends": `ends{"a", "b"}`, "U": "U{&S{}, square{3}, 1}", "[]byte": `[]byte("xyz")`,
}

// literal returns a value of a type in short.
func literal(kind string) string {
	if text := literals[kind]; text != "" {
		return text
	}
	switch classOf(kind) {
	case "integer":
		return kind + "(1)"
	case "slice":
		return kind + "{" + literal(kind[2:]) + "}"
	case "array":
		return kind + "{" + literal(kind[3:]) + "}"
	case "map":
		key, elem := mapTypes(kind)
		return kind + "{" + literal(key) + ": " + literal(elem) + "}"
	case "pointer":
		return "new(" + kind[1:] + ")"
	}
	return kind + "{}"
}
