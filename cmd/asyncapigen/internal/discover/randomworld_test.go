package discover_test

import (
	"fmt"
	"strings"
)

// A fact is what a program may meet of the world: a variable, arguments, a file
// or a folder. It isn't there, or is in one of the settings, of which the first few
// are those that most programs tell apart. The texts of generated programs are among
// the others.
type fact struct {
	mark           string // in the text of programs that ask for it
	settings, more []string
}

var (
	fileFact = fact{"fuzz.file", []string{"live", "3", "folder"}, []string{"a", "b", "c", "7", "12", "a b,c", "é", "日本", "%d"}}
	facts    = [...]fact{
		{"FUZZ_A", []string{"7", "-2", "x,y"}, []string{"0", "1", "2", "3", "12", "100", "a", "b", "c", "a b,c", "é", "日本", "%d", "null", `{"b":3}`, `{"M":{"b":{}}}`}},
		{"FUZZ_B", []string{"on", "off"}, []string{"0", "1", "3", "a", "b", "c", "four", "a b,c", "é", "日本", "%d", `{"M":{"b":{}}}`}},
		{"os.Args", []string{"extra", "12", "-v 3 7"}, []string{"a", "b", "c", "0", "1", "3", "a b c d e", "a b c d e f g h i j k l"}},
		fileFact,
	}
)

// maxMeetings bounds how often a program meets the world.
const maxMeetings = 3

// met returns an expression of a type whose value the world decides, sometimes.
func (g *generator) met(kind string) (string, bool) {
	if !g.world || g.meetings >= maxMeetings || g.next(12) > 0 {
		return "", false
	}
	found := map[string][]string{
		"bool": {
			`(os.Getenv("FUZZ_A") != "")`, `(os.Getenv("FUZZ_B") == "on")`, `(len(os.Args) > 1)`,
			`func() bool { _, ok := os.LookupEnv("FUZZ_B"); return ok }()`, `func() bool { _, err := os.Stat("fuzz.file"); return err == nil }()`,
		},
		"string": {`os.Getenv("FUZZ_A")`, `string(must(os.ReadFile("fuzz.file")))`, `strings.Join(os.Args[1:], "")`},
		"int":    {`len(os.Args)`, `len(os.Getenv("FUZZ_B"))`, `must(strconv.Atoi(os.Getenv("FUZZ_A")))`},
		"error": {
			`func() error { _, err := os.Stat("fuzz.file"); return err }()`, `func() error { _, err := strconv.Atoi(os.Getenv("FUZZ_A")); return err }()`,
		},
		"[]string": {`os.Args[1:]`},
	}[kind]
	if len(found) == 0 {
		return "", false
	}
	g.meetings++
	return g.oneOf(found...), true
}

// condition returns a condition that the world decides.
func (g *generator) condition() string {
	return g.oneOf(`os.Getenv("FUZZ_A") != ""`, `os.Getenv("FUZZ_B") == "on"`, `len(os.Args) > 1`, `len(os.Getenv("FUZZ_A")) > 0`)
}

// failure declares an error that the world decides.
func (g *generator) failure(err string) string {
	return fmt.Sprintf(g.oneOf(`_, %s := os.Stat("fuzz.file")`, `_, %s := strconv.Atoi(os.Getenv("FUZZ_A"))`, `_, %s := os.ReadFile("fuzz.file")`, `_, %s := os.Open("fuzz.file")`), err)
}

