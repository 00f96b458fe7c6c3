package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"sort"
	"unicode/utf8"
)

// An outline is the text of a file, divided into its declarations without being
// parsed: most of a large package is never asked for.
type outline struct {
	name    string
	text    []byte
	regions []region // in the order of the text, the package clause first
}

// A region is the text of one declaration, from the line after the one before it
// to the end of its own last line, so that its comments are within.
type region struct {
	keyword    string // package, import, const, type, var or func
	at         int    // the offset of the keyword
	start, end int    // offsets of the region
	line, last int    // its lines
}

// outlineOf divides a file, nil where that isn't certain: its positions are
// those of another text, it doesn't compile, or it is written in a way that no
// formatter leaves.
func outlineOf(name string) *outline {
	text, err := os.ReadFile(name)
	if err != nil || bytes.Contains(text, []byte("//line ")) || bytes.Contains(text, []byte("/*line ")) {
		return nil
	}
	d := divider{text: text, atStart: true}
	if !d.divide() || len(d.regions) == 0 || d.regions[0].keyword != "package" {
		return nil
	}
	line, counted := 1, 0
	lineOf := func(offset int) int {
		line += bytes.Count(text[counted:offset], []byte("\n"))
		counted = offset
		return line
	}
	for i := range d.regions {
		r := &d.regions[i]
		r.line = lineOf(r.start)
		r.last = lineOf(r.end - 1)
	}
	return &outline{name: name, text: text, regions: d.regions}
}

// at returns the regions that are on a line.
func (o *outline) at(line int) []region {
	first := sort.Search(len(o.regions), func(i int) bool { return o.regions[i].last >= line })
	after := first
	for after < len(o.regions) && o.regions[after].line <= line {
		after++
	}
	return o.regions[first:after]
}

// of returns the regions with a keyword.
func (o *outline) of(keyword string) []region {
	return slices.DeleteFunc(slices.Clone(o.regions), func(r region) bool { return r.keyword != keyword })
}

// names returns the names that a region declares, that of a method aside.
func (o *outline) names(r region) []string {
	if rest := o.afterKeyword(r); rest[0] != '(' {
		return identList(rest)
	}
	if r.keyword == "func" {
		return nil
	}
	file, err := o.parse(token.NewFileSet(), o.clause(), []region{r})
	if err != nil {
		return nil
	}
	var names []string
	for _, decl := range file.Decls {
		for _, spec := range decl.(*ast.GenDecl).Specs {
			for _, ident := range declaredBy(spec) {
				names = append(names, ident.Name)
			}
		}
	}
	return names
}

// declaredBy returns the names of a specification.
func declaredBy(spec ast.Spec) []*ast.Ident {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		return []*ast.Ident{spec.Name}
	case *ast.ValueSpec:
		return spec.Names
	default:
		return nil
	}
}

// receiver returns the name of the type that a region declares a method of, ""
// where it declares none, and whether that can be read from the text.
func (o *outline) receiver(r region) (name string, ok bool) {
	rest := o.afterKeyword(r)
	if r.keyword != "func" || rest[0] != '(' {
		return "", true
	}
	inside, _, _ := bytes.Cut(rest[1:], []byte(")"))
	inside, _, _ = bytes.Cut(inside, []byte("["))
	words := bytes.FieldsFunc(inside, func(r rune) bool { return r < utf8.RuneSelf && !isWord[r] })
	if len(words) == 0 || bytes.IndexByte(inside, '/') >= 0 {
		return "", false
	}
	return string(words[len(words)-1]), true
}

// afterKeyword returns the text from the first letter or parenthesis after the
// keyword on, which there is.
func (o *outline) afterKeyword(r region) []byte {
	return bytes.TrimLeft(o.text[r.at+len(r.keyword):r.end], " \t\r\n")
}

// identList reads a, b, c.
func identList(text []byte) []string {
	var names []string
	for {
		n := wordLength(text)
		if n == 0 {
			return names
		}
		names = append(names, string(text[:n]))
		text = bytes.TrimLeft(text[n:], " \t\r\n")
		if len(text) == 0 || text[0] != ',' {
			return names
		}
		text = bytes.TrimLeft(text[1:], " \t\r\n")
	}
}

// clause returns the package clause, header also what stands above it: the
// constraints of the build, which may name a version of the language.
func (o *outline) clause() []byte { return o.text[o.regions[0].at:o.regions[0].end] }
func (o *outline) header() []byte { return o.text[:o.regions[0].end] }

// parse parses some of the regions below a package clause, as a file of their own
// whose positions are those of the whole.
func (o *outline) parse(fset *token.FileSet, clause []byte, wanted []region) (*ast.File, error) {
	size := len(clause)
	for _, r := range wanted {
		size += 1 + r.end - r.start
	}
	text := append(make([]byte, 0, size), clause...)
	starts := make([]int, len(wanted))
	for i, r := range wanted {
		text = append(text, '\n')
		starts[i] = len(text)
		line := bytes.LastIndexByte(o.text[:r.start], '\n') + 1
		text = append(text, bytes.Repeat([]byte(" "), r.start-line)...)
		text = append(text, o.text[r.start:r.end]...)
	}
	file, err := parser.ParseFile(fset, o.name, text, parser.ParseComments|parser.SkipObjectResolution)
	if file == nil {
		return nil, err
	}
	positions := fset.File(file.FileStart)
	for i, r := range wanted {
		positions.AddLineColumnInfo(starts[i], o.name, r.line, 1)
	}
	return file, err
}
