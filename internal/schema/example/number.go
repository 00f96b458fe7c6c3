package example

import (
	"encoding/json"
	"math/big"
	"slices"

	"github.com/warrenmq/warren/internal/schema"
)

// numberBits are the bounds of the formats of integers.
var numberBits = map[string]struct {
	bits   uint
	signed bool
}{
	"int8": {8, true}, "int16": {16, true}, "int32": {32, true}, "int64": {64, true},
	"uint8": {8, false}, "uint16": {16, false}, "uint32": {32, false}, "uint64": {64, false},
}

// numbers returns values that a schema of numbers may accept, the plainest first. The
// nth of an array begins with another one than those before it.
func numbers(s *schema.Schema, nth int) []any {
	one := big.NewRat(1, 1)
	candidates := []*big.Rat{big.NewRat(int64(nth)+1, 1), new(big.Rat)}
	var bounds []*big.Rat
	for _, bound := range []json.Number{s.Minimum, s.ExclusiveMinimum, s.Maximum, s.ExclusiveMaximum} {
		if value := rational(bound); value != nil {
			bounds = append(bounds, value)
			candidates = append(candidates, value, rounded(value), new(big.Rat).Add(rounded(value), one), new(big.Rat).Sub(rounded(value), one))
		}
	}
	for i := 1; i < len(bounds); i++ {
		middle := new(big.Rat).Add(bounds[i-1], bounds[i])
		candidates = append(candidates, middle.Quo(middle, big.NewRat(2, 1)))
	}
	if step := rational(s.MultipleOf); step != nil && step.Sign() > 0 {
		for _, c := range slices.Clone(candidates) {
			times := rounded(new(big.Rat).Quo(c, step))
			candidates = append(candidates, new(big.Rat).Mul(times, step), new(big.Rat).Mul(times.Add(times, one), step))
		}
	}
	var values []any
	for _, c := range candidates {
		if n := number(c); rational(n) != nil {
			values = append(values, n)
		}
	}
	return values
}

// rounded returns the largest integer that isn't above r.
func rounded(r *big.Rat) *big.Rat {
	quotient := new(big.Int)
	quotient.Div(r.Num(), r.Denom())
	return new(big.Rat).SetInt(quotient)
}

// number writes r as JSON. What decimals and halves of them are made of is exact.
func number(r *big.Rat) json.Number {
	decimals, _ := r.FloatPrec()
	return json.Number(r.FloatString(decimals))
}

// judgeNumber is sure of a refusal only where it doesn't depend on a format, which not
// all validators check of numbers, or on a bound that is too large to be compared.
func judgeNumber(s *schema.Schema, n json.Number) verdict {
	all, value := yes, rational(n)
	meets := func(bound json.Number, holds func(limit *big.Rat) bool) {
		if limit := rational(bound); bound != "" && limit == nil {
			all = min(all, unsure)
		} else if bound != "" {
			all = min(all, verdictOf(holds(limit)))
		}
	}
	meets(s.Minimum, func(limit *big.Rat) bool { return value.Cmp(limit) >= 0 })
	meets(s.ExclusiveMinimum, func(limit *big.Rat) bool { return value.Cmp(limit) > 0 })
	meets(s.Maximum, func(limit *big.Rat) bool { return value.Cmp(limit) <= 0 })
	meets(s.ExclusiveMaximum, func(limit *big.Rat) bool { return value.Cmp(limit) < 0 })
	meets(s.MultipleOf, func(step *big.Rat) bool { return step.Sign() > 0 && new(big.Rat).Quo(value, step).IsInt() })
	if of, ok := numberBits[s.Format]; ok && !(value.IsInt() && fits(value.Num(), of.bits, of.signed)) {
		all = min(all, unsure)
	}
	return all
}

func fits(value *big.Int, bits uint, signed bool) bool {
	low, high := new(big.Int), new(big.Int)
	if signed {
		bits--
		low.Neg(new(big.Int).Lsh(big.NewInt(1), bits))
	}
	high.Lsh(big.NewInt(1), bits)
	return value.Cmp(low) >= 0 && value.Cmp(high) < 0
}
