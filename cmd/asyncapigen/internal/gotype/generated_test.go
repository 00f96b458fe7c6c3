package gotype_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/random"
)

var generatedPackages = flag.Int("packages", 1, "how many packages of random types to generate")

// What reflection can't build is generated as source: named types with methods,
// embedding, generics, constants. A program then makes values of the types, and
// the schemas that reflection makes; both are compared with those of the source.
func TestTypes_DescribeRandomSource(t *testing.T) {
	for seed := range uint64(*generatedPackages) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			source, names := random.Declarations(rand.New(rand.NewPCG(seed, 11)), 60)
			compareWithProgram(t, source, names)
		})
	}
}

func compareWithProgram(t *testing.T, source string, names []string) {
	t.Helper()
	archive := txtar.Parse([]byte(generatedProgram))
	archive.Files = append(archive.Files,
		txtar.File{Name: "go.mod", Data: []byte(modtest.GoMod(t, "github.com/warrenmq/warren/generated"))},
		txtar.File{Name: "types/types.go", Data: []byte(source)},
		txtar.File{Name: "list.go", Data: []byte(list(names))},
	)
	dir := modtest.Write(t, archive)
	program, err := load.Packages(t.Context(), load.Config{Dir: dir, Patterns: []string{"."}})
	require.NoError(t, err)
	require.Empty(t, program.Errors(), source)

	types := gotype.New(program, program.Position)
	declared := program.Exported("github.com/warrenmq/warren/generated/types").Scope()
	var payloads []schema.Type
	for _, name := range names {
		payloads = append(payloads, types.Of(declared.Lookup(name).Type()))
	}
	set := schema.Build(payloads)
	made := runProgram(t, dir, set)
	require.JSONEq(t, string(made.Reflected), allOf(t, schema.Options{ReflectionOnly: true}.Build(payloads)), source)

	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.AssertFormat()
	compiler.AssertContent()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(allOf(t, set)))
	require.NoError(t, err)
	require.NoError(t, compiler.AddResource("mem:///all.json", document))
	written := 0
	for i, values := range made.Values {
		compiled, err := compiler.Compile(fmt.Sprintf("mem:///all.json#/payloads/%d", i))
		require.NoError(t, err)
		for _, text := range values {
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
			require.NoError(t, err)
			require.NoError(t, compiled.Validate(value), "%s: %s\n%s", names[i], text, source)
			written++
		}
	}
	require.Greater(t, written, 5*len(names))
}

type madeValues struct {
	Values    [][]json.RawMessage
	Reflected json.RawMessage
}

// runProgram runs the program, whose enumerations take the constants only.
func runProgram(t *testing.T, dir string, set *schema.Set) madeValues {
	t.Helper()
	constants := map[string][]json.RawMessage{}
	for _, c := range set.Components {
		if len(c.Schema.EnumNames) > 0 {
			constants[c.GoName] = c.Schema.Enum
		}
	}
	order, err := json.Marshal(constants)
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), "go", "run", ".")
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(order)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var made madeValues
	require.NoError(t, json.Unmarshal(out, &made))
	return made
}

func allOf(t *testing.T, set *schema.Set) string {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "payloads": set.Payloads,
		"components": map[string]any{"schemas": byKey(set)},
	})
	require.NoError(t, err)
	return string(text)
}

func list(names []string) string {
	var file strings.Builder
	file.WriteString("package main\n\nimport (\n\t\"reflect\"\n\n\t\"github.com/warrenmq/warren/generated/types\"\n)\n\nvar all = []reflect.Type{\n")
	for _, name := range names {
		fmt.Fprintf(&file, "\treflect.TypeFor[types.%s](),\n", name)
	}
	return file.String() + "}\n"
}

const generatedProgram = `
-- main.go --
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"reflect"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/random"
	_ "github.com/warrenmq/warren/runtime"
)

// write fails where a method is promoted from a nil pointer.
func write(v reflect.Value) (text json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	return json.Marshal(v.Addr().Interface())
}

func main() {
	var constants map[string][]json.RawMessage
	if err := json.NewDecoder(os.Stdin).Decode(&constants); err != nil {
		log.Fatal(err)
	}
	source := random.Source{Rand: rand.New(rand.NewPCG(3, 4)), MaxDepth: 4, Choose: func(t reflect.Type) (all []reflect.Value) {
		for _, text := range constants[t.PkgPath()+"."+t.Name()] {
			v := reflect.New(t)
			if json.Unmarshal(text, v.Interface()) == nil {
				all = append(all, v.Elem())
			}
		}
		return all
	}}
	var made struct {
		Values    [][]json.RawMessage
		Reflected any
	}
	var payloads []schema.Type
	for _, t := range all {
		payloads = append(payloads, schema.Reflect(t))
		values := []json.RawMessage{}
		for range 20 {
			if text, err := write(source.Value(t)); err == nil {
				values = append(values, text)
			}
		}
		made.Values = append(made.Values, values)
	}
	set := schema.Build(payloads)
	components := map[string]*schema.Schema{}
	for _, c := range set.Components {
		components[c.Key] = c.Schema
	}
	made.Reflected = map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "payloads": set.Payloads,
		"components": map[string]any{"schemas": components},
	}
	if err := json.NewEncoder(os.Stdout).Encode(made); err != nil {
		log.Fatal(err)
	}
}
`
