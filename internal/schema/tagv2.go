package schema

import (
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// parseTagV2 reads the json key of a tag as the engine of encoding/json/v2 does
// (rule 47): a name ends at a comma, a quote or a backslash, or stands in single
// quotes, and options may be quoted, too. What is malformed is passed over.
func parseTagV2(tag reflect.StructTag) JSONTag {
	text := tag.Get("json")
	if text == "-" {
		return JSONTag{Skip: true}
	}
	parsed := JSONTag{}
	if text != "" && text[0] != ',' {
		parsed.Name, text = cutNameV2(text)
	}
	for text != "" {
		text = strings.TrimPrefix(text, ",")
		option, size, _ := optionV2(text)
		text = text[size:]
		switch option {
		case "omitempty":
			parsed.OmitEmpty = true
		case "omitzero":
			parsed.OmitZero = true
		case "string":
			parsed.Quoted = true
		case "inline":
			parsed.Inline = true
		case "unknown":
			parsed.Unknown = true
		case "case":
			_, text, _ = cutValueV2(text)
		case "format":
			value, rest, ok := cutValueV2(text)
			if ok {
				parsed.Format = value
			}
			text = rest
		}
	}
	return parsed
}

// cutValueV2 returns the value of an option, which stands after a colon. What
// isn't a value is left in the rest, to be read as an option of its own.
func cutValueV2(text string) (value, rest string, ok bool) {
	after, found := strings.CutPrefix(text, ":")
	if !found {
		return "", text, false
	}
	value, size, ok := optionV2(after)
	if !ok {
		return "", after, false
	}
	return value, after[size:], true
}

// quoteV2 writes text in single quotes, as it is read by quotedV2.
func quoteV2(text string) string {
	quoted := strconv.Quote(text)
	return "'" + strings.ReplaceAll(quoted[1:len(quoted)-1], "'", `\'`) + "'"
}

// formatV2 writes the value of the option format, in quotes where it needs them.
func formatV2(value string) string {
	if option, size, ok := optionV2(value); ok && size == len(value) && option == value {
		return value
	}
	return quoteV2(value)
}

// cutNameV2 returns the name that text begins with, "" where it is malformed.
func cutNameV2(text string) (name, rest string) {
	size := strings.IndexAny(text, ",\\'\"`")
	if size < 0 {
		return text, ""
	}
	if text[size] == ',' {
		return text[:size], text[size:]
	}
	name, size, ok := optionV2(text)
	if !ok {
		name = ""
	}
	return name, text[size:]
}

// optionV2 reads an identifier or text in single quotes. Where there is neither,
// it takes all up to the next comma.
func optionV2(text string) (option string, size int, ok bool) {
	end := strings.IndexByte(text, ',')
	if end < 0 {
		end = len(text)
	}
	first := func(r rune) bool { return r == '_' || unicode.IsLetter(r) }
	letter := func(r rune) bool { return first(r) || unicode.IsNumber(r) }
	switch {
	case strings.IndexFunc(text, first) == 0:
		size = strings.IndexFunc(text, func(r rune) bool { return !letter(r) })
		if size < 0 {
			size = len(text)
		}
		return text[:size], size, true
	case strings.HasPrefix(text, "'"):
		if option, size, ok := quotedV2(text); ok {
			return option, size, true
		}
	}
	return text[:end], end, false
}

// quotedV2 reads a Go string literal with single quotes.
func quotedV2(text string) (string, int, bool) {
	literal := []byte{'"'}
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			if text[i] != '\'' {
				literal = append(literal, '\\')
			}
			literal = append(literal, text[i])
		case c == '\'':
			option, err := strconv.Unquote(string(append(literal, '"')))
			return option, i + 1, err == nil
		case c == '"':
			literal = append(literal, '\\', '"')
		default:
			literal = append(literal, c)
		}
	}
	return "", 0, false
}

// isFallback reports whether the field takes members of any name, by the option
// inline or unknown: it is a map with text as keys, or raw JSON.
func isFallback(f Field) bool {
	t := behindPointer(f.Type)
	return t.Name().qualified() == "encoding/json/jsontext.Value" ||
		t.Kind() == reflect.Map && t.Key().Kind() == reflect.String && !writesItself(t.Key()) && !readsItself(t.Key())
}
