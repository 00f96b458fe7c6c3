package model

import (
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A text that isn't known is surely no number where it begins or ends as none does.

const (
	numerals = "0123456789"
	letters  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
)

// parsers are the functions that read a text, by full name. Each reports whether it
// surely fails for one that begins and ends so; base is the second argument.
var parsers = map[string]func(text *value.Unknown, base value.Value) bool{
	"strconv.Atoi":       func(u *value.Unknown, _ value.Value) bool { return hasOther(u, numerals+"+-") },
	"strconv.ParseInt":   func(u *value.Unknown, base value.Value) bool { return isNoInteger(u, base, "+-") },
	"strconv.ParseUint":  func(u *value.Unknown, base value.Value) bool { return isNoInteger(u, base, "") },
	"strconv.ParseFloat": func(u *value.Unknown, _ value.Value) bool { return isNoFloat(u) },
	"strconv.ParseBool":  func(u *value.Unknown, _ value.Value) bool { return isNoBool(u) },
}

// surelyFails reports whether the call of a parser fails whatever is between what is
// known of the text.
func (c *Call) surelyFails() bool {
	fails := parsers[c.Fn.Obj.Origin().FullName()]
	if fails == nil || len(c.Args) == 0 {
		return false
	}
	u, ok := c.Args[0].(*value.Unknown)
	return ok && fails(u, c.Args[min(1, len(c.Args)-1)])
}

// hasOther reports whether a text has a letter that isn't one of some.
func hasOther(u *value.Unknown, some string) bool {
	return strings.Trim(u.Prefix+u.Suffix, some) != ""
}

// isNoInteger reports whether a text is no integer. One of the base 0 says its base
// by what it begins with, after the sign: a digit.
func isNoInteger(u *value.Unknown, base value.Value, signs string) bool {
	switch n, known := value.IntOf(base); {
	case known && n == 10:
		return hasOther(u, numerals+signs)
	case known && n == 0:
		return u.Prefix != "" && !strings.Contains(numerals+signs, u.Prefix[:1]) || hasOther(u, numerals+letters+"_"+signs)
	default:
		return hasOther(u, numerals+letters+signs)
	}
}

// isNoFloat reports whether a text is no number, no infinity and no NaN.
func isNoFloat(u *value.Unknown) bool {
	return u.Prefix != "" && !strings.Contains(numerals+"+-.iInN", u.Prefix[:1]) || hasOther(u, numerals+letters+"+-._")
}

func isNoBool(u *value.Unknown) bool {
	for _, text := range []string{"1", "t", "T", "true", "TRUE", "True", "0", "f", "F", "false", "FALSE", "False"} {
		if !u.IsNot(text) {
			return false
		}
	}
	return true
}
