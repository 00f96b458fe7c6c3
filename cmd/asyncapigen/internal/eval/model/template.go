package model

import (
	"errors"
	"go/token"
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
// again where it is executed.
type aTemplate struct {
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

// templateNew is the model of template.New.
func templateNew(c *Call) (value.Value, bool) {
	name, known := value.TextOf(c.Args[0])
	if !known {
		return nil, false
	}
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	return value.Pointer{Type: t, To: value.NewCell(&hosted{t: value.Pointee(t), v: &aTemplate{name: name}})}, true
}

// stepped changes the receiver by one step and returns the error of that.
func (c *Call) stepped(t *aTemplate, cell *value.Cell, step func(*template.Template) (*template.Template, error), texts ...string) error {
	next := &aTemplate{name: t.name, steps: append(slices.Clip(t.steps), step), texts: append(slices.Clip(t.texts), texts...)}
	if _, err := next.made(); err != nil {
		return err
	}
	c.setHosted(cell, next)
	return nil
}

func templateParse(c *Call) (value.Value, bool) {
	t, cell := hostedAt[*aTemplate](c)
	source, known := value.TextOf(c.Args[0])
	if t == nil || !known {
		return nil, false
	}
	err := c.stepped(t, cell, func(t *template.Template) (*template.Template, error) { return t.Parse(source) }, source)
	if err != nil {
		c.Set(cell, value.UnknownResult(c.At))
		return value.Tuple{value.Nil{Type: value.TypeOf(c.Fn.Recv)}, c.errorOf(err)}, true
	}
	return value.Tuple{c.Fn.Recv, noError()}, true
}

func templateDelims(c *Call) (value.Value, bool) {
	t, cell := hostedAt[*aTemplate](c)
	left, known := value.TextOf(c.Args[0])
	right, known2 := value.TextOf(c.Args[1])
	if t == nil || !known || !known2 {
		return nil, false
	}
	err := c.stepped(t, cell, func(t *template.Template) (*template.Template, error) { return t.Delims(left, right), nil })
	return c.Fn.Recv, err == nil
}

func templateOption(c *Call) (value.Value, bool) {
	t, cell := hostedAt[*aTemplate](c)
	options, unknown := c.toGo(c.Args[0], reflect.TypeFor[[]string]())
	if t == nil || unknown != nil {
		return nil, false
	}
	for _, option := range options.Interface().([]string) {
		if !strings.HasPrefix(option, "missingkey=") {
			return nil, false
		}
	}
	all := options.Interface().([]string)
	err := c.stepped(t, cell, func(t *template.Template) (*template.Template, error) { return t.Option(all...), nil })
	return c.Fn.Recv, err == nil
}

// AreTemplateFuncs reports whether template.Funcs takes a map of functions, and doesn't
// panic.
func AreTemplateFuncs(v value.Value) bool {
	m, ok := v.(*value.Map)
	if !ok || !m.Complete() {
		return value.IsNil(v)
	}
	for key, elem := range m.In(value.Ascending) {
		name, known := value.TextOf(key)
		fn, isFunc := elem.(*value.Func)
		if !known || !token.IsIdentifier(name) || !isFunc || !isTemplateFunc(value.TypeOf(fn)) {
			return false
		}
	}
	return true
}

// isTemplateFunc reports whether a function gives one result, or one with an error.
func isTemplateFunc(t types.Type) bool {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return false
	}
	n := sig.Results().Len()
	return n == 1 || n == 2 && types.Identical(sig.Results().At(1).Type(), types.Universe.Lookup("error").Type())
}

func templateName(c *Call) (value.Value, bool) {
	t, _ := hostedAt[*aTemplate](c)
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

// templateExecute is the model of Execute. The parts of the output that don't
// depend on how the program is run are written to the program's own writer.
func templateExecute(c *Call) (value.Value, bool) {
	t, _ := hostedAt[*aTemplate](c)
	if t == nil {
		return nil, false
	}
	made, err := t.made()
	if err != nil {
		return nil, false
	}
	m := c.reflecting(anyMethod)
	data, unknown := m.mirrored(c.Args[1])
	if unknown != nil || !determinedOutput(made, t.texts, m) {
		return nil, false
	}
	out := new(limited)
	err = made.Execute(out, data.Interface())
	if out.full || strings.Contains(out.String(), "%!") || len(m.seen) > 0 && strings.Contains(out.String(), "0x") {
		return nil, false
	}
	if failed := c.writeParts(c.Args[0], out.parts); failed != nil {
		return failed, true
	}
	return c.errorOf(err), true
}

// writeParts writes texts one after the other, and returns the first error that
// isn't surely nil, nil for none.
func (c *Call) writeParts(w value.Value, parts []string) value.Value {
	for _, part := range parts {
		results, ok := c.writeTo(w, text(part)).(value.Tuple)
		switch {
		case !ok || len(results) != 2 || value.IsUnknown(results[1]):
			why := value.UnknownResult(c.At)
			c.Expose(c.At, []value.Value{w}, why) // it isn't known whether the rest is written
			return why
		case !value.IsNil(results[1]):
			return results[1]
		}
	}
	return nil
}

// limited collects an output that isn't too long.
type limited struct {
	strings.Builder
	parts []string // as they are written
	full  bool
}

// Write implements io.Writer.
func (l *limited) Write(data []byte) (int, error) {
	if l.full = l.full || l.Len()+len(data) > value.MaxText; l.full {
		return 0, errTooLong
	}
	l.parts = append(l.parts, string(data))
	return l.Builder.Write(data)
}

var (
	errTooLong = errors.New("the output is too long")
	printfCall = regexp.MustCompile("printf\\s+[\"`]")
	digits     = regexp.MustCompile("[0-9]+")
)

// determinedOutput reports whether a template prints the same for the mirrors of
// values as for themselves: no names of types and no addresses, and whether it
// ends soon.
func determinedOutput(made *template.Template, texts []string, m *reflecting) bool {
	if made.Tree == nil {
		return false
	}
	largest := m.largest
	for _, source := range texts {
		printfs := strings.Count(source, "printf")
		if printfs != len(printfCall.FindAllString(source, -1)) || printfs > 0 && len(m.seen) > 0 {
			return false
		}
		for _, verb := range []string{"%T", "%#", "%p", "0x", "0b", "0o", "0X", "'"} {
			if strings.Contains(source, verb) {
				return false
			}
		}
		for _, number := range digits.FindAllString(source, -1) {
			n, err := strconv.Atoi(number)
			if err != nil {
				return false
			}
			largest = max(largest, n)
		}
	}
	levels, ok := rangeLevels(made.Root)
	const most = 1e6
	return ok && (levels == 0 || math.Pow(float64(largest), float64(levels)) < most)
}

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
