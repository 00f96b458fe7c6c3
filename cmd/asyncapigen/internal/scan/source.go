package scan

import (
	"fmt"
	"go/format"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/runtime"
)

// A Package is where the source of routes is to be.
type Package struct {
	Name, Path string
	Declared   []string // the names that it declares
}

// Source returns a Go file with the routes of all consumers and their handlers, which
// return an error until the code is moved there.
func (r Result) Source(in Package) ([]byte, error) {
	s := &source{in: in, imports: map[string]string{load.RuntimePath: "runtime"}, taken: map[string]string{"context": "context", "errors": "errors", "runtime": load.RuntimePath}}
	for _, name := range in.Declared {
		if s.taken[name] != "" {
			return nil, fmt.Errorf("write the routes: package %s declares %s, and the routes need the package of that name: name a file in another folder", in.Name, name)
		}
		s.taken[name] = ""
	}
	register := s.name("RegisterRoutes", "")
	s.printf("// %s registers the routes that asyncapigen scan has found. Move the code of\n// each consumer to the handler of its route, and call %[1]s in its place.\n", register)
	s.printf("func %s(r *runtime.Router) error {\n\treturn r.Register(\n", register)
	names := make(map[string]int)
	for _, c := range r.Consumers {
		s.route(c, names)
	}
	s.printf("\t)\n}\n%s", s.handlers.String())
	return s.file()
}

// Literals returns the routes as Go source by consumer, with the signatures of their
// handlers.
func (r Result) Literals(in Package) []string {
	names := make(map[string]int)
	var all []string
	for _, c := range r.Consumers {
		s := &source{in: in, imports: make(map[string]string), taken: make(map[string]string), short: true}
		s.route(c, names)
		text, err := format.Source([]byte("package p\nvar _ = []any{\n" + s.text.String() + "}\n"))
		literal := s.text.String()
		if err == nil {
			literal = strings.TrimSuffix(strings.TrimPrefix(string(text), "package p\n\nvar _ = []any{\n"), "}\n")
		}
		all = append(all, literal+s.handlers.String())
	}
	return all
}

// source is Go source that is being written.
type source struct {
	in       Package
	text     strings.Builder
	handlers strings.Builder
	imports  map[string]string // the names that packages have here, by their paths
	taken    map[string]string // the paths of the packages that names are of, "" for what the package declares
	short    bool              // handlers are signatures only
}

func (s *source) printf(layout string, args ...any) { fmt.Fprintf(&s.text, layout, args...) }

// route writes the literal of a consumer's route.
func (s *source) route(c *Consumer, names map[string]int) {
	route, _ := c.route(names)
	name := route.Name
	s.printf("\t\truntime.Route{ // %s\n", place(c.Pos))
	s.printf("\t\t\tName: %s,\n\t\t\tQueue: %s,\n", strconv.Quote(name), s.queue(c, route.Queue))
	if route.Exchange != nil {
		s.printf("\t\t\tExchange: &%s,\n", exchange(*route.Exchange))
		s.keys(route.RoutingKeys)
		if route.BindingArguments != nil {
			s.printf("\t\t\tBindingArguments: %s,\n", tableLiteral(route.BindingArguments))
		}
	}
	if len(route.Sources) > 0 {
		s.printf("\t\t\tSources: []runtime.Source{\n")
		for _, from := range route.Sources {
			s.printf("{Exchange: %s, RoutingKeys: %#v%s},\n", exchange(from.Exchange), from.RoutingKeys, argumentsField(from.Arguments))
		}
		s.printf("},\n")
	}
	if c.Prefetch > 0 {
		s.printf("\t\t\tPrefetch: %d,\n", c.Prefetch)
	}
	if route.AckMode == runtime.AckFirst {
		s.printf("\t\t\tAckMode: runtime.AckFirst,\n")
	}
	s.printf("\t\t\tHandler: %s,\n", s.handler(c, name))
	if settings := c.settings(); len(settings) > 0 {
		s.printf("\t\t\t// By default: changed by %s.\n", strings.Join(settings, ", "))
	}
	for _, g := range c.gaps() {
		s.printf("\t\t\t// Not known: %s: %s.\n", g.What, g.Why)
	}
	s.printf("\t\t},\n")
}

