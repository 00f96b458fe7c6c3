package model

import (
	"go/types"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Version 3 of the YAML library, by its former path and by that of those who keep it now:
// they decode alike from 3.0.1 on.
const (
	yamlPackage       = "go.yaml.in/yaml/v3"
	formerYAMLPackage = "gopkg.in/yaml.v3"
)

var (
	isYAML        = map[string]bool{yamlPackage: true, formerYAMLPackage: true}
	yamlFunctions = merged(yamlFunctionsOf(yamlPackage), yamlFunctionsOf(formerYAMLPackage))
)

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
	if !known || !c.hasThisYAML() {
		return nil, false
	}
	result, ok := c.decodeYAML(c.Args[1], func(target any) error { return yaml.Unmarshal([]byte(document), target) })
	if !ok {
		return c.notDecoded(nil, c.Args...), true
	}
	return result, true
}

// hasThisYAML reports whether the program's package decodes as that of this program does: those
// before 3.0.1, of which there are many, differ from each other.
func (c *Call) hasThisYAML() bool {
	return !strings.HasPrefix(c.VersionOf(c.Fn.Obj.Pkg().Path()), "v3.0.0")
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
	live   *liveYAML // may be of another state
}

// Closed reports that copies of a decoder read the same documents.
func (d *yamlDecoder) Closed() bool { return true }

// liveYAML are two decoders of this program that have read documents of a stream. The first
// one reads, so that all is read before the target is looked at. The second one decodes what
// the first one has read.
type liveYAML struct {
	ahead, behind *yaml.Decoder
	from, again   *reading
	documents     int // -1 where it hasn't come to the end of one
}

// newYAMLDecoder is the model of yaml.NewDecoder.
func newYAMLDecoder(c *Call) (value.Value, bool) {
	if !c.hasThisYAML() {
		return nil, false
	}
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
	next := *d
	hold := func(now stream) {
		next.stream = now
		d = new(next)
		c.setHosted(cell, d)
	}
	var result value.Value
	var known bool
	panics := panicsItself(func() {
		next.live = d.liveFor(c, hold)
		next.live.read()
	})
	live := next.live
	if live == nil {
		return nil, false
	}
	hold(live.from.decoded())
	if !panics && live.from.unknown == nil {
		live.behind.KnownFields(d.strict)
		result, known = c.decodeYAML(c.Args[0], live.decode)
	}
	if now, _ := hostedAt[*yamlDecoder](c); !known || now != d || live.again.unknown != nil {
		return live.from.notDecoded(), true
	}
	live.documents = d.documents
	return result, true
}

// liveFor returns decoders of this program that have read what the program's has.
func (d *yamlDecoder) liveFor(c *Call, hold func(stream)) *liveYAML {
	if live := d.live; live != nil && live.documents == d.documents && live.from.isAt(d.stream) {
		live.from.of(c, d.stream, hold)
		return live
	}
	from, again := &reading{c: c, stream: d.stream, hold: hold}, &reading{c: c, stream: d.stream, known: true}
	live := &liveYAML{ahead: yaml.NewDecoder(from), behind: yaml.NewDecoder(again), from: from, again: again}
	for range d.documents {
		live.read()
		_ = live.decode(new(yaml.Node))
	}
	return live
}

// read reads the next document.
func (live *liveYAML) read() {
	live.documents = -1
	_ = live.ahead.Decode(new(yaml.Node))
}

// decode decodes the document that was read.
func (live *liveYAML) decode(target any) error {
	live.again.reads = live.from.reads
	return live.behind.Decode(target)
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
