package model

import (
	"go/types"
	"os"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Variables of the environment that the program itself sets: a deployment has no
// part in them.

var setenvFunctions = merged(setters, map[string]Function{
	"os.ExpandEnv": osExpandEnv,
	"os.Getenv":    osGetenv,
	"os.LookupEnv": osLookupEnv,

	"golang.org/x/sys/unix.Getenv": osLookupEnv,
	"syscall.Getenv":               osLookupEnv,
})

// setters are the functions that set variables of the environment, or remove them.
var setters = map[string]Function{
	"os.Clearenv": osClearenv,
	"os.Setenv":   osSetenv,
	"os.Unsetenv": osSetenv,

	"github.com/subosito/gotenv.Apply":     gotenvApply,
	"github.com/subosito/gotenv.OverApply": gotenvApply,

	"golang.org/x/sys/unix.Clearenv": osClearenv,
	"golang.org/x/sys/unix.Setenv":   osSetenv,
	"golang.org/x/sys/unix.Unsetenv": osSetenv,

	"syscall.Clearenv": osClearenv,
	"syscall.Setenv":   osSetenv,
	"syscall.Unsetenv": osSetenv,
}

const (
	setVariables = "os.Setenv"     // whether the program has set a variable; not known where its name isn't
	setVariable  = "os.Setenv "    // before a name: what the program has set it to
	isSet        = "os.LookupEnv " // before a name: whether it is set, where the program has set or removed it
)

// SetsVariables is what other modules have in their source that set variables of the environment, or
// remove them, by what they import; see [SetsVariable].
var SetsVariables = map[string]string{"os": "env(", "syscall": "env(", "golang.org/x/sys/unix": "env("}

// SetsVariable reports whether a name of a package is that of a function which does.
func SetsVariable(path, name string) bool {
	_, sets := setters[path+"."+name]
	return sets
}

// IsSetVariable reports whether a variable, see [Machine.Variable], is what the program has set one of
// the environment to, or whether it has.
func IsSetVariable(name string) bool {
	return strings.HasPrefix(name, setVariable) || strings.HasPrefix(name, isSet)
}

// EnvironmentChanges is the variable that changes whenever the program sets one of the
// environment: a goroutine that asks for one doesn't know what others set meanwhile.
const EnvironmentChanges = "the environment"

// changed is how often the program has set a variable, or more: of two ways, it is that of either.
type changed int

// DynamicType implements [value.Atom].
func (changed) DynamicType() types.Type { return types.Typ[types.Invalid] }

// Join implements [value.Joinable].
func (n changed) Join(other value.Atom, _ *value.Unknown) value.Atom {
	m, ok := other.(changed)
	if !ok {
		return nil
	}
	return max(n, m)
}

func (c *Call) changeEnvironment() {
	changes := c.Variable(EnvironmentChanges)
	n, _ := changes.Load().(changed)
	c.Set(changes, n+1)
}

// osSetenv is the model of Setenv, and of Unsetenv, which is like setting it to "" for
// who reads the text.
func osSetenv(c *Call) (value.Value, bool) {
	c.changeEnvironment()
	name, known := value.TextOf(c.Args[0])
	last, _ := value.TextOf(c.Args[len(c.Args)-1])
	if !known || name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(last, "\x00") { // of which the last are errors
		c.Set(c.Variable(setVariables), c.because(c.Args[0]))
		return results(c), true
	}
	v := value.Value(text(""))
	if len(c.Args) == 2 {
		v = c.Args[1]
	}
	if !value.IsUnknown(c.Variable(setVariables).Load()) {
		c.Set(c.Variable(setVariables), boolean(true))
	}
	c.Set(c.Variable(setVariable+name), v)
	c.Set(c.Variable(isSet+name), boolean(len(c.Args) == 2))
	return results(c), true
}

func osClearenv(c *Call) (value.Value, bool) {
	c.changeEnvironment()
	c.Set(c.Variable(setVariables), value.UnknownAt(c.At.Pos(), "a variable of the environment that "+c.name()+" removes"))
	return value.Tuple{}, true
}

// gotenvApply is the model of functions that set what a text says, which may be the program's
// own. The functions that read a file, by its name, count as a part of the environment.
func gotenvApply(c *Call) (value.Value, bool) {
	c.changeEnvironment()
	c.Set(c.Variable(setVariables), value.UnknownAt(c.At.Pos(), "a variable of the environment that "+c.name()+" may set"))
	return nil, false
}

// osGetenv is the model of Getenv for a variable that the program has set.
func osGetenv(c *Call) (value.Value, bool) {
	v := c.SetByProgram(c.Args[0])
	return v, v != nil
}

// osLookupEnv is the model of LookupEnv for a variable that the program has set or
// removed.
func osLookupEnv(c *Call) (value.Value, bool) {
	v := c.SetByProgram(c.Args[0])
	if v == nil {
		return nil, false
	}
	name, known := value.TextOf(c.Args[0])
	if !known || value.IsUnknown(c.Variable(setVariables).Load()) {
		return value.Tuple{v, v}, true
	}
	return value.Tuple{v, c.Variable(isSet + name).Load()}, true
}

// osExpandEnv is the model of ExpandEnv where the program has set all variables that
// are named.
func osExpandEnv(c *Call) (value.Value, bool) {
	template, known := value.TextOf(c.Args[0])
	if !known || !c.setsVariables() {
		return nil, false
	}
	expanded := os.Expand(template, func(name string) string {
		of, ok := value.TextOf(c.SetByProgram(text(name)))
		known = known && ok
		return of
	})
	if !known {
		return nil, false
	}
	return text(expanded), true
}

// SetByProgram returns what the program has set a variable of the environment to, nil
// where it hasn't.
func (c *Call) SetByProgram(name value.Value) value.Value {
	if changes := c.Variable(EnvironmentChanges).Load(); value.IsUnknown(changes) {
		return c.because(changes)
	}
	all := c.Variable(setVariables).Load()
	switch {
	case value.IsNil(all):
		return nil
	case value.IsUnknown(all):
		return c.because(all)
	}
	known, ok := value.TextOf(name)
	if !ok {
		return c.because(name)
	}
	if v := c.Variable(setVariable + known).Load(); !value.IsNil(v) {
		return v
	}
	return nil
}

// setsVariables reports whether the program may have set a variable of the
// environment.
func (c *Call) setsVariables() bool { return !value.IsNil(c.Variable(setVariables).Load()) }
