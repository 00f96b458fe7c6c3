package example

import (
	"cmp"
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/warrenmq/warren/internal/schema"
)

// maxText bounds texts that are made, in bytes.
const maxText = 2000

// texts returns values that a schema of texts may accept, the plainest first. The
// name is that of the member which they are for; the nth of an array has another one than
// those before it.
func (m *Maker) texts(s *schema.Schema, name string, nth int) []any {
	least, most := 0, maxText
	if s.MinLength != nil {
		least = *s.MinLength
	}
	if s.MaxLength != nil {
		most = *s.MaxLength
	}
	if least > maxText {
		return nil
	}
	var all []string
	if s.Sample != "" {
		all = append(all, s.Sample)
	}
	if p := m.pattern(s.Pattern); s.Pattern != "" && p != nil {
		all = append(all, p.texts(least)...)
	}
	all = append(all, formats[s.Format]...)
	if s.ContentEncoding == "base64" {
		content := "text"
		if s.ContentMediaType == "application/json" {
			content = "{}"
		}
		encoded := base64.StdEncoding.EncodeToString([]byte(content))
		all = append(all, encoded, base64.StdEncoding.EncodeToString([]byte(padded(content, least, maxText))), encoded[:min(len(encoded), most/4*4)])
	}
	if s.ContentMediaType == "application/json" {
		all = append(all, "{}")
	}
	name = cmp.Or(name, "text")
	if nth > 0 {
		name += strconv.Itoa(nth + 1)
	}
	all = append(all, padded(name, least, most), padded("text", least, most))
	var values []any
	for _, text := range all {
		values = append(values, text)
	}
	return values
}

// padded returns text with at least and at most so many letters.
func padded(text string, least, most int) string {
	letters := []rune(text + strings.Repeat("a", max(0, least-utf8.RuneCountInString(text))))
	return string(letters[:min(len(letters), most)])
}

// isText reports whether a text surely meets what s says of texts.
func (m *Maker) isText(s *schema.Schema, text string) bool {
	length := utf8.RuneCountInString(text)
	switch {
	case s.MinLength != nil && length < *s.MinLength, s.MaxLength != nil && length > *s.MaxLength:
		return false
	case s.Pattern != "" && (m.pattern(s.Pattern) == nil || !m.pattern(s.Pattern).match.MatchString(text)):
		return false
	}
	return hasFormat(s.Format, text) && isEncoded(s.ContentEncoding, s.ContentMediaType, text)
}
