package discover

import (
	"go/constant"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A route of which nothing is known for one reason is reported once, and another one field by field.
func TestOneUnknown_IsTheReasonOfAllFields(t *testing.T) {
	made := func(values ...value.Value) *value.Struct {
		s := new(value.Struct)
		for _, v := range values {
			s.Fields = append(s.Fields, value.NewCell(v))
		}
		return s
	}
	load, again := value.UnknownAt(1, "the result of load()"), value.UnknownAt(2, "the result of load()")
	file, known := value.UnknownAt(1, "a file"), value.NewConst(constant.MakeString("orders"), types.Typ[types.String])
	for name, test := range map[string]struct {
		of   *value.Struct
		want *value.Unknown
	}{
		"one reason":               {made(load, value.UnknownAt(1, "the result of load()")), load},
		"one reason within a part": {made(load, made(load, load)), load},
		"a known field":            {made(load, known), nil},
		"a known field first":      {made(known, load), nil},
		"a known field of a part":  {made(load, made(load, known)), nil},
		"two places":               {made(load, again), nil},
		"two reasons":              {made(load, file), nil},
	} {
		require.Equal(t, test.want, oneUnknown(test.of), name)
	}
}
