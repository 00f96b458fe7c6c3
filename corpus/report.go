package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/warrenmq/warren/internal/schema"
)

// A tally counts what became of a module.
type tally struct {
	types, values, unwritten, read int

	open         int // types of which a part can't be described
	failures     int // values that don't validate as written
	readFailures int // values that are read, and don't validate as such
	differences  int // modules whose schemas reflection makes otherwise
}

func (t *tally) add(other tally) {
	t.types += other.types
	t.values += other.values
	t.unwritten += other.unwritten
	t.open += other.open
	t.failures += other.failures
	t.read += other.read
	t.readFailures += other.readFailures
	t.differences += other.differences
}

// report reads what the program made, and checks it, module by module.
func report(out, faults io.Writer, described []description, made io.Reader) (failed bool, err error) {
	records := json.NewDecoder(made)
	fmt.Fprintln(out, "| module | types | with open parts | refused by encoding/json | values written | failures | values read | failures | static ≠ reflective |")
	fmt.Fprintln(out, "|---|---|---|---|---|---|---|---|---|")
	var total tally
	for _, d := range described {
		t, err := check(faults, d, records)
		if err != nil {
			return false, fmt.Errorf("check %s: %w", d.path, err)
		}
		row(out, "`"+d.path+"` "+d.version, t)
		total.add(t)
	}
	row(out, "**all**", total)
	return total.failures+total.readFailures+total.differences > 0, nil
}

func row(out io.Writer, name string, t tally) {
	fmt.Fprintf(out, "| %s | %d | %d | %d | %d | %d | %d | %d | %d |\n",
		name, t.types, t.open, t.unwritten, t.values, t.failures, t.read, t.readFailures, t.differences)
}

func check(faults io.Writer, d description, records *json.Decoder) (tally, error) {
	t := tally{types: len(d.types), open: openTypes(d.written)}
	written, err := newCompiler(d.written)
	if err != nil {
		return t, err
	}
	read, err := newCompiler(d.read)
	if err != nil {
		return t, err
	}
	for i, name := range d.types {
		pointer := fmt.Sprintf("mem:///corpus.json#/allOf/%d", i)
		encoded, err := written.Compile(pointer)
		if err != nil {
			return t, err
		}
		decoded, err := read.Compile(pointer)
		if err != nil {
			return t, err
		}
		var r record
		if err := records.Decode(&r); err != nil {
			return t, err
		}
		t.values += len(r.Values)
		t.unwritten += r.Unwritten
		for j, value := range r.Values {
			if err := validate(encoded, value); err != nil {
				t.failures++
				fmt.Fprintf(faults, "%s.%s, written: %v\n\t%.300s\n", name.path, name.ident, err, value)
			}
			if !r.Read[j] || string(value) == "null" { // a body is never null
				continue
			}
			t.read++
			if err := validate(decoded, value); err != nil {
				t.readFailures++
				fmt.Fprintf(faults, "%s.%s, read: %v\n\t%.300s\n", name.path, name.ident, err, value)
			}
		}
	}
	var reflected json.RawMessage
	if err := records.Decode(&reflected); err != nil {
		return t, err
	}
	if difference := firstDifference(d.reflected, string(reflected)); difference != "" {
		fmt.Fprintf(faults, "%s: reflection differs: %s\n", d.path, difference)
		t.differences++
	}
	return t, nil
}

// newCompiler returns a compiler of the set's schemas. They stand where JSON Schema
// itself has definitions: the compiler collects those once, and others at each
// reference anew.
func newCompiler(set *schema.Set) (*jsonschema.Compiler, error) {
	text, err := document(set)
	if err != nil {
		return nil, err
	}
	text = strings.ReplaceAll(text, `"$ref":"`+schema.RefPrefix, `"$ref":"#/definitions/`)
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft7)
	compiler.AssertFormat()
	compiler.AssertContent()
	return compiler, compiler.AddResource("mem:///corpus.json", parsed)
}

func validate(compiled *jsonschema.Schema, text json.RawMessage) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return compiled.Validate(value)
}

// openTypes counts the types about which there is something to say.
func openTypes(set *schema.Set) int {
	payloads := map[int]bool{}
	for _, p := range set.Problems {
		payloads[p.Payload] = true
	}
	return len(payloads)
}

// firstDifference shows where two documents differ, "" where they don't.
func firstDifference(source, program string) string {
	if source == program {
		return ""
	}
	at := 0
	for at < min(len(source), len(program)) && source[at] == program[at] {
		at++
	}
	begin := max(0, at-200)
	return fmt.Sprintf("source has ...%.300s, the program ...%.300s", source[begin:], program[begin:])
}
