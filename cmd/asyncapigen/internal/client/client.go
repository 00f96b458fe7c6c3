// Package client writes the typed client package of a service: one method for
// each consumer route, which publishes to the route, or calls it and waits for
// its reply.
//
// The client takes the user's own payload types wherever its package may
// import them. A type out of reach (of package main, unexported, local to a
// function, internal to another tree, or of a package that imports the client)
// is copied, with its JSON kept as it is. The generated methods are thin: what
// they do is in package runtime, and the routing facts are in the Endpoint that
// each of them holds.
//
//	source, problems, err := client.Generate(client.Config{
//		PackageName: "ordersclient",
//		PackagePath: "example.com/shop/orders/ordersclient",
//		Title:       "Orders",
//		Version:     "1.4.0",
//	}, routes)
//
// The package never reads or writes files, and never looks at source code: what
// it needs of the user's program comes in as go/types values. The same input
// gives the same bytes.
//
// Where a generated method sends to is plain to see, for tools as well: it is one call
// of a method of package runtime's Publisher or Caller, in a field that New sets by a
// runtime.Endpoint of literals. The exchange is Endpoint.To.Exchange. The routing key is
// Endpoint.To.RoutingKey for Publish and Call; one of Endpoint.Keys, or one that matches
// Endpoint.Patterns, for PublishKey and CallKey; the only one of Endpoint.Patterns, with
// its wildcards replaced, for PublishWords and CallWords. The Fake calls none of them.
//
// client.go has Generate, source.go puts the file together and imports.go names
// what it imports. For each route, method.go writes the method, address.go where it
// sends to, routingkey.go how the sender chooses the key, tablevalue.go the headers,
// and fake.go the Fake's method. typeexpr.go writes a type, reach.go decides
// whether the client may name it, and typekey.go identifies it. Of types out of
// reach, copy.go writes the copy, structcopy.go with tag.go its fields, field.go
// finds these as encoding/json does, encoding.go its marshal methods, and
// constant.go its constants. name.go and comment.go make identifiers and comments.
package client

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// Config describes the package to generate.
type Config struct {
	PackageName string // required; a Go identifier other than "main"
	PackagePath string // its import path, required: what it may import depends on it

	// Title and Version name the service in comments. Both may be empty.
	Title   string
	Version string

	// ImportsClient reports whether the package of this import path imports the
	// client, directly or not, so that the client can't import it in turn. Nil
	// means that no package does.
	ImportsClient func(pkgPath string) bool

	// Copied reports whether types of the package of this import path are copied,
	// though the client may import it. Nil means that none are.
	Copied func(pkgPath string) bool

	// Docs gives the doc comments of copied types. Nil means none.
	Docs DocSource

	// Position resolves the positions of types and constants, for problems and
	// for the order of constants. Nil means that they are unknown.
	Position func(token.Pos) token.Position
}

// A DocSource knows doc comments, without comment markers. Its methods return
// "" for what has none. Fields of instances of generic types are asked for by
// their origin.
type DocSource interface {
	TypeDoc(obj *types.TypeName) string
	FieldDoc(field *types.Var) string

	// Constant also says whether the constant is a quantity or a flag, which is
	// computed, rather than a value of an enumeration.
	Constant(c *types.Const) (doc string, computed bool)
}

// Generate returns the source of the client package, one gofumpt-clean file.
// The source is nil when a problem is an error. The error is for faults outside the
// user's program: a Config that can't be used, or source that doesn't parse.
func Generate(cfg Config, routes []registered.Route) (source []byte, problems diagnostic.List, err error) {
	if err := cfg.check(); err != nil {
		return nil, nil, fmt.Errorf("generate the client package: %w", err)
	}
	g := newGenerator(cfg)
	methods := g.methods(routes)
	if g.problems.HasErrors() {
		return nil, g.problems, nil
	}
	source, err = g.source(methods)
	if err != nil {
		return nil, g.problems, fmt.Errorf("generate the client package %s: %w", cfg.PackagePath, err)
	}
	return source, g.problems, nil
}

func (cfg Config) check() error {
	if !token.IsIdentifier(cfg.PackageName) || cfg.PackageName == "main" || cfg.PackageName == "_" {
		return fmt.Errorf("%q can't be the name of a package that others import: choose another", cfg.PackageName)
	}
	if cfg.PackagePath == "" {
		return errors.New("its import path is unknown: set PackagePath")
	}
	return nil
}

// generator holds what grows while the routes are read: the types that had to
// be copied, the packages to import, and the problems.
type generator struct {
	cfg      Config
	route    registered.Route // the one being read, for problems
	names    scope            // the file's identifiers
	imports  map[string]string
	params   scope // those of methods for words of routing keys
	copies   map[string]*typeCopy
	ordered  []*typeCopy
	keys     []jen.Code        // types and constants of routing keys
	keyTypes map[string]string // their names by the routes' identifiers
	problems diagnostic.List
}

func newGenerator(cfg Config) *generator {
	return &generator{
		cfg:     cfg,
		names:   newScope("Client", "New", "client", "Fake", cfg.PackageName),
		imports: make(map[string]string),
		params:  make(scope),
		copies:  make(map[string]*typeCopy),

		keyTypes: make(map[string]string),
	}
}

// report adds a problem of the route that is being read, at pos or, where that is
// unknown, at the route.
func (g *generator) report(code diagnostic.Code, pos token.Position, what, remedy string) {
	if !pos.IsValid() {
		pos = g.route.Pos
	}
	g.problems.Add(diagnostic.Diagnostic{
		Code: code, Severity: code.Severity(), Pos: pos, Route: g.route.Name, What: what, Remedy: remedy,
	})
}

func (g *generator) position(pos token.Pos) token.Position {
	if g.cfg.Position == nil || !pos.IsValid() {
		return token.Position{}
	}
	return g.cfg.Position(pos)
}
