package load

import (
	"bytes"
	"go/token"
)

// A divider finds where the declarations of a file begin and end. It knows
// comments, literals, brackets and where a newline ends a declaration, which is
// all that matters outside of brackets.
// Source: The Go Programming Language Specification, Semicolons.
type divider struct {
	text    []byte
	at      int
	depth   int  // of brackets
	atStart bool // of a declaration
	ends    bool // a newline here ends the declaration
	regions []region
	start   int // of the current region
}

// divide reports whether the text is one of declarations.
func (d *divider) divide() bool {
	for d.at < len(d.text) {
		if !d.step() {
			return false
		}
	}
	if !d.atStart {
		d.end()
	}
	return d.depth == 0
}

// step reads a token, or what stands between two.
func (d *divider) step() bool {
	switch c := d.text[d.at]; c {
	case ' ', '\t', '\r':
		d.at++
	case '\n':
		d.at++
		d.newline()
	case '/':
		return d.slash()
	case '"', '\'':
		return d.quoted(c) && d.operand()
	case '`':
		return d.skipTo("`", 1) && d.operand()
	case '(', '[', '{':
		d.at++
		d.depth++
		return d.operator()
	case ')', ']', '}':
		d.at++
		d.depth--
		return d.depth >= 0 && d.operand()
	case ';':
		d.at++
		if d.depth == 0 {
			d.end()
		}
	default:
		if isWord[c] {
			return d.word()
		}
		d.at++
		return d.operator()
	}
	return true
}

// newline ends the declaration where the language inserts a semicolon. Blank lines
// above one are no part of it.
func (d *divider) newline() {
	switch {
	case d.depth == 0 && d.ends:
		d.end()
	case d.atStart && len(bytes.TrimSpace(d.text[d.start:d.at])) == 0:
		d.start = d.at
	}
}

// end ends the region here.
func (d *divider) end() {
	if !d.atStart {
		d.regions[len(d.regions)-1].end = d.at
		d.start = d.at
	}
	d.atStart, d.ends = true, false
}

// operand notes a token after which a newline is a semicolon, operator another
// one. No declaration begins with either.
func (d *divider) operand() bool {
	d.ends = true
	return !d.atStart
}

func (d *divider) operator() bool {
	d.ends = false
	return !d.atStart
}

// slash reads a comment or an operator.
func (d *divider) slash() bool {
	switch {
	case bytes.HasPrefix(d.text[d.at:], []byte("//")):
		length := bytes.IndexByte(d.text[d.at:], '\n')
		if length < 0 {
			length = len(d.text) - d.at
		}
		d.at += length
	case bytes.HasPrefix(d.text[d.at:], []byte("/*")):
		start := d.at
		if !d.skipTo("*/", 2) {
			return false
		}
		if bytes.IndexByte(d.text[start:d.at], '\n') >= 0 {
			d.newline()
		}
	default:
		d.at++
		return d.operator()
	}
	return true
}

// skipTo goes behind the next end, which is looked for after the first bytes.
func (d *divider) skipTo(end string, first int) bool {
	d.at += first
	length := bytes.Index(d.text[d.at:], []byte(end))
	d.at += length + len(end)
	return length >= 0
}

// quoted goes behind a string or a rune.
func (d *divider) quoted(quote byte) bool {
	for d.at++; d.at < len(d.text); d.at++ {
		switch d.text[d.at] {
		case quote:
			d.at++
			return true
		case '\\':
			d.at++
		case '\n':
			return false
		}
	}
	return false
}

// word reads an identifier, a keyword or a number. The first of a declaration
// has to be its keyword.
func (d *divider) word() bool {
	length := wordLength(d.text[d.at:])
	word := d.text[d.at : d.at+length]
	d.at += length
	if d.depth > 0 {
		return true
	}
	if d.atStart {
		return d.begin(string(word))
	}
	d.ends = !token.IsKeyword(string(word))
	if word[0] >= '0' && word[0] <= '9' && d.at < len(d.text) && d.text[d.at] == '.' {
		d.at++ // 1. is a number, too
	}
	return true
}

// begin begins a region with its keyword.
func (d *divider) begin(keyword string) bool {
	switch keyword {
	case "package":
		if len(d.regions) > 0 {
			return false
		}
	case "import":
	case "const", "type", "var", "func":
		rest := bytes.TrimLeft(d.text[d.at:], " \t\r\n")
		if len(rest) == 0 || rest[0] != '(' && !isWord[rest[0]] {
			return false // a comment: its names can't be read from the text
		}
	default:
		return false
	}
	d.regions = append(d.regions, region{keyword: keyword, start: d.start, at: d.at - len(keyword)})
	d.atStart, d.ends = false, false
	return true
}

// isWord has the bytes of identifiers and numbers.
var isWord = func() (is [256]bool) {
	for c := range is {
		is[c] = c == '_' || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= 0x80
	}
	return is
}()

func wordLength(text []byte) int {
	n := 0
	for n < len(text) && isWord[text[n]] {
		n++
	}
	return n
}
