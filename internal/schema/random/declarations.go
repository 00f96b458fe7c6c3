package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A writer writes a package of random types, exported and not. Each may use the
// earlier ones by value, and all of them by pointer.
type writer struct {
	strings.Builder
	*rand.Rand
	names   []string // of all types
	structs []string // that can be embedded, declared so far
	values  []string // that can be used by value, declared so far
}

// Declarations returns the source of a package "types" of random types, as many as that:
// what reflection can't make, named types with methods, embedding, instances of generic
// types and constants. The names are those of its exported types that aren't generic.
func Declarations(r *rand.Rand, types int) (source string, names []string) {
	w := &writer{Rand: r, values: scalarTypes}
	for i := range types {
		w.names = append(w.names, fmt.Sprintf("%s%d", w.pick("T", "T", "T", "T", "t"), i))
	}
	w.WriteString(prologue)
	for _, name := range w.names {
		w.declare(name)
		w.values = append(w.values, name)
		if name[0] == 'T' {
			names = append(names, name)
		}
	}
	return w.String(), names
}

const prologue = `package types

import (
	"encoding/json"
	"errors"
	"math/big"
	"net/netip"
	"strconv"
	"time"
)

var errOdd = errors.New("odd")

type Page[T any] struct {
	Items []T
	Next  *Page[T] ` + "`json:\",omitempty\"`" + `
}

type Pair[K comparable, V any] struct {
	Key    K
	Values map[K]V
}

type Tagged[T any] = Pair[string, T]

type (
	_ = json.Number
	_ = big.Int
	_ = netip.Addr
	_ = time.Time
)

var _ = strconv.Quote

`

var scalarTypes = []string{
	"bool", "string", "int", "int8", "uint16", "uint64", "float32", "float64", "byte", "rune", "any",
	"time.Time", "time.Duration", "json.Number", "json.RawMessage", "*big.Int", "netip.Addr",
}

func (w *writer) pick(from ...string) string { return from[w.IntN(len(from))] }

func (w *writer) declare(name string) {
	switch w.IntN(8) {
	case 0:
		w.scalar(name)
	case 1:
		w.enumeration(name)
	case 2:
		fmt.Fprintf(w, "type %s %s\n\n", name, w.pick("[]", "[2]", "map[string]", "map[int8]")+w.use())
		w.methods(name)
	default:
		w.structure(name)
	}
}

func (w *writer) scalar(name string) {
	fmt.Fprintf(w, "type %s %s\n\n", name, w.pick("bool", "string", "int", "uint8", "float64"))
	w.methods(name)
}

func (w *writer) enumeration(name string) {
	if w.IntN(2) == 0 {
		fmt.Fprintf(w, "type %[1]s string\n\nconst (\n\t%[1]sA %[1]s = \"a\"\n\t%[1]sB %[1]s = \"b\"\n\t%[1]sC = %[1]sA\n)\n\n", name)
		return
	}
	fmt.Fprintf(w, "type %[1]s int\n\nconst (\n\t%[1]sA %[1]s = iota + 1\n\t%[1]sB\n)\n\n", name)
}

func (w *writer) structure(name string) {
	fmt.Fprintf(w, "type %s struct {\n", name)
	embedded := map[string]bool{}
	for range w.IntN(3) {
		if len(w.structs) == 0 {
			break
		}
		base := w.pick(w.structs...)
		if embedded[base] {
			continue
		}
		embedded[base] = true
		star := ""
		if base[0] == 'T' {
			star = w.pick("", "*")
		}
		fmt.Fprintf(w, "\t%s%s%s\n", star, base, w.tag("", "", `json:"base"`, `json:",omitempty"`, `json:"-"`))
	}
	for i := range w.IntN(5) {
		field := fmt.Sprintf("F%d", i)
		if w.IntN(8) == 0 {
			field = fmt.Sprintf("f%d", i)
		}
		fmt.Fprintf(w, "\t%s %s%s\n", field, w.use(), w.tag("", "", `json:"f1"`, `json:"F2"`, `json:",omitempty"`,
			`json:",omitzero"`, `json:",string"`, `json:"-"`, `json:"x,omitempty,string"`))
	}
	w.WriteString("}\n\n")
	w.structs = append(w.structs, name)
	if w.IntN(4) == 0 {
		w.methods(name)
	}
}

func (w *writer) tag(tags ...string) string {
	tag := w.pick(tags...)
	if tag == "" {
		return ""
	}
	return " `" + tag + "`"
}

// use is a type: one declared before, or, behind a pointer, any of them.
func (w *writer) use() string {
	later := w.pick(w.names...)
	value := w.pick(w.values...)
	switch w.IntN(9) {
	case 0:
		return "*" + later
	case 1:
		return "[]" + later
	case 2:
		return "map[string]" + later
	case 3:
		return "Page[" + w.pick("*", "[]") + later + "]"
	case 4:
		return "Pair[" + w.pick("string", "int8", "uint16") + ", " + value + "]"
	case 5:
		return "Tagged[" + w.pick(scalarTypes...) + "]"
	default:
		return value
	}
}

// methods gives the type methods that write and read it, of both receivers, with
// bodies that are understood and others.
func (w *writer) methods(name string) {
	star := w.pick("", "*")
	switch w.IntN(6) {
	case 0:
		fmt.Fprintf(w, "func (x %s%s) MarshalText() ([]byte, error) { return []byte(\"text\"), nil }\n\n", star, name)
		fmt.Fprintf(w, "func (x *%s) UnmarshalText(text []byte) error { return nil }\n\n", name)
	case 1:
		fmt.Fprintf(w, "func (x %s%s) MarshalJSON() ([]byte, error) { return json.Marshal([]int8{1, 2}) }\n\n", star, name)
	case 2:
		fmt.Fprintf(w, "func (x %s%s) MarshalJSON() ([]byte, error) {\n\tif len(errOdd.Error())%%2 == 0 {\n\t\treturn nil, errOdd\n\t}\n\treturn strconv.AppendQuote(nil, \"quoted\"), nil\n}\n\n", star, name)
	case 3:
		fmt.Fprintf(w, "func (x %s%s) MarshalJSON() ([]byte, error) {\n\ttext := []byte(\"7\")\n\treturn text, nil\n}\n\n", star, name)
	}
}
