package schema

import (
	"encoding/json"
	"reflect"
)

// The text of numbers in strings, by the option "string" (rule 28).
const (
	unsignedPattern = `^[0-9]+$`
	integerPattern  = `^-?[0-9]+$`
	numberPattern   = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`
	boolPattern     = `^(true|false)$`
	stringPattern   = `^".*"$`
)

// scalar describes a boolean, number or string (rules 1 to 3). Ranges are those
// that decoding enforces. Of the formats, which name the smallest type of other
// languages that holds the range, int64 doesn't hold a uint64, so that has none.
func scalar(kind reflect.Kind) *Schema {
	switch kind {
	case reflect.Bool:
		return &Schema{Type: Types{"boolean"}}
	case reflect.Int8:
		return integer("", "-128", "127")
	case reflect.Int16:
		return integer("", "-32768", "32767")
	case reflect.Int32:
		return integer("int32", "-2147483648", "2147483647")
	case reflect.Int, reflect.Int64:
		return integer("int64", "", "")
	case reflect.Uint8:
		return integer("", "0", "255")
	case reflect.Uint16:
		return integer("", "0", "65535")
	case reflect.Uint32:
		return integer("int64", "0", "4294967295")
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return integer("", "0", "18446744073709551615")
	case reflect.Float32:
		// The shortest text of the greatest float32, as encoding/json writes it;
		// its exact value is a little smaller.
		return &Schema{Type: Types{"number"}, Format: "float", Minimum: "-3.4028235e38", Maximum: "3.4028235e38"}
	case reflect.Float64:
		return &Schema{Type: Types{"number"}, Format: "double"}
	default:
		return &Schema{Type: Types{"string"}}
	}
}

func integer(format string, minimum, maximum json.Number) *Schema {
	return &Schema{Type: Types{"integer"}, Format: format, Minimum: minimum, Maximum: maximum}
}

func isInteger(kind reflect.Kind) bool {
	return reflect.Int <= kind && kind <= reflect.Uintptr
}

func isUnsigned(kind reflect.Kind) bool {
	return reflect.Uint <= kind && kind <= reflect.Uintptr
}

// quoted describes a member with the option "string", nil where the option has
// no effect: it is for booleans, numbers and strings that don't write
// themselves, and one pointer to them (rule 28).
func (b *builder) quoted(m member) *Schema {
	t := behindPointer(m.field.Type)
	pattern := b.quotedPattern(t)
	if !m.tag.Quoted || pattern == "" {
		return nil
	}
	s := &Schema{Type: Types{"string"}, Pattern: pattern}
	isPointer := m.field.Type.Kind() == reflect.Pointer
	if b.Direction == Decode || isPointer && !m.tag.OmitEmpty && !m.tag.OmitZero {
		s.Type = append(s.Type, "null")
	}
	return s
}

func (b *builder) quotedPattern(t Type) string {
	form, kind := forms[b.Direction], t.Kind()
	switch {
	case b.Direction == Encode && writesItself(t), b.Direction == Decode && readsItself(t):
		return ""
	case isJSONNumber(t.Name()) && !newEngine:
		return form.literal
	case isJSONNumber(t.Name()):
		return form.strict
	case (kind == reflect.Float32 || kind == reflect.Float64) && newEngine:
		return form.anyNumber
	case kind == reflect.Float32, kind == reflect.Float64:
		return form.number
	case kind == reflect.Bool:
		return form.bool
	case kind == reflect.String:
		return form.string
	case isUnsigned(kind):
		return form.unsigned
	case isInteger(kind) && newEngine:
		return form.signed
	case isInteger(kind):
		return form.integer
	default:
		return ""
	}
}

// readsItself reports whether encoding/json calls a method to read a t.
func readsItself(t Type) bool {
	return t.Method(UnmarshalJSON) != NoReceiver || t.Method(UnmarshalText) != NoReceiver
}

// forms are the patterns of quoted values. Reading takes null within quotes, and
// numbers that strconv takes: with zeros before, or in hexadecimal; on the new
// engine, which doesn't look at the first letter itself, also with a plus, and
// the names of the infinities and NaN.
var forms = [...]struct{ bool, unsigned, integer, signed, number, anyNumber, literal, strict, string string }{
	Encode: {
		bool: boolPattern, unsigned: unsignedPattern, integer: integerPattern, signed: integerPattern, string: stringPattern,
		number: numberPattern, anyNumber: numberPattern, literal: numberPattern, strict: numberPattern,
	},
	Decode: {
		bool: `^(true|false|null)$`, unsigned: `^([0-9]+|null)$`, integer: `^(-?[0-9]+|null)$`, signed: `^([-+]?[0-9]+|null)$`, string: `^(".*"|null)$`,
		number:    `^(-?[0-9][-+.0-9a-fA-FpPxX_]*|null)$`,
		anyNumber: `^([-+]?[.0-9][-+.0-9a-fA-FpPxX_]*|[-+]?[iI][nN][fF]([iI][nN][iI][tT][yY])?|[nN][aA][nN]|null)$`,
		literal:   `^([-0-9].*|null)$`,                                       // a json.Number, of which only the first letter is looked at
		strict:    `^(-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?|null)$`, // one that the new engine looks at whole
	},
}
