package eval_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// capturedDeclarations have types that decode themselves, and what their methods do beside.
const capturedDeclarations = `
var _, _, _, _ = io.EOF, strings.Join, fmt.Sprint, time.Second

var (
	meddle   func(w *word, data []byte)
	registry []*word
	byName   = map[string]*word{}
	taken    []byte
	shared   = &pair{X: 1}
)

type pair struct{ X, Y int }

type word struct {
	Text  string
	Own   []string
	owner *owner
	to    *pair
	kept  []byte
	self  *word
	box   [2]int
	part  []int
	say   func() string
}

func (w *word) UnmarshalJSON(data []byte) error {
	if w.Text = string(data); meddle != nil {
		meddle(w, data)
	}
	return nil
}

type owner struct {
	Word word
	Name string
	To   *pair
}

type level int

func (l *level) UnmarshalText(text []byte) error {
	*l = level(len(text))
	_ = append(text, '!')
	return nil
}

type closed int

func (c *closed) UnmarshalJSON(data []byte) error {
	if string(data) == "2" {
		panic("two")
	}
	*c = closed(len(data))
	return nil
}

// A later reader panics once.
type later struct{ n int }

func (l *later) Read(p []byte) (int, error) {
	switch l.n++; l.n {
	case 1:
		return copy(p, "{\"X\":"), nil
	case 2:
		panic("later")
	}
	return copy(p, "5}"), io.EOF
}

// A keeping reader keeps what it is to fill.
type keeping struct {
	n    int
	room []byte
}

func (k *keeping) Read(p []byte) (int, error) {
	if k.n++; k.n > 1 {
		return 0, io.EOF
	}
	k.room = p
	return copy(p, "5 6"), nil
}

// A telling reader says that it has filled more than it has.
type telling struct{ n int }

func (t *telling) Read(p []byte) (int, error) {
	if t.n++; t.n > 1 {
		return 0, io.EOF
	}
	p[0] = '7'
	return 2, io.EOF
}

// A keyed reader keeps where an element of its room is.
type keyed struct {
	n    int
	seen map[*byte]bool
}

func (k *keyed) Read(p []byte) (int, error) {
	if k.n++; k.n > 1 {
		return 0, io.EOF
	}
	k.seen[&p[0]] = true
	return copy(p, "5 6"), nil
}

type refusing int

func (*refusing) UnmarshalJSON([]byte) error { return io.ErrShortWrite }

func rescued(f func() error) (text string) {
	defer func() {
		if v := recover(); v != nil {
			text = fmt.Sprint(v)
		}
	}()
	return fmt.Sprint(f())
}
`

var capturedImports = []string{"encoding/json", "fmt", "io", "strings", "time"}

// What a method does with its own variable, and what it makes anew, is its own affair. A
// decoder that a panic passes through goes on behind what it has read.
func TestMethodsThatDecode_AreFollowed(t *testing.T) {
	requireAsPrinted(t, capturedImports, capturedDeclarations, []struct{ name, body string }{
		{"what a field's method keeps of it", `registry = nil; meddle = func(w *word, _ []byte) { registry = append(registry, w); w.self = w }; var s struct{ A word; B [2]word; C *word }; show(json.Unmarshal([]byte("{\"A\":1,\"B\":[2,3],\"C\":4}"), &s) == nil); s.A.Text = "a"; s.B[1].Text = "b"; for _, w := range registry { show(w.Text) }; show(s.C.self == s.C)`},
		{"what a pointer's method keeps of it", `registry = nil; meddle = func(w *word, _ []byte) { registry = append(registry, w) }; var s struct{ A []*word; B map[string]*word }; show(json.Unmarshal([]byte("{\"A\":[1,2],\"B\":{\"x\":3}}"), &s) == nil); s.A[0].Text = "a"; s.B["x"].Text = "b"; for _, w := range registry { show(w.Text) }`},
		{"what a method copies", `meddle = func(w *word, data []byte) { w.kept = append(w.kept[:0], data...); data = data[:0]; w.Own = append(w.Own, "own") }; var s []word; show(json.Unmarshal([]byte("[1,22]"), &s) == nil); show(string(s[1].kept)); show(s[0].Own[0])`},
		{"what a method sees of its own", `s := struct{ A word; B int }{A: word{to: shared}}; meddle = func(w *word, _ []byte) { w.to.X++ }; show(json.Unmarshal([]byte("{\"A\":1,\"B\":2}"), &s) == nil); show(shared.X)`},
		{"a long text", `var c closed; show(json.Unmarshal([]byte("\""+strings.Repeat("x", 1<<16-2)+"\""), &c) == nil); show(int(c))`},
		{"a method that panics", `d := json.NewDecoder(strings.NewReader("1 2 3 44")); for range 5 { var c closed; end := rescued(func() error { return d.Decode(&c) }); show(end); if end != "two" { show(int(c)) } }`},
		{"a reader that panics", `d := json.NewDecoder(&later{}); var p pair; show(rescued(func() error { return d.Decode(&p) })); show(rescued(func() error { return d.Decode(&p) })); show(p.X)`},
	})
}

