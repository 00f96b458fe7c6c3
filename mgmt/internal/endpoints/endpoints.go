// Package endpoints reads from the source of package mgmt which endpoint of the
// management API each method calls: the lines "GET /api/..." that end its doc
// comment. The tests compare them with the requests that are sent, and write the
// reference page from them.
package endpoints

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
)

// An Endpoint is a verb and a path, in which parts in braces stand for names.
type Endpoint struct{ Verb, Path string }

// Matches reports whether a request was to the endpoint. path is escaped.
func (e Endpoint) Matches(verb, path string) bool {
	want, got := strings.Split(e.Path, "/"), strings.Split(path, "/")
	return verb == e.Verb && slices.EqualFunc(want, got, func(want, got string) bool {
		return want == got || strings.HasPrefix(want, "{") && got != ""
	})
}

// A Method is an exported function or method that calls the API.
type Method struct {
	Name      string
	Endpoints []Endpoint
}

// silent are the methods without an endpoint of their own.
var silent = []string{"Close", "Do", "String", "GoString", "Format", "LogValue", "MarshalJSON"}

var line = regexp.MustCompile(`^(GET|PUT|POST|DELETE) (/api/\S+)$`)

// Of returns the methods of Client in the package at dir, by name. A method that
// names no endpoint is an error.
func Of(dir string) ([]Method, error) {
	var methods []Method
	files, err := fs.Glob(os.DirFS(dir), "*.go")
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), dir+"/"+name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		for _, declaration := range file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok || !isMethod(function) {
				continue
			}
			method := Method{function.Name.Name, named(function.Doc.Text())}
			if len(method.Endpoints) == 0 {
				return nil, fmt.Errorf("%s: the comment of %s names no endpoint", name, method.Name)
			}
			methods = append(methods, method)
		}
	}
	slices.SortFunc(methods, func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	return methods, nil
}

func isMethod(function *ast.FuncDecl) bool {
	if function.Recv == nil || !function.Name.IsExported() || slices.Contains(silent, function.Name.Name) {
		return false
	}
	pointer, ok := function.Recv.List[0].Type.(*ast.StarExpr)
	if !ok {
		return false
	}
	receiver, ok := pointer.X.(*ast.Ident)
	return ok && receiver.Name == "Client"
}

func named(comment string) []Endpoint {
	var all []Endpoint
	for text := range strings.Lines(comment) {
		if match := line.FindStringSubmatch(strings.TrimSpace(text)); match != nil {
			all = append(all, Endpoint{match[1], match[2]})
		}
	}
	return all
}
