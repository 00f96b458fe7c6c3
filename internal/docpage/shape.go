package docpage

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A picture is drawn twice: for wide screens and for telephones.
type picture struct {
	Label  string // what it shows, in words
	Wide   drawing
	Narrow *drawing // nil where the wide one is shown everywhere
}

// A drawing has boxes and arrows, in pixels.
type drawing struct {
	Left, Width, Height int
	Boxes               []box
	Arrows              []arrow
}

// The kinds of boxes and arrows, which the style has colours for.
const (
	anExchange = "exchange"
	aQueue     = "queue"
	aHandler   = "handler"
	aReply     = "reply"
	aFailure   = "failure"
)

// A box is a station of messages.
type box struct {
	X, Y, W, H int
	Kind       string
	Title, Sub string // as they fit
	Full       string // the whole title
	Link       string // the id of an element, "" for none
}

// An arrow is a line with a head at its end.
type arrow struct {
	Kind   string
	Path   string
	Label  string
	LX, LY int
	Anchor string // of the label: start, middle or end
}

const (
	boxHeight  = 44
	boxPadding = 12
	minBox     = 96
	maxBox     = 224
	arrowHead  = 5
)

// newBox returns a box whose text fits, at no place yet.
func newBox(kind, title, sub string) box {
	b := box{Kind: kind, Full: title, H: boxHeight}
	b.Title, b.Sub = clipped(title, (maxBox-2*boxPadding)*10/titleWidth), clipped(sub, (maxBox-2*boxPadding)*10/labelWidth)
	b.W = min(maxBox, max(minBox, 2*boxPadding+widthOf(b.Title, titleWidth), 2*boxPadding+widthOf(b.Sub, labelWidth)))
	return b
}

func (b box) right() int  { return b.X + b.W }
func (b box) bottom() int { return b.Y + b.H }
func (b box) middle() int { return b.Y + b.H/2 }
func (b box) centre() int { return b.X + b.W/2 }
func (b box) TitleX() int { return b.X + boxPadding }
func (b box) TitleY() int { return b.Y + map[bool]int{true: 27, false: 19}[b.Sub == ""] }
func (b box) SubY() int   { return b.Y + 34 }

// The widths of a character of the titles and the labels, in tenths of a pixel.
// Fonts differ; where one is wider than this, its text comes nearer to the border.
const (
	titleWidth = 76 // 12.5 px, monospaced
	labelWidth = 66 // 11 px, monospaced
)

// widthOf estimates the width of a text.
func widthOf(text string, character int) int {
	cells := 0
	for _, c := range text {
		cells++
		if unicode.Is(unicode.Han, c) || unicode.Is(unicode.Hiragana, c) || unicode.Is(unicode.Katakana, c) || unicode.Is(unicode.Hangul, c) {
			cells++
		}
	}
	return (cells*character + 9) / 10
}

// clipped shortens a text in its middle, where names differ the least.
func clipped(text string, most int) string {
	text = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, text)
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	runes := []rune(text)
	head := (most - 1) * 3 / 5
	return string(runes[:head]) + "…" + string(runes[len(runes)-(most-1-head):])
}

// rightward draws an arrow between two boxes, the second of which is to the right.
func rightward(kind string, from, to box, label string) arrow {
	x1, y1, x2, y2 := from.right(), from.middle(), to.X, to.middle()
	a := arrow{Kind: kind, Label: label, Anchor: "end", LX: x2 - 12, LY: y2 - 7}
	if y1 == y2 {
		a.Path = fmt.Sprintf("M%d %dH%d", x1, y1, x2)
	} else {
		turn := x1 + 16
		a.Path = fmt.Sprintf("M%d %dH%dV%dH%d", x1, y1, turn, y2, x2)
	}
	a.Path += fmt.Sprintf("m%d %dl%d %dl%d %d", -arrowHead, -arrowHead, arrowHead, arrowHead, -arrowHead, arrowHead)
	return a
}

// downward draws an arrow between two boxes, the second of which is below.
func downward(kind string, from, to box, label string) arrow {
	x := max(from.X, to.X) + 24
	return arrow{
		Kind: kind, Label: label, Anchor: "start", LX: x + 12, LY: (from.bottom()+to.Y)/2 + 4,
		Path: fmt.Sprintf("M%d %dV%d", x, from.bottom(), to.Y) + headDown,
	}
}

const headDown = "m-5 -5l5 5l5 -5"