// meet writes a statement as programs have them where they meet the world.
func (g *generator) meet() {
	if g.meetings >= maxMeetings {
		g.assign()
		return
	}
	g.meetings++
	text := meetings[g.next(len(meetings))]
	for _, part := range []struct {
		mark string
		text func() string
	}{
		{"COND", g.condition},
		{"FAILURE", func() string { return g.failure("err") }},
		{"BLOCK", func() string { return strings.TrimSuffix(g.captured(g.block), "\n") }},
		{"FUNC", g.body},
		{"ROUTE", func() string { return g.register(g.expr("string", 2)) }},
		{"AGAIN", func() string { return g.inRepeat(func() string { return g.register("fmt.Sprint(x)") }) }},
		{"STRING", func() string { return g.expr("string", 1) }},
		{"INT", func() string { return g.expr("int", 1) }},
		{"HANDLE", func() string { return g.oneOf(handlings...) }},
		{"NAME", g.fresh},
		{"GO", func() string { return g.oneOf("continue", "break") }},
	} {
		if part.mark == "NAME" {
			text = strings.ReplaceAll(text, part.mark, part.text())
		}
		for strings.Contains(text, part.mark) {
			text = strings.Replace(text, part.mark, part.text(), 1)
		}
	}
	g.line("%s", text)
}

// handlings are what programs do about an error.
var handlings = []string{
	"log.Fatal(err)", "panic(err)", "os.Exit(1)", "log.Print(err)", "return errors.New(\"failed\")", "return err", "return nil",
	"return fmt.Errorf(\"load: %w\", err)", "return &opError{\"load\", err}", "name = \"dev\"", "err = nil",
}

