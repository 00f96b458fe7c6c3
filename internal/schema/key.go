package schema

import (
	"fmt"
	"path"
	"reflect"
	"strconv"
	"strings"
)

// A detail says how much of a name is in a component's key.
type detail int

const (
	byIdent   detail = iota // Page_Order
	byPackage               // shop.Page_Order
	byArgs                  // shop.Page_billing.Order
	byPath                  // example.com--shop.Page-of-example.com--billing.Order-end-
)

// assignKeys gives every component the key of least detail that no other has.
// All components of one key get more detail, so that a key never depends on
// which of them came first. Full names that are still equal are those of types
// local to functions, and of instances that differ in a type literal; they are
// numbered in the order of first use, which is all that a running program and
// its source code agree on.
func assignKeys(components []*component) {
	sameName := map[string]int{}
	for _, c := range components {
		full := c.t.Name().key(byPath)
		sameName[full]++
		c.number = sameName[full]
	}
	details := make([]detail, len(components))
	for clash := true; clash; {
		clash = false
		users := map[string]int{}
		for i, c := range components {
			c.key = c.keyOf(details[i])
			users[c.key]++
		}
		for i, c := range components {
			if users[c.key] > 1 && details[i] < byPath {
				details[i]++
				clash = true
			}
		}
	}
}

func (c *component) keyOf(d detail) string {
	key := c.t.Name().key(d)
	switch {
	case c.number == 1:
		return key
	case d == byPath:
		return fmt.Sprintf("%s-n%d-", key, c.number)
	default:
		return fmt.Sprintf("%s_%d", key, c.number)
	}
}

// key writes the name in the letters that component keys may have:
// A-Z a-z 0-9 . _ and -. Keys by path differ wherever names do, type literals
// without parts aside: what isn't a letter, a digit, _ or . is between hyphens,
// which are no part of an identifier.
func (n Name) key(d detail) string {
	var key strings.Builder
	switch {
	case !n.Defined() || d == byIdent:
	case d == byPath:
		key.WriteString(escape(n.PkgPath) + ".")
	default:
		key.WriteString(escape(n.Pkg) + ".")
	}
	key.WriteString(escape(n.Ident))
	for i, arg := range n.Args {
		switch {
		case d < byPath:
			key.WriteString("_")
		case i == 0:
			key.WriteString("-of-")
		default:
			key.WriteString("-and-")
		}
		key.WriteString(arg.key(d))
	}
	if d == byPath && len(n.Args) > 0 {
		key.WriteString("-end-")
	}
	return key.String()
}

// key writes a type argument: OrderList for []Order and so on, or, by path,
// -list-example.com--shop.Order.
func (a Arg) key(d detail) string {
	if a.Name.Ident != "" {
		return a.Name.asArg(d).key(d)
	}
	word, before := "", ""
	switch a.Kind {
	case reflect.Pointer:
		word = "ptr"
	case reflect.Slice:
		word = "list"
	case reflect.Array:
		word = "array" + strconv.FormatInt(a.Len, 10)
	case reflect.Map:
		word, before = "map", a.Key.key(d)
		if d == byPath {
			before += "-to-"
		}
	default:
		word = a.Kind.String()
	}
	elem := ""
	if a.Elem != nil {
		elem = a.Elem.key(d)
	}
	if d == byPath {
		return "-" + word + "-" + before + elem
	}
	return joinCamel(before, elem, word)
}

// joinCamel joins words, those behind another one with an upper-case first letter.
func joinCamel(words ...string) string {
	joined := ""
	for _, word := range words {
		if joined != "" && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		joined += word
	}
	return joined
}

// asArg returns n as it is written in a key of detail d: packages of arguments
// are known by their path only.
func (n Name) asArg(d detail) Name {
	switch {
	case d == byPackage:
		n.PkgPath, n.Pkg = "", ""
	case n.Defined():
		n.Pkg = lastElement(n.PkgPath)
	}
	return n
}

// lastElement returns the last element of an import path that says something:
// a version doesn't.
func lastElement(importPath string) string {
	dir, last := path.Split(importPath)
	version, isVersion := strings.CutPrefix(last, "v")
	if _, err := strconv.Atoi(version); isVersion && err == nil && dir != "" {
		return path.Base(dir)
	}
	return last
}

// escape writes an identifier or an import path. A slash becomes two hyphens,
// and what a key may not have its code point between two.
func escape(name string) string {
	var escaped strings.Builder
	for _, r := range name {
		switch {
		case r == '/':
			escaped.WriteString("--")
		case r == '_' || r == '.' || '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' || 'a' <= r && r <= 'z':
			escaped.WriteRune(r)
		default:
			fmt.Fprintf(&escaped, "-%x-", r)
		}
	}
	return escaped.String()
}
