package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const templateDeclarations = `
var _, _ = fmt.Sprint, time.Now

type key string

type first struct{ X int }

type second struct{ X int }

type keys struct {
	Key    key
	Plain  string
	ByKey  map[key]string
	ByText map[string]string
	List   []key
	Pair   [2]key
	Other  [2]string
	A      first
	B      second
	C      first
	N      int
	P      *int
}

// counted counts in what it prints how often it is written to.
type counted struct {
	of *keys
	strings.Builder
}

func (c *counted) Write(data []byte) (int, error) {
	c.of.N++
	return c.Builder.Write(data)
}

func printed(text string, data any, funcs template.FuncMap) string {
	var b strings.Builder
	if err := template.Must(template.New("t").Funcs(funcs).Parse(text)).Execute(&b, data); err != nil {
		b.WriteString(" failed")
	}
	return b.String()
}
`

var templateImports = []string{"fmt", "strings", "text/template", "time"}

// Templates see the types of what they print: which structs are compared, and what a map takes.
func TestTemplate_SeesTypesAsTheyAre(t *testing.T) {
	requireAsPrinted(t, templateImports, templateDeclarations, []struct{ name, body string }{
		{"structs of two types", `show(printed("{{eq .A .B}} {{eq .A .C}}", struct { A first; B second; C first }{}, nil)); show(printed("{{eq .A .C}} {{ne .A .C}}", struct{ A, C first }{first{1}, first{1}}, nil))`},
		{"types of texts", `d := struct { Key key; List []key }{"k", []key{"a"}}; show(printed("{{.Key}} {{eq .Key \"k\"}} {{if .Key}}yes{{end}}{{range .List}}<{{.}}>{{end}} {{len .Key}} {{printf \"%s %5.1f%% %v\" .Key 1.25 .List}}", d, nil))`},
		{"what prints", `show(printed("{{print 1}} printf {{println 2 \"a\"}}{{html \"<\"}}{{js \"<\"}}{{urlquery \"a b\"}}{{5 | printf \"%03d\"}}", nil, nil))`},
		{"a function that changes other data", `n := 0; show(printed("{{.N}}{{next}}{{.N}}{{next}}", struct{ N int }{5}, template.FuncMap{"next": func() int { n++; return n }})); show(n)`},
		{"functions of lists", `l := []string{"b", "a"}; funcs := template.FuncMap{"join": func(l []string) string { s := ""; for _, e := range l { s += e }; return s }, "first": func(n int, l []string) []string { return l[:n] }, "seq": func(n int) []int { s := make([]int, n); for i := range s { s[i] = i }; return s }, "glue": strings.Join, "split": strings.Split}; show(printed("{{join .}} {{join (first 1 .)}} {{range seq 3}}{{.}},{{end}} {{glue . \"-\"}} {{index (split \"a/b\" \"/\") 1}}", l, funcs)); show(l[0])`},
		{"a function that changes its own arguments", `show(printed("{{least 3 1 2}} {{least 5 4}}", nil, template.FuncMap{"least": func(n ...int) int { if n[0] > n[1] { n[0], n[1] = n[1], n[0] }; return n[0] }}))`},
	})
}

