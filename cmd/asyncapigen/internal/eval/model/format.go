package model

import (
	"go/types"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// This file reads formats as package fmt does (doPrintf in its print.go).

// directive is what a format says of one operand.
type directive struct {
	sharp, zero, plus, minus, space bool

	width, precision       int
	hasWidth, hasPrecision bool
}

// String writes the directive without its verb.
func (d directive) String() string {
	var text strings.Builder
	text.WriteByte('%')
	text.WriteString(d.flags())
	if d.hasWidth {
		text.WriteString(strconv.Itoa(d.width))
	}
	if d.hasPrecision {
		text.WriteString("." + strconv.Itoa(d.precision))
	}
	return text.String()
}

func (d directive) flags() string {
	var text []byte
	for _, flag := range []struct {
		set  bool
		text byte
	}{{d.sharp, '#'}, {d.zero, '0'}, {d.plus, '+'}, {d.minus, '-'}, {d.space, ' '}} {
		if flag.set {
			text = append(text, flag.text)
		}
	}
	return string(text)
}

// formatReader reads a format, directive by directive.
type formatReader struct {
	format   string
	at       int // the next byte
	operands []value.Value
	next     int // the next operand

	reordered  bool // an operand was chosen by its index
	goodIndex  bool
	afterIndex bool // the last thing read was an index
	unknown    *value.Unknown
}

// plain returns the text before the next directive, and false at the end.
func (r *formatReader) plain() (text string, more bool) {
	before, _, found := strings.Cut(r.format[r.at:], "%")
	r.at += len(before)
	if found {
		r.at++
	}
	return before, found
}

// directive reads flags, width and precision. It returns what they print that is
// wrong with them.
func (r *formatReader) directive() (d directive, wrong string) {
	r.goodIndex = true
	r.readFlags(&d)
	r.index()
	if r.peek('*') {
		r.at++
		if d.width, d.hasWidth = r.number(); !d.hasWidth {
			wrong += "%!(BADWIDTH)"
		}
		if d.width < 0 {
			d.width, d.minus, d.zero = -d.width, true, false
		}
		r.afterIndex = false
	} else if d.width, d.hasWidth = r.digits(); r.afterIndex && d.hasWidth {
		r.goodIndex = false
	}
	if r.at+1 < len(r.format) && r.peek('.') {
		r.at++
		if r.afterIndex {
			r.goodIndex = false
		}
		wrong += r.precision(&d)
	}
	if !r.afterIndex {
		r.index()
	}
	return d, wrong
}

func (r *formatReader) peek(c byte) bool { return r.at < len(r.format) && r.format[r.at] == c }

func (r *formatReader) readFlags(d *directive) {
	for ; r.at < len(r.format); r.at++ {
		switch r.format[r.at] {
		case '#':
			d.sharp = true
		case '0':
			d.zero = true
		case '+':
			d.plus = true
		case '-':
			d.minus = true
		case ' ':
			d.space = true
		default:
			return
		}
	}
}

func (r *formatReader) precision(d *directive) (wrong string) {
	r.index()
	if !r.peek('*') {
		d.precision, _ = r.digits()
		d.hasPrecision = true
		return ""
	}
	r.at++
	d.precision, d.hasPrecision = r.number()
	r.afterIndex = false
	if d.hasPrecision = d.hasPrecision && d.precision >= 0; !d.hasPrecision {
		return "%!(BADPREC)"
	}
	return ""
}

// tooLarge bounds widths and precisions, as fmt does.
const tooLarge = 1_000_000

// digits reads a number, and reports whether there is one. One that is too large
// is skipped.
func (r *formatReader) digits() (n int, found bool) {
	for ; r.at < len(r.format) && '0' <= r.format[r.at] && r.format[r.at] <= '9'; r.at++ {
		if n > tooLarge {
			r.at = len(r.format) // as parsenum does
			return 0, false
		}
		n, found = n*10+int(r.format[r.at]-'0'), true
	}
	return n, found
}

// number takes the next operand for a width or precision.
func (r *formatReader) number() (n int, ok bool) {
	if r.next >= len(r.operands) {
		return 0, false
	}
	v := r.operands[r.next]
	r.next++
	if u, isUnknown := v.(*value.Unknown); isUnknown {
		r.unknown = u
	}
	if c, isConst := v.(value.Const); !isConst || !value.IsInteger(c.Type) {
		return 0, false
	}
	n, exact := value.IntOf(v)
	if !exact || n > tooLarge || n < -tooLarge {
		return 0, false
	}
	return n, true
}

// index reads an operand's index, such as [2].
func (r *formatReader) index() {
	r.afterIndex = false
	if !r.peek('[') {
		return
	}
	r.reordered = true
	n, width, ok := parseIndex(r.format[r.at:])
	r.at += width
	r.afterIndex = ok
	if ok && n >= 0 && n < len(r.operands) {
		r.next = n
		return
	}
	r.goodIndex = false
}

func parseIndex(format string) (n, width int, ok bool) {
	inside, _, closed := strings.Cut(format[1:], "]")
	if len(format) < 3 || !closed {
		return 0, 1, false
	}
	digits := formatReader{format: inside}
	n, ok = digits.digits()
	return n - 1, len(inside) + 2, ok && digits.at == len(inside)
}

// printf prints the operands as fmt.Sprintf does, calling their methods, and
// returns the text. args are the format, and the operands as a slice.
func (p *printer) printf(args []value.Value) value.Value {
	format, known := value.TextOf(args[0])
	operands, known2 := elements(args[1])
	if !known || !known2 {
		return p.unknownFormat(args)
	}
	r := &formatReader{format: format, operands: operands}
	for {
		text, more := r.plain()
		p.write(text)
		if !more {
			break
		}
		d, wrong := r.directive()
		p.write(wrong)
		if r.at >= len(format) {
			p.write("%!(NOVERB)")
			break
		}
		verb, size := utf8.DecodeRuneInString(format[r.at:])
		r.at += size
		p.directive(r, d, verb)
		if r.unknown != nil {
			p.giveUp(r.unknown)
		}
	}
	if r.next < len(operands) && !r.reordered {
		p.extra(operands[r.next:])
	}
	p.reordered = r.reordered
	return p.text()
}

// directive prints the next operand.
func (p *printer) directive(r *formatReader, d directive, verb rune) {
	switch {
	case verb == '%':
		p.write("%")
	case !r.goodIndex:
		p.write("%!" + string(verb) + "(BADINDEX)")
	case r.next >= len(r.operands):
		p.write("%!" + string(verb) + "(MISSING)")
	default:
		if verb == 'w' {
			p.wrapped = append(p.wrapped, r.next)
		}
		p.directed(d, verb, r.operands[r.next])
		r.next++
	}
}

// directed prints one operand by a directive.
func (p *printer) directed(d directive, verb rune, v value.Value) {
	p.d, p.sharpV, p.plusV = d, false, false
	if verb == 'v' || verb == 'w' {
		p.sharpV, p.plusV = d.sharp, d.plus
		p.d.sharp, p.d.plus = false, false
	}
	if verb == 'w' && p.sharpV {
		p.giveUp(p.c.because())
	}
	p.operand(v, verb)
}

// extra says which operands the format doesn't mention.
func (p *printer) extra(operands []value.Value) {
	p.d, p.sharpV, p.plusV = directive{}, false, false
	p.write("%!(EXTRA ")
	for i, v := range operands {
		if i > 0 {
			p.write(", ")
		}
		if isNilInterface(v) {
			p.write("<nil>")
			continue
		}
		p.typeName(value.TypeOf(v))
		p.write("=")
		p.operand(v, 'v')
	}
	p.write(")")
}

// unknownFormat is the result of a format that isn't known: the methods of the
// operands may be called.
func (p *printer) unknownFormat(args []value.Value) value.Value {
	why := p.c.because(args...)
	p.c.Expose(p.c.At, args[1:], why)
	return why
}

// sprint prints the operands as fmt.Sprint does.
func (p *printer) sprint(args []value.Value) value.Value {
	operands, known := elements(args[0])
	if !known {
		p.c.Expose(p.c.At, args, value.UnknownResult(p.c.At))
		return p.c.because(args...)
	}
	var wasString bool
	for i, v := range operands {
		t := value.TypeOf(v)
		isString := t != nil && !value.IsNil(v) && value.IsBasic(t, types.IsString)
		if i > 0 && !isString && !wasString {
			p.write(" ")
		}
		p.operand(v, 'v')
		wasString = isString
	}
	return p.text()
}

// sprintln prints the operands as fmt.Sprintln does.
func (p *printer) sprintln(args []value.Value) value.Value {
	operands, known := elements(args[0])
	if !known {
		p.c.Expose(p.c.At, args, value.UnknownResult(p.c.At))
		return p.c.because(args...)
	}
	for i, v := range operands {
		if i > 0 {
			p.write(" ")
		}
		p.operand(v, 'v')
	}
	p.write("\n")
	return p.text()
}
