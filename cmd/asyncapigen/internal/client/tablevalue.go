package client

import (
	"maps"
	"math"
	"slices"
	"time"

	"github.com/dave/jennifer/jen"
)

// tableValue writes a value of an AMQP field table as a Go expression of the same
// type, and reports whether it can.
func (g *generator) tableValue(value any) (*jen.Statement, bool) {
	switch value := value.(type) {
	case nil:
		return jen.Nil(), true
	case bool, string, int, int8, int16, int32, int64, uint, uint8, uint16, uint32, uint64:
		return jen.Lit(value), true
	case float32:
		return jen.Lit(value), isFinite(float64(value))
	case float64:
		return jen.Lit(value), isFinite(value)
	case []byte:
		return jen.Index().Byte().Parens(jen.Lit(string(value))), true
	case time.Time: // whole seconds in AMQP
		return g.qualify("time", "time", "Unix").Call(jen.Lit(int(value.Unix())), jen.Lit(0)), true
	case []any:
		return g.listLiteral(value)
	case map[string]any:
		return g.tableLiteral(value)
	}
	return nil, false
}

func (g *generator) listLiteral(values []any) (*jen.Statement, bool) {
	items := make([]jen.Code, len(values))
	for i, value := range values {
		item, ok := g.tableValue(value)
		if !ok {
			return nil, false
		}
		items[i] = item
	}
	return jen.Index().Any().Values(items...), true
}

func (g *generator) tableLiteral(table map[string]any) (*jen.Statement, bool) {
	var entries []jen.Code
	for _, key := range slices.Sorted(maps.Keys(table)) {
		value, ok := g.tableValue(table[key])
		if !ok {
			return nil, false
		}
		entries = append(entries, jen.Lit(key).Op(":").Add(value))
	}
	return jen.Map(jen.String()).Any().Add(lines(entries)), true
}

func isFinite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// lines writes a composite literal's body with one element a line, in the
// order given.
func lines(elements []jen.Code) jen.Code {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: len(elements) > 0}, elements...)
}
