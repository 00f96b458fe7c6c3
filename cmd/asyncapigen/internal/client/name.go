package client

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are the words that Go writes in one case, from the list of Go's
// code review comments with AMQP's own.
var initialisms = map[string]bool{
	"ACL": true, "AMQP": true, "API": true, "ASCII": true, "CPU": true, "CSS": true, "CSV": true,
	"DNS": true, "EOF": true, "GUID": true, "HTML": true, "HTTP": true, "HTTPS": true, "ID": true,
	"IP": true, "JSON": true, "JWT": true, "PDF": true, "QPS": true, "RAM": true, "RPC": true,
	"SKU": true, "SLA": true, "SMS": true, "SMTP": true, "SQL": true, "SSH": true, "TCP": true,
	"TLS": true, "TTL": true, "UDP": true, "UI": true, "UID": true, "URI": true, "URL": true,
	"UTF8": true, "UUID": true, "VAT": true, "VM": true, "XML": true,
}

// identifier makes the part of a Go identifier that follows Publish, Call or
// Route: "order-created.v1" becomes OrderCreatedV1, "userId" UserID. It may
// begin with a digit, and is empty where name has neither letters nor digits.
func identifier(name string) string {
	var ident strings.Builder
	for _, part := range strings.FieldsFunc(name, isSeparator) {
		for _, word := range camelWords(part) {
			if upper := strings.ToUpper(word); initialisms[upper] {
				word = upper
			}
			ident.WriteString(upperFirst(word))
		}
	}
	return ident.String()
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// camelWords splits before each upper-case letter that follows another kind of
// rune, so "orderID" is order and ID, and "HTTPServer" stays one word.
func camelWords(part string) []string {
	var words []string
	start, previous := 0, rune(0)
	for i, r := range part {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(previous) {
			words = append(words, part[start:i])
			start = i
		}
		previous = r
	}
	return append(words, part[start:])
}

func upperFirst(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}

// exported returns name with an upper-case first letter. Leading underscores
// go, and scripts without case get a T before them.
func exported(name string) string {
	name = strings.TrimLeft(name, "_")
	if r, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(unicode.ToUpper(r)) {
		return "T" + name
	}
	return upperFirst(name)
}

// scope is a set of identifiers that are taken.
type scope map[string]bool

func newScope(names ...string) scope {
	s := make(scope)
	for _, name := range names {
		s[name] = true
	}
	return s
}

// take returns the first candidate that is free and marks it as taken; where
// none is, the last one with the first number that makes it free.
func (s scope) take(candidates ...string) string {
	for _, name := range candidates {
		if !s[name] {
			s[name] = true
			return name
		}
	}
	last := candidates[len(candidates)-1]
	for n := 2; ; n++ {
		if name := last + strconv.Itoa(n); !s[name] {
			s[name] = true
			return name
		}
	}
}