// meetings are statements that depend on the world.
var meetings = []string{
	// conditions
	"if COND BLOCK",
	"if COND BLOCK else BLOCK",
	"if COND {\nROUTE\n} else {\nROUTE\n}",
	"if COND {\nlog.Fatal(\"configuration\")\n}",
	"if COND {\nlog.Fatal(STRING)\n}\nROUTE",
	"switch os.Getenv(\"FUZZ_A\") {\ncase \"\":\nBLOCK\ncase \"7\":\nBLOCK\ndefault:\nos.Exit(2)\n}",
	"NAME := STRING\nif COND {\nNAME = STRING\n}\nadd(\"NAME\", NAME)",
	"NAME := os.Getenv(\"FUZZ_A\")\nif NAME == \"\" {\nNAME = \"dev\"\n}\nunused(NAME)",
	"func() {\nif COND {\nreturn\n}\nROUTE\n}()",
	"func() {\nif COND {\ndefer func() FUNC()\n}\nROUTE\n}()",
	"for x := range 3 {\nif x == 1 && COND {\nGO\n}\nAGAIN\n}",
	"for x := range 3 {\nif COND {\nGO\n}\nAGAIN\n}",
	"for _, x := range os.Args[1:] {\nAGAIN\n}",
	"for x := 0; x < len(os.Args); x++ {\nunused(x)\nBLOCK\n}",
	"{\nNAME := []any{square{1}, square{1}}\nNAME[len(os.Args)&1] = point{1, 1}\n_, ok := NAME[0].(square)\nadd(\"NAME\", fmt.Sprint(ok))\n}",
	"{\nNAME, NAMEb := any(square{1}), any(square{2})\np := &NAME\nif COND {\np = &NAMEb\n}\n*p = point{1, 2}\n_, ok := NAME.(square)\nadd(\"NAME\", fmt.Sprint(ok, NAMEb != nil))\n}",
	"NAME := func() string {\nx := STRING\nswitch {\ncase COND:\nx = STRING\nbreak\ncase COND:\ngoto end\n}\nend:\nfor range 2 {\n}\nreturn x\n}()\nadd(\"NAME\", NAME)",
	"NAME := func() string { return STRING }\nif COND {\nNAME = func() string { return STRING }\n}\nadd(\"NAME\", NAME())",
	"var NAME shape = square{INT & 3}\nif COND {\nNAME = &circle{}\n}\nadd(\"NAME\", strconv.Itoa(NAME.Area()))",
	"NAMEa, NAMEb := 1, 2\nNAME := &NAMEa\nif COND {\nNAME = &NAMEb\n}\n*NAME = INT\nadd(\"NAME\", fmt.Sprint(NAMEa, NAMEb))",
	"NAME := map[string]int{\"7\": 1}\nif n, ok := NAME[os.Getenv(\"FUZZ_A\")]; ok {\nunused(n)\nBLOCK\n}",
	"NAME := map[string]string{}\nNAME[os.Getenv(\"FUZZ_A\")] = STRING\nadd(\"NAME\", fmt.Sprint(len(NAME), NAME[\"7\"]))",
	"NAME := map[string]string{\"7\": \"x\"}\ndelete(NAME, os.Getenv(\"FUZZ_A\"))\nadd(\"NAME\", fmt.Sprint(len(NAME)))",
	"NAME := []int{1, 2, 3}\nNAME[len(os.Args)] = INT\nadd(\"NAME\", fmt.Sprint(NAME))",
	"NAME := []int{1, 2, 3}\nNAMEb := NAME\nif COND {\nNAMEb = append([]int(nil), NAME...)\n}\nNAMEb[0] = 9\nadd(\"NAME\", fmt.Sprint(NAME))",
	"NAME := make([]int, 1, 2)\nif COND {\nNAME = append(NAME, 1)\n}\nNAMEb := append(NAME, 5)\nNAME = append(NAME, 6)\nadd(\"NAME\", fmt.Sprint(NAMEb[len(NAMEb)-1], len(NAME)))",
	"add(\"NAME\", describe(try(func() {\nif COND {\npanic(\"x\")\n}\nROUTE\n})))",
	"unused(try(func() {\nif COND {\npanic(\"x\")\n}\nROUTE\n}))",
	"NAME := 0\nunused(try(func() {\nNAME = 1\nif COND {\npanic(\"x\")\n}\nNAME = 2\n}))\nadd(\"NAME\", fmt.Sprint(NAME))",
	"func() {\nif COND {\ngoto NAME\n}\nROUTE\nNAME:\nROUTE\n}()",
	"func() {\nNAMEn := 0\nNAME:\nNAMEn++\nif NAMEn < 3 && COND {\ngoto NAME\n}\nadd(\"NAME\", fmt.Sprint(NAMEn))\n}()",
	"NAME := make(chan string, 1)\nif COND {\nNAME <- \"x\"\n}\nselect {\ncase x := <-NAME:\nunused(x)\nROUTE\ndefault:\nROUTE\n}",
	"if COND && func() bool { ROUTE; return true }() {\nROUTE\n}",
	"NAMEf := func() string {\nif COND {\nreturn STRING\n}\nreturn STRING\n}\nadd(\"NAME\", NAMEf())",
	"NAME, NAMEerr := func() (string, error) {\nif COND {\nreturn \"\", errOdd\n}\nreturn STRING, nil\n}()\nif NAMEerr != nil {\nNAME = \"dev\"\n}\nadd(\"NAME\", NAME)",
	"NAMEerr := func() error {\nif COND {\nreturn errOdd\n}\nreturn errEven\n}()\nif errors.Is(NAMEerr, errOdd) {\nROUTE\n}",
	"switch NAME := any(pick[any](COND, 1, \"x\")).(type) {\ncase int:\nunused(NAME)\nROUTE\ncase string:\nROUTE\n}",
	"NAME := S{A: 1}\nif COND {\nNAME.A = 2\n} else {\nNAME.A = 2\n}\nadd(\"NAME\", fmt.Sprint(NAME.A))",
	"var NAME sync.Once\nif COND {\nNAME.Do(func() {})\n}\nNAME.Do(func() FUNC)",
	"NAME := \"\"\ndefer func() {\nif NAME == \"\" {\nROUTE\n}\n}()\nif COND {\nNAME = \"set\"\n}",
	"NAME := os.Getenv(\"FUZZ_A\")\nNAMEf := func() bool { NAME = STRING; return true }\nif NAME == \"\" && NAMEf() {\nadd(\"NAME\", NAME)\n}",
	"NAME := S{B: os.Getenv(\"FUZZ_A\")}\nNAMEf := func() bool { NAME.B += \"x\"; return NAME.A == 0 }\nswitch {\ncase NAME.B != \"\" || !NAMEf():\nROUTE\ncase NAME.B == \"x\":\nROUTE\n}",
	"NAME := &S{A: 1}\nNAMEm := map[string][]*S{\"1\": {NAME}}\nfor _, x := range NAMEm[strconv.Itoa(len(os.Args))] {\nx.A = INT\n}\nadd(\"NAME\", fmt.Sprint(NAME.A))",
	"NAME := &S{A: 1}\nNAMEl := [][]*S{{NAME}, {{}}}\nNAMEl[len(os.Args)&1][0].A = INT\nadd(\"NAME\", fmt.Sprint(NAME.A))",
	"NAME := &S{A: 1}\nNAMEp := &S{D: NAME}\nif COND {\nNAMEp = &S{D: &S{}}\n}\nNAMEp.D.Add(INT)\nadd(\"NAME\", fmt.Sprint(NAME.A))",
	// writes through one of two references
	"NAME, NAMEb := map[string]int{\"a\": INT}, map[string]int{\"a\": 2}\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\ndelete(NAMEc, \"a\")\nadd(\"NAME\", fmt.Sprint(len(NAME), len(NAMEb)))",
	"NAME, NAMEb := map[string]int{\"a\": INT}, map[string]int{\"a\": 2}\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\ndelete(NAMEc, \"a\")\n_, NAMEok := NAME[\"a\"]\nadd(\"NAME\", fmt.Sprint(NAMEok))",
	"NAME, NAMEb := map[string]int{\"a\": INT}, map[string]int{\"a\": 2}\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\nclear(NAMEc)\nNAME[\"b\"] = 1\nadd(\"NAME\", fmt.Sprint(len(NAME)))",
	"NAME, NAMEb := map[string]int{\"a\": INT}, map[string]int{}\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\ndelete(NAMEc, \"a\")\nclear(NAME)\nadd(\"NAME\", fmt.Sprint(len(NAME)))",
	"NAME, NAMEb := []int{1, INT}, []int{3, 4}\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb[1:]\n}\ncopy(NAMEc, []int{7})\nadd(\"NAME\", fmt.Sprint(NAME[0]))",
	"NAME, NAMEb := []int{1, INT}, []int{3, 4}\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\nclear(NAMEc)\nadd(\"NAME\", fmt.Sprint(NAME[0]))",
	"NAME, NAMEb := make([]int, 0, 2), make([]int, 0, 2)\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\nNAMEc = append(NAMEc, INT)\nadd(\"NAME\", fmt.Sprint(len(NAMEc), NAME[:1]))",
	"NAME := make([]int, 1, 3)\nNAMEb := NAME[:0]\nif COND {\nNAMEb = NAME\n}\nunused(append(NAMEb, 5))\nadd(\"NAME\", fmt.Sprint(NAME[0], NAME[:2][1]))",
	"NAME, NAMEb := make(chan int, 3), make(chan int, 3)\nNAME <- 1\nNAME <- INT\nNAMEb <- 3\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\nunused(<-NAMEc)\nadd(\"NAME\", fmt.Sprint(<-NAME))",
	"NAME, NAMEb := make(chan int, 3), make(chan int, 3)\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\nNAMEc <- INT\nNAME <- 2\nclose(NAME)\nfor x := range NAME {\nAGAIN\n}",
	"NAME, NAMEb := make(chan int, 3), make(chan int, 3)\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\nclose(NAMEc)\nselect {\ncase <-NAME:\nROUTE\ndefault:\nROUTE\n}",
	"NAME, NAMEb := &S{B: \"a\"}, &S{B: \"b\"}\nNAMEc := make(chan *S, 2)\nNAMEd := NAMEc\nif COND {\nNAMEd = make(chan *S, 2)\n}\nNAMEc <- NAME\nNAMEd <- NAMEb\n(<-NAMEd).B = STRING\nadd(\"NAME\", NAME.B+NAMEb.B)",
	"var NAME, NAMEb sync.Once\nNAMEc := &NAME\nif COND {\nNAMEc = &NAMEb\n}\nNAMEc.Do(func() FUNC)\nNAME.Do(func() FUNC)",
	"var NAME, NAMEb struct {\nsync.Once\nn int\n}\nNAMEc := &NAME\nif COND {\nNAMEc = &NAMEb\n}\nNAMEc.Do(func() { NAMEc.n = INT })\nNAME.Do(func() { NAME.n = 2 })\nadd(\"NAME\", fmt.Sprint(NAME.n))",
	"NAME, NAMEb := &struct{ point }{point{1, 2}}, &struct{ point }{}\nNAMEc := NAME\nif COND {\nNAMEc = NAMEb\n}\nNAMEc.Move(INT)\nadd(\"NAME\", fmt.Sprint(NAME.X))",
	"NAME := &S{A: 1}\nNAMEm, NAMEn := map[string]*S{\"a\": NAME}, map[string]*S{\"a\": {}}\nif COND {\nNAMEm, NAMEn = NAMEn, NAMEm\n}\nNAMEn[\"b\"] = &S{}\nNAME.A = 2\nNAMEm[\"a\"].A = INT\nadd(\"NAME\", fmt.Sprint(NAME.A))",
	// keys of maps that unread code had
	"NAME := map[string]int{\"a\": INT}\nunused(json.Unmarshal([]byte(os.Getenv(\"FUZZ_A\")), &struct{ M any }{&NAME}))\nif _, ok := NAME[\"a\"]; ok {\nROUTE\n}",
	"NAME := map[string]int{\"a\": INT}\nunused(json.Unmarshal([]byte(os.Getenv(\"FUZZ_A\")), &NAME))\nadd(\"NAME\", fmt.Sprint(len(NAME)))",
	"NAME := map[string]S{}\nNAMEh := &struct{ M map[string]S }{NAME}\nunused(json.Unmarshal([]byte(os.Getenv(\"FUZZ_A\")), NAMEh))\nNAME[\"a\"] = S{A: 1}\nunused(json.Unmarshal([]byte(os.Getenv(\"FUZZ_B\")), NAMEh))\nfor x := range NAME {\nAGAIN\n}",
	// errors
	"if FAILURE; err != nil {\nHANDLE\n}",
	"{\nFAILURE\nif err != nil {\nlog.Fatal(err)\n}\nROUTE\n}",
	"{\nFAILURE\nif err == nil {\nROUTE\n}\n}",
	"{\nFAILURE\nif errors.Is(err, fs.ErrNotExist) {\nROUTE\n}\n}",
	"{\nFAILURE\nif err != nil && !errors.Is(err, fs.ErrNotExist) {\nlog.Fatal(err)\n}\nROUTE\n}",
	"{\nFAILURE\nswitch err {\ncase nil:\nROUTE\ndefault:\nROUTE\n}\n}",
	"{\nFAILURE\nswitch {\ncase err == nil:\ncase os.IsNotExist(err):\nROUTE\ndefault:\nlog.Fatal(err)\n}\n}",
	"{\nname := \"live\"\nFAILURE\nif err != nil {\nname = \"dev\"\n}\nadd(\"NAME\", name)\n}",
	"{\nname := \"live\"\nNAME := func() error {\nFAILURE\nif err != nil {\nHANDLE\n}\nROUTE\nreturn err\n}\nif err := NAME(); err != nil {\nlog.Fatal(err, name)\n}\n}",
	"{\nname := \"live\"\nNAME := func() error {\nFAILURE\nif err != nil {\nHANDLE\n}\nROUTE\nreturn nil\n}\nif err := NAME(); err != nil {\nlog.Print(err)\n}\nadd(\"NAME\", name)\n}",
	"{\nname := \"live\"\nNAME := func() error {\nFAILURE\nif err != nil {\nHANDLE\n}\nreturn nil\n}\nif NAME() != nil {\nROUTE\n}\nadd(\"NAME\", name)\n}",
	"{\nname := \"live\"\nNAME := func() error {\nFAILURE\nif err != nil {\nHANDLE\n}\nname = \"other\"\nreturn nil\n}\nunused(NAME())\nadd(\"NAME\", name)\n}",
	"{\nname := \"live\"\nNAME := func() error {\nFAILURE\nif err != nil {\nHANDLE\n}\nreturn nil\n}\nvar failed *opError\nif err := NAME(); errors.As(err, &failed) {\nROUTE\n} else if err != nil {\nlog.Fatal(err)\n}\nadd(\"NAME\", name)\n}",
	"for x := range 2 {\nif FAILURE; err != nil {\nGO\n}\nAGAIN\n}",
	"for x := range 2 {\nif FAILURE; err != nil {\nlog.Print(err)\nGO\n}\nAGAIN\n}",
	"func() (err error) {\ndefer func() {\nif err != nil {\nROUTE\n}\n}()\n_, err = os.Stat(\"fuzz.file\")\nreturn err\n}()",
	"func() {\ndefer func() {\nif recover() != nil {\nROUTE\n}\n}()\nif FAILURE; err != nil {\npanic(err)\n}\nROUTE\n}()",
	"{\nFAILURE\nadd(\"NAME\", fmt.Sprint(err == nil))\n}",
	"{\nFAILURE\nNAME := []error{nil, err}\nfor x, err := range NAME {\nif err != nil {\nAGAIN\n}\n}\n}",
	"{\nFAILURE\nif NAME := errors.Join(err, nil); NAME != nil {\nROUTE\n}\n}",
	"{\nFAILURE\nif NAME := fmt.Errorf(\"x: %w\", err); errors.Unwrap(NAME) == nil {\nROUTE\n}\n}",
	"{\nn, err := strconv.Atoi(os.Getenv(\"FUZZ_A\"))\nif err != nil {\nn = 7\n}\nadd(\"NAME\", fmt.Sprint(n))\n}",
	"{\ntext, err := os.ReadFile(\"fuzz.file\")\nif err != nil {\ntext = []byte(\"dev\")\n}\nadd(\"NAME\", string(text))\n}",
	"{\nmatches, err := filepath.Glob(\"fuzz.*\")\nif err != nil {\nlog.Fatal(err)\n}\nif len(matches) == 0 {\nROUTE\n}\n}",
	// functions that unread code calls
	"unused(filepath.WalkDir(\".\", func(name string, d fs.DirEntry, err error) error {\nif name == \".\" {\nROUTE\n}\nreturn nil\n}))",
	"unused(filepath.WalkDir(\"fuzz.file\", func(x string, d fs.DirEntry, err error) error {\nif err != nil {\nreturn nil\n}\nAGAIN\nreturn nil\n}))",
	"NAME := 0\nunused(strings.Map(func(r rune) rune { NAME++; return r }, STRING))\nadd(\"NAME\", strconv.Itoa(NAME))",
	"NAME := 0\nunused(strings.IndexFunc(\"abc\", func(r rune) bool { NAME++; return r == 'b' }))\nadd(\"NAME\", strconv.Itoa(NAME))",
	"NAME := 0\nsort.Slice([]int{3, 1, 2}, func(i, j int) bool { NAME = 1; return i < j })\nadd(\"NAME\", strconv.Itoa(NAME))",
	"NAME := 0\nNAMEm := template.FuncMap{\"f\": func() string { NAME++; return \"\" }}\nNAMEt := template.New(\"x\")\nif COND {\nNAMEt.Funcs(NAMEm)\nos.Exit(0)\n}\nNAMEt.Funcs(NAMEm)\nunused(template.Must(NAMEt.Parse(\"{{f}}\")).Execute(io.Discard, nil))\nadd(\"NAME\", strconv.Itoa(NAME))",
	"NAME, NAMEr := calls, []io.Reader{}\nfor range os.Args {\nNAMEr = append(NAMEr, counted{})\n}\nunused(io.Copy(io.Discard, NAMEr[0]))\nadd(\"NAME\", strconv.Itoa(calls-NAME))",
	"NAME, NAMEr := calls, []any{counted{}, INT}\nunused(json.Marshal(NAMEr[len(os.Args)&1]))\nadd(\"NAME\", strconv.Itoa(calls-NAME))",
	"NAME, NAMEv := calls, any(INT)\nif COND {\nNAMEv = []counted{{1}}\n}\nunused(json.NewEncoder(io.Discard).Encode(NAMEv))\nadd(\"NAME\", strconv.Itoa(calls-NAME))",
	"NAME, NAMEv := calls, make([]counted, len(os.Args))\nunused(json.Unmarshal([]byte(\"[1, 2]\"), &NAMEv))\nadd(\"NAME\", fmt.Sprint(calls-NAME, NAMEv[0]))",
	"NAME := 0\nNAMEf := []func(){func() { NAME++ }, func() { NAME += INT }}\nslices.IndexFunc([]int{1}, func(int) bool { NAMEf[len(os.Args)&1](); return true })\nadd(\"NAME\", strconv.Itoa(NAME))",
	"NAME := sync.Map{}\nNAME.Store(\"x\", INT)\nNAME.Range(func(key, x any) bool {\nAGAIN\nreturn true\n})",
	"NAME, _ := new(sync.Map).LoadOrStore(\"x\", STRING)\nadd(\"NAME\", fmt.Sprint(NAME))",
	"var NAME atomic.Int64\nNAME.Add(2)\nNAME.Store(int64(INT))\nadd(\"NAME\", fmt.Sprint(NAME.Load()))",
	"var NAME atomic.Pointer[S]\nNAME.Store(&S{A: 1})\nNAME.Load().A = INT\nadd(\"NAME\", fmt.Sprint(NAME.Load().A))",
	"var NAME struct{ A int; B string }\nunused(json.Unmarshal([]byte(`{\"A\": 3, \"B\": \"x\"}`), &NAME))\nadd(\"NAME\", fmt.Sprint(NAME.A, NAME.B))",
	"type NAMEkey struct{}\nNAME := context.WithValue(context.Background(), NAMEkey{}, STRING)\nadd(\"NAME\", fmt.Sprint(NAME.Value(NAMEkey{})))",
	"NAME := url.Values{}\nNAME.Set(\"a\", STRING)\nadd(\"NAME\", NAME.Get(\"a\")+NAME.Encode())",
	"NAME := make([]byte, 2)\nunused(strings.NewReader(\"abc\").Read(NAME))\nadd(\"NAME\", string(NAME))",
	"NAME := strings.NewReplacer(\"a\", \"b\")\nadd(\"NAME\", NAME.Replace(STRING))",
	"NAME := 0\nfor _, x := range map[string]int{\"a\": 1, \"b\": 2} {\nNAME += x\n}\nadd(\"NAME\", strconv.Itoa(NAME))",
	"NAME := \"\"\nfor x := range map[string]int{\"a\": 1, \"b\": 2} {\nNAME += x\n}\nadd(\"NAME\", NAME)",
	"for x := range map[string]int{\"a\": 1, \"b\": 2} {\nrouter.MustRegister(runtime.Route{Name: \"NAME\" + x, Queue: runtime.Queue{Name: x}, Handler: runtime.Consume(on)})\n}",
	"for x := range map[string]int{\"a\": 1, \"b\": 2} {\nadd(\"NAME\", x)\nbreak\n}",
	"for x := range map[string]int{\"a\": 1, \"b\": 2} {\nadd(\"NAME\", x)\n}",
}
