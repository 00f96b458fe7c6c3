package model

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"net/http"
	"os"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// pure is the model of a function whose results depend on its arguments alone.
// Where these are known, f is called for real. The receiver of a method is its
// first argument.
func pure(f any) Function {
	return func(c *Call) (value.Value, bool) {
		args := c.Args
		if c.Fn.Bound {
			args = append([]value.Value{c.Fn.Recv}, args...)
		}
		return c.callGo(reflect.ValueOf(f), args), true
	}
}

// callGo calls f, which panics where the evaluated program would.
func (c *Call) callGo(f reflect.Value, args []value.Value) value.Value {
	values, why := c.goArguments(f.Type(), args)
	if why == nil && c.TablesChanged() {
		why = value.UnknownAt(c.At.Pos(), "a result that may depend on a variable of package unicode, which the program changes")
	}
	if why != nil {
		c.exposeFunctions(args, why)
		return c.unknownResults(f.Type(), why)
	}
	c.workOn(values)
	results, instead := c.runGo(f, values, args)
	if instead != nil {
		return instead
	}
	return c.goResults(results)
}

// runGo runs f, and returns what stands for its results where they aren't known.
func (c *Call) runGo(f reflect.Value, values []reflect.Value, args []value.Value) (results []reflect.Value, instead value.Value) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case passing:
			panic(v.v)
		case notKnown:
			if v.why == nil {
				v.why = value.UnknownResult(c.At)
			}
			c.exposeFunctions(args, v.why)
			instead = c.unknownResults(f.Type(), v.why)
		case tooLong:
			instead = c.unknownResults(f.Type(), value.UnknownAt(c.At.Pos(), "a string longer than those that are looked at"))
		default:
			c.passOn(v)
		}
	}()
	if f.Type().IsVariadic() {
		return f.CallSlice(values), nil
	}
	return f.Call(values), nil
}

// bytesPerStep is how many bytes of a text a function looks at in the time of a step.
const bytesPerStep = 4

// workOn counts the texts that a function gets. A regular expression is compared with each place
// of one.
func (c *Call) workOn(values []reflect.Value) {
	bytes, parts := 0, 1
	for _, v := range values {
		switch {
		case v.Kind() == reflect.String:
			bytes += v.Len()
		case v.Type() == reflect.TypeFor[*regexp.Regexp]():
			parts = len(v.Interface().(*regexp.Regexp).String())
		}
	}
	c.Work(bytes * parts / bytesPerStep)
}

// passOn panics in the evaluated program like a function of this one has.
func (c *Call) passOn(v any) {
	switch v := v.(type) {
	case runtime.Error:
		c.Fail(c.At, strings.TrimPrefix(v.Error(), "runtime error: "))
	case string:
		c.panics(v)
	default:
		c.Panic(c.At, &value.Unknown{Reason: fmt.Sprint(v), Pos: c.At.Pos(), NonNil: true})
	}
}

// exposeFunctions has the functions among the arguments called, it isn't known
// how often. Which of several one is may not be known.
func (c *Call) exposeFunctions(args []value.Value, why *value.Unknown) {
	for _, v := range args {
		switch v := v.(type) {
		case *value.Func:
			c.Expose(c.At, []value.Value{v}, why)
		case *value.Unknown:
			if slices.ContainsFunc(v.Targets, isFunc) {
				c.Expose(c.At, []value.Value{v}, why)
			}
		}
	}
}

func isFunc(v value.Value) bool {
	_, ok := v.(*value.Func)
	return ok
}

func (c *Call) unknownResults(f reflect.Type, u *value.Unknown) value.Value {
	tuple := make(value.Tuple, f.NumOut())
	for i := range tuple {
		tuple[i] = u
		if f.Out(i) == reflect.TypeFor[error]() {
			err := *u
			err.Library, err.NonNil = true, c.surelyFails()
			tuple[i] = &err
		}
	}
	if len(tuple) == 1 {
		return tuple[0]
	}
	return tuple
}

// tooLong is the panic of a function whose result would be longer than the
// strings that are looked at.
type tooLong struct{}

// notKnown is the panic of a function whose result isn't known; why may be nil.
type notKnown struct{ why *value.Unknown }

// passing is what ends the evaluated program in a function that one of this
// program called.
type passing struct{ v any }

