package load

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/packages"
)

// qualified is a name of an imported package.
type qualified struct{ path, name string }

// sourceCode is what a package declares, which isn't type-checked for that. A name leads to all that
// is declared by it, that of a type to its methods.
type sourceCode struct {
	declared map[string][]*codePart // by name
	initial  []*codePart            // what runs when the package is initialised
}

// codePart is code in a file with its imports.
type codePart struct {
	node    ast.Node
	imports map[string][]string // paths by the names that they may have in the file
	found   *mentioned          // nil until asked for
}

// mentioned are the names that code mentions: those of the package itself, and those of imported ones.
type mentioned struct {
	own      []string
	imported []qualified
}

func (p *Program) sourceCode(path string) *sourceCode {
	if known, ok := p.sourceCodes[path]; ok {
		return known
	}
	code := &sourceCode{declared: make(map[string][]*codePart)}
	meta, fset := p.byPath[path], token.NewFileSet()
	for _, name := range meta.GoFiles {
		// What can't be parsed doesn't compile: the part that can be counts.
		file, _ := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if file != nil {
			code.add(file, importNames(file, meta))
		}
	}
	p.sourceCodes[path] = code
	return code
}

func (c *sourceCode) add(file *ast.File, imports map[string][]string) {
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			code := &codePart{node: decl, imports: imports}
			if decl.Recv == nil && decl.Name.Name == "init" {
				c.initial = append(c.initial, code)
				continue
			}
			c.declare(decl.Name.Name, code)
			if decl.Recv != nil && len(decl.Recv.List) == 1 {
				c.declare(receiverName(decl.Recv.List[0].Type), code)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if decl.Tok == token.VAR {
						c.addVariables(spec, imports)
					}
				case *ast.TypeSpec:
					c.addType(spec, imports)
				}
			}
		}
	}
}

func (c *sourceCode) addVariables(spec *ast.ValueSpec, imports map[string][]string) {
	code := &codePart{node: spec, imports: imports}
	c.initial = append(c.initial, code)
	for _, name := range spec.Names {
		if name.Name != "_" {
			c.declare(name.Name, code)
		}
	}
}

// addType notes the types that one leads to: methods of what it embeds, or is another name of, are its
// own, and its methods call those of what its fields and elements hold.
func (c *sourceCode) addType(spec *ast.TypeSpec, imports map[string][]string) {
	switch spec.Type.(type) {
	case *ast.InterfaceType, *ast.FuncType:
	default:
		c.declare(spec.Name.Name, &codePart{node: spec.Type, imports: imports})
	}
}

func (c *sourceCode) declare(name string, code *codePart) {
	c.declared[name] = append(c.declared[name], code)
}

// summary returns the names that the code mentions.
func (c *codePart) summary() *mentioned {
	if c.found == nil {
		f := mentionFinder{imports: c.imports, aliases: make(map[string]*ast.SelectorExpr), names: make(map[string]bool), mentioned: make(map[qualified]bool)}
		f.inspect(c.node)
		c.found = &mentioned{slices.Collect(maps.Keys(f.names)), slices.Collect(maps.Keys(f.mentioned))}
	}
	return c.found
}

// importNames returns the paths that a file of a package imports, by their names
// in the file.
func importNames(file *ast.File, meta *packages.Package) map[string][]string {
	names := make(map[string][]string)
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		imported := meta.Imports[path]
		if err != nil || imported == nil {
			continue
		}
		name := imported.Name
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = append(names[name], path)
	}
	return names
}

// receiverName returns the name of a receiver's type.
func receiverName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr.Name
	case *ast.StarExpr:
		return receiverName(expr.X)
	case *ast.ParenExpr:
		return receiverName(expr.X)
	case *ast.IndexExpr:
		return receiverName(expr.X)
	case *ast.IndexListExpr:
		return receiverName(expr.X)
	default:
		return ""
	}
}
