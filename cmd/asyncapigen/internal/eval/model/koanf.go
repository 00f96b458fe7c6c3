package model

import (
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Settings of knadh/koanf. The defaults are those of the provider confmap.

const (
	koanfPackage   = "github.com/knadh/koanf/v2"
	koanfMethod    = "(*" + koanfPackage + ".Koanf)."
	koanfProviders = "github.com/knadh/koanf/providers/"
	koanfParsers   = "github.com/knadh/koanf/parsers/"
	koanfRemedy    = "load a default of KEY by confmap.Provider"
)

var koanfFunctions = merged(
	map[string]Function{
		koanfPackage + ".New":                           koanfNew,
		koanfMethod + "Load":                            koanfLoad,
		koanfMethod + "Unmarshal":                       koanfUnmarshal,
		koanfProviders + "confmap.Provider":             koanfConfmap,
		"(*" + koanfProviders + "confmap.Confmap).Read": koanfRead,
		koanfProviders + "env.Provider":                 koanfSource("env"),
		koanfProviders + "env/v2.Provider":              koanfSource("env"),
		koanfProviders + "file.Provider":                koanfSource("file"),
	},
	table(koanfMethod, getSetting(receiverOf, koanfRemedy),
		"Bool", "Duration", "Int", "Int64", "MustDuration", "MustInt", "MustInt64", "MustString", "MustStrings", "String", "Strings"),
	table(koanfMethod, leavesReceiver, "Delim", "Exists", "Keys", "MapKeys", "Print", "Sprint"),
)

// koanfProvider is a provider of settings.
type koanfProvider struct {
	typ    types.Type
	source string                 // "confmap", "env" or "file"
	values map[string]value.Value // of a confmap
	from   []value.Value          // what it was made of
	used   *value.Cell            // whether a store, or the program, has got its map
}

// Held implements [value.Holder].
func (p *koanfProvider) Held() []value.Value { return p.from }

// DynamicType implements [value.Atom].
func (p *koanfProvider) DynamicType() types.Type { return p.typ }

// koanfNew is the model of New. Keys are followed that are parted by points.
func koanfNew(c *Call) (value.Value, bool) {
	if delim, known := value.TextOf(c.Args[0]); !known || delim != settingsDelimiter {
		return nil, false
	}
	return newSettings(c, c.Fn.Obj.Signature().Results().At(0).Type(), false), true
}

func koanfSource(source string) Function {
	return func(c *Call) (value.Value, bool) {
		c.Expose(c.At, c.Args, value.UnknownResult(c.At))
		return &koanfProvider{typ: c.Fn.Obj.Signature().Results().At(0).Type(), source: source}, true
	}
}

// koanfConfmap is the model of confmap.Provider, for flat maps.
func koanfConfmap(c *Call) (value.Value, bool) {
	m, ok := c.Args[0].(*value.Map)
	delim, known := value.TextOf(c.Args[1])
	if !ok || !known {
		return nil, false
	}
	if _, known := m.Size(); !known {
		return nil, false
	}
	p := &koanfProvider{typ: c.Fn.Obj.Signature().Results().At(0).Type(), source: "confmap", from: c.Args[:1], used: value.NewCell(value.Nil{}), values: make(map[string]value.Value)}
	for key, v := range m.Sorted() {
		text, known := value.TextOf(key)
		if !known || strings.Contains(text, settingsDelimiter) && delim != settingsDelimiter {
			return nil, false
		}
		p.values[text] = copiedSlice(v)
	}
	return p, true
}

// isShared reports whether what a confmap holds may have changed since it was made: a store
// merges others into the maps that it has got, and the program may write to the one that it reads.
func (p *koanfProvider) isShared() bool { return p.used != nil && !value.IsNil(p.used.Load()) }

// koanfRead is the model of Read of a confmap, which returns its map.
func koanfRead(c *Call) (value.Value, bool) {
	if p, ok := c.Fn.Recv.(*koanfProvider); ok && p.used != nil {
		c.Set(p.used, boolean(true))
	}
	return leadingResults(c, []value.Value{c.Fn.Recv}), true
}

// koanfLoad is the model of Load.
func koanfLoad(c *Call) (value.Value, bool) {
	s, cell := settingsAt(c.Fn.Recv)
	p, ok := c.Args[0].(*koanfProvider)
	if s == nil || !ok || p.isShared() || !value.IsNil(c.Args[2]) || !isKoanfParser(c.Args[1]) {
		return nil, false
	}
	c.Lend(c.At, c.Args[1:2], value.UnknownResult(c.At)) // the parser
	switch p.source {
	case "file":
		return c.readsFile(s), true
	case "env":
		asking := *s
		asking.env = true
		c.Set(cell, &asking)
		c.MayFail(c.At, c.errorOfCall(), func() {})
		return noError(), true
	}
	if !value.IsNilInterface(c.Args[1]) {
		return nil, false
	}
	for key, v := range p.values {
		if _, isMap := v.(*value.Map); isMap || strings.Contains(key, settingsDelimiter) {
			c.Set(p.used, boolean(true))
		}
		s = s.with(key, v)
	}
	c.Set(cell, s)
	return noError(), true
}

// isKoanfParser reports whether a parser is one of koanf's own, or none: another one may give
// settings of which its file says nothing.
func isKoanfParser(v value.Value) bool {
	if value.IsNilInterface(v) {
		return true
	}
	t := value.TypeOf(v)
	if t == nil || value.Pointee(t) == nil {
		return false
	}
	named := value.NamedOf(value.Pointee(t))
	return named != nil && named.Obj().Pkg() != nil && strings.HasPrefix(named.Obj().Pkg().Path(), koanfParsers)
}

func koanfUnmarshal(c *Call) (value.Value, bool) {
	path, known := value.TextOf(c.Args[0])
	if !known {
		return nil, false
	}
	if path != "" {
		path += settingsDelimiter
	}
	return c.decodeSettings(c.Fn.Recv, path, c.Args[1], "koanf", koanfRemedy)
}
