package model

import (
	"go/types"
	"io"

	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Version 3 of the YAML library, by its former path and by that of those who keep it now:
// they decode alike.
var yamlFunctions = merged(yamlFunctionsOf("go.yaml.in/yaml/v3"), yamlFunctionsOf("gopkg.in/yaml.v3"))

func yamlFunctionsOf(path string) map[string]Function {
	return map[string]Function{
		path + ".NewDecoder":                  newYAMLDecoder,
		path + ".Unmarshal":                   yamlUnmarshal,
		"(*" + path + ".Decoder).Decode":      yamlDecode,
		"(*" + path + ".Decoder).KnownFields": yamlKnownFields,
	}
}

// What package yaml looks for in types that it decodes.
var yamlDecoding = methodNames{"UnmarshalYAML", "UnmarshalText"}

// yamlUnmarshal is the model of yaml.Unmarshal.
func yamlUnmarshal(c *Call) (value.Value, bool) {
	document, known := c.documentOf(c.Args[0])
	if !known {
		return nil, false
	}
	return c.decodeYAML(c.Args[1], func(target any) error { return yaml.Unmarshal([]byte(document), target) })
}

// decodeYAML decodes into what a pointer points to. It reports false where that isn't known.
func (c *Call) decodeYAML(into value.Value, decode func(target any) error) (value.Value, bool) {
	refused := false
	result, ok := c.decode(into, yamlDecoding, nil, func(target any) (err error) {
		if lendsItsType(value.TypeOf(into), map[types.Type]bool{}) {
			refused = true
			return nil
		}
		refused = panicsItself(func() { err = decode(target) })
		return err
	})
	return result, ok && !refused
}

// panicsItself runs a function of package yaml, and reports whether it panics: it does for two
// fields of one name, and the like. A panic of the evaluated program, or of its evaluation,
// goes on.
func panicsItself(run func()) (panics bool) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case string, error:
			panics = true
		default:
			panic(v)
		}
	}()
	run()
	return false
}

// yamlDecoder is what a yaml.Decoder holds.
type yamlDecoder struct {
	stream
	strict bool
}

// newYAMLDecoder is the model of yaml.NewDecoder.
func newYAMLDecoder(c *Call) (value.Value, bool) {
	return hostedIn(c.Fn.Obj.Signature().Results().At(0).Type(), &yamlDecoder{stream: stream{from: c.Args[0]}}), true
}

// yamlKnownFields is the model of yaml.Decoder's KnownFields.
func yamlKnownFields(c *Call) (value.Value, bool) {
	d, cell := hostedAt[*yamlDecoder](c)
	strict, known := value.Truth(c.Args[0])
	if d == nil || !known {
		return nil, false
	}
	next := *d
	next.strict = strict
	c.setHosted(cell, &next)
	return value.Tuple{}, true
}

// yamlDecode is the model of yaml.Decoder's Decode. It reads a document to its end, and then
// decodes it.
func yamlDecode(c *Call) (value.Value, bool) {
	d, cell := hostedAt[*yamlDecoder](c)
	if d == nil {
		return nil, false
	}
	from := &reading{c: c, stream: d.stream}
	panics := panicsItself(func() { _ = d.decode(from, new(yaml.Node)) })
	next := *d
	next.stream = from.decoded()
	var result value.Value
	known := !panics && from.unknown == nil
	if known {
		again := &reading{c: c, stream: next.stream}
		result, known = c.decodeYAML(c.Args[0], func(target any) error { return d.decode(again, target) })
	}
	if now, _ := hostedAt[*yamlDecoder](c); !known || now != d {
		return from.notDecoded(), true
	}
	c.setHosted(cell, &next)
	return result, true
}

// decode decodes the next document.
func (d *yamlDecoder) decode(from io.Reader, target any) error {
	decoder := yaml.NewDecoder(from)
	for range d.documents {
		_ = decoder.Decode(new(yaml.Node)) // it was decoded before
	}
	decoder.KnownFields(d.strict)
	return decoder.Decode(target)
}

// lendsItsType reports whether a part of a type that has a mirror is a map of any value whose
// type isn't map[string]any: package yaml gives the maps in it the type of the one around,
// which the mirror hasn't. Types that were seen, of which one may be a part of itself, aren't
// looked at again.
func lendsItsType(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Map:
		ofAny := types.NewMap(types.Typ[types.String], anyType)
		return isAny(u.Elem()) && !types.Identical(t, ofAny) || lendsItsType(u.Elem(), seen)
	case *types.Struct:
		for field := range u.Fields() {
			if field.Exported() && lendsItsType(field.Type(), seen) {
				return true
			}
		}
	case interface{ Elem() types.Type }: // a pointer, a slice or an array
		return lendsItsType(u.Elem(), seen)
	}
	return false
}

func isAny(t types.Type) bool {
	u, ok := t.Underlying().(*types.Interface)
	return ok && u.Empty()
}
