package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// The words of the command line aren't known, but the texts that the program
// compares one with are: on one start the word is none of them, and on one for
// each it is that text, from the beginning.

// programArgs is the variable of the program's own words.
const programArgs = "os.Args"

// programArguments is what os.Args holds at first.
func (ev *Evaluator) programArguments() *value.Unknown {
	return ev.Arguments(&value.Unknown{Reason: "the variable os.Args"}, programArgs, -1)
}

// Arguments implements [model.Machine].
func (ev *Evaluator) Arguments(why *value.Unknown, name string, offset int) *value.Unknown {
	list := ev.starts.lists[name]
	if list == nil {
		list = &value.Arguments{Name: name, Offset: offset}
		ev.starts.lists[name] = list
	}
	u := why.UnknownPart(value.Part{Of: list, Kind: value.Words})
	u.CommandLine = true
	return u
}

// WordOf implements [model.Machine].
func (ev *Evaluator) WordOf(list *value.Unknown, index int) value.Value {
	words, ok := value.PartOf(list, value.Words)
	if !ok || index < 0 || words.At+index+words.Of.Offset < 0 {
		return list.Bare()
	}
	w := value.Part{Of: words.Of, Kind: value.Word, At: words.At + index}
	if text, known := ev.wordText(w); known {
		return value.NewConst(constant.MakeString(text), types.Typ[types.String])
	}
	return list.UnknownPart(w)
}

// wordText returns what a word is on the running start.
func (ev *Evaluator) wordText(w value.Part) (string, bool) {
	if text, ok := ev.commandWord(w); ok {
		return text, true
	}
	if ev.starts.current == nil {
		return "", false
	}
	text, ok := ev.starts.current.words[wordOf(w)]
	return text, ok
}

func wordOf(p value.Part) word { return word{of: p.Of.Name, at: p.At, after: p.Of.Offset} }

// commandWord returns a word of the command that the program is started with.
func (ev *Evaluator) commandWord(w value.Part) (string, bool) {
	words := strings.Fields(ev.Command)
	i := w.At + w.Of.Offset
	if i < 0 || i >= len(words) {
		return "", false
	}
	ev.takeForCommand(ev.last, commandWords)
	text := words[i]
	if text == model.NoWord {
		text = ""
	}
	if s := ev.starts.current; s != nil {
		s.asked[wordOf(w)] = text
	}
	return text, true
}

// atLeast returns the least number of words that a list has from an index on. One
// that begins with the program's own name has this, as package os says.
func (ev *Evaluator) atLeast(words value.Part) int {
	least := max(0, -words.Of.Offset)
	for i, text := range strings.Fields(ev.Command) {
		if text != model.NoWord {
			least = max(least, i+1-words.Of.Offset)
		}
	}
	if ev.Command != "" && words.Of.Name != programArgs { // which have flags, too
		ev.takeForCommand(ev.last, commandWords)
	}
	if s := ev.starts.current; s != nil {
		for w, text := range s.words {
			if w.of == words.Of.Name && text != "" {
				least = max(least, w.at+1)
			}
		}
	}
	return max(least-words.At, 0)
}

// decidesWords reports whether starts differ by the words that are looked at now:
// not those of programs that aren't there, and not by those of a loop that goes through all words, each of which would be
// followed by another one.
func (ev *Evaluator) decidesWords() bool {
	return ev.starts.current != nil && !ev.Part && !slices.ContainsFunc(ev.conds, func(cond *Taken) bool { return cond.Loop })
}

// isWord reports whether a word that the running start doesn't determine is a
// text: it isn't, since there is a start on which it is.
func (ev *Evaluator) isWord(at token.Pos, w value.Part, text string) bool {
	words := map[word]string{wordOf(w): text}
	maps.Copy(words, ev.starts.current.words)
	ev.starts.offered = append(ev.starts.offered, words)
	named := Start{words: words}
	named.finish()
	ev.offer(at, named.Name)
	return false
}

