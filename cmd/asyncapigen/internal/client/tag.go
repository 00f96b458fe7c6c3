package client

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// tag is the part of a struct tag that encoding/json reads.
type tag struct {
	name      string // "" where the field's own name serves
	skip      bool   // the tag is "-"
	omitEmpty bool
	omitZero  bool
	quoted    bool // the option "string"
}

// parseTag reads a tag as encoding/json does: a name with other characters
// than it allows counts as none, and unknown options as nothing.
func parseTag(text string) tag {
	value := reflect.StructTag(text).Get("json")
	if value == "-" {
		return tag{skip: true}
	}
	name, rest, _ := strings.Cut(value, ",")
	parsed := tag{}
	if isTagName(name) {
		parsed.name = name
	}
	for option := range strings.SplitSeq(rest, ",") {
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

func isTagName(name string) bool {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) {
			return false
		}
	}
	return name != ""
}

// literal writes the tag with its quotes, "" for one that says nothing.
func (t tag) literal() string {
	value := t.name
	for _, option := range []struct {
		set  bool
		text string
	}{{t.omitEmpty, ",omitempty"}, {t.omitZero, ",omitzero"}, {t.quoted, ",string"}} {
		if option.set {
			value += option.text
		}
	}
	switch value {
	case "":
		return ""
	case "-":
		value = "-," // a field of that name, rather than none
	}
	return tagLiteral("json:" + strconv.Quote(value))
}

// tagLiteral quotes a whole struct tag as gofmt's readers expect it.
func tagLiteral(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
