package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A checker tells which guards of a package compile.
type checker struct {
	p        *goPackage
	texts    map[string][]byte // of its files, by their paths
	exported map[string]string // files with what the packages export that it imports, by import path
	files    *token.FileSet
	importer types.Importer
}

func newChecker(ctx context.Context, p *goPackage) (*checker, error) {
	c := &checker{p: p, texts: map[string][]byte{}, exported: map[string]string{}, files: token.NewFileSet()}
	for _, name := range p.GoFiles {
		text, err := os.ReadFile(filepath.Join(p.Dir, name))
		if err != nil {
			return nil, err
		}
		c.texts[filepath.Join(p.Dir, name)] = text
	}
	listed, err := goList(ctx, p.Dir, "-export", "-deps", "-json=ImportPath,Export", ".", "testing", "cmp")
	if err != nil {
		return nil, err
	}
	for decoder := json.NewDecoder(bytes.NewReader(listed)); ; {
		var one struct{ ImportPath, Export string }
		if err := decoder.Decode(&one); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("read what go list says: %w", err)
		}
		c.exported[one.ImportPath] = one.Export
	}
	c.importer = importer.ForCompiler(c.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(c.exported[path]) })
	return c, nil
}

// together returns those changes that compile in one build, and the others.
func (c *checker) together(some []mutation) (fit, apart []mutation) {
	for _, m := range some {
		if m.guard.text == nil {
			apart = append(apart, m)
		} else {
			fit = append(fit, m)
		}
	}
	for len(fit) > 0 {
		wrong := c.wrong(fit)
		if len(wrong) == 0 {
			break
		}
		var left []mutation
		for i, m := range fit {
			if wrong[i] {
				apart = append(apart, m)
			} else {
				left = append(left, m)
			}
		}
		fit = left
	}
	return fit, apart
}

// guarded returns the texts of the package's files with the changes, numbered as they are,
// from 1.
func (c *checker) guarded(some []mutation) map[string][]byte {
	byFile := map[string][]numbered{}
	for i, m := range some {
		byFile[m.file] = append(byFile[m.file], numbered{m, i + 1})
	}
	texts := map[string][]byte{}
	for file, changes := range byFile {
		texts[file] = []byte(guardText(c.texts[file], changes))
	}
	return texts
}

// wrong returns the indexes of changes that don't compile with the others.
func (c *checker) wrong(some []mutation) map[int]bool {
	texts := c.guarded(some)
	var syntax []*ast.File
	wrong := map[int]bool{}
	add := func(name string, text []byte) {
		file, err := parser.ParseFile(c.files, name, text, parser.SkipObjectResolution)
		if err != nil {
			panic(fmt.Sprintf("a guard is no Go: %v", err))
		}
		syntax = append(syntax, file)
	}
	for name, text := range c.texts {
		if texts[name] != nil {
			text = texts[name]
		}
		add(name, text)
	}
	functions := strings.Replace(string(slipFunctions(c.p.Name)), "return testing.MutateIs(number)", "var _ testing.T; return false", 1)
	add("mutateslip.go", []byte(functions))
	config := types.Config{Importer: c.importer, Error: func(err error) {
		var at types.Error
		if errors.As(err, &at) {
			c.blame(syntax, at.Pos, wrong)
		}
	}}
	config.Check(c.p.ImportPath, c.files, syntax, nil) // its errors are those above
	return wrong
}

// blame adds the indexes of the changes on the line of a place, or else of those in its
// function.
func (c *checker) blame(syntax []*ast.File, at token.Pos, wrong map[int]bool) {
	line := c.files.Position(at).Line
	for _, file := range syntax {
		if file.FileStart > at || at > file.FileEnd {
			continue
		}
		for _, d := range file.Decls {
			if d.Pos() > at || at > d.End() {
				continue
			}
			calls := slipCalls(d)
			onLine := 0
			for pos, number := range calls {
				if c.files.Position(pos).Line == line {
					wrong[number-1] = true
					onLine++
				}
			}
			if onLine == 0 {
				for _, number := range calls {
					wrong[number-1] = true
				}
			}
		}
	}
}

// slipCalls returns the numbers of the changes whose guards are in a declaration.
func slipCalls(d ast.Decl) map[token.Pos]int {
	calls := map[token.Pos]int{}
	ast.Inspect(d, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		function, isName := call.Fun.(*ast.Ident)
		number, isNumber := call.Args[0].(*ast.BasicLit)
		if isName && isNumber && strings.HasPrefix(function.Name, "mutate") {
			calls[call.Pos()], _ = strconv.Atoi(number.Value)
		}
		return true
	})
	return calls
}
