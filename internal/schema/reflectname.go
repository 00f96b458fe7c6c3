package schema

import (
	"net/url"
	"reflect"
	"strconv"
	"strings"
)

// An argParser reads type arguments as the gc compiler writes them into the name
// of an instance: packages by import path, types of functions as Name·1.
type argParser struct {
	text string // what isn't read yet
}

// name reads an identifier and its type arguments.
func (p *argParser) name(pkgPath string) Name {
	end := strings.IndexAny(p.text, "[],")
	if end < 0 {
		end = len(p.text)
	}
	ident, _, _ := strings.Cut(p.text[:end], "·")
	p.text = p.text[end:]
	name := Name{PkgPath: pkgPath, Ident: ident}
	if !p.accept("[") {
		return name
	}
	for {
		name.Args = append(name.Args, p.arg())
		if !p.accept(",") {
			break
		}
	}
	p.accept("]")
	return name
}

func (p *argParser) arg() Arg {
	switch {
	case p.accept("*"):
		return p.composite(Arg{Kind: reflect.Pointer})
	case p.accept("[]"):
		return p.composite(Arg{Kind: reflect.Slice})
	case p.accept("["):
		digits, rest, _ := strings.Cut(p.text, "]")
		p.text = rest
		length, _ := strconv.ParseInt(digits, 10, 64)
		return p.composite(Arg{Kind: reflect.Array, Len: length})
	case p.accept("map["):
		key := p.arg()
		p.accept("]")
		return p.composite(Arg{Kind: reflect.Map, Key: &key})
	case p.accept("interface {}"):
		return Arg{Name: Name{Ident: "any"}}
	}
	if kind := literalKind(p.text); kind != reflect.Invalid {
		p.skipLiteral()
		return Arg{Kind: kind}
	}
	return Arg{Name: p.qualified()}
}

// literalKind returns the kind of the type literal that text begins with,
// Invalid where it begins with a name.
func literalKind(text string) reflect.Kind {
	switch word := text[:strings.IndexAny(text+" ", " (")]; word {
	case "interface":
		return reflect.Interface
	case "struct":
		return reflect.Struct
	case "func":
		return reflect.Func
	case "chan", "chan<-", "<-chan":
		return reflect.Chan
	default:
		return reflect.Invalid
	}
}

func (p *argParser) composite(arg Arg) Arg {
	elem := p.arg()
	arg.Elem = &elem
	return arg
}

// qualified reads path/pkg.Name. The compiler escapes dots in the last element
// of a path.
func (p *argParser) qualified() Name {
	end := strings.IndexAny(p.text, "[],")
	if end < 0 {
		end = len(p.text)
	}
	dot := strings.LastIndexByte(p.text[:end], '.')
	if dot < 0 {
		return p.name("")
	}
	pkgPath, err := url.PathUnescape(p.text[:dot])
	if err != nil {
		pkgPath = p.text[:dot]
	}
	p.text = p.text[dot+1:]
	return p.name(pkgPath)
}

// skipLiteral goes to the comma or bracket that ends a type literal. Brackets
// nest, and field tags are quoted strings that may hold any of them.
func (p *argParser) skipLiteral() {
	for depth := 0; p.text != ""; {
		switch p.text[0] {
		case '"':
			quoted, err := strconv.QuotedPrefix(p.text)
			if err != nil {
				quoted = p.text
			}
			p.text = p.text[len(quoted):]
			continue
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth == 0 {
				return
			}
			depth--
		case ',':
			if depth == 0 {
				return
			}
		}
		p.text = p.text[1:]
	}
}

func (p *argParser) accept(prefix string) bool {
	rest, ok := strings.CutPrefix(p.text, prefix)
	p.text = rest
	return ok
}