// settings returns what changes a consumer that its route doesn't say.
func (c *Consumer) settings() []string {
	all := slices.Clone(c.ChangedBy)
	for _, t := range c.texts() {
		if t.Known() && t.Flag != "" {
			all = append(all, t.Flag)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (s *source) keys(keys []string) {
	if len(keys) > 0 {
		s.printf("\t\t\tRoutingKeys: %#v,\n", keys)
	}
}

// place names a line without its column.
func place(pos token.Position) string { return fmt.Sprintf("%s:%d", pos.Filename, pos.Line) }

func (s *source) queue(c *Consumer, q runtime.Queue) string {
	name := strconv.Quote(q.Name)
	if c.Queue.Name.isVariable() {
		name = fmt.Sprintf("runtime.Env(%q, %q)", c.Queue.Name.Env, q.Name)
	}
	return "runtime.Queue{Name: " + name + flags(map[string]bool{
		"Durable": q.Durable, "AutoDelete": q.AutoDelete, "Exclusive": q.Exclusive, "PerInstance": q.PerInstance,
	}) + argumentsField(q.Arguments) + "}"
}

func exchange(x runtime.Exchange) string {
	return "runtime.Exchange{Name: " + strconv.Quote(x.Name) + ", Type: " + strconv.Quote(string(x.Type)) +
		flags(map[string]bool{"Durable": x.Durable, "AutoDelete": x.AutoDelete}) + argumentsField(x.Arguments) + "}"
}

func flags(all map[string]bool) string {
	text := ""
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if all[name] {
			text += ", " + name + ": true"
		}
	}
	return text
}

func argumentsField(table map[string]any) string {
	if len(table) == 0 {
		return ""
	}
	return ", Arguments: " + tableLiteral(table)
}

func tableLiteral(table map[string]any) string {
	var entries []string
	for _, name := range sortedNames(table) {
		entries = append(entries, strconv.Quote(name)+": "+argument(table[name]))
	}
	return "map[string]any{" + strings.Join(entries, ", ") + "}"
}

// handler writes the handlers of a consumer, and returns the expression that makes the
// route's of them.
func (s *source) handler(c *Consumer, name string) string {
	bodies := c.described()
	if len(bodies) <= 1 {
		body := "[]byte"
		if len(bodies) == 1 {
			body = s.typeName(bodies[0].Type)
		}
		return s.one(c, name, body)
	}
	cases := "runtime.Dispatch( // give each case the property type of its messages, or use DispatchByKey or DispatchByHeader\n"
	for _, b := range bodies {
		cases += fmt.Sprintf("runtime.On(%q, %s),\n", caseName(b.Type), s.one(c, name+" "+caseName(b.Type), s.typeName(b.Type)))
	}
	return cases + ")"
}

// one writes a handler of messages of a type.
func (s *source) one(c *Consumer, name, body string) string {
	function := s.function(name)
	result, returned, kind := "error", "", "Consume"
	if c.Replies {
		reply := "[]byte"
		if c.Reply != nil {
			reply = s.typeName(c.Reply)
		}
		result, kind = "(reply "+reply+", err error)", "Respond"
		returned = "reply, "
	}
	fmt.Fprintf(&s.handlers, "\nfunc %s(ctx context.Context, message %s) %s", function, body, result)
	if s.short {
		fmt.Fprintln(&s.handlers)
	} else {
		s.imports["context"], s.imports["errors"] = "context", "errors"
		fmt.Fprintf(&s.handlers, " {\n\treturn %serrors.New(\"move the code of the consumer here from %s\")\n}\n", returned, place(c.Pos))
	}
	return "runtime." + kind + "(" + function + ")"
}

// function returns a name of a function for a text that isn't taken.
func (s *source) function(text string) string {
	name := "on"
	upper := true
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			upper = true
			continue
		}
		if upper {
			r = unicode.ToUpper(r)
		}
		name, upper = name+string(r), false
	}
	return s.name(name, "")
}

