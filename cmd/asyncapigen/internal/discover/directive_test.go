package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
)

// directed are parts of a main, each of which gives q or not, and what the route's queue is, or
// what is said instead.
var directed = map[string]struct{ main, queue, said string }{
	"a text":                      {"q = os.Getenv(\"Q\") //asyncapigen:value orders", "orders", ""},
	"a text of several words":     {"q = os.Getenv(\"Q\") //asyncapigen:value of orders", "of orders", ""},
	"a JSON string":               {"q = os.Getenv(\"Q\") //asyncapigen:value \"orders\"", "orders", ""},
	"null":                        {"q = os.Getenv(\"Q\") //asyncapigen:value null", "null", ""},
	"the line before":             {"//asyncapigen:value orders\nq = os.Getenv(\"Q\")", "orders", ""},
	"two lines before":            {"//asyncapigen:value orders\n\nq = os.Getenv(\"Q\")", "", "unknown-value: the queue name of the route \"order\" isn't known: it is the result of os.Getenv(\"Q\")\n"},
	"a text beside an error":      {"q, err = os.Hostname() //asyncapigen:value orders\nif err != nil { return }", "orders", ""},
	"a text beside ok":            {"q, ok = os.LookupEnv(\"Q\") //asyncapigen:value orders\nif !ok { return }", "orders", ""},
	"what a pointer leads to":     {"p := unknown[*string]() //asyncapigen:value orders\nq = *p", "orders", ""},
	"a pointer to what isn't one": {"n := unknown[*int]() //asyncapigen:value seven\nq = fmt.Sprint(*n)", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\nbad-directive: the directive can't give the value of unknown[*int](): \"seven\" is no int\n"},
	"a list":                      {"l := unknown[[]string]() //asyncapigen:value [\"a\", \"b\", \"c\"]\nm := append(l, \"d\"); _ = append(l, \"e\"); q = m[0] + m[3]", "ad", ""},
	"behind the end of a call":    {"_ = fmt.Sprint(\n\"x\",\n) //asyncapigen:value orders\nq = os.Getenv(\"Q\")", "", "unknown-value: the queue name of the route \"order\" isn't known: it is the result of os.Getenv(\"Q\")\n"},
	"behind the word if":          {"if //asyncapigen:value true\nunknown[bool]() { q = \"a\" } else { q = \"b\" }", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that depends on the condition unknown[bool](), and so on the result of os.Getenv(\"UNKNOWN\")\n"},
	"a list that isn't one":       {"l := unknown[[]string]() //asyncapigen:value a, b\nq = l[0]", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\nbad-directive: the directive can't give the value of unknown[[]string](): \"a, b\" isn't a JSON array of strings\n"},
	"true":                        {"b := unknown[bool]() //asyncapigen:value true\nq = fmt.Sprint(b)", "true", ""},
	"neither true nor false":      {"b := unknown[bool]() //asyncapigen:value yes\nq = fmt.Sprint(b)", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\nbad-directive: the directive can't give the value of unknown[bool](): \"yes\" is neither true nor false\n"},
	"a number":                    {"n := os.Getpid() //asyncapigen:value 7\nq = fmt.Sprint(n)", "7", ""},
	"a number to base 16":         {"n := os.Getpid() //asyncapigen:value 0x10\nq = fmt.Sprint(n)", "16", ""},
	"a number that isn't one":     {"n := os.Getpid() //asyncapigen:value seven\nq = fmt.Sprint(n)", "", "unknown-value: the queue name of the route \"order\" isn't known: it is the result of os.Getpid()\nbad-directive: the directive can't give the value of os.Getpid(): \"seven\" is no int\n"},
	"a number that isn't whole":   {"n := os.Getpid() //asyncapigen:value 7.5\nq = fmt.Sprint(n)", "", "unknown-value: the queue name of the route \"order\" isn't known: it is the result of os.Getpid()\nbad-directive: the directive can't give the value of os.Getpid(): \"7.5\" is no int\n"},
	"a number that is too large":  {"n := unknown[uint8]() //asyncapigen:value 256\nq = fmt.Sprint(n)", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\nbad-directive: the directive can't give the value of unknown[uint8](): \"256\" is no uint8\n"},
	"the largest number":          {"n := unknown[uint8]() //asyncapigen:value 255\nq = fmt.Sprint(n)", "255", ""},
	"a number below none":         {"n := unknown[uint8]() //asyncapigen:value -1\nq = fmt.Sprint(n)", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\nbad-directive: the directive can't give the value of unknown[uint8](): \"-1\" is no uint8\n"},
	"a number below zero":         {"n := unknown[int8]() //asyncapigen:value -128\nq = fmt.Sprint(n)", "-128", ""},
	"a fraction":                  {"n := unknown[float64]() //asyncapigen:value 1.5\nq = fmt.Sprint(n)", "1.5", ""},
	"a fraction that is rounded":  {"n := unknown[float32]() //asyncapigen:value 0.1\nq = fmt.Sprint(n == float32(0.1))", "true", ""},
	"a float that is too large":   {"n := unknown[float32]() //asyncapigen:value 1e39\nq = fmt.Sprint(n)", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\nbad-directive: the directive can't give the value of unknown[float32](): \"1e39\" is no float32\n"},
	"what is known":               {"q = fmt.Sprint(\"orders\") //asyncapigen:value other", "orders", "bad-directive: the directive gives no value: everything on its line is known\n"},
	"a constant":                  {"q = \"orders\" //asyncapigen:value other", "orders", "bad-directive: the directive gives no value: everything on its line is known\n"},
	"what takes no value":         {"m := unknown[map[string]string]() //asyncapigen:value other\nq = m[\"a\"]", "", "unknown-value: the queue name of the route \"order\" isn't known: it is a value that json.Unmarshal may have changed, and so on the result of os.Getenv(\"UNKNOWN\")\n"},
	"nothing":                     {"q = \"orders\"\n//asyncapigen:value other\n", "orders", ""},
	"another directive":           {"q = \"orders\" //asyncapigen:valeu other", "orders", "bad-directive: there is no directive //asyncapigen:valeu: \n"},
	"one of types":                {"q = \"orders\" //asyncapigen:schema other", "orders", ""},
}

func TestDirectives_GiveTheValuesThatAreNotKnown(t *testing.T) {
	program := onefile.New(t, declaringFile(""))
	for name, test := range directed {
		t.Run(name, func(t *testing.T) {
			main := "var q string; var err error; var ok bool; _, _ = err, ok\n" + test.main +
				"\nrouter.MustRegister(runtime.Route{Name: \"order\", Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}); serve(router)"
			for _, options := range [][]discover.Option{nil, {discover.Explain()}} {
				result := foundOf(t, program, declaringFile(main), options...)
				said := ""
				for _, d := range result.Diagnostics {
					said += string(d.Code) + ": " + d.What + ": " + d.Why + "\n"
				}
				require.Equal(t, test.said, said)
				if test.queue != "" {
					require.Len(t, result.Routes, 1)
					require.Equal(t, test.queue, result.Routes[0].Queue.Name)
				}
			}
		})
	}
}

func TestDirectives_AreWhereTheirValuesComeFrom(t *testing.T) {
	withFlag := func(main string) string {
		return strings.Replace(declaringFile("_ = flag.Parse; "+main), "\t\"fmt\"\n", "\t\"flag\"\n\t\"fmt\"\n", 1)
	}
	program := onefile.New(t, withFlag(""))
	for name, main := range map[string]string{
		"a text":                 "q := os.Getenv(\"Q\") //asyncapigen:value orders\n",
		"a text beside an error": "q, err := os.Hostname() //asyncapigen:value orders\nif err != nil { return }\n",
		"behind a pointer":       "p := unknown[*string]() //asyncapigen:value orders\nq := *p\n",
		"in a list":              "l := unknown[[]string]() //asyncapigen:value [\"orders\"]\nq := l[0]\n",
		"of a flag":              "p := flag.String(\"q\", \"\", \"\") //asyncapigen:value orders\nflag.Parse(); q := *p\n",
		"of a field":             "var s struct {\nQ string //asyncapigen:value orders\n}\n_ = json.Unmarshal([]byte(os.Getenv(\"S\")), &s); q := s.Q\n",
	} {
		t.Run(name, func(t *testing.T) {
			source := withFlag(main + "router.MustRegister(runtime.Route{Name: q, Queue: runtime.Queue{Name: \"orders\"}, Handler: runtime.Consume(on)}); serve(router)")
			result := foundOf(t, program, source, discover.Explain())
			require.Empty(t, result.Diagnostics)
			require.Len(t, result.Routes, 1)
			origin := result.Routes[0].Origins[0].Origin
			for len(origin.From) > 0 {
				origin = origin.From[0]
			}
			require.Regexp(t, `^//asyncapigen:value `, origin.Text)
		})
	}
}
