package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tables are bodies that change variables of package unicode, or don't, and what they show.
var tables = []struct{ name, body, want string }{
	{"one that is read", `show(unicode.Is(unicode.Upper, 'Ж') || strings.ToUpper("ж") == "Ж"); show(strings.ToUpper("ж"))`, "true\nЖ"},
	{"before it is assigned", `show(strings.ToUpper("ж")); unicode.CaseRanges = nil; show(strings.ToUpper("ж"))`, "Ж\nchanged"},
	{"one that is assigned on one of two ways", `if os.Getpid() > 5 { unicode.Upper = nil }; show(unicode.IsUpper('Ж'))`, "changed"},
	{"a part that is assigned", `unicode.White_Space.R16[0].Hi = 'z'; show(unicode.IsSpace('a'))`, "changed"},
	{"a part of a part of a list", `(unicode.PrintRanges[1:])[0] = unicode.Lower; show(unicode.IsPrint('Ж'))`, "changed"},
	{"one that a loop assigns", `for _, unicode.Upper = range []*unicode.RangeTable{unicode.Lower} {}; show(unicode.IsUpper('Ж'))`, "changed"},
	{"a part that is counted up", `unicode.CaseRanges[0].Lo++; show(unicode.ToUpper('b'))`, "changed"},
	{"a part that is added to", `unicode.CaseRanges[0].Lo += 9; show(unicode.ToUpper('b'))`, "changed"},
	{"a part behind a pointer", `*unicode.Upper = unicode.RangeTable{}; show(unicode.IsUpper('Ж'))`, "changed"},
	{"one whose address is taken", `t := &unicode.Upper; show(unicode.IsUpper('Ж')); *t = nil`, "changed"},
	{"one of a function", `upper := unicode.Upper; upper = nil; show(upper == nil); show(unicode.IsUpper('Ж'))`, "true\ntrue"},
}

func TestTables_AreNotKnownOnceTheyAreChanged(t *testing.T) {
	for _, test := range tables {
		t.Run(test.name, func(t *testing.T) {
			shown := evaluate(t, `package main

import (
	"fmt"
	"os"
	"strings"
	"unicode"
)

var _, _ = os.Exit, strings.ToUpper

func run() { `+test.body+` }

func main() { run() }

`+showDecl).shown
			for i, said := range shown {
				if said == "unknown: a result that may depend on a variable of package unicode, which the program changes" {
					shown[i] = "changed"
				}
			}
			require.Equal(t, strings.Split(test.want, "\n"), shown)
		})
	}
}