// typeName returns a type as the package can write it; []byte where it can't.
func (s *source) typeName(t types.Type) string {
	if !s.isNameable(t) {
		return "[]byte"
	}
	return types.TypeString(t, func(pkg *types.Package) string {
		switch {
		case pkg.Path() == s.in.Path, s.short && pkg.Name() == "main": // which nobody else can name
			return ""
		case s.short:
			return pkg.Name()
		}
		return s.packageName(pkg)
	})
}

// packageName returns the name that a package has here: its own, unless that is taken.
func (s *source) packageName(pkg *types.Package) string {
	if s.imports[pkg.Path()] == "" {
		s.imports[pkg.Path()] = s.name(pkg.Name(), pkg.Path())
	}
	return s.imports[pkg.Path()]
}

// name returns a name that isn't taken for a package with a path, or for what the
// package declares, whose path is "".
func (s *source) name(base, path string) string {
	name := base
	for n := 2; ; n++ {
		of, taken := s.taken[name]
		if !taken || of == path && path != "" {
			break
		}
		name = base + strconv.Itoa(n)
	}
	s.taken[name] = path
	return name
}

// isNameable reports whether the package can name a type: all that it is made of is
// exported from packages that it can import, or the package's own.
func (s *source) isNameable(t types.Type) bool {
	if alias, ok := t.(*types.Alias); ok && !s.isNameableObject(alias.Obj()) {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		for arg := range t.TypeArgs().Types() {
			if !s.isNameable(arg) {
				return false
			}
		}
		return s.isNameableObject(t.Obj())
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Pointer:
		return s.isNameable(t.Elem())
	case *types.Slice:
		return s.isNameable(t.Elem())
	case *types.Array:
		return s.isNameable(t.Elem())
	case *types.Map:
		return s.isNameable(t.Key()) && s.isNameable(t.Elem())
	case *types.Chan:
		return s.isNameable(t.Elem())
	case *types.Struct:
		for field := range t.Fields() {
			if !s.isNameable(field.Type()) || !s.short && !field.Exported() && field.Pkg().Path() != s.in.Path {
				return false
			}
		}
		return true
	case *types.Interface:
		return t.Empty() // others are no type of a message
	default:
		return false
	}
}

// isNameableObject reports whether the package can name a declared type.
func (s *source) isNameableObject(obj *types.TypeName) bool {
	pkg := obj.Pkg()
	switch {
	case pkg == nil:
		return true // error, or any
	case obj.Parent() != pkg.Scope():
		return false // of a function
	case pkg.Path() == s.in.Path, s.short:
		return true
	}
	return obj.Exported() && pkg.Name() != "main" && isImportable(pkg.Path(), s.in.Path)
}

// isImportable reports whether a package may import another one: one below a folder
// called internal is for what is below the folder around it.
func isImportable(path, by string) bool {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		root := strings.Join(parts[:i], "/")
		if part == "internal" && by != root && !strings.HasPrefix(by, root+"/") {
			return false
		}
	}
	return true
}

// alias returns the name of an import with a space, "" where its path ends with it.
func alias(name, path string) string {
	if path[strings.LastIndexByte(path, '/')+1:] == name {
		return ""
	}
	return name + " "
}

// file returns the whole file.
func (s *source) file() ([]byte, error) {
	var head strings.Builder
	fmt.Fprintf(&head, "package %s\n\nimport (\n", s.in.Name)
	paths := slices.Sorted(maps.Keys(s.imports))
	for _, std := range []bool{true, false} {
		for _, path := range paths {
			if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") != std {
				fmt.Fprintf(&head, "\t%s%q\n", alias(s.imports[path], path), path)
			}
		}
		if std {
			head.WriteString("\n")
		}
	}
	head.WriteString(")\n\n")
	text, err := format.Source([]byte(head.String() + s.text.String()))
	if err != nil {
		return nil, fmt.Errorf("write the routes: a fault of asyncapigen: %w", err)
	}
	return text, nil
}
