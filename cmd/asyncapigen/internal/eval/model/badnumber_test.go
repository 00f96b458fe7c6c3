package model

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// A parser surely fails only where package strconv does, whatever stands between what
// the text begins and ends with.
func TestSurelyFails_AsStrconvDoes(t *testing.T) {
	affixes := []string{"", "a", "0", "0x", "1", "-", "+", "_", "x", ".", "e", "i", "in", "n", "t", "tr", "f", "e5", "z", " ", "é", "\xff", "false", "1_", "0b", "p-1"}
	middles := []string{"", "0", "1", "7", "x1", "xf", "12", "f", "nf", "an", "rue", "ru", "e", "e5", ".5", "_1", "0x1p", "99999999999999999999", "-1", "alse", "nity"}
	fails := map[string]func(text string, base int) bool{
		"strconv.Atoi":       func(text string, _ int) bool { _, err := strconv.Atoi(text); return err != nil },
		"strconv.ParseInt":   func(text string, base int) bool { _, err := strconv.ParseInt(text, base, 64); return err != nil },
		"strconv.ParseUint":  func(text string, base int) bool { _, err := strconv.ParseUint(text, base, 64); return err != nil },
		"strconv.ParseFloat": func(text string, _ int) bool { _, err := strconv.ParseFloat(text, 64); return err != nil },
		"strconv.ParseBool":  func(text string, _ int) bool { _, err := strconv.ParseBool(text); return err != nil },
	}
	require.Len(t, parsers, len(fails))
	for name, surelyFails := range parsers {
		told := 0
		for _, prefix := range affixes {
			for _, suffix := range affixes {
				for _, base := range []int{0, 2, 10, 16, 36} {
					if !surelyFails(&value.Unknown{Prefix: prefix, Suffix: suffix}, integer(base)) {
						continue
					}
					told++
					for _, middle := range middles {
						require.True(t, fails[name](prefix+middle+suffix, base), "%s of %q, %d", name, prefix+middle+suffix, base)
					}
				}
			}
		}
		require.NotZero(t, told, name)
	}
}

// What a text begins with is enough, and so is any letter that no number has.
func TestSurelyFails_IsToldOfEachSide(t *testing.T) {
	for _, test := range []struct {
		parser, prefix, suffix string
		base                   int
		want                   bool
	}{
		{"strconv.ParseInt", "z", "", 0, true},
		{"strconv.ParseInt", "1", "!", 0, true},
		{"strconv.ParseInt", "0", "a", 0, false},
		{"strconv.ParseInt", "a", "", 10, true},
		{"strconv.ParseInt", "a", "", 11, false},
		{"strconv.ParseFloat", "z", "", 0, true},
		{"strconv.ParseFloat", "1", "!", 0, true},
		{"strconv.ParseFloat", "1", "e5", 0, false},
	} {
		require.Equal(t, test.want, parsers[test.parser](&value.Unknown{Prefix: test.prefix, Suffix: test.suffix}, integer(test.base)), "%s of %s...%s, %d", test.parser, test.prefix, test.suffix, test.base)
	}
}
