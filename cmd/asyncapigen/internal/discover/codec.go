package discover

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// codec returns the type of the route's codec, nil for JSON. The client names the type,
// whose value has to be its zero value: only a struct without fields has no other. A nil
// pointer in the interface is a codec, too.
func (r *reader) codec() *types.TypeName {
	v := fieldOf(r.route, "Codec")
	if v == nil || value.IsNilInterface(v) {
		return nil
	}
	if value.IsUnknown(v) {
		r.unknown("codec", v)
		return nil
	}
	if s, ok := v.(*value.Struct); ok {
		named, _ := types.Unalias(s.Type).(*types.Named)
		if u, _ := s.Type.Underlying().(*types.Struct); named != nil && named.TypeArgs() == nil && u != nil && u.NumFields() == 0 {
			return named.Obj()
		}
	}
	r.unknown("codec", &value.Unknown{Reason: "a codec that isn't the value of a named struct type without fields", Pos: r.at.Pos()})
	return nil
}

// asked is what a codec says when Register asks it about a route.
type asked struct {
	writes string // the content type of bodies; "" where it isn't known
	fault  string // why the route is refused, "" where it isn't
	isOpen bool   // whether it is refused isn't known
}

// askCodecs asks the codecs of the routes that a call registers, as Register does.
func (f *finder) askCodecs(call *model.Call) []asked {
	routes := givenRoutes(call)
	all := make([]asked, len(routes))
	for i, route := range routes {
		if s, isStruct := route.(*value.Struct); isStruct {
			all[i] = f.askCodec(call, s)
		}
	}
	return all
}

// askCodec asks the codec of a route. A route is lost where that isn't a struct.
func (f *finder) askCodec(call *model.Call, route *value.Struct) asked {
	codec, isStruct := fieldOf(route, "Codec").(*value.Struct)
	if !isStruct {
		return asked{}
	}
	h, _ := fieldOf(route, "Handler").(*handler)
	if named := value.NamedOf(codec.Type); named != nil && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == load.RuntimePath+"/protobuf" {
		return askProtobuf(h)
	}
	a := askContentTypes(f.ask(call, codec, "ContentTypes"), codec)
	for _, t := range h.types() {
		if a.fault != "" {
			break
		}
		err := f.ask(call, codec, "Takes", model.TypeValue(t))
		switch {
		case value.IsNil(err):
		case value.IsUnknown(err) && !value.IsNonNil(err):
			a.isOpen = true
		default:
			a.fault = registered.TypeName(codec.Type) + " doesn't take " + registered.TypeName(t)
		}
	}
	return a
}

// ask calls a method of a codec. Its source is read where that tells more.
func (f *finder) ask(call *model.Call, codec value.Value, method string, args ...value.Value) value.Value {
	fn := call.Method(call.At, codec, method)
	if fn == nil {
		return value.UnknownResult(call.At)
	}
	result := call.Call(call.At, fn, args)
	f.ev.Need([]value.Value{result})
	return result
}

// askContentTypes reads the result of a codec's method.
func askContentTypes(types value.Value, codec *value.Struct) (a asked) {
	slice, isSlice := types.(*value.Slice)
	switch {
	case value.IsNil(types) || isSlice && len(slice.Elems) == 0:
		a.fault = registered.TypeName(codec.Type) + " has no content type"
	case !isSlice:
		a.isOpen = true
	default:
		a.writes, _ = value.TextOf(slice.Elems[0].Load())
	}
	return a
}

// askProtobuf asks protobuf.Codec, whose source isn't the program's.
func askProtobuf(h *handler) asked {
	for _, t := range h.types() {
		if !isGenerated(t) {
			return asked{fault: "protobuf.Codec doesn't take " + registered.TypeName(t) + ": it has to be a pointer to a message that protoc-gen-go has generated"}
		}
	}
	return asked{writes: "application/x-protobuf"}
}

// isGenerated reports whether t is a pointer with the method of a proto.Message.
func isGenerated(t types.Type) bool {
	if value.Pointee(t) == nil {
		return false
	}
	obj, _, _ := types.LookupFieldOrMethod(t, false, nil, "ProtoReflect")
	method, isMethod := obj.(*types.Func)
	if !isMethod || method.Signature().Params().Len() != 0 || method.Signature().Results().Len() != 1 {
		return false
	}
	return gotype.IsProtoMessage(method.Signature().Results().At(0).Type())
}

// types returns what the codec of a route with the handler is asked about. A router asks
// about no bytes.
func (h *handler) types() (all []types.Type) {
	for _, one := range h.withCases() {
		for _, t := range []types.Type{one.Body, one.Reply} {
			if t != nil && !types.Identical(t, types.NewSlice(types.Typ[types.Byte])) {
				all = append(all, t)
			}
		}
	}
	return all
}
