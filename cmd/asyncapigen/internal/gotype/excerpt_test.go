package gotype_test

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/schema"
)

// library has what is hard to read apart from the rest of its package.
const library = `
-- main.go --
package main

import (
	"example.com/shop/library"
	"github.com/warrenmq/warren/runtime"
)

var _ library.Status

func main() { runtime.NewRouter() }
-- library/status.go --
// Package library has types.
package library

import (
	"example.com/shop/words"
	. "strings"
)

// Status is how it is.
type Status string // in short

const (
	// Open is the first.
	Open   Status = "open"
	closed Status = "closed" // not exported
	Both          = Open + "-" + closed
	_      Status = "blank"
	Far    Status = words.Far
)

const lost, Kept Status = "lost", "kept"

type Level int

const (
	Low Level = iota + Level(base)
	_
	middle
	High
)

const base = len(table)

var table = [...]string{"a", "b"}

type Flag int

const (
	One Flag = 1 << iota
	Two
)

type alias = Level

const Beyond alias = 9

type Size int

const (
	Small Size = Size(len(local{}.parts))
	Large Size = 7
)

type local struct{ parts [3]int }

func upper(text string) string { return ToUpper(text) }

type Rune rune

const (
	A Rune = 'a'
	B Rune = 'b'
)

type Same string

const X, Y Same = "x", "y"; const Z Same = "z" // on one line

func inner() {
	const Hidden Status = "hidden"
}
-- library/methods.go --
package library

import (
	"encoding/json"
	"fmt"
	js "encoding/json"
)

// Plain is written by a copy of its type.
type Plain struct {
	// ID tells them apart.
	ID   string
	note string
}

func (p Plain) MarshalJSON() ([]byte, error) {
	type bare Plain
	return json.Marshal(bare(p))
}

// UnmarshalJSON reads it.
func (p *Plain) UnmarshalJSON(text []byte) error {
	type bare Plain
	return json.Unmarshal(text, (*bare)(p))
}

type Shadow struct{ At int }

func (s Shadow) MarshalJSON() ([]byte, error) { return js.Marshal(shadow{When: s.At, Deep: &deep{}}) }

type shadow struct {
	When int   // it came
	Deep *deep
	deeper
}

type (
	// Shown stands in a group.
	Shown int
	deep  struct{ Word string; Shown Shown }
	deeper interface{ deepest() deep }
)

type Quoted int

func (Quoted) MarshalJSON() ([]byte, error) { return []byte(quote), nil }

const quote = "\"q\""

type Number int

func (n *Number) MarshalJSON() ([]byte, error) { return []byte(fmt.Sprintf(format, n.value())), nil }

func (n *Number) value() int { return int(*n) }

var format = "%d"

type Ignored struct{ A int }

func (*Ignored) UnmarshalJSON([]byte) error { return nil }

type Mixed struct{ A int }

func (*Mixed) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, new(int)) }

type Secretly struct{ A int }

func (s Secretly) MarshalJSON() ([]byte, error) { return secret{N: s.A}.MarshalJSON() }

type secret struct{ N int }

func (s secret) MarshalJSON() ([]byte, error) { return json.Marshal(s.N) }

type Described struct{ A int }

func (Described) JSONSchema() string { return described + "}" }

const described = "{\"type\": \"string\""

type Computed struct{ A int }

func (Computed) JSONSchema() string { return upper(described) }

type Embedding struct {
	Plain
	Next *Embedding
}

type Via struct{ A int }

func (v Via) MarshalJSON() ([]byte, error) { return v.inner().MarshalJSON() }

func (v Via) inner() hidden { return hidden{v.A} }

type hidden struct{ n int }

func (h hidden) MarshalJSON() ([]byte, error) { return json.Marshal(h.n) }
-- library/lines.go --
package library

type Before int; type After struct {
	// A is first.
	A int; B string /* second */ } // after both

/* Above
is a comment. */ type Above struct { X int }

var chans chan
func() int

type Tail chan int // not text
-- words/words.go --
package words

const Far = "far"
-- generic/generic.go --
package generic

type Box[T any] struct{ Value T }

func (b Box[T]) JSONSchema() string { return described + "}" }

const described = "{\"type\": \"string\""

type Boxed struct{ Box Box[int] }
-- unkeyed/unkeyed.go --
package unkeyed

import "encoding/json"

type Pair struct{ A, B int }

func (p Pair) MarshalJSON() ([]byte, error) { return json.Marshal(pair{p.A, p.B}) }

type pair struct{ a, B int }

func (p pair) Sum() int { return p.a + p.B }

func Of(p Pair) pair { return pair{p.A, p.B} }
-- split/split.go --
package split

//line other.go:7

// Status is elsewhere.
type Status string

const Open, closed Status = "open", "closed"
`

// whole reads all of a package where the program reads an excerpt.
type whole struct{ *load.Program }

func (w whole) Constants(path string) *load.Package { return w.Source(path) }
func (w whole) Method(f *types.Func) *load.Package  { return w.Source(f.Pkg().Path()) }

// An excerpt of a package says what the whole says. Where it can't be made the whole
// is read: for methods of generic types, positions in other files, and literals
// without keys of types that only the export data has.
func TestExcerpt_SaysWhatThePackageSays(t *testing.T) {
	dir := modtest.Write(t, txtar.Parse([]byte(library)))
	for _, c := range []struct {
		root, path string
		isExcerpt  bool
	}{
		{dir, "example.com/shop/library", true},
		{dir, "example.com/shop/generic", false},
		{dir, "example.com/shop/split", false},
		{dir, "example.com/shop/unkeyed", false},
		{modtest.Root(t), "github.com/stretchr/testify/assert", true},
		{modtest.Root(t), "go.opentelemetry.io/otel/attribute", true},
	} {
		t.Run(c.path, func(t *testing.T) {
			read := func() *load.Program {
				program, err := load.Packages(t.Context(), load.Config{Dir: c.root, Patterns: []string{c.path}})
				require.NoError(t, err)
				require.Empty(t, program.Errors())
				return program
			}
			one, other := read(), read()
			got, problems := describeAll(t, one, c.path, one)
			want, wanted := describeAll(t, other, c.path, whole{other})
			require.NotEmpty(t, want)
			require.Equal(t, want, got)
			require.Equal(t, wanted, problems)
			excerpt := one.Constants(c.path)
			require.Equal(t, c.isExcerpt, excerpt != one.Source(c.path))
		})
	}
}

// describeAll describes all exported types of a package as its importers see it,
// in both directions.
func describeAll(t *testing.T, program *load.Program, path string, docs gotype.DocSource) (string, []schema.Problem) {
	t.Helper()
	ts, scope := gotype.New(docs, program.Position), program.Exported(path).Scope()
	var payloads []schema.Type
	for _, name := range scope.Names() {
		object, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if named, ok := object.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
			payloads = append(payloads, ts.Of(named))
		}
	}
	text, problems := "", []schema.Problem(nil)
	for _, direction := range []schema.Direction{schema.Encode, schema.Decode} {
		set := schema.Options{Direction: direction}.Build(payloads)
		text += allOf(t, set)
		problems = append(problems, set.Problems...)
	}
	return text, problems
}
