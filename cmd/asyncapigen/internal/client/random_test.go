package client_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/client"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/schema/random"
	"github.com/warrenmq/warren/runtime"
)

var copySeeds = flag.Int("copies", 1, "how many packages of random types to copy")

// Generated is below the module of warren, so that the program may make random values.
const generatedModule = "github.com/warrenmq/warren/generated"

// docSource is what the command gives the generator.
type docSource struct {
	*load.Program
	*gotype.Types
}

// A copy reads and writes all that its original does: random types are copied, and a
// program compares what it makes of random values.
func TestCopies_EncodeAsTheirOriginals(t *testing.T) {
	const types = 60
	compared := 0
	for seed := range uint64(*copySeeds) {
		source, names := random.Declarations(rand.New(rand.NewPCG(seed, 23)), types)
		archive := txtar.Parse([]byte(comparingProgram))
		archive.Files = append(archive.Files,
			txtar.File{Name: "go.mod", Data: []byte(modtest.GoMod(t, generatedModule))},
			txtar.File{Name: "types/types.go", Data: []byte(source)},
			txtar.File{Name: "all.go", Data: []byte(comparisons(names))})
		dir := modtest.Write(t, archive)
		program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}, ClientDir: dir + "/copies"})
		require.NoError(t, err)
		declared := program.Exported(generatedModule + "/types").Scope()
		var routes []registered.Route
		for _, name := range names {
			routes = append(routes, registered.Route{
				Route: runtime.Route{Name: name, Queue: runtime.Queue{Name: name}}, Body: declared.Lookup(name).Type(),
			})
		}

		generated, problems, err := client.Generate(client.Config{
			PackageName: program.ClientName, PackagePath: program.ClientPath,
			Copied:   func(path string) bool { return path == generatedModule+"/types" },
			Docs:     docSource{program, gotype.New(program, program.Position)},
			Position: program.Position,
		}, routes)
		require.NoError(t, err)
		require.False(t, problems.HasErrors(), "%v", problems)
		require.NotContains(t, string(generated), generatedModule)
		write(t, dir, "copies/copies.go", generated)

		cmd := exec.CommandContext(t.Context(), "go", "run", ".")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		found := regexp.MustCompile(`^compared (\d+)\n$`).FindSubmatch(out)
		require.NotNil(t, found, "seed %d:\n%s\n%s", seed, out, source)
		n, err := strconv.Atoi(string(found[1]))
		require.NoError(t, err)
		compared += n
	}
	require.Greater(t, compared, 5*types**copySeeds)
}

func comparisons(names []string) string {
	var file strings.Builder
	fmt.Fprintf(&file, "package main\n\nimport (\n\t%q\n\t%q\n)\n\nfunc compareAll() {\n", generatedModule+"/copies", generatedModule+"/types")
	for _, name := range names {
		fmt.Fprintf(&file, "\tcompare[types.%[1]s, copies.%[1]s](%[1]q)\n", name)
	}
	return file.String() + "}\n"
}

const comparingProgram = `
-- main.go --
package main

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/warrenmq/warren/internal/schema/random"
	_ "github.com/warrenmq/warren/runtime"
)

var (
	source   = random.Source{Rand: rand.New(rand.NewPCG(3, 4)), MaxDepth: 4}
	compared = 0
)

func main() {
	compareAll()
	fmt.Println("compared", compared)
}

// compare writes random values of T. Those that T itself reads and writes again alike
// are to be so of Copy.
func compare[T, Copy any](name string) {
	if isLossy(reflect.TypeFor[T](), false, map[place]bool{}) {
		return
	}
	for range 20 {
		text, err := write(source.Value(reflect.TypeFor[T]()).Addr().Interface())
		if err != nil {
			continue
		}
		var original T
		var copied Copy
		if read(text, &original) != nil {
			continue
		}
		if again, err := write(&original); err != nil || again != text {
			continue
		}
		if err := read(text, &copied); err != nil {
			fmt.Printf("%s: the copy doesn't read %s: %v\n", name, text, err)
			continue
		}
		again, err := write(&copied)
		if again != text && strings.Contains(text, "null") && embedsPointer(reflect.TypeFor[T](), map[reflect.Type]bool{}) {
			continue // absent and null, which is a diagnostic where the pointer can't stay
		}
		if err != nil || again != text {
			fmt.Printf("%s: the copy of %s is %s %v\n", name, text, again, err)
		}
		compared++
	}
}

type place struct {
	reflect.Type
	inMap bool
}

// isLossy reports whether somewhere in t is what a diagnostic is about: a MarshalText of a
// pointer that isn't called because it is in the value of a map, or an embedded field of an
// unexported type with methods, which one engine of encoding/json leaves out.
func isLossy(t reflect.Type, inMap bool, seen map[place]bool) bool {
	text := reflect.TypeFor[encoding.TextMarshaler]()
	if inMap && !t.Implements(text) && reflect.PointerTo(t).Implements(text) {
		return true
	}
	if seen[place{t, inMap}] {
		return false
	}
	seen[place{t, inMap}] = true
	switch t.Kind() {
	case reflect.Map:
		return isLossy(t.Elem(), true, seen)
	case reflect.Slice, reflect.Pointer:
		return isLossy(t.Elem(), false, seen)
	case reflect.Array:
		return isLossy(t.Elem(), inMap, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if field := t.Field(i); isHidden(field) || isLossy(field.Type, inMap, seen) {
				return true
			}
		}
	}
	return false
}

// isHidden reports whether an embedded field with a name of its own has methods that can't
// be called, since its type isn't exported.
func isHidden(field reflect.StructField) bool {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if !field.Anonymous || field.IsExported() || name == "" || name == "-" {
		return false
	}
	t := field.Type
	if t.Kind() != reflect.Pointer {
		t = reflect.PointerTo(t)
	}
	for _, name := range []string{"MarshalJSON", "MarshalText", "UnmarshalJSON", "UnmarshalText"} {
		if _, has := t.MethodByName(name); has {
			return true
		}
	}
	return false
}

// embedsPointer reports whether a struct in t embeds a pointer to one.
func embedsPointer(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map, reflect.Slice, reflect.Pointer, reflect.Array:
		return embedsPointer(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			field := t.Field(i)
			if field.Anonymous && field.Type.Kind() == reflect.Pointer || embedsPointer(field.Type, seen) {
				return true
			}
		}
	}
	return false
}

// read and write fail where a method is promoted from a nil pointer.
func read(text string, v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return json.Unmarshal([]byte(text), v)
}

func write(v any) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	b, err := json.Marshal(v)
	return string(b), err
}
`
