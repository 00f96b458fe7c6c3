package client

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// lineWidth is where comment lines are broken, without the indentation, in
// runes. Words are never broken.
const lineWidth = 76

// comment makes a doc comment of paragraphs, each of which may come from the
// user and hold anything. Empty ones are left out.
func comment(paragraphs ...string) jen.Code {
	lines := commentLines(paragraphs...)
	if len(lines) == 0 {
		return jen.Null()
	}
	return jen.Comment(strings.Join(lines, "\n"))
}

func commentLines(paragraphs ...string) []string {
	var lines []string
	for _, text := range paragraphs {
		for _, block := range blocks(text) {
			if len(lines) > 0 && !block.follows {
				lines = append(lines, "//")
			}
			lines = append(lines, block.wrap()...)
		}
	}
	return lines
}

// block is a paragraph or an item of a list.
type block struct {
	words   []string
	marker  string // of an item, in gofmt's layout; "" for a paragraph
	follows bool   // comes straight after another item
}

// blocks splits text at empty lines and before list items ("- ", "* ", "1. ").
func blocks(text string) []block {
	var all []block
	open := false
	for line := range strings.Lines(sanitise(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
			open = false
		case len(words) > 1 && listMarker(words[0]) != "":
			follows := open && all[len(all)-1].marker != ""
			all = append(all, block{words: words[1:], marker: listMarker(words[0]), follows: follows})
			open = true
		case open:
			last := &all[len(all)-1]
			last.words = append(last.words, words...)
		default:
			all = append(all, block{words: words})
			open = true
		}
	}
	return all
}

// listMarker returns how gofmt writes the marker of a list item, "" for a word
// that is none.
func listMarker(word string) string {
	if word == "-" || word == "*" {
		return "  - "
	}
	if number, ok := strings.CutSuffix(word, "."); ok && len(number) == 1 && number[0] >= '0' && number[0] <= '9' {
		return " " + word + " "
	}
	return ""
}

func (b block) wrap() []string {
	first, next := "// "+b.marker, "// "+strings.Repeat(" ", len(b.marker))
	var lines []string
	line := first + b.words[0]
	for _, word := range b.words[1:] {
		if utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > lineWidth {
			lines = append(lines, line)
			line = next + word
			continue
		}
		line += " " + word
	}
	return append(lines, line)
}

// sanitise takes out what a Go comment can't hold (control characters, byte
// order marks, invalid UTF-8), what makes it read in another order than it is
// written, and what tools take for an instruction to them: the build constraints
// of old and new form.
func sanitise(text string) string {
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n").Replace(text)
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\ufeff' || r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r):
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.NewReplacer("+build", "+ build", "//go:", "go:", "*/", "* /").Replace(text)
}
