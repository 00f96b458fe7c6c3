package inclusion

import (
	"encoding/json"
	"math/big"
	"strconv"
	"strings"
)

// rational returns the value of a number, nil for one whose digits would fill the
// memory.
func rational(number json.Number) *big.Rat {
	mantissa, exponent, scientific := strings.Cut(strings.ToLower(string(number)), "e")
	if len(mantissa) > 1000 {
		return nil
	}
	if scientific {
		if e, err := strconv.Atoi(exponent); err != nil || e > 1000 || e < -1000 {
			return nil
		}
	}
	value, ok := new(big.Rat).SetString(string(number))
	if !ok {
		return nil
	}
	return value
}

// literal writes a number as JSON, which has no fractions but decimal ones.
func literal(value *big.Rat) json.Number {
	digits, _ := value.FloatPrec()
	return json.Number(value.FloatString(digits))
}

func integer(n int) *big.Rat { return new(big.Rat).SetInt64(int64(n)) }

// isMultiple reports whether value is a whole multiple of of, which isn't 0.
func isMultiple(value, of *big.Rat) bool {
	return new(big.Rat).Quo(value, of).IsInt()
}

// An interval is the numbers between two bounds, nil for none.
type interval struct {
	low, high         *big.Rat
	openLow, openHigh bool // the bound isn't in it
}

// from makes the interval begin at a bound, if it didn't begin there or above.
func (i *interval) from(low *big.Rat, open bool) {
	if low == nil {
		return
	}
	if i.low == nil || low.Cmp(i.low) > 0 || low.Cmp(i.low) == 0 && open {
		i.low, i.openLow = low, open
	}
}

// to is from at the other end.
func (i *interval) to(high *big.Rat, open bool) {
	if high == nil {
		return
	}
	if i.high == nil || high.Cmp(i.high) < 0 || high.Cmp(i.high) == 0 && open {
		i.high, i.openHigh = high, open
	}
}

// between takes bounds that are in the interval.
func (i *interval) between(low, high *big.Rat) {
	i.from(low, false)
	i.to(high, false)
}

// narrow takes a schema's bounds.
func (i *interval) narrow(s *Schema) {
	i.from(s.Minimum, false)
	i.from(s.ExclusiveMinimum, true)
	i.to(s.Maximum, false)
	i.to(s.ExclusiveMaximum, true)
	if limits, ok := numberFormats[s.Format]; ok {
		i.between(limits.low, limits.high)
	}
}

// whole makes the bounds those of the integers in the interval.
func (i *interval) whole() {
	if i.low != nil {
		low := ceiling(i.low)
		if i.openLow && low.Cmp(i.low) == 0 {
			low.Add(low, integer(1))
		}
		i.low, i.openLow = low, false
	}
	if i.high != nil {
		high := ceiling(new(big.Rat).Neg(i.high))
		high.Neg(high)
		if i.openHigh && high.Cmp(i.high) == 0 {
			high.Sub(high, integer(1))
		}
		i.high, i.openHigh = high, false
	}
}

func ceiling(value *big.Rat) *big.Rat {
	quotient, remainder := new(big.Int).DivMod(value.Num(), value.Denom(), new(big.Int))
	if remainder.Sign() != 0 {
		quotient.Add(quotient, big.NewInt(1))
	}
	return new(big.Rat).SetInt(quotient)
}

func (i interval) isEmpty() bool {
	if i.low == nil || i.high == nil {
		return false
	}
	order := i.low.Cmp(i.high)
	return order > 0 || order == 0 && (i.openLow || i.openHigh)
}

// within reports whether all of i is in the other one.
func (i interval) within(other interval) bool {
	if other.low != nil {
		if i.low == nil || i.low.Cmp(other.low) < 0 || i.low.Cmp(other.low) == 0 && other.openLow && !i.openLow {
			return false
		}
	}
	if other.high != nil {
		if i.high == nil || i.high.Cmp(other.high) > 0 || i.high.Cmp(other.high) == 0 && other.openHigh && !i.openHigh {
			return false
		}
	}
	return true
}

func (i interval) contains(value *big.Rat) bool {
	return interval{low: value, high: value}.within(i)
}
