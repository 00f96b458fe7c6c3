// Package headermatch says which arguments of a binding a headers exchange compares with
// the headers of a message (RabbitMQ 3.10 and later, headers exchange).
package headermatch

import "strings"

// A Mode is what the argument x-match of a binding asks for.
type Mode struct {
	IsAny bool // one header that is equal is enough; else all have to be

	withX bool // arguments whose names begin with "x-" are compared, too
}

// Of returns the mode of the binding with these arguments. Without an x-match it is that
// all headers have to be equal.
func Of(arguments map[string]any) Mode {
	match, _ := arguments["x-match"].(string)
	kind, withX := strings.CutSuffix(match, "-with-x")
	return Mode{IsAny: kind == "any", withX: withX}
}

// Compares reports whether the argument of the name is compared with the header of the
// same name.
func (m Mode) Compares(name string) bool {
	return name != "x-match" && (m.withX || !strings.HasPrefix(name, "x-"))
}
