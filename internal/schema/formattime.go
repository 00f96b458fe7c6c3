package schema

import (
	"encoding/json"
	"strings"
	"time"
	"unicode"
)

// timeLayouts are the layouts that the option format has names for.
var timeLayouts = map[string]string{
	"ANSIC": time.ANSIC, "UnixDate": time.UnixDate, "RubyDate": time.RubyDate,
	"RFC822": time.RFC822, "RFC822Z": time.RFC822Z, "RFC850": time.RFC850,
	"RFC1123": time.RFC1123, "RFC1123Z": time.RFC1123Z, "RFC3339": time.RFC3339, "RFC3339Nano": time.RFC3339Nano,
	"Kitchen": time.Kitchen, "Stamp": time.Stamp, "StampMilli": time.StampMilli, "StampMicro": time.StampMicro, "StampNano": time.StampNano,
	"DateTime": time.DateTime, "DateOnly": time.DateOnly, "TimeOnly": time.TimeOnly,
}

// timeUnits are the names of what is counted since 1970.
var timeUnits = map[string]string{
	"unix": "Seconds", "unixmilli": "Milliseconds", "unixmicro": "Microseconds", "unixnano": "Nanoseconds",
}

// timeFormat describes a time.Time. What is written by a layout for which JSON
// Schema has no format is text, as that of MarshalText is; the description gives
// the layout.
func (b *builder) timeFormat(format string) *Schema {
	if unit, ok := timeUnits[format]; ok {
		s := &Schema{Description: unit + " since 1970-01-01T00:00:00Z.", Type: Types{"number"}}
		if format == "unixnano" && b.Direction == Encode { // reading drops a fraction; int64 doesn't hold the zero time
			s.Type = Types{"integer"}
		}
		return s
	}
	layout, ok := timeLayouts[format]
	if !ok {
		layout = format
	}
	switch {
	case !ok && isWord(format): // may become the name of a layout
		return nil
	case layout == time.RFC3339Nano:
		return &Schema{Type: Types{"string"}, Format: "date-time"}
	case layouts[layout] != "":
		return &Schema{Type: Types{"string"}, Format: layouts[layout]}
	}
	text, _ := marshal(layout)
	return &Schema{Description: "A time in the layout " + string(text) + ", as Go's package time has them.", Type: Types{"string"}}
}

// isWord reports whether a format that names no layout is refused rather than
// taken for a layout: it begins with a letter of ASCII, and has nothing but
// letters, numbers and underscores.
func isWord(format string) bool {
	first := format[0] | 0x20 // in lower case
	return 'a' <= first && first <= 'z' && strings.IndexFunc(format, func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsNumber(r)
	}) < 0
}

// The text of durations. Reading takes what time.ParseDuration takes, and of ISO
// 8601 a sign, letters of either case, and a fraction of the last number.
var durationTexts = map[string]struct {
	description string
	patterns    [2]string // by direction
}{
	"units": {"A duration, such as 1h15m30.5s.", [...]string{
		Encode: `^-?([0-9]+h)?([0-9]+m)?[0-9]+(\.[0-9]+)?[mµn]?s$`,
		Decode: `^[-+]?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(h|m|s|ms|us|µs|μs|ns))+)$`,
	}},
	"iso8601": {"A duration as ISO 8601 has it, such as PT1H15M30.5S.", [...]string{
		Encode: `^-?PT([0-9]+H)?([0-9]+M)?([0-9]+(\.[0-9]+)?S)?$`,
		Decode: `^[-+]?[Pp][Tt]([0-9]+([.,][0-9]+)?[Hh])?([0-9]+([.,][0-9]+)?[Mm])?([0-9]+([.,][0-9]+)?[Ss])?$`,
	}},
}

// durationNumbers are units and the least whole number that bounds the range.
var durationNumbers = map[string]struct {
	unit  string
	limit json.Number
}{
	"sec":   {"seconds", "9223372037"},
	"milli": {"milliseconds", "9223372036855"},
	"micro": {"microseconds", "9223372036854776"},
	"nano":  {"nanoseconds", "9223372036854775808"},
}

// decimalPattern is that of such numbers in quotes, which have no exponent.
const decimalPattern = `^-?(0|[1-9][0-9]*)(\.[0-9]+)?$`

// durationFormat describes a time.Duration. The option string puts those that
// are numbers in quotes.
func (b *builder) durationFormat(tag JSONTag) *Schema {
	if text, ok := durationTexts[tag.Format]; ok {
		return &Schema{Description: text.description, Type: Types{"string"}, Pattern: text.patterns[b.Direction]}
	}
	number, ok := durationNumbers[tag.Format]
	if !ok {
		return nil
	}
	s := &Schema{Description: "A duration in " + number.unit + "."}
	switch {
	case tag.Quoted:
		s.Type, s.Pattern = Types{"string"}, decimalPattern
	case tag.Format == "nano" && b.Direction == Encode:
		s.Type, s.Format = Types{"integer"}, "int64"
	default: // reading drops what is less than a nanosecond
		s.Type, s.Minimum, s.Maximum = Types{"number"}, "-"+number.limit, number.limit
	}
	return s
}
