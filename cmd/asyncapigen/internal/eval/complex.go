package eval

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// complexPart evaluates complex(re, im), real(z) and imag(z).
func complexPart(call *ast.CallExpr, name string, args []value.Value, t types.Type) value.Value {
	numbers := make([]constant.Value, len(args))
	for i, v := range args {
		c, ok := v.(value.Const)
		if !ok {
			return value.Because(call, v)
		}
		numbers[i] = constant.ToComplex(c.Value)
	}
	switch name {
	case "real":
		return value.Convert(call, value.NewConst(constant.Real(numbers[0]), t), t)
	case "imag":
		return value.Convert(call, value.NewConst(constant.Imag(numbers[0]), t), t)
	}
	z := constant.BinaryOp(constant.Real(numbers[0]), token.ADD, constant.MakeImag(constant.Real(numbers[1])))
	return value.Convert(call, value.NewConst(z, t), t)
}

// complexArithmetic computes x op y by the machine's own numbers, as the running
// program does. The result of two complex64 is that of two complex128, rounded once
// more: the compiler multiplies and divides so, and for sums it makes no difference, as
// a float64 has more than twice the digits of a float32.
func complexArithmetic(at ast.Node, op token.Token, x, y constant.Value, t types.Type) value.Value {
	a, b := complexOf(x), complexOf(y)
	switch op {
	case token.ADD:
		return complexValue(at, a+b, t)
	case token.SUB:
		return complexValue(at, a-b, t)
	case token.MUL:
		return complexValue(at, a*b, t)
	default:
		return complexValue(at, a/b, t)
	}
}

func complexOf(v constant.Value) complex128 {
	re, _ := constant.Float64Val(constant.Real(v))
	im, _ := constant.Float64Val(constant.Imag(v))
	return complex(re, im)
}

// complexValue returns z as a value, unknown where constants have no such number.
func complexValue(at ast.Node, z complex128, t types.Type) value.Value {
	for _, part := range []float64{real(z), imag(z)} {
		if math.IsInf(part, 0) || math.IsNaN(part) || part == 0 && math.Signbit(part) {
			return value.UnknownAt(at.Pos(), value.NoSuchConstant)
		}
	}
	number := constant.BinaryOp(constant.MakeFloat64(real(z)), token.ADD, constant.MakeImag(constant.MakeFloat64(imag(z))))
	return value.Convert(at, value.NewConst(number, t), t)
}