// What package json does with the memory that it gives to methods isn't followed.
func TestMethodsThatDecode_AreLostWhereTheyMeddle(t *testing.T) {
	const (
		uses    = "uses what the rest of the document is decoded into"
		keeps   = "keeps what it gets"
		appends = "may append to the document"
		copied  = "a method uses the document while that is decoded"
	)
	for _, one := range []struct{ name, body, want string }{
		{"its own variable leads to the rest", `o := &owner{Name: "before"}; o.Word.owner = o; meddle = func(w *word, _ []byte) { w.Text = w.owner.Name }; show(json.Unmarshal([]byte("{\"Word\":1,\"Name\":\"after\"}"), o) == nil)`, uses},
		{"its own variable leads to what is decoded", `o := &owner{To: shared}; o.Word.to = shared; meddle = func(w *word, _ []byte) { w.to.X = 7 }; show(json.Unmarshal([]byte("{\"Word\":1,\"To\":{\"X\":5}}"), o) == nil)`, uses},
		{"its own function leads to the rest", `o := &owner{Name: "before"}; o.Word.say = func() string { return o.Name }; meddle = func(w *word, _ []byte) { w.Text = w.say() }; show(json.Unmarshal([]byte("{\"Word\":1,\"Name\":\"after\"}"), o) == nil)`, uses},
		{"another part leads to its own variable", `type both struct { Word word; Text *string }; var o both; o.Text = &o.Word.Text; meddle = func(w *word, _ []byte) { w.self = nil; _ = w.Text }; show(json.Unmarshal([]byte("{\"Word\":1,\"Text\":\"after\"}"), &o) == nil)`, uses},
		{"it keeps an element", `meddle = func(w *word, _ []byte) { registry = append(registry, w) }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil)`, keeps},
		{"it keeps an entry", `meddle = func(w *word, _ []byte) { byName[w.Text] = w }; var s map[string]word; show(json.Unmarshal([]byte("{\"a\":1,\"b\":2}"), &s) == nil)`, keeps},
		{"it keeps an element in itself", `meddle = func(w *word, _ []byte) { w.self = w }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil)`, keeps},
		{"it keeps a part of an element", `meddle = func(w *word, _ []byte) { w.part = w.box[:] }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil)`, keeps},
		{"a function of it keeps an element", `var said []func() string; meddle = func(w *word, _ []byte) { said = append(said, func() string { return w.Text }) }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil); show(len(said))`, keeps},
		{"a goroutine of it has an element", `done := make(chan bool, 9); meddle = func(w *word, _ []byte) { go func() { w.Text = ""; done <- true }() }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil)`, keeps},
		{"other code may call it with an element", `meddle = func(w *word, _ []byte) { http.HandleFunc("/"+w.Text, func(http.ResponseWriter, *http.Request) { w.Text = "" }) }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil)`, keeps},
		{"it keeps an element as a key", `seen := map[*word]bool{}; meddle = func(w *word, _ []byte) { seen[w] = true }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil)`, keeps},
		{"it keeps an element in a key", `seen := map[any]int{}; meddle = func(w *word, _ []byte) { seen[struct{ w *word }{w}]++ }; var s []word; show(json.Unmarshal([]byte("[1,2,3]"), &s) == nil)`, keeps},
		{"a decoder keeps the document", `var d *json.Decoder; meddle = func(_ *word, data []byte) { d = json.NewDecoder(bytes.NewReader(data)) }; var s struct{ A word }; show(json.Unmarshal([]byte("{\"A\":1}"), &s) == nil); show(d == nil)`, keeps},
		{"it panics with the document", `meddle = func(_ *word, data []byte) { panic(data) }; var s struct{ A word }; defer func() { recover() }(); json.Unmarshal([]byte("{\"A\":1}"), &s)`, keeps},
		{"it keeps the document", `meddle = func(_ *word, data []byte) { taken = data }; var s struct{ A word }; show(json.Unmarshal([]byte("{\"A\":1}"), &s) == nil)`, keeps},
		{"it keeps the document in itself", `meddle = func(w *word, data []byte) { w.kept = data[1:] }; var s struct{ A word }; show(json.Unmarshal([]byte("{\"A\":123}"), &s) == nil)`, keeps},
		{"it appends to the document", `meddle = func(_ *word, data []byte) { _ = append(data, ';') }; var s struct{ A word; B int }; show(json.Unmarshal([]byte("{\"A\":1,\"B\":2}"), &s) == nil)`, appends},
		{"it appends much to the document", `meddle = func(_ *word, data []byte) { _ = append(data, "123456789"...) }; var s struct{ A word; B int }; show(json.Unmarshal([]byte("{\"A\":1,\"B\":2}"), &s) == nil)`, appends},
		{"it appends to a text", `var s struct{ A level }; show(json.Unmarshal([]byte("{\"A\":\"x\"}"), &s) == nil)`, appends},
		{"it reads the document", `taken = []byte("{\"A\":1,\"B\":2}"); meddle = func(w *word, _ []byte) { w.Text = string(taken[:3]) }; var s struct{ A word; B int }; show(json.Unmarshal(taken, &s) == nil)`, copied},
		{"it changes the document", `taken = []byte("{\"A\":1,\"B\":2}"); meddle = func(*word, []byte) { taken[11] = '3' }; var s struct{ A word; B int }; show(json.Unmarshal(taken, &s) == nil)`, copied},
	} {
		t.Run(one.name, func(t *testing.T) {
			source := libraryProgram(append(capturedImports, "bytes", "net/http"), capturedDeclarations+"var (\n\t_ http.Handler\n\t_ bytes.Buffer\n)\n", []struct{ name, body string }{{one.name, one.body}}, 0, 1)
			lost := evaluate(t, source).lost
			require.NotEmpty(t, lost)
			require.Contains(t, strings.Join(lost, "\n"), one.want)
		})
	}
}