// within panics if a result could be far longer than the strings that are looked
// at.
func within(n int) {
	if n > 16*value.MaxText {
		panic(tooLong{})
	}
}

func boundedRepeat(s string, n int) string {
	if len(s) > 0 && n > value.MaxText/len(s) && n <= math.MaxInt/len(s) {
		panic(tooLong{})
	}
	return strings.Repeat(s, n)
}

func boundedReplaceAll(s, old, with string) string {
	within(strings.Count(s, old) * len(with))
	return strings.ReplaceAll(s, old, with)
}

func boundedReplace(s, old, with string, n int) string {
	within(strings.Count(s, old) * len(with))
	return strings.Replace(s, old, with, n)
}

func boundedToValidUTF8(s, with string) string {
	within(len(s) * len(with))
	return strings.ToValidUTF8(s, with)
}

func boundedJoin(parts []string, separator string) string {
	n := len(parts) * len(separator)
	for _, part := range parts {
		n += len(part)
	}
	within(n)
	return strings.Join(parts, separator)
}

func boundedFormatFloat(f float64, format byte, precision, bits int) string {
	within(precision)
	return strconv.FormatFloat(f, format, precision, bits)
}

// replacer is a strings.Replacer.
type replacer struct {
	*strings.Replacer
	longest int // of what it replaces by
}

func newReplacer(oldnew ...string) *replacer {
	r := &replacer{Replacer: strings.NewReplacer(oldnew...)}
	for pair := range slices.Chunk(oldnew, 2) {
		r.longest = max(r.longest, len(pair[1]))
	}
	return r
}

// Replace is the method of strings.Replacer.
func (r *replacer) Replace(s string) string {
	within((len(s) + 1) * r.longest)
	return r.Replacer.Replace(s)
}

func boundedReplaceAllString(re *regexp.Regexp, s, with string) string {
	within((len(s) + 1) * len(with))
	return re.ReplaceAllString(s, with)
}

func boundedReplaceAllLiteralString(re *regexp.Regexp, s, with string) string {
	within((len(s) + 1) * len(with))
	return re.ReplaceAllLiteralString(s, with)
}

func boundedReplaceAllStringFunc(re *regexp.Regexp, s string, with func(string) string) string {
	n := 0
	return re.ReplaceAllStringFunc(s, func(match string) string {
		replaced := with(match)
		n += len(replaced)
		within(n)
		return replaced
	})
}

func boundedExpand(s string, mapping func(string) string) string {
	n := 0
	return os.Expand(s, func(name string) string {
		text := mapping(name)
		n += len(text)
		within(n)
		return text
	})
}

// exactPow is math.Pow where the result is a number that every machine computes:
// an integer that a float64 holds.
func exactPow(x, y float64) float64 {
	if x != math.Trunc(x) || y != math.Trunc(y) || y < 0 || y > 1024 || math.Abs(x) > 1<<53 {
		panic(notKnown{})
	}
	exact := new(big.Int).Exp(big.NewInt(int64(x)), big.NewInt(int64(y)), nil)
	if exact.BitLen() > 53 || x == 0 {
		panic(notKnown{})
	}
	result, _ := new(big.Float).SetInt(exact).Float64()
	return result
}

// statusText is net/http.StatusText. A later version of Go may have a text where
// this one has none.
func statusText(code int) string {
	status := http.StatusText(code)
	if status == "" {
		panic(notKnown{})
	}
	return status
}

// parseTime is time.Parse of a text in UTC: what another zone's name means
// depends on the machine.
func parseTime(layout, text string) (time.Time, error) {
	t, err := time.Parse(layout, text)
	if err == nil && t.Location() != time.UTC {
		panic(notKnown{})
	}
	return t, err
}

// fixedZone is time.FixedZone, which gives some zones without a name twice.
func fixedZone(name string, offset int) *time.Location {
	if name == "" {
		panic(notKnown{})
	}
	return time.FixedZone(name, offset)
}

// What package strings and package bytes call that has no Go source.

func countByte(b []byte, c byte) int { return bytes.Count(b, []byte{c}) }

func countByteString(s string, c byte) int { return strings.Count(s, string([]byte{c})) }

// makeNoZero has the capacity that the running program's has.
func makeNoZero(n int) []byte {
	if n <= 0 {
		return make([]byte, n)
	}
	within(n)
	return append([]byte(nil), make([]byte, n)...)
}
