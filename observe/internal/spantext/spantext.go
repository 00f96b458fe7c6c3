// Package spantext makes texts that spans can carry, for observe and the packages
// below it.
package spantext

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxLength bounds the texts that go into a span, in bytes.
const MaxLength = 4096

// Cut makes a text that OTLP can carry: valid UTF-8, and not too long.
func Cut(text string) string { return cut(text, MaxLength) }

func cut(text string, length int) string {
	if len(text) > length {
		text = text[:length]
	}
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	return text
}

// Error returns the text of an error, whose method may panic.
func Error(err error) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T", err)
		}
	}()
	return err.Error()
}

// Panic returns the text of a panic's value, whose methods may panic.
func Panic(value any) (text string) {
	defer func() {
		if recover() != nil {
			text = fmt.Sprintf("a %T", value)
		}
	}()
	return Cut(fmt.Sprint(value))
}
