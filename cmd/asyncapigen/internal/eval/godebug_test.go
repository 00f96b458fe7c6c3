package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A program that sets GODEBUG has its settings at once.
func TestSettings_AreNotKnownWhereTheProgramSetsGODEBUG(t *testing.T) {
	const (
		ofNil    = `func() { defer func() { show(recover() == nil) }(); panic(nil) }()`
		ofEither = `func() { defer func() { show(recover() == nil) }(); panic(os.Stdin.Sync()) }()`
		ofURL    = `_, err := url.Parse("http://a:b:c:80/x"); show(err == nil)`

		anyPanic = "unknown: what a panic of nil is, which a setting of GODEBUG says"
		either   = "unknown: the result of os.Stdin.Sync(), and so on the variable os.Stdin"
	)
	for name, test := range map[string]struct{ body, want string }{
		"a panic of nil":                           {ofNil, "false"},
		"where another variable is set":            {`os.Setenv("OTHER", "x"); ` + ofNil + `; ` + ofURL, "false\nfalse"},
		"a panic of nil where it is set":           {`os.Setenv("GODEBUG", "panicnil=1"); ` + ofNil, anyPanic},
		"where package syscall sets it":            {`syscall.Setenv("GODEBUG", "panicnil=1"); ` + ofNil, anyPanic},
		"where it may be set":                      {`if os.Getpid() > 5 { os.Setenv("GODEBUG", "panicnil=1") }; ` + ofNil, anyPanic},
		"where any may be set":                     {`os.Setenv(os.Getenv("NAME"), "panicnil=1"); ` + ofNil, anyPanic},
		"a panic of what may be nil":               {ofEither, "false"},
		"a panic of what may be nil, where it is":  {`os.Setenv("GODEBUG", "panicnil=1"); ` + ofEither, either},
		"what package url reads":                   {ofURL, "false"},
		"what package url reads, where it is set":  {`os.Setenv("GODEBUG", "urlstrictcolons=0"); ` + ofURL, "false if not url.Parse(\"http://a:b:c:80/x\") fails\ntrue"},
		"what package url reads, before it is set": {ofURL + `; os.Setenv("GODEBUG", "urlstrictcolons=0")`, "false"},
	} {
		t.Run(name, func(t *testing.T) {
			source := libraryProgram([]string{"fmt", "net/url", "os", "syscall"}, "var _, _, _ = os.Exit, url.Parse, syscall.Exit", []struct{ name, body string }{{"", test.body}}, 0, 1)
			require.Equal(t, append([]string{"# "}, strings.Split(test.want, "\n")...), evaluate(t, source).shown)
		})
	}
}