// What a decoder has read before is in the room that it gives to a reader, which it uses again.
// How a zone is named depends on the machine.
func TestJSONDecoder_LeavesOpenWhatIsOfItsReaderOrTheMachine(t *testing.T) {
	for name, body := range map[string]string{
		"it keeps the room as a key": `k := &keyed{seen: map[*byte]bool{}}; d := json.NewDecoder(k); var n int; show(d.Decode(&n) == nil); show(n)`,
		"a method fails":             `list := []string{"orders"}; s := struct { A closed; List []string }{List: list}; meddle = nil; type failing struct { List []string; W refusing }; f := failing{List: list}; _ = json.Unmarshal([]byte("{\"W\":1,\"List\":[\"a\",\"b\"]}"), &f); show(len(s.List)); show(list[0])`,
		"a decoder looks ahead":      `t := &telling{}; d := json.NewDecoder(t); d.More(); show(t.n)`,
		"it keeps the room":          `d := json.NewDecoder(&keeping{}); var n int; show(d.Decode(&n) == nil); show(n)`,
		"it fills less than it says": `d := json.NewDecoder(&telling{}); var n int; show(d.Decode(&n) == nil); show(n)`,
		"a time of another zone":     `at := time.Time{}; _ = json.Unmarshal([]byte("\"2024-01-01T00:00:00+01:00\""), &at); show(at.String())`,
	} {
		t.Run(name, func(t *testing.T) {
			source := libraryProgram(capturedImports, capturedDeclarations, []struct{ name, body string }{{name, body}}, 0, 1)
			shown := evaluate(t, source).shown
			require.Contains(t, shown[len(shown)-1], "unknown: ")
		})
	}
}
