package load

import (
	"bytes"
	"container/heap"
	"fmt"
	"go/scanner"
	"go/token"
	"os"
	pathpkg "path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// InitOrder returns the paths of the packages that a program is made of, in the
// order in which Go initialises them: of those whose imports are initialised,
// always the first by the name of its symbol. One that has nothing to do then holds up no other.
// Source: The Go Programming Language Specification, Program initialization; and for
// what holds up others, pkginit of the compiler.
func (p *Program) InitOrder(main string) []string {
	waiting := make(map[string]int) // for so many imports
	importers := make(map[string][]string)
	var idle []string
	var ready inits
	seen := make(map[string]bool)
	var visit func(pkg *packages.Package)
	visit = func(pkg *packages.Package) {
		if seen[pkg.PkgPath] {
			return
		}
		seen[pkg.PkgPath] = true
		for _, imported := range pkg.Imports {
			visit(imported)
			if !p.idle[imported.PkgPath] {
				importers[imported.PkgPath] = append(importers[imported.PkgPath], pkg.PkgPath)
				waiting[pkg.PkgPath]++
			}
		}
		switch {
		case p.idle[pkg.PkgPath] && pkg.PkgPath != main:
			idle = append(idle, pkg.PkgPath)
		case waiting[pkg.PkgPath] == 0:
			ready = append(ready, newInit(pkg.PkgPath))
		}
	}
	if meta := p.byPath[main]; meta != nil {
		visit(meta)
	}
	heap.Init(&ready)
	slices.Sort(idle)
	order := idle
	for len(ready) > 0 {
		path := heap.Pop(&ready).(initOf).path
		order = append(order, path)
		for _, importer := range importers[path] {
			if waiting[importer]--; waiting[importer] == 0 {
				heap.Push(&ready, newInit(importer))
			}
		}
	}
	return order
}

// inits is a heap of packages that can be initialised.
type inits []initOf

// initOf is a package, with the name by which the linker orders its initialisation.
type initOf struct{ symbol, path string }

func newInit(path string) initOf { return initOf{initTask(path), path} }

// initTask returns the name of the symbol of what a package has to do when it is initialised.
func initTask(path string) string {
	dir, last := pathpkg.Split(path)
	return escapeSymbol(dir, false) + escapeSymbol(last, true) + "..inittask"
}

// escapeSymbol escapes a part of an import path as the names of symbols are. Periods are in the
// last element alone.
// Source: objabi.PathToPrefix of the compiler.
func escapeSymbol(part string, periods bool) string {
	var escaped strings.Builder
	for _, c := range []byte(part) {
		if c <= ' ' || c == '%' || c == '"' || c >= 0x7f || periods && c == '.' {
			fmt.Fprintf(&escaped, "%%%02x", c)
		} else {
			escaped.WriteByte(c)
		}
	}
	return escaped.String()
}

func (h inits) Len() int           { return len(h) }
func (h inits) Less(i, j int) bool { return h[i].symbol < h[j].symbol }
func (h inits) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *inits) Push(x any)        { *h = append(*h, x.(initOf)) }
func (h *inits) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// initialises reports whether source code runs code when its package is
// initialised: in an init function, or to compute the value of a variable by a call or
// a receive. It looks at the tokens only: a conversion counts as a call.
func initialises(text []byte) bool {
	return declaring(text, func(last, tok token.Token) bool {
		return tok == token.ARROW || tok == token.LPAREN && endsOperand(last)
	})
}

func endsOperand(tok token.Token) bool {
	return tok == token.IDENT || tok == token.RPAREN || tok == token.RBRACK || tok == token.RBRACE
}

// declaring reports whether source code has an init function, or a declaration of variables in
// which one of two tokens that follow each other is as asked for.
func declaring(text []byte, is func(last, tok token.Token) bool) bool {
	if !bytes.Contains(text, []byte("var")) && !bytes.Contains(text, []byte("init")) {
		return false
	}
	d := declarations{}
	fset := token.NewFileSet()
	d.scanner.Init(fset.AddFile("", -1, len(text)), text, func(token.Position, string) {}, 0)
	for {
		switch tok, _ := d.next(); {
		case tok == token.EOF:
			return false
		case d.depth > 0:
		case tok == token.FUNC:
			if tok, name := d.next(); tok == token.IDENT && name == "init" {
				return true
			}
		case tok == token.VAR:
			if d.has(is) {
				return true
			}
		}
	}
}

// declarations reads the tokens of a file.
type declarations struct {
	scanner scanner.Scanner
	depth   int // of brackets
}

func (d *declarations) next() (tok token.Token, text string) {
	_, tok, text = d.scanner.Scan()
	switch tok {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		d.depth++
	case token.RPAREN, token.RBRACK, token.RBRACE:
		d.depth--
	}
	return tok, text
}

// has reads a declaration of variables, and reports whether two of its tokens that follow each
// other are as asked for.
func (d *declarations) has(is func(last, tok token.Token) bool) bool {
	for last := token.VAR; ; {
		switch tok, _ := d.next(); {
		case tok != token.EOF && is(last, tok):
			return true
		case tok == token.EOF, tok == token.SEMICOLON && d.depth == 0:
			return false
		default:
			last = tok
		}
	}
}

// Registers reports whether the initialisation of the package at path may change
// the packages that it imports, as one of a plugin does: whether it has an init
// function, or a variable that is initialised by a call.
func (p *Program) Registers(path string) bool {
	if known, ok := p.registers[path]; ok {
		return known
	}
	meta := p.byPath[path]
	found := meta != nil && slices.ContainsFunc(meta.GoFiles, func(name string) bool {
		text, err := os.ReadFile(name)
		return err == nil && initialises(text)
	})
	p.registers[path] = found
	return found
}

// ImportsOwn reports whether the package at path imports another one of the
// user's own modules.
func (p *Program) ImportsOwn(path string) bool {
	meta := p.byPath[path]
	if meta == nil {
		return false
	}
	for _, imported := range meta.Imports {
		if p.IsOwn(imported.PkgPath) {
			return true
		}
	}
	return false
}

// IsChecked reports whether the package at path was checked from source since it
// can register routes.
func (p *Program) IsChecked(path string) bool {
	meta := p.byPath[path]
	return meta != nil && p.fromSrc[meta.ID] && !p.isClient(path)
}
