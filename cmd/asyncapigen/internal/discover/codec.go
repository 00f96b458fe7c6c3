package discover

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
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
