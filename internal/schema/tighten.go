package schema

import (
	"encoding/json"
	"math/big"
	"strconv"
	"time"
)

// tighten adds the keywords to s, of bounds the stricter one.
func (s *Schema) tighten(words *Schema) {
	stricterInt(&s.MinLength, words.MinLength, 1)
	stricterInt(&s.MaxLength, words.MaxLength, -1)
	stricterInt(&s.MinItems, words.MinItems, 1)
	stricterInt(&s.MaxItems, words.MaxItems, -1)
	stricterInt(&s.MinProperties, words.MinProperties, 1)
	stricterInt(&s.MaxProperties, words.MaxProperties, -1)
	stricter(&s.Minimum, words.Minimum, 1)
	stricter(&s.Maximum, words.Maximum, -1)
	stricter(&s.ExclusiveMinimum, words.ExclusiveMinimum, 1)
	stricter(&s.ExclusiveMaximum, words.ExclusiveMaximum, -1)
	s.UniqueItems = s.UniqueItems || words.UniqueItems
	if words.MultipleOf != "" {
		s.MultipleOf = words.MultipleOf
	}
	if words.Format != "" {
		s.Format = words.Format
	}
	if words.Pattern != "" {
		s.addPattern(words.Pattern)
	}
	if len(words.Enum) > 0 {
		s.Enum = words.Enum
		if s.Type.Has("null") {
			s.Enum = append(s.Enum, json.RawMessage("null"))
		}
	}
	s.AnyOf = append(s.AnyOf, words.AnyOf...)
	s.AllOf = append(s.AllOf, words.AllOf...)
}

func (s *Schema) addPattern(pattern string) {
	if s.Pattern == "" || s.Pattern == pattern {
		s.Pattern = pattern
		return
	}
	s.AllOf = append(s.AllOf, &Schema{Pattern: pattern})
}

// stricterInt sets bound to n if that is stricter: greater for the sign 1, less
// for -1.
func stricterInt(bound **int, n *int, sign int) {
	if n != nil && (*bound == nil || (*n-**bound)*sign > 0) {
		*bound = n
	}
}

func stricter(bound *json.Number, n json.Number, sign int) {
	if n != "" && (*bound == "" || compareNumbers(n, *bound)*sign > 0) {
		*bound = n
	}
}

// parseLimit reads text as a number of the type t, durations as nanoseconds.
func parseLimit(t Type, text string) (json.Number, error) {
	if t.Name().qualified() == "time.Duration" {
		if d, err := time.ParseDuration(text); err == nil {
			return json.Number(strconv.FormatInt(int64(d), 10)), nil
		}
	}
	if isInteger(t.Kind()) {
		n, ok := new(big.Int).SetString(text, 0)
		if !ok {
			return "", strconv.ErrSyntax
		}
		return json.Number(n.String()), nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return "", err
	}
	number, err := json.Marshal(f)
	return json.Number(number), err
}
