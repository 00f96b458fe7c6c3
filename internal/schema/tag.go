package schema

import (
	"reflect"
	"strings"
	"unicode"
)

// A jsonTag is what encoding/json understands of a field's tag.
type jsonTag struct {
	skip      bool   // the tag is "-"
	name      string // "" where the tag has none, or one that isn't valid
	omitEmpty bool
	omitZero  bool
	quoted    bool // the option is "string"; it applies to some types only

	inline, unknown bool // of encoding/json/v2 only
}

// parseTag reads the json key of a tag. Options that encoding/json doesn't know
// are ignored, as is text that isn't in the form of a struct tag (rule 21).
func parseTag(tag reflect.StructTag) jsonTag {
	if newEngine {
		return parseTagV2(tag)
	}
	text := tag.Get("json")
	if text == "-" {
		return jsonTag{skip: true}
	}
	name, options, _ := strings.Cut(text, ",")
	parsed := jsonTag{}
	if validName(name) {
		parsed.name = name
	}
	for option := range strings.SplitSeq(options, ",") {
		switch option {
		case "omitempty":
			parsed.omitEmpty = true
		case "omitzero":
			parsed.omitZero = true
		case "string":
			parsed.quoted = true
		}
	}
	return parsed
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
