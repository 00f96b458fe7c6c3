package schema

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// A JSONTag is what encoding/json understands of a field's tag.
type JSONTag struct {
	Skip      bool   // the tag is "-"
	Name      string // "" where the tag has none, or one that isn't valid
	OmitEmpty bool
	OmitZero  bool
	Quoted    bool // the option is "string"; it applies to some types only

	// Of the engine of encoding/json/v2 only (rules 47 and 48).
	Inline, Unknown bool
	Format          string // the value of the option, "" for none
}

// ParseJSONTag reads the json key of a tag, as the engine does on which this
// program's own encoding/json runs. Options that encoding/json doesn't know are
// ignored, as is text that isn't in the form of a struct tag (rule 21).
func ParseJSONTag(tag reflect.StructTag) JSONTag {
	if newEngine {
		return parseTagV2(tag)
	}
	text := tag.Get("json")
	if text == "-" {
		return JSONTag{Skip: true}
	}
	name, options, _ := strings.Cut(text, ",")
	parsed := JSONTag{}
	if validName(name) {
		parsed.Name = name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			parsed.OmitEmpty = true
		case "omitzero":
			parsed.OmitZero = true
		case "string":
			parsed.Quoted = true
		}
	}
	return parsed
}

// String writes the key, `json:"name,omitempty"`, which reads as the same tag;
// "" for one that says nothing.
func (t JSONTag) String() string {
	text := t.Name
	if text != "" && !validName(text) {
		text = quoteV2(text)
	}
	for _, option := range []struct {
		set  bool
		text string
	}{
		{t.OmitEmpty, ",omitempty"},
		{t.OmitZero, ",omitzero"},
		{t.Quoted, ",string"},
		{t.Inline, ",inline"},
		{t.Unknown, ",unknown"},
	} {
		if option.set {
			text += option.text
		}
	}
	if t.Format != "" {
		text += ",format:" + formatV2(t.Format)
	}
	switch {
	case t.Skip:
		text = "-"
	case text == "":
		return ""
	case text == "-":
		text = "-," // a field of that name, rather than none
	}
	return "json:" + strconv.Quote(text)
}

// validName reports whether encoding/json takes name from a tag. It takes no
// quotes, backslashes or commas (rule 21).
func validName(name string) bool {
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return name != ""
}