// What a mirror hasn't, what it can't tell apart, and what changes while it is printed isn't known.
func TestTemplate_LeavesOpenWhatAMirrorHasnt(t *testing.T) {
	for name, body := range map[string]string{
		"keys of a type of their own":         `show(printed("{{len .ByKey}}", struct{ ByKey map[key]string }{}, nil))`,
		"a key of a type of its own":          `show(printed("{{index .ByText .Key}}", struct { ByText map[string]string; Key key }{Key: "k"}, nil))`,
		"a format of a type of its own":       `show(printed("{{printf .Key}}", struct{ Key key }{"k"}, nil))`,
		"elements of an array":                `show(printed("{{eq .Pair .Other}}", struct { Pair [2]key; Other [2]string }{}, nil))`,
		"structs without fields":              `type a struct{}; type b struct{}; show(printed("{{eq .A .B}}", struct { A a; B b }{}, nil))`,
		"a type that is printed":              `show(printed("{{printf \"%[1]T\" .}}", key("k"), nil))`,
		"a type that is printed with a width": `show(printed("{{printf \"%5T\" .}}", key("k"), nil))`,
		"a type as Go writes it":              `show(printed("{{printf \"%+#v\" .}}", first{}, nil))`,
		"a verb that it hides":                `show(printed("{{printf \"\\u0025T\" .}}", key("k"), nil))`,
		"the name of a type in a text":        `show(printed("{{printf \"%d\" . | urlquery}}", key("k"), nil))`,
		"the length of a type's name":         `show(printed("{{printf \"%d\" . | len}}", key("k"), nil))`,
		"an address in a text":                `show(printed("{{print .P | len}}", struct{ P *int }{new(int)}, nil))`,
		"an address as a number":              `show(printed("{{printf \"%d\" .P}}", struct{ P *int }{new(int)}, nil))`,
		"a function that changes a field":     `d := &keys{}; d.ByKey = nil; type fields struct { N int; List []string }; f := &fields{}; show(printed("{{.N}}{{next}}{{.N}}", f, template.FuncMap{"next": func() string { f.N++; return "" }}))`,
		"a function that changes an element":  `l := []string{"a", "b"}; show(printed("{{range .}}{{.}}{{pop}}{{end}}", l, template.FuncMap{"pop": func() string { l[1] = "c"; return "" }}))`,
		"a function that adds an entry":       `m := map[string]int{}; show(printed("{{.k}}{{add}}{{.k}}", m, template.FuncMap{"add": func() string { m["k"] = 1; return "" }}))`,
		"a function that removes an entry":    `m := map[string]int{"k": 1}; show(printed("{{.k}}{{remove}}{{.k}}", m, template.FuncMap{"remove": func() string { delete(m, "k"); return "" }}))`,
		"a function that changes it for now":  `n := 1; d := struct{ P *int }{&n}; show(printed("{{next}}{{.P}}{{next}}", d, template.FuncMap{"next": func() string { n = 3 - n; return "" }}))`,
		"a function that changes its list":    `show(printed("{{index (swapped .) 0}}{{index . 0}}", []string{"b", "a"}, template.FuncMap{"swapped": func(l []string) []string { l[0], l[1] = l[1], l[0]; return l }}))`,
		"one that changes a list in its list": `show(printed("{{change .}}{{.}}", [][]int{{1}}, template.FuncMap{"change": func(l [][]int) string { l[0][0] = 2; return "" }}))`,
		"one that changes one of its lists":   `show(printed("{{change . .}}{{.}}", []int{1}, template.FuncMap{"change": func(l ...[]int) string { l[0][0] = 2; return "" }}))`,
		"one that keeps its list":             `var kept []int; l := []int{1}; show(printed("{{keep .}}", l, template.FuncMap{"keep": func(l []int) string { kept = l; return "" }})); l[0] = 2; _ = kept`,
		"one that appends to its list":        `show(printed("{{more .}}", make([]int, 1, 2), template.FuncMap{"more": func(l []int) []int { return append(l, 1) }}))`,
		"one that gives a list of its own":    `n := []int{0}; show(printed("{{$a := inc}}{{$b := inc}}{{$a}}{{$b}}", nil, template.FuncMap{"inc": func() []int { n[0]++; return n }}))`,
		"a time of the machine's zone":        `show(printed("{{.Local}}", time.Unix(0, 0).UTC(), nil))`,
		"what two interfaces hold":            `show(printed("{{eq .A .B}}", map[string]any{"A": [2]key{"a"}, "B": [2]string{"a"}}, nil))`,
		"a writer that changes it":            `type one struct{ N int }; d := &keys{}; out := &counted{of: d}; _ = template.Must(template.New("t").Parse("a {{.N}} b {{.N}}")).Execute(out, struct{ P *int }{&d.N}); show(out.String())`,
	} {
		t.Run(name, func(t *testing.T) {
			source := libraryProgram(templateImports, templateDeclarations, []struct{ name, body string }{{name, body}}, 0, 1)
			shown := evaluate(t, source).shown
			require.Len(t, shown, 2)
			require.Regexp(t, "^unknown: ", shown[1], strings.Join(shown, "\n"))
		})
	}
}
