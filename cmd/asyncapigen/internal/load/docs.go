package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fileDocs holds the doc comments of a file's types and fields by name and
// line: export data has lines, but no columns and no comments. They are read
// with the declaration that is asked for.
type fileDocs struct {
	outline *outline     // nil where the whole file was read
	read    map[int]bool // regions, by their offsets

	types  map[docKey]string
	fields map[docKey]string

	typeDirectives  map[docKey][]Directive
	fieldDirectives map[docKey][]Directive
}

// A Directive is a comment such as //asyncapigen:example 7.
type Directive struct {
	Name     string // what stands after "asyncapigen:"
	Text     string // the rest of the line
	Position token.Position
}

type docKey struct {
	name string
	line int
}

// TypeDoc returns the doc comment of a type, "" where it has none or its source
// isn't available.
func (p *Program) TypeDoc(obj *types.TypeName) string {
	docs, key := p.docsAt(obj)
	return docs.types[key]
}

// FieldDoc returns the comment of a struct field: the one above it, or the one
// on its line.
func (p *Program) FieldDoc(field *types.Var) string {
	docs, key := p.docsAt(field)
	return docs.fields[key]
}

// TypeDirectives returns the directives //asyncapigen:... in the doc comment of a
// type.
func (p *Program) TypeDirectives(obj *types.TypeName) []Directive {
	docs, key := p.docsAt(obj)
	return p.seenDirectives(docs.typeDirectives[key])
}

// FieldDirectives returns those in the comments of a struct field: above it, and
// on its line.
func (p *Program) FieldDirectives(field *types.Var) []Directive {
	docs, key := p.docsAt(field)
	return p.seenDirectives(docs.fieldDirectives[key])
}

// seenDirectives gives the directives the positions that Position would.
func (p *Program) seenDirectives(all []Directive) []Directive {
	all = slices.Clone(all)
	for i := range all {
		all[i].Position = p.seenFromDir(all[i].Position)
	}
	return all
}

func (p *Program) docsAt(obj types.Object) (*fileDocs, docKey) {
	position := p.Fset.Position(obj.Pos())
	if obj.Pkg() == nil || !position.IsValid() {
		return new(fileDocs), docKey{}
	}
	name := p.sourceFile(obj.Pkg().Path(), position.Filename)
	docs, ok := p.docs[name]
	if !ok {
		docs = p.docsOf(name)
		p.docs[name] = docs
	}
	docs.readAt(position.Line)
	return docs, docKey{obj.Name(), position.Line}
}

// sourceFile finds the file on this machine: builds with -trimpath record other
// names in export data.
func (p *Program) sourceFile(pkgPath, recorded string) string {
	names, ok := p.files[pkgPath]
	if !ok {
		names = make(map[string]string)
		if meta := p.byPath[pkgPath]; meta != nil {
			for _, name := range meta.GoFiles {
				names[filepath.Base(name)] = name
			}
		}
		p.files[pkgPath] = names
	}
	if name := names[filepath.Base(recorded)]; name != "" {
		return name
	}
	return recorded
}

// untrimmed finds the file of a name that a build with -trimpath has recorded: the
// package's path, in which a module of another has its version.
func (p *Program) untrimmed(recorded string) string {
	if recorded == "" || filepath.IsAbs(recorded) {
		return recorded
	}
	pkgPath := path.Dir(recorded)
	if module, rest, ok := strings.Cut(pkgPath, "@"); ok {
		_, below, _ := strings.Cut(rest, "/")
		pkgPath = path.Join(module, below)
	}
	return p.sourceFile(pkgPath, recorded)
}

// docsOf takes the comments of a file that was parsed from there, and leaves
// those of others to readAt.
func (p *Program) docsOf(name string) *fileDocs {
	docs := &fileDocs{
		read:  make(map[int]bool),
		types: make(map[docKey]string), fields: make(map[docKey]string),
		typeDirectives: make(map[docKey][]Directive), fieldDirectives: make(map[docKey][]Directive),
	}
	if file := p.parsed[name]; file != nil {
		docs.add(p.Fset, file)
		return docs
	}
	if docs.outline = p.outline(name); docs.outline != nil {
		return docs
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err == nil {
		docs.add(fset, file)
	}
	return docs
}

// readAt reads the declarations on a line.
func (d *fileDocs) readAt(line int) {
	if d.outline == nil {
		return
	}
	for _, r := range d.outline.at(line) {
		if d.read[r.at] {
			continue
		}
		d.read[r.at] = true
		fset := token.NewFileSet()
		file, err := d.outline.parse(fset, d.outline.clause(), []region{r})
		if err == nil {
			d.add(fset, file)
		}
	}
}

func (d *fileDocs) add(fset *token.FileSet, file *ast.File) {
	ast.Inspect(file, func(node ast.Node) bool {
		switch node := node.(type) {
		case *ast.GenDecl:
			d.addTypes(fset, node)
		case *ast.StructType:
			d.addFields(fset, node)
		}
		return true
	})
}

func (d *fileDocs) addTypes(fset *token.FileSet, decl *ast.GenDecl) {
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		doc := spec.Doc
		if doc == nil && !decl.Lparen.IsValid() {
			doc = decl.Doc
		}
		if doc == nil {
			doc = spec.Comment
		}
		key := docKey{spec.Name.Name, fset.Position(spec.Name.Pos()).Line}
		d.types[key] = text(doc)
		d.typeDirectives[key] = directives(fset, doc)
	}
}

func (d *fileDocs) addFields(fset *token.FileSet, structure *ast.StructType) {
	for _, field := range structure.Fields.List {
		doc := field.Doc
		if doc == nil {
			doc = field.Comment
		}
		for _, name := range field.Names {
			key := docKey{name.Name, fset.Position(name.Pos()).Line}
			d.fields[key] = text(doc)
			d.fieldDirectives[key] = append(directives(fset, field.Doc), directives(fset, field.Comment)...)
		}
	}
}

// directives returns the comments //asyncapigen:name text of a group.
func directives(fset *token.FileSet, doc *ast.CommentGroup) []Directive {
	if doc == nil {
		return nil
	}
	var found []Directive
	for _, comment := range doc.List {
		line, ok := strings.CutPrefix(comment.Text, "//asyncapigen:")
		if !ok {
			continue
		}
		name, text, _ := strings.Cut(line, " ")
		found = append(found, Directive{Name: name, Text: strings.TrimSpace(text), Position: fset.Position(comment.Pos())})
	}
	return found
}

func text(doc *ast.CommentGroup) string { return strings.TrimSpace(doc.Text()) }
