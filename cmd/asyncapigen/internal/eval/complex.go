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
// program does.
func complexArithmetic(at ast.Node, op token.Token, x, y constant.Value, t types.Type) value.Value {
	a, b := complexOf(x), complexOf(y)
	if basic, ok := t.Underlying().(*types.Basic); ok && basic.Kind() == types.Complex64 && op != token.QUO {
		return complexValue(at, complex128(arithmetic(op, complex64(a), complex64(b))), t)
	}
	return complexValue(at, arithmetic(op, a, b), t)
}

func arithmetic[T complex64 | complex128](op token.Token, a, b T) T {
	switch op {
	case token.ADD:
		return a + b
	case token.SUB:
		return a - b
	case token.MUL:
		return a * b
	default:
		return a / b
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
