package eval

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// complexPart evaluates complex(re, im), real(z) and imag(z).
func complexPart(call *ast.CallExpr, name string, args []value.Value, t types.Type) value.Value {
	numbers := make([]complex128, len(args))
	for i, v := range args {
		z, known := value.ComplexOf(v)
		if !known {
			return value.Because(call, v)
		}
		numbers[i] = z
	}
	switch name {
	case "real":
		return value.NewFloat(real(numbers[0]), t)
	case "imag":
		return value.NewFloat(imag(numbers[0]), t)
	}
	return value.NewComplex(complex(real(numbers[0]), real(numbers[1])), t)
}

// complexOperation computes x op y of numbers as the machine does, as a value of the
// complex type t. It is nil where they aren't such. The result of two complex64 is that
// of two complex128, rounded once more: the compiler multiplies and divides so, and for
// sums it makes no difference, as a float64 has more than twice the digits of a float32.
func complexOperation(op token.Token, x, y value.Value, t types.Type) value.Value {
	a, ok1 := value.ComplexOf(x)
	b, ok2 := value.ComplexOf(y)
	if !ok1 || !ok2 || !value.IsComplex(t) {
		return nil
	}
	switch op {
	case token.ADD:
		return value.NewComplex(a+b, t)
	case token.SUB:
		return value.NewComplex(a-b, t)
	case token.MUL:
		return value.NewComplex(a*b, t)
	default:
		return value.NewComplex(a/b, t)
	}
}
