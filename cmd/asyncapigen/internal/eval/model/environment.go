package model

import (
	"go/types"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Libraries that fill structs from the environment: caarlos0/env, cleanenv, and
// the envconfig of kelseyhightower and of sethvargo. A call may fail, and then
// nothing is known of what it was to fill.

var environmentFunctions = merged(
	map[string]Function{
		"github.com/ilyakaznacheev/cleanenv.ReadEnv":       fillArgument(cleanenvTags, 0),
		"github.com/ilyakaznacheev/cleanenv.ReadConfig":    cleanenvReadConfig,
		"github.com/kelseyhightower/envconfig.Process":     fillArgument(kelseyTags, 1),
		"github.com/kelseyhightower/envconfig.MustProcess": fillArgument(kelseyTags, 1),
		"github.com/sethvargo/go-envconfig.Process":        fillArgument(sethvargoTags, 1),
		"github.com/sethvargo/go-envconfig.MustProcess":    fillArgument(sethvargoTags, 1),
	},
	caarlosFunctions("v6"), caarlosFunctions("v9"), caarlosFunctions("v10"), caarlosFunctions("v11"),
)

// caarlosFunctions returns the functions of a version of caarlos0/env. Not each has all.
func caarlosFunctions(version string) map[string]Function {
	env := "github.com/caarlos0/env/" + version + "."
	return merged(
		map[string]Function{env + "Must": must},
		table(env, fillArgument(caarlosTags, 0), "Parse", "ParseWithOptions"),
		table(env, fillResult(caarlosTags), "ParseAs", "ParseAsWithOptions"),
	)
}

// fillArgument is the model of a function that fills the struct behind its
// argument i. Of the arguments after it, only options are understood that don't
// change what the tags mean.
func fillArgument(tags *configTags, i int) Function {
	return func(c *Call) (value.Value, bool) {
		s := pointedStruct(c.Args[i])
		if s != nil {
			c.mayUnset(s.Type)
		}
		_, isPointer := c.Args[i].(value.Pointer)
		if c.setsVariables() || !isPointer || s == nil || isOfPackage(s.Type, c.Fn.Obj.Pkg()) || updatesItself(c.Args[i]) || !plainOptions(c.Args[i+1:]) {
			return nil, false
		}
		fillStruct(c, tags, s)
		results := c.Fn.Obj.Signature().Results()
		switch {
		case results.Len() == 0:
			c.Risk(c.At)
			return value.Tuple{}, true
		case value.IsErrorType(results.At(0).Type()):
			c.MayFail(c.At, c.errorOfCall(), func() { refill(c, tags, s) })
			return noError(), true
		default:
			c.Risk(c.At)
			return c.Args[i], true
		}
	}
}

// fillResult is the model of a function that returns a filled struct of its type
// argument.
func fillResult(tags *configTags) Function {
	return func(c *Call) (value.Value, bool) {
		for _, t := range c.Fn.TArgs {
			c.mayUnset(t)
		}
		if c.setsVariables() || len(c.Fn.TArgs) != 1 || value.HasTypeParam(c.Fn.TArgs[0]) || !plainOptions(c.Args) {
			return nil, false
		}
		s, ok := c.Zero(c.Fn.TArgs[0]).(*value.Struct)
		if !ok {
			return nil, false
		}
		failed := c.Zero(s.Type).(*value.Struct)
		fillStruct(c, tags, s)
		refill(c, tags, failed)
		c.MayFail(c.At, value.Tuple{failed, c.errorOfCall()}, func() {})
		return value.Tuple{s, noError()}, true
	}
}

// mayUnset notes that a call may remove variables that the program has set: a tag of a type
// says so.
func (c *Call) mayUnset(t types.Type) {
	if c.setsVariables() && hasTagWith(t, ",unset", make(map[types.Type]bool)) {
		c.changeEnvironment()
		c.Set(c.Variable(setVariables), value.UnknownAt(c.At.Pos(), "what "+c.name()+" removes"))
	}
}

// hasTagWith reports whether a field of a type, or of one that it is made of, has a tag with a text.
func hasTagWith(t types.Type, text string, seen map[types.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for i := range u.NumFields() {
			if strings.Contains(u.Tag(i), text) || hasTagWith(u.Field(i).Type(), text, seen) {
				return true
			}
		}
		return false
	case *types.Map:
		return hasTagWith(u.Key(), text, seen) || hasTagWith(u.Elem(), text, seen)
	case interface{ Elem() types.Type }:
		return hasTagWith(u.Elem(), text, seen)
	}
	return false
}

func fillStruct(c *Call, tags *configTags, s *value.Struct) {
	c.decodesInto(s.Type)
	f := filling{Call: c, tags: tags, source: "what " + c.name() + " reads from the environment"}
	f.fill(s)
}

// decodesInto follows the methods by which what a type is made of may read itself, for whichever
// library.
func (c *Call) decodesInto(t types.Type) {
	parts := value.Reflected{Of: t, Methods: "Decode EnvDecode GobDecode Set SetValue UnmarshalBinary UnmarshalJSON UnmarshalText"}
	c.Lend(c.At, []value.Value{parts}, value.UnknownResult(c.At))
}

// refill makes unknown what a call was to fill that has failed.
func refill(c *Call, tags *configTags, s *value.Struct) {
	f := filling{Call: c, tags: tags, source: "what " + c.name() + " leaves where it fails", failing: true}
	f.fill(s)
}

// errorOfCall is the error with which a call has failed. It may lead to those that it wraps.
func (c *Call) errorOfCall(wrapped ...value.Value) value.Value {
	u := &value.Unknown{Reason: "the error of " + value.Source(c.At), Pos: c.At.Pos(), NonNil: true, Foreign: true}
	return u.Of(wrapped...)
}

// errorOfFailure is the error of a framework's function where a call of Try surely has failed: it
// may lead to the error of that.
func (c *Call) errorOfFailure() value.Value {
	return c.errorOfCall(c.Failure())
}

// updatesItself reports whether a configuration has the method by which cleanenv
// lets it change itself.
func updatesItself(v value.Value) bool {
	obj, _, _ := types.LookupFieldOrMethod(value.TypeOf(v), true, nil, "Update")
	_, isMethod := obj.(*types.Func)
	return isMethod
}

// isOfPackage reports whether t is a type of a library's own, such as that of its
// options.
func isOfPackage(t types.Type, library *types.Package) bool {
	named := value.NamedOf(t)
	return named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == library.Path()
}

// plainOptions reports whether options are those that change neither the tags nor
// where the variables come from.
func plainOptions(options []value.Value) bool {
	for _, v := range options {
		s, ok := v.(*value.Struct)
		if value.IsNil(v) {
			continue
		}
		if !ok {
			return false
		}
		u := s.Type.Underlying().(*types.Struct)
		for i, cell := range s.Fields {
			switch u.Field(i).Name() {
			case "Prefix", "RequiredIfNoDef":
				continue
			}
			zero := value.Zero(u.Field(i).Type())
			if same, _ := value.Compare(cell.Load(), zero); !value.IsNil(cell.Load()) && same != value.Yes {
				return false
			}
		}
	}
	return true
}

// cleanenvReadConfig is the model of ReadConfig, by which a file decides what the
// fields hold.
func cleanenvReadConfig(c *Call) (value.Value, bool) {
	if pointedStruct(c.Args[1]) == nil || updatesItself(c.Args[1]) {
		return nil, false
	}
	why := &value.Unknown{Reason: "what " + value.Source(c.At) + " reads", Pos: c.At.Pos(), Foreign: true}
	c.Havoc(why, c.Args[1])
	c.MayFail(c.At, c.errorOfCall(), func() {})
	return noError(), true
}

// must is the model of a function that returns its first argument, or panics with
// the error that is the second.
func must(c *Call) (value.Value, bool) {
	switch {
	case value.HoldsSomething(c.Args[1]):
		c.Panic(c.At, c.Args[1])
	case value.IsUnknown(c.Args[1]):
		c.Risk(c.At)
	}
	return c.Args[0], true
}
