// Package methodname makes the names of a generated client's methods of the names of
// routes.
//
//	methodname.Of("order-created.v1") // OrderCreatedV1
package methodname

import (
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

// Of makes the part of a Go identifier that follows Publish, Call or
// Route: "order-created.v1" becomes OrderCreatedV1, "userId" UserID. It may
// begin with a digit, and is empty where name has neither letters nor digits.
func Of(name string) string {
	var ident strings.Builder
	for _, part := range strings.FieldsFunc(name, isSeparator) {
		for _, word := range camelWords(part) {
			if upper := strings.ToUpper(word); initialisms[upper] {
				word = upper
			}
			ident.WriteString(UpperFirst(word))
		}
	}
	return ident.String()
}

func isSeparator(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

// camelWords splits before each upper-case letter that follows another kind of
// rune, so "orderID" is order and ID, and "HTTPServer" stays one word.
func camelWords(part string) []string {
	var words []string
	var start int
	var previous rune
	for i, r := range part {
		if i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(previous) {
			words = append(words, part[start:i])
			start = i
		}
		previous = r
	}
	return append(words, part[start:])
}

// UpperFirst returns a name with an upper-case first letter.
func UpperFirst(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(r)) + word[size:]
}
