package schema_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/random"
)

// pool has the named types that random types are made of: methods, embedding and
// generics can't be made at run time.
var pool = []reflect.Type{
	reflect.TypeFor[all](), reflect.TypeFor[list[int8]](), reflect.TypeFor[node](), reflect.TypeFor[lines](),
	reflect.TypeFor[color](), reflect.TypeFor[month](), reflect.TypeFor[text1](), reflect.TypeFor[pointer1](),
	reflect.TypeFor[custom1](), reflect.TypeFor[byte1](), reflect.TypeFor[byteText](), reflect.TypeFor[level1](),
	reflect.TypeFor[stamped](), reflect.TypeFor[stampedByName](), reflect.TypeFor[cancelled](), reflect.TypeFor[Nested](),
	reflect.TypeFor[Page[*Order]](), reflect.TypeFor[Pair[string, uint8]](), reflect.TypeFor[selfish](), reflect.TypeFor[branch1](),
	reflect.TypeFor[named1](), reflect.TypeFor[pointerToLines](), reflect.TypeFor[both](), reflect.TypeFor[reader1](),
	reflect.TypeFor[json.Number](), reflect.TypeFor[json.RawMessage](),
	reflect.TypeFor[time.Time](), reflect.TypeFor[time.Duration](), reflect.TypeFor[[]byte](), reflect.TypeFor[[4]byte](),
}

// FuzzWritten holds what encoding/json writes of random values of random types
// against the schemas of the types.
func FuzzWritten(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		source := random.Source{Rand: rand.New(rand.NewPCG(seed, 1)), MaxDepth: 5}
		goType := source.Type(pool)
		set := schema.Build([]schema.Type{schema.Reflect(goType)})
		compiled := compileSet(t, set)
		for range 5 {
			value := source.Value(goType)
			text, err := json.Marshal(value.Addr().Interface())
			if err != nil || isNilBody(goType, value) || repeatsNames(text) {
				continue
			}
			require.NoError(t, validate(t, compiled, text), "%v\n%s\n%s", goType, text, document(t, set))
		}
	})
}

// isNilBody reports whether the value isn't a body: nil, or bytes that aren't
// JSON.
func isNilBody(t reflect.Type, v reflect.Value) bool {
	for v.Kind() == reflect.Pointer && v.Type().Name() == "" {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	return t == reflect.TypeFor[[]byte]()
}

// FuzzRead changes a part of what encoding/json writes: where Unmarshal then
// refuses the document, the schema of what is read refuses it, too, and where
// Unmarshal takes it, so does the schema.
func FuzzRead(f *testing.F) {
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		source := random.Source{Rand: rand.New(rand.NewPCG(seed, 2)), MaxDepth: 5}
		goType := source.Type(pool)
		set := schema.Options{Direction: schema.Decode}.Build([]schema.Type{schema.Reflect(goType)})
		compiled := compileSet(t, set)
		for range 5 {
			text, err := json.Marshal(source.Value(goType).Addr().Interface())
			if err != nil || string(text) == "null" || goType == reflect.TypeFor[[]byte]() {
				continue
			}
			text, by := mutate(t, source.Rand, text)
			if string(text) == "null" {
				continue // not a body, decision 0005
			}
			target := reflect.New(goType)
			readErr, invalid := json.Unmarshal(text, target.Interface()), validate(t, compiled, text)
			if readErr == nil {
				require.NoError(t, invalid, "%v\n%s\n%s", goType, text, document(t, set))
			} else if expressible(readErr, by) {
				require.Error(t, invalid, "%v\n%s\n%v\n%s", goType, text, readErr, document(t, set))
			}
		}
	})
}

// expressible reports whether JSON Schema can refuse what Unmarshal does. It
// can't refuse numbers that are integers for it, such as 1e3, text that a method
// refuses, nor keys and quoted numbers beyond the range of their type.
func expressible(err error, by any) bool {
	var kind *json.UnmarshalTypeError
	if !errors.As(err, &kind) {
		return false
	}
	number, isNumber := strings.CutPrefix(kind.Value, "number ")
	inserted, ok := by.(json.Number)
	return !isNumber || ok && number == inserted.String()
}

// mutate replaces one value of a document by another, which it returns.
func mutate(t *testing.T, r *rand.Rand, text []byte) (changed []byte, by any) {
	t.Helper()
	tree := parse(t, text)
	by = parse(t, []byte(replacements[r.IntN(len(replacements))]))
	tree = replaceAt(tree, new(r.IntN(count(tree))), by)
	changed, err := json.Marshal(tree)
	require.NoError(t, err)
	return changed, by
}

// replacements have no arrays of mixed elements: Unmarshal doesn't look at the
// elements that an array has no room for, which the schema holds against the
// element type.
var replacements = []string{
	`null`, `true`, `"text"`, `""`, `"7"`, `0`, `-1`, `300`, `70000`, `5000000000`, `1.5`, `1e300`,
	`[]`, `[1,1]`, `["a","a"]`, `{}`, `{"x":1}`, `"AQID"`, `"2024-02-29T12:00:00Z"`,
}

func parse(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var value any
	require.NoError(t, decoder.Decode(&value))
	return value
}

func count(tree any) int {
	n := 1
	switch tree := tree.(type) {
	case []any:
		for _, element := range tree {
			n += count(element)
		}
	case map[string]any:
		for _, member := range tree {
			n += count(member)
		}
	}
	return n
}

// replaceAt replaces the value that is met after at others.
func replaceAt(tree any, at *int, by any) any {
	if *at == 0 {
		*at = -1
		return by
	}
	*at--
	switch tree := tree.(type) {
	case []any:
		for i := range tree {
			if *at < 0 {
				break
			}
			tree[i] = replaceAt(tree[i], at, by)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(tree)) {
			if *at < 0 {
				break
			}
			tree[name] = replaceAt(tree[name], at, by)
		}
	}
	return tree
}
