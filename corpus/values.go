package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/format"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
)

// programDir has the program that makes values.
const programDir = "values"

// programSource is the program, without the file that lists the types. It reads
// an order from stdin. For each module it writes a record for each type, and the document that
// reflection makes.
const programSource = `// Package main makes random values. It is written by package corpus.
package main

import (
	"bufio"
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

type order struct {
	Values    int
	Seed      uint64
	Constants map[string][]json.RawMessage
}

type record struct {
	Values    []json.RawMessage // as written
	Read      []bool            // whether encoding/json reads them back
	Unwritten int               // values that encoding/json, or a method, refused
}

func main() {
	var o order
	if err := json.NewDecoder(os.Stdin).Decode(&o); err != nil {
		log.Fatal(err)
	}
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	write := func(v any) {
		if err := encoder.Encode(v); err != nil {
			log.Fatal(err)
		}
	}
	for _, types := range modules {
		var payloads []schema.Type
		for _, t := range types {
			payloads = append(payloads, schema.Reflect(t))
			write(o.values(t))
		}
		write(document(schema.Build(payloads)))
	}
	if err := out.Flush(); err != nil {
		log.Fatal(err)
	}
}

func (o order) values(t reflect.Type) record {
	source := random.Source{Rand: rand.New(rand.NewPCG(o.Seed, 7)), MaxDepth: 3, Choose: o.choose}
	var r record
	for range o.Values {
		text, err := written(source.Value(t))
		if err != nil {
			r.Unwritten++
			continue
		}
		r.Values = append(r.Values, text)
		r.Read = append(r.Read, read(text, t))
	}
	return r
}

// written fails where a method panics on a value that the program would never make.
func written(v reflect.Value) (text json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return json.Marshal(v.Addr().Interface())
}

func read(text json.RawMessage, t reflect.Type) (ok bool) {
	defer func() {
		if recover() != nil { // a method can't read what it writes
			ok = false
		}
	}()
	return json.Unmarshal(text, reflect.New(t).Interface()) == nil
}

// choose takes the constants of enumerations.
func (o order) choose(t reflect.Type) []reflect.Value {
	var all []reflect.Value
	for _, text := range o.Constants[t.PkgPath()+"."+t.Name()] {
		v := reflect.New(t)
		if err := json.Unmarshal(text, v.Interface()); err == nil {
			all = append(all, v.Elem())
		}
	}
	return all
}

func document(set *schema.Set) json.RawMessage {
	var components schema.Properties
	for _, c := range set.Components {
		components = append(components, schema.Property{Name: c.Key, Schema: c.Schema})
	}
	text, err := json.Marshal(struct {
		Schema     string           ` + "`json:\"$schema\"`" + `
		Payloads   []*schema.Schema  ` + "`json:\"allOf\"`" + `
		Components schema.Properties ` + "`json:\"definitions\"`" + `
	}{"http://json-schema.org/draft-07/schema#", set.Payloads, components})
	if err != nil {
		log.Fatal(err)
	}
	return text
}
`

// writeProgram writes the program and its list of types.
func writeProgram(found []module) error {
	var list bytes.Buffer
	list.WriteString("package main\n\nimport (\n\t\"reflect\"\n\n")
	names := map[string]string{} // of imports, by path
	for _, m := range found {
		for _, t := range m.types {
			if names[t.path] == "" {
				names[t.path] = fmt.Sprintf("p%d", len(names))
				fmt.Fprintf(&list, "\t%s %q\n", names[t.path], t.path)
			}
		}
	}
	list.WriteString(")\n\nvar modules = [][]reflect.Type{\n")
	for _, m := range found {
		list.WriteString("\t{\n")
		for _, t := range m.types {
			fmt.Fprintf(&list, "\t\treflect.TypeFor[%s.%s](),\n", names[t.path], t.ident)
		}
		list.WriteString("\t},\n")
	}
	list.WriteString("}\n")
	if err := os.MkdirAll(programDir, 0o755); err != nil {
		return err
	}
	if err := writeSource("main.go", []byte(programSource)); err != nil {
		return err
	}
	return writeSource("types.go", list.Bytes())
}

func writeSource(name string, source []byte) error {
	formatted, err := format.Source(source)
	if err != nil {
		return fmt.Errorf("format %s: %w", name, err)
	}
	return os.WriteFile(filepath.Join(programDir, name), formatted, 0o644)
}

// A record is what the program made of one type.
type record struct {
	Values    []json.RawMessage
	Read      []bool
	Unwritten int
}

// startProgram runs the program, whose output the caller reads to its end before
// wait.
func startProgram(ctx context.Context, described []description, values int, seed uint64) (out io.Reader, wait func() error, err error) {
	constants := map[string][]json.RawMessage{}
	for _, d := range described {
		maps.Copy(constants, d.constants)
	}
	order, err := json.Marshal(map[string]any{"Values": values, "Seed": seed, "Constants": constants})
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, "go", "run", "./"+programDir)
	cmd.Stdin, cmd.Stderr = bytes.NewReader(order), os.Stderr
	out, err = cmd.StdoutPipe()
	if err != nil {
		return nil, nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, nil, fmt.Errorf("run the program that makes values: %w", err)
	}
	return out, cmd.Wait, nil
}
