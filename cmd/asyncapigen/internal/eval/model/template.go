package model

import (
	"errors"
	"fmt"
	"go/types"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// aTemplate is what a text/template.Template holds: how it was made. It is made
// again where it is executed. It is in the variable of the template's field name. The
// functions are in that of the field common, as a map: who has the template has them.
type aTemplate struct {
	of    *value.Cell // the template, and no copy of it: these have some of it in common
	name  string
	steps []func(*template.Template) (*template.Template, error)
	texts []string // what was parsed
}

func (t *aTemplate) made() (*template.Template, error) {
	made := template.New(t.name)
	for _, step := range t.steps {
		var err error
		if made, err = step(made); err != nil {
			return nil, err
		}
	}
	return made, nil
}

// templateAt returns the template that v points to, and the variables of its fields: nil
// where that isn't known.
func templateAt(v value.Value) (*aTemplate, *value.Struct) {
	p, _ := v.(value.Pointer)
	t, s := templateOrCopy(v)
	if t == nil || t.of != p.To {
		return nil, nil
	}
	return t, s
}

func templateOrCopy(v value.Value) (*aTemplate, *value.Struct) {
	s := pointedStruct(v)
	if s == nil {
		return nil, nil
	}
	h, _ := loaded(s, "name").(*hosted)
	if h == nil {
		return nil, nil
	}
	t, _ := h.v.(*aTemplate)
	return t, s
}

// templateNew is the model of template.New.
func templateNew(c *Call) (value.Value, bool) {
	name, known := value.TextOf(c.Args[0])
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	s, ok := c.Zero(value.Pointee(t)).(*value.Struct)
	if !known || !ok {
		return nil, false
	}
	c.Set(fieldNamed(s, "Tree"), value.UnknownResult(c.At))
	of := value.NewCell(s)
	c.setTemplate(s, &aTemplate{of: of, name: name})
	return value.Pointer{Type: t, To: of}, true
}

func (c *Call) setTemplate(s *value.Struct, t *aTemplate) {
	c.Set(fieldNamed(s, "name"), &hosted{t: s.Type, v: t})
}

// stepped changes a template by one step and returns the error of that.
func (c *Call) stepped(t *aTemplate, s *value.Struct, step func(*template.Template) (*template.Template, error), texts ...string) error {
	next := *t
	next.steps = append(slices.Clip(t.steps), step)
	next.texts = append(slices.Clip(t.texts), texts...)
	if _, err := next.made(); err != nil {
		return err
	}
	c.setTemplate(s, &next)
	return nil
}

// ofTemplate is the model of a function that has templates. Where model says nothing of a
// call, or is nil, it may call their functions, or let others do so, and may change what
// others than this pointer lead to.
func ofTemplate(model Function) Function {
	return func(c *Call) (value.Value, bool) {
		if model != nil {
			if v, ok := model(c); ok {
				return v, true
			}
		}
		why := value.UnknownResult(c.At)
		if c.Lacked != nil {
			why.Unread = c.Lacked.Unread
		}
		for _, v := range append([]value.Value{c.Fn.Recv}, c.Args...) {
			if t, _ := templateAt(v); t == nil || model == nil {
				c.forgetTemplate(v, why)
			}
			if funcs := templateFunctions(pointedStruct(v)); !value.IsNil(funcs) {
				c.Expose(c.At, []value.Value{funcs}, why)
			}
		}
		return nil, false
	}
}

// forgetTemplate makes unknown what a template is that v points to, or a copy of it.
func (c *Call) forgetTemplate(v value.Value, why *value.Unknown) {
	t, _ := templateOrCopy(v)
	if t == nil {
		return
	}
	if s, ok := t.of.Load().(*value.Struct); ok {
		c.Set(fieldNamed(s, "name"), why)
	}
}

func templateParse(c *Call) (value.Value, bool) {
	t, s := templateAt(c.Fn.Recv)
	source, known := value.TextOf(c.Args[0])
	if t == nil || !known {
		return nil, false
	}
	err := c.stepped(t, s, func(t *template.Template) (*template.Template, error) { return t.Parse(source) }, source)
	if err != nil {
		c.Set(fieldNamed(s, "name"), value.UnknownResult(c.At))
		return value.Tuple{value.Nil{Type: value.TypeOf(c.Fn.Recv)}, c.errorOf(err)}, true
	}
	return value.Tuple{c.Fn.Recv, noError()}, true
}

func templateDelims(c *Call) (value.Value, bool) {
	t, s := templateAt(c.Fn.Recv)
	left, known := value.TextOf(c.Args[0])
	right, known2 := value.TextOf(c.Args[1])
	if t == nil || !known || !known2 {
		return nil, false
	}
	err := c.stepped(t, s, func(t *template.Template) (*template.Template, error) { return t.Delims(left, right), nil })
	return c.Fn.Recv, err == nil
}

func templateOption(c *Call) (value.Value, bool) {
	t, s := templateAt(c.Fn.Recv)
	options, unknown := c.toGo(c.Args[0], reflect.TypeFor[[]string]())
	if t == nil || unknown != nil {
		return nil, false
	}
	for _, option := range options.Interface().([]string) {
		if !slices.Contains([]string{"missingkey=default", "missingkey=error", "missingkey=invalid", "missingkey=zero"}, option) {
			return nil, false
		}
	}
	all := options.Interface().([]string)
	err := c.stepped(t, s, func(t *template.Template) (*template.Template, error) { return t.Option(all...), nil })
	return c.Fn.Recv, err == nil
}

func templateName(c *Call) (value.Value, bool) {
	t, _ := templateAt(c.Fn.Recv)
	if t == nil {
		return nil, false
	}
	return text(t.name), true
}

// templateMust is the model of template.Must.
func templateMust(c *Call) (value.Value, bool) {
	if isNilInterface(c.Args[1]) {
		return c.Args[0], true
	}
	if holdsValue(c.Args[1]) {
		c.Panic(c.At, c.Args[1])
	}
	return nil, false
}

// templateExecute is the model of Execute. What isn't known before the end is
// known up to there.
func templateExecute(c *Call) (value.Value, bool) {
	t, s := templateAt(c.Fn.Recv)
	if t == nil {
		return nil, false
	}
	funcs, known := knownFunctions(templateFunctions(s))
	made, err := t.made()
	if err != nil || !known {
		return nil, false
	}
	m := c.reflecting(anyMethod)
	data, unknown := m.mirrored(c.Args[1])
	if c.Lacked = unknown; unknown != nil {
		return nil, false
	}
	if why := notDetermined(made, t.texts, funcs, m); why != "" {
		c.Lacked = &value.Unknown{Reason: why}
		return nil, false
	}
	x := &execution{c: c, shown: reachOf(c.Args[1]), addresses: len(m.seen) > 0, calls: len(funcs) > 0}
	err = made.Funcs(x.functions(funcs)).Funcs(x.printers()).Execute(x, data.Interface())
	switch {
	case x.passing != nil:
		panic(x.passing)
	case x.stopped:
		return nil, false
	case x.failed != nil:
		return x.failed, true
	}
	return c.errorOf(err), true
}

// An execution of a template writes to the program's own writer, and calls the program's
// functions.
type execution struct {
	c         *Call
	shown     []*value.Cell // what the data leads to
	addresses bool          // what is printed may hold some
	calls     bool          // functions of the program
	written   int           // bytes
	stopped   bool          // what comes next isn't known
	failed    value.Value
	passing   any // what ended a function as it ends the program
}

// errStopped ends an execution.
var errStopped = errors.New("what the template does next isn't known")

// following runs f, which follows the program's own code: nothing more is known where that
// changes what is printed, since the mirror of it doesn't, or variables that it was lent for the
// call. It reports whether it keeps those.
func (x *execution) following(lent []*value.Cell, f func()) (keeps bool) {
	mark := x.c.Mark()
	var keys []value.Value
	run := func() { keys = x.c.KeysSet(f) }
	if keeps = len(lent) > 0 && x.c.Keeps(lent, run); len(lent) == 0 {
		run()
	}
	changed := x.c.ChangedSince(mark)
	x.c.Work(len(x.shown))
	if len(keys) > 0 || haveCommon(x.shown, changed) || haveCommon(lent, changed) {
		x.c.Lacked = &value.Unknown{Reason: "what the template prints, which changes meanwhile"}
		x.stopped = true
	}
	return keeps
}

// Write implements io.Writer.
func (x *execution) Write(data []byte) (int, error) {
	part := string(data)
	x.written += len(part)
	if x.written > value.MaxText || x.tellsMore(part) {
		x.stopped = true
		return 0, errStopped
	}
	w := x.c.Args[0]
	if u, ok := w.(*value.Unknown); ok && x.calls { // it isn't known whether the rest is called
		x.c.Lacked, x.stopped = u, true
		return 0, errStopped
	}
	var results value.Tuple
	var ok bool
	x.following(nil, func() { results, ok = x.c.writeTo(w, text(part)).(value.Tuple) })
	switch {
	case x.stopped:
	case (!ok || len(results) != 2 || value.IsUnknown(results[1])) && x.calls:
		x.stopped = true
	case !ok || len(results) != 2 || value.IsUnknown(results[1]):
		why := value.UnknownResult(x.c.At)
		x.c.Expose(x.c.At, []value.Value{w}, why) // it isn't known whether the rest is written
		x.failed = why
	case !value.IsNilInterface(results[1]):
		x.failed = results[1]
	default:
		return len(data), nil
	}
	return 0, errStopped
}

// tellsMore reports whether a printed text may have an address or the name of a type.
func (x *execution) tellsMore(printed string) bool {
	return strings.Contains(printed, "%!") || x.addresses && strings.Contains(printed, "0x")
}

// plainFormat are the formats by which neither types nor addresses are printed.
var plainFormat = regexp.MustCompile(`^([^%]|%[-+ 0]*[0-9]{0,3}(\.[0-9]{1,3})?[bcdeEfFgGoOqstUvxX%])*$`)

// printers returns the functions of templates that print, which end the execution where they
// tell more of a mirror than of what it stands for.
func (x *execution) printers() template.FuncMap {
	checked := func(printed string) string {
		if x.tellsMore(printed) {
			x.stop()
		}
		return printed
	}
	return template.FuncMap{
		"html":     func(args ...any) string { return checked(template.HTMLEscaper(args...)) },
		"js":       func(args ...any) string { return checked(template.JSEscaper(args...)) },
		"print":    func(args ...any) string { return checked(fmt.Sprint(args...)) },
		"println":  func(args ...any) string { return checked(fmt.Sprintln(args...)) },
		"urlquery": func(args ...any) string { return checked(template.URLQueryEscaper(args...)) },
		"printf": func(format string, args ...any) string {
			if x.addresses || !plainFormat.MatchString(format) {
				x.stop()
			}
			return checked(fmt.Sprintf(format, args...))
		},
	}
}

var (
	digits        = regexp.MustCompile("[0-9]+")
	literalFormat = regexp.MustCompile("printf\\s+[\"`]") // no format of a defined type, which printf doesn't take
)

// notDetermined returns why a template may do otherwise with values than with their mirrors, ""
// where it does the same: it has no types that a function or a map wouldn't take, or that it
// compares. It must end soon, too.
func notDetermined(made *template.Template, texts []string, funcs map[string]*value.Func, m *reflecting) string {
	if made.Tree == nil {
		return "a template without a text"
	}
	largest, takes := m.largest, false
	for _, fn := range funcs {
		largest = max(largest, maxFromTemplateFunc)
		takes = takes || fn.Type.Underlying().(*types.Signature).Params().Len() > 0
	}
	source := strings.Join(texts, "\n")
	switch {
	case m.blurred, m.renamed && (takes || strings.Contains(source, "index") || strings.Count(source, "printf") != len(literalFormat.FindAllString(source, -1))):
		return "what the template does with defined types"
	case strings.Contains(source, "Local"):
		return "the zone of the machine"
	}
	for _, number := range digits.FindAllString(source, -1) {
		n, err := strconv.Atoi(number)
		if err != nil {
			n = math.MaxInt
		}
		largest = max(largest, n)
	}
	for _, number := range []string{"0x", "0b", "0o", "0X", "'"} {
		if strings.Contains(source, number) {
			largest = math.MaxInt
		}
	}
	switch levels, ok := rangeLevels(made.Root); {
	case !ok:
		return "a template that executes another one"
	case levels > 0 && math.Pow(float64(largest), float64(levels)) >= maxRounds:
		return "a template that may take long"
	}
	return ""
}

// maxRounds bounds the rounds of a template's loops.
const maxRounds = 1e6

// rangeLevels returns how deep the loops of a template are nested, and false
// where it executes another template.
func rangeLevels(list *parse.ListNode) (levels int, ok bool) {
	if list == nil {
		return 0, true
	}
	for _, node := range list.Nodes {
		var branch *parse.BranchNode
		own := 0
		switch node := node.(type) {
		case *parse.RangeNode:
			branch, own = &node.BranchNode, 1
		case *parse.IfNode:
			branch = &node.BranchNode
		case *parse.WithNode:
			branch = &node.BranchNode
		case *parse.TemplateNode:
			return 0, false
		default:
			continue
		}
		inner, ok1 := rangeLevels(branch.List)
		other, ok2 := rangeLevels(branch.ElseList)
		if !ok1 || !ok2 {
			return 0, false
		}
		levels = max(levels, own+inner, other)
	}
	return levels, true
}
