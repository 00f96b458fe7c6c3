package discover_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// place is where a remedy says that a directive can stand.
var place = regexp.MustCompile(`at \S*main\.go:(\d+)`)

func TestDiagnostics_SayWhatToWriteInPlaceOfAValue(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	const (
		here     = ", or give the value by //asyncapigen:value on this line"
		constant = "write it as a constant"
	)
	for name, test := range map[string]struct{ main, why, remedy string }{
		"a variable of the environment": {`q := os.Getenv("Q")`, `it is the result of os.Getenv("Q")`, `write runtime.Env("Q", "default")` + here},
		"one with a fallback":           {`q := os.Getenv("Q"); if q == "" { q = "orders" }`, `it is the result of os.Getenv("Q")`, `write runtime.Env("Q", "orders")` + here},
		"one that is a part of a text with a fallback": {
			`q := "orders"; if v, ok := os.LookupEnv("Q"); ok { q += v }`, `it is the result of os.LookupEnv("Q")`, `write runtime.Env("Q", "default")` + here,
		},
		"one with a fallback of a function": {
			"get := func(name, fallback string) string {\nif v, ok := os.LookupEnv(name); ok { return v }\nreturn fallback\n}\nq := get(\"Q\", \"orders\")",
			`it is the result of os.LookupEnv("Q")`, `write runtime.Env("Q", "orders")` + here,
		},
		"one that another call names": {
			"get := func(name string) string {\nreturn os.Getenv(\"Q\")\n}\nq := get(\"Q\")", `it is the result of os.Getenv("Q")`, `write runtime.Env("Q", "default")` + here,
		},
		"a field of the program's": {
			"var s struct {\nQ string\n}\n_ = json.Unmarshal([]byte(os.Getenv(\"S\")), &s)\nq := s.Q",
			`it is the field Q of a value that json.Unmarshal may have changed, and so on the result of os.Getenv("S")`, constant + here,
		},
		"a field that takes no directive": {
			"var s struct {\nQ map[string]string\n}\n_ = json.Unmarshal([]byte(os.Getenv(\"S\")), &s)\nq := s.Q[\"a\"]",
			`it is the field Q of a value that json.Unmarshal may have changed, and so on the result of os.Getenv("S")`, constant + ", or give the value by //asyncapigen:value at line 5",
		},
		"the result of a call": {`q, err := os.Hostname(); if err != nil { return }`, "it is the result of os.Hostname()", constant + here},
		"what depends on a condition": {
			`q := "a"; if os.Getpid() > 5 { q = "b" }`,
			"it is a value that depends on the condition os.Getpid() > 5, and so on the result of os.Getpid()", constant + ", or give the value by //asyncapigen:value at line 2",
		},
	} {
		t.Run(name, func(t *testing.T) {
			source := declaringFile(test.main + "\nrouter.MustRegister(runtime.Route{Name: \"order\", Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}); serve(router)")
			result := foundOf(t, program, source)
			require.Len(t, result.Diagnostics, 1)
			require.Equal(t, test.why, result.Diagnostics[0].Why)
			first := strings.Count(source[:strings.Index(source, test.main)], "\n")
			remedy := place.ReplaceAllStringFunc(result.Diagnostics[0].Remedy, func(at string) string {
				line, err := strconv.Atoi(place.FindStringSubmatch(at)[1])
				require.NoError(t, err)
				return fmt.Sprint("at line ", line-first)
			})
			require.Equal(t, test.remedy, remedy)
		})
	}
}