// equalsWord compares a word of the command line with a text, and reports false
// for other operands.
func (ev *Evaluator) equalsWord(x, y operand) (equal, ok bool) {
	w, isWord := value.PartOf(x.value, value.Word)
	text, isText := value.TextOf(y.value)
	if !isWord || !isText || !ev.decidesWords() || !isString(x.static) || !isString(y.static) {
		return false, false
	}
	return ev.isWord(x.value.(*value.Unknown).Pos, w, text), true
}

// entryOfWord returns the entry of a map whose key is a word of the command line:
// there is none, since there are starts on which the word is one of the keys. It
// reports false for another key, or a map that isn't known as a whole.
func (ev *Evaluator) entryOfWord(m *value.Map, key value.Value, t types.Type) (value.Value, bool) {
	w, isWord := value.PartOf(key, value.Word)
	if !isWord || !m.Complete() || !ev.decidesWords() {
		return nil, false
	}
	for k := range m.Sorted() {
		text, isText := value.TextOf(k)
		if !isText {
			return nil, false
		}
		ev.isWord(key.(*value.Unknown).Pos, w, text)
	}
	return ev.Zero(t), true
}

func isString(t types.Type) bool { return value.IsBasic(t, types.IsString) }

// wordPlace is x[i] of a list of words.
type wordPlace struct {
	value.Behind
	word value.Value
}

// Load implements [value.Place].
func (p wordPlace) Load() value.Value { return p.word }

// indexedWord returns the place of a word, nil for what isn't one.
func (ev *Evaluator) indexedWord(expr *ast.IndexExpr, x, i value.Value) value.Place {
	n, known := value.IntOf(i)
	words, ok := value.PartOf(x, value.Words)
	if !known || !ok || !isSlice(ev.typeOf(expr.X)) {
		return nil
	}
	list := x.(*value.Unknown)
	if n >= ev.atLeast(words) {
		ev.risk(expr, x)
	}
	return wordPlace{Behind: value.Behind{State: ev.State, Of: list, Type: types.Typ[types.String]}, word: ev.WordOf(list, n)}
}

// wordsFrom returns x[low:] of a list of words, nil for what isn't one. A part of
// another end isn't followed, and may be written to.
func (ev *Evaluator) wordsFrom(expr *ast.SliceExpr, x value.Value, b bounds) value.Value {
	words, ok := value.PartOf(x, value.Words)
	if !ok || !isSlice(ev.typeOf(expr.X)) {
		return nil
	}
	if b.high != unwritten || b.max != unwritten || b.low != unwritten && b.low < 0 {
		words.Of.Change()
		return nil
	}
	if b.low > ev.atLeast(words) {
		ev.risk(expr, x)
	}
	words.At += max(b.low, 0)
	return x.(*value.Unknown).UnknownPart(words)
}

// countOf returns the length of a list of words, nil for what isn't one.
func (ev *Evaluator) countOf(call *ast.CallExpr, name string, v value.Value) value.Value {
	words, ok := value.PartOf(v, value.Words)
	if !ok || name != "len" || !isSlice(ev.typeOf(call.Args[0])) {
		return nil
	}
	words.Kind = value.WordCount
	return v.(*value.Unknown).UnknownPart(words)
}

// compareCount compares how many words there are with a number, as far as the
// running start determines it.
func (ev *Evaluator) compareCount(op token.Token, x, y value.Value) (holds, known bool) {
	count, isCount := value.PartOf(x, value.WordCount)
	n, isNumber := value.IntOf(y)
	if !isCount || !isNumber {
		return false, false
	}
	least := ev.atLeast(count)
	switch op {
	case token.LSS:
		return false, n <= least
	case token.LEQ, token.EQL:
		return false, n < least
	case token.GTR, token.NEQ:
		return true, n < least
	case token.GEQ:
		return true, n <= least
	default:
		return false, false
	}
}

// mirrored returns the comparison of y with x that is the one of x with y by op.
func mirrored(op token.Token) token.Token {
	switch op {
	case token.LSS:
		return token.GTR
	case token.LEQ:
		return token.GEQ
	case token.GTR:
		return token.LSS
	case token.GEQ:
		return token.LEQ
	default:
		return op
	}
}
