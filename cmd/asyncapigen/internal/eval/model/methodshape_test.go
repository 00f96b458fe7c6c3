package model

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

// What the interfaces of the library call is taken from their own source.
func TestShapes_AreThoseOfTheLibrarysInterfaces(t *testing.T) {
	const source = `package p

import (
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

type Record = slog.Record
type attrs = []slog.Attr

type called interface {
	encoding.TextAppender
	encoding.TextMarshaler
	error
	fmt.Formatter
	fmt.GoStringer
	fmt.Stringer
	io.Reader
	io.Writer
	json.Marshaler
	slog.LogValuer
	slog.Handler
	As(any) bool
	Is(error) bool
	IsZero() bool
	Unwrap() []error
}

type alias interface {
	As(interface{}) bool
	Format(fmt.State, rune)
	Handle(context.Context, Record) error
	Read(b []uint8) (n int, err error)
	Unwrap() error
	WithAttrs(attrs) slog.Handler
	Other(int)
}

type generic[E any, L []E] interface {
	Is(E) bool
	Unwrap() E
	Read([]E) (int, error)
	WithAttrs(L) slog.Handler
}

type other interface {
	As(string) bool
	Enabled(string) bool
	Error(string)
	Format(layout string) string
	Handle(name string, f func())
	IsZero() (bool, error)
	Read() []byte
	String(int) string
	Unwrap() any
	WithGroup(...string) slog.Handler
	Write(string) (int, error)
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	require.NoError(t, err)
	pkg, err := (&types.Config{Importer: importer.ForCompiler(fset, "source", nil)}).Check("p", fset, []*ast.File{file}, nil)
	require.NoError(t, err)
	methods := func(name string) (names map[string]bool) {
		names = make(map[string]bool)
		for method := range pkg.Scope().Lookup(name).Type().Underlying().(*types.Interface).Methods() {
			names[method.Name()] = IsCalled(method)
		}
		return names
	}
	called := methods("called")
	for name := range shapes {
		require.Contains(t, called, name)
	}
	for name, is := range called {
		require.True(t, is, name)
	}
	for name, is := range methods("alias") {
		require.True(t, is, name)
	}
	for name, is := range methods("generic") {
		require.True(t, is, name)
	}
	for name, is := range methods("other") {
		require.False(t, is, name)
	}
}
