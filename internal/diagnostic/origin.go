package diagnostic

import "go/token"

// An Origin is an expression that gave a value, and the origins of what it was
// computed from: the values of its operands, or the expression that was assigned
// to the variable, or returned by the function.
type Origin struct {
	Pos  token.Position
	Text string    // the expression, as in Go source
	From []*Origin // none for a constant
}
