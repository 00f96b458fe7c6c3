package eval_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var decodingImports = []string{"encoding/json", "fmt", "io", "log/slog", "os", "strings", "time"}

// decodingDeclarations have a target of a decoder with something of each kind in it, and what
// others have of it.
const decodingDeclarations = `
var (
	_           = strings.Join
	_ io.Writer = os.Stderr
)

type sub struct {
	Host string
	Port int
	Tags []string
	Next *end
}

type end struct {
	Host string
	Port int
	Next *struct{ Port int }
}

type level int

func (l *level) UnmarshalText(text []byte) error { *l = level(len(text)); return nil }

type small uint8

func (l *small) UnmarshalText(text []byte) error { *l = small(len(text)); return nil }

type Grade level

func (l *Grade) UnmarshalText(text []byte) error { *l = Grade(len(text)); return nil }

type Other struct{ N int }

func (o *Other) UnmarshalText(text []byte) error { o.N = len(text); return nil }

type both struct {
	Grade
	Other
}

type base struct {
	Queue    string
	Prefetch int ` + "`json:\",omitempty\"`" + `
	hidden   int
}

type shaped struct {
	base
	Name  string
	Log   io.Writer     ` + "`json:\"-\"`" + `
	Call  func() string ` + "`json:\"-\"`" + `
	Count int           ` + "`json:\"-,\"`" + `
}

type X1 struct{ X string }

type A1 struct{ X1 }

type B1 struct{ X1 }

type alike struct {
	A1
	B1
}

type alikeByPointer struct {
	*A1
	B1
	Y string
}

type leveled struct {
	Level slog.Level
	By    map[slog.Level][]slog.Level
}

type variable struct {
	Level slog.LevelVar
	N     int
}

type dated struct{ time.Time }

type hiding struct {
	Name   string
	hidden int
}

type omitting struct {
	Of hiding ` + "`json:\",omitzero\"`" + `
}

type name string

type target struct {
	Subs     []sub
	Pointers []*sub
	Room     []sub
	Lists    [][]string
	Map      map[string]sub
	ByName   map[name]*sub
	ListsBy  map[string][]string
	Any      map[string]any
	Anys     []any
	One      any
	Two      [2]sub
	P        *sub
	Raw      json.RawMessage
	Bytes    []byte
	Octets   []uint16
}

func filled() target {
	return target{
		Subs:     []sub{{"a", 1, []string{"x"}, &end{Host: "n"}}, {Host: "b", Port: 2}},
		Pointers: []*sub{{Host: "c", Port: 3}, nil},
		Room:     append(make([]sub, 0, 3), sub{Host: "r1"}, sub{Host: "r2", Tags: []string{"rest"}})[:1],
		Lists:    [][]string{{"l", "m"}, nil},
		Map:      map[string]sub{"a": {Host: "h", Port: 1, Tags: []string{"t"}}, "b": {Port: 2}},
		ByName:   map[name]*sub{"a": {Host: "h", Port: 1}},
		ListsBy:  map[string][]string{"a": {"1", "2"}},
		Any:      map[string]any{"a": name("n"), "b": map[string]int{"k": 1}, "c": sub{Host: "s"}},
		Anys:     []any{name("n"), 1, nil},
		One:      []name{"o"},
		Two:      [2]sub{{Host: "t1"}, {Host: "t2", Next: &end{Host: "t3"}}},
		P:        &sub{Host: "p", Tags: []string{"q"}},
		Raw:      json.RawMessage{'[', '1', ',', '2', ']'},
		Bytes:    []byte{'a', 'b', 'c'},
		Octets:   []uint16{1, 2, 3},
	}
}

func decoded(document string) {
	c := filled()
	was := c
	next, first, last, p := c.Subs[0].Next, &c.Subs[0], &c.Subs[1], c.P
	failed := json.Unmarshal([]byte(document), &c) != nil
	for _, one := range []any{c, was, was.Subs[:2], was.Room[:3], next, first, last, p} {
		text, _ := json.Marshal(one)
		show(string(text))
	}
	show(fmt.Sprintf("%t %T %T %T %T %T %T", failed, c.Any["a"], c.Any["b"], c.Any["c"], c.One, c.Anys[:1:1], c.ByName))
	show(fmt.Sprint(cap(c.Subs), cap(c.Pointers), cap(c.Room), cap(c.Lists), cap(c.Anys), cap(c.Raw), cap(c.Bytes), cap(c.Octets)))
	show(fmt.Sprint(c.P == p, len(c.Subs) > 0 && &c.Subs[0] == first, len(c.Subs) > 0 && c.Subs[0].Next == next, c.Map == nil, was.Map == nil))
	c.Map = map[string]sub{"written": {}}
	if len(c.Subs) > 0 {
		c.Subs[0].Host = "written"
	}
	c.Subs, c.Room = append(c.Subs, sub{}), append(c.Room, sub{Host: "added"})
	show(fmt.Sprint(first.Host, was.Subs[0].Host, len(was.Map), was.Room[:2][1].Host))
}
`

// What a decoder finds in its target is kept, reset, or merged with what it reads, and others
// may have it too.
func TestJSONDecoder_MergesWithWhatIsThere(t *testing.T) {
	var bodies []struct{ name, body string }
	for _, document := range []string{
		`{}`, `null`, `{"Subs": [{"Port": 9}]}`, `{"Subs": [{"Port": 9}, {}, {"Host": "new"}]}`, `{"Subs": []}`, `{"Subs": null}`, `{"Subs": [null, {"Tags": ["y", "z"]}]}`,
		`{"Subs": [{"Next": {"Port": 5}, "Tags": ["w"]}, {}, {}]}`, `{"Subs": [{"Next": null}]}`, `{"Subs": [{"Next": null}], "Subs": [{"Next": {"Port": 1}}]}`,
		`{"Subs": [{}, {}, {}], "Subs": [{"Host": "again", "Next": {"Host": "both"}}]}`, `{"Subs": null, "Subs": [{"Port": 4}]}`, `{"Subs": [{"Port": "wrong"}, {"Port": 7}]}`,
		`{"Pointers": [{"Port": 9}, {"Port": 8}]}`, `{"Pointers": [null, null, {}]}`, `{"Room": [{"Port": 1}, {"Port": 2}]}`, `{"Room": [{}, {}, {}, {"Port": 4}]}`, `{"Room": []}`,
		`{"Lists": [["n"], ["o"], ["p"]]}`, `{"Lists": [[], null]}`, `{"Map": {"a": {"Port": 7}, "c": {}}}`, `{"Map": {"b": null}}`, `{"Map": null}`, `{"Map": null, "Map": {"d": {}}}`, `{"Map": {"b": 5, "e": {"Host": "e"}}}`,
		`{"ByName": {"a": {"Port": 7}, "b": null}}`, `{"ListsBy": {"a": ["3"], "b": []}}`, `{"Any": {"a": "other", "d": [1]}}`, `{"Any": {"b": {"l": 2}, "c": null}}`,
		`{"Anys": [{"k": []}, null]}`, `{"Anys": [1, 2, 3, "four"]}`, `{"One": {"a": 1}}`, `{"One": null}`, `{"Two": [{"Port": 1}]}`, `{"Two": [{}, {"Next": {"Port": 2}}, {}]}`,
		`{"P": {"Port": 1, "Tags": ["r"]}}`, `{"P": null}`, `{"P": null, "P": {"Port": 3}}`, `{"P": {"Port": 6}, "P": null}`, `{"P": {"Next": {"Next": {}}}}`,
		`{"Raw": [3]}`, `{"Raw": {"longer": true}}`, `{"Bytes": "eHl6"}`, `{"Bytes": [1, 2]}`, `{"Octets": [7]}`, `{"Octets": [7, 8, 9, 10, 11]}`, `{"Subs": [{"Port": 9}`,
	} {
		bodies = append(bodies, struct{ name, body string }{strings.NewReplacer("/", "", " ", "").Replace(document), fmt.Sprintf("decoded(%q)", document)})
	}
	bodies = append(bodies, []struct{ name, body string }{
		{"maps", `m := map[string]sub{"a": {Host: "h", Port: 1}, "b": {}}; n := m; show(json.Unmarshal([]byte("{\"a\": {\"Port\": 2}}"), &m) == nil); show(fmt.Sprint(m, n))`},
		{"the room of a slice", `f := make([]int, 0, 4); g := f[:1]; show(json.Unmarshal([]byte("[1,2]"), &f)); show(g[0]); show(cap(f))`},
		{"maps in an array", `var a struct{ A [1]map[string][]int }; m := map[string][]int{"a": {1}}; a.A[0] = m; show(json.Unmarshal([]byte("{\"A\":[{\"b\":[2]}]}"), &a) == nil); show(fmt.Sprint(a, m))`},
		{"a map of what decodes itself", `m := map[string]level{}; show(json.Unmarshal([]byte("{\"a\": \"xyz\"}"), &m) == nil); show(int(m["a"]))`},
		{"what decodes itself", `l := []level{1, 2}; k := l; show(json.Unmarshal([]byte("[\"xyz\"]"), &l) == nil); show(len(l)); show(int(l[0])); show(int(k[0])); show(int(k[1]))`},
		{"what decodes itself in an array of zeros", `var a [3]level; p := &a[1]; show(json.Unmarshal([]byte("[\"xyz\", \"a\"]"), &a) == nil); show(int(a[0])); show(int(*p)); show(int(a[2]))`},
		{"what isn't exported in an array of zeros", `var a [2]hiding; show(json.Unmarshal([]byte("[{\"Name\": \"c\"}]"), &a) == nil); show(a[0].Name); show(a[1].hidden)`},
		{"what isn't exported", `l := []hiding{{"a", 1}, {"b", 2}}; k := l; show(json.Unmarshal([]byte("[{\"Name\": \"c\"}]"), &l) == nil); show(len(l)); show(l[0].hidden); show(k[0].Name); show(k[1].hidden)`},
		{"the room of what decodes itself", `var l []level; show(json.Unmarshal([]byte("[\"xyz\", \"a\", \"b\"]"), &l) == nil); show(cap(l)); l = append(l, 5); show(int(l[3]))`},
		{"numbers as they are written", `d := json.NewDecoder(strings.NewReader("{\"a\": 1.50, \"b\": [10000000000000000000000, 1e2]} 5 \"6\"")); d.UseNumber(); var v any; show(d.Decode(&v) == nil); m := v.(map[string]any); n := m["a"].(json.Number); show(n.String()); f, err := n.Float64(); show(f); show(err == nil); show(fmt.Sprintf("%T %v", m["b"].([]any)[0], m["b"].([]any)[1])); _, err = n.Int64(); show(err != nil); show(d.Decode(&v) == nil); i, err := v.(json.Number).Int64(); show(int(i)); var own struct{ N json.Number }; show(d.Decode(&n) == nil); show(string(n)); show(json.Unmarshal([]byte("{\"N\": 7}"), &own) == nil); show(string(own.N)); text, err := json.Marshal(own); show(string(text)); show(err == nil); show(json.Unmarshal([]byte("{\"N\": \"x\"}"), &own) == nil); _, err = json.Marshal(struct{ N json.Number }{"x"}); show(err == nil)`},
		{"a struct that is embedded and isn't exported", `c := shaped{base: base{Queue: "q", hidden: 1}, Log: os.Stderr}; show(json.Unmarshal([]byte("{\"Queue\":\"a\",\"Prefetch\":2,\"Name\":\"n\",\"Log\":5,\"base\":{\"Queue\":\"b\"},\"Embedded0\":{\"Queue\":\"c\"}}"), &c) == nil); show(c.Queue); show(c.Prefetch); show(c.hidden); show(c.Name); show(c.Log != nil); text, err := json.Marshal(c); show(string(text)); show(err == nil); var l []shaped; show(json.Unmarshal([]byte("[{\"Queue\":\"a\"},{\"Name\":\"n\"},{},{}]"), &l) == nil); show(cap(l)); show(l[0].Name + l[0].Queue + l[1].Name)`},
		{"what is embedded and looks like another", `var v alike; show(json.Unmarshal([]byte("{\"X\":\"v\"}"), &v) == nil); show(v.A1.X + v.B1.X); w := alikeByPointer{A1: &A1{}}; show(json.Unmarshal([]byte("{\"X\":\"v\",\"Y\":\"y\"}"), &w) == nil); show(w.A1.X + w.B1.X + w.Y); w.A1.X, w.B1.X = "1", "2"; text, err := json.Marshal(w); show(string(text)); show(err == nil); text, err = json.Marshal(v); show(string(text)); show(err == nil)`},
		{"levels of logs", `s := leveled{Level: slog.LevelError}; show(json.Unmarshal([]byte("{\"Level\":\"warn+1\",\"By\":{\"info\":[\"debug\",\"ERROR-2\"]}}"), &s) == nil); show(int(s.Level)); show(int(s.By[0][1])); text, err := json.Marshal(s); show(string(text)); show(err == nil); show(json.Unmarshal([]byte("{\"Level\":\"loud\"}"), &s) == nil); show(int(s.Level)); show(json.Unmarshal([]byte("{\"Level\":4}"), &s) == nil); show(int(s.Level))`},
		{"any value", `var v any = map[string]int{"a": 1}; show(json.Unmarshal([]byte("{\"b\": {}}"), &v) == nil); show(len(v.(map[string]any)))`},
	}...)
	requireAsPrinted(t, decodingImports, decodingDeclarations, bodies)
}

// What a mirror doesn't have, and what two parts of a target lead to, isn't known.
func TestJSONDecoder_LeavesOpenWhatItsTargetHasBesides(t *testing.T) {
	for _, one := range []struct{ name, body string }{
		{"what isn't exported and is copied", `l := []hiding{{"a", 1}}; json.Unmarshal([]byte("[{}, {}]"), &l); show(l[0].hidden)`},
		{"what isn't exported and is set to zero", `l := [2]hiding{{"a", 1}, {"b", 2}}; json.Unmarshal([]byte("[{}]"), &l); show(l[1].hidden)`},
		{"what isn't exported in a map", `m := map[string]hiding{"a": {"a", 1}}; json.Unmarshal([]byte("{}"), &m); show(m["a"].hidden)`},
		{"what decodes itself and is copied", `l := []level{1}; json.Unmarshal([]byte("[null, null]"), &l); show(int(l[0]))`},
		{"what decodes itself and is set to zero", `l := [2]level{1, 2}; json.Unmarshal([]byte("[]"), &l); show(int(l[1]))`},
		{"what decodes itself in a map", `m := map[string]level{"a": 1}; json.Unmarshal([]byte("{}"), &m); show(int(m["a"]))`},
		{"the room of what decodes itself and is small", `var l []small; json.Unmarshal([]byte("[\"xyz\", \"a\", \"b\"]"), &l); show(cap(l))`},
		{"a pointer in an interface", `n := 1; var v any = &n; json.Unmarshal([]byte("2"), &v); show(n)`},
		{"a pointer to nothing", `s := struct{ P *struct{} }{new(struct{})}; json.Unmarshal([]byte("{}"), &s); show(s.P == nil)`},
		{"elements without a size", `s := []struct{}{{}}; json.Unmarshal([]byte("[]"), &s); show(len(s))`},
		{"bytes that decode themselves, as a text", `var l []small; json.Unmarshal([]byte("\"eHl6\""), &l); show(len(l))`},
		{"what decodes itself in a text", `var s struct{ L level ` + "`json:\",string\"`" + ` }; json.Unmarshal([]byte("{}"), &s); show(int(s.L))`},
		{"a pointer to what decodes itself in a text", `var s struct{ L *level ` + "`json:\"l,omitempty,string\"`" + ` }; json.Unmarshal([]byte("{}"), &s); show(s.L == nil)`},
		{"what decodes itself and is embedded beside another", `var b both; json.Unmarshal([]byte("{}"), &b); show(b.N)`},
		{"a part of the document", `document := []byte("{\"Tail\": [88, 88], \"Name\": \"abcdef\"}"); s := struct { Tail []byte; Name string }{Tail: document[27:29:29]}; json.Unmarshal(document, &s); show(s.Name)`},
		{"what the library has decode itself", `var s variable; json.Unmarshal([]byte("{\"Level\":\"INFO\"}"), &s); show(s.N)`},
		{"what is decoded by a method of the library", `var d dated; json.Unmarshal([]byte("\"2024-01-01T00:00:00Z\""), &d); show(d.Year())`},
		{"an embedded struct that isn't exported and has a name", `var s struct { base ` + "`json:\"b\"`" + `; N int }; json.Unmarshal([]byte("{}"), &s); show(s.N)`},
		{"a zero value that has more", `b, _ := json.Marshal(omitting{Of: hiding{hidden: 1}}); show(string(b))`},
		{"a pointer of a type of its own to what decodes itself", `type to *level; var v struct{ P to }; json.Unmarshal([]byte("{\"P\":5}"), &v); show(v.P == nil)`},
		{"a target of a type of its own", `type to *level; l := level(1); json.Unmarshal([]byte("\"a\""), to(&l)); show(int(l))`},
		{"two slices of an array", `s := struct{ A, B []int }{}; s.A = []int{1, 2}; s.B = s.A[1:]; json.Unmarshal([]byte("{}"), &s); show(s.B[0])`},
	} {
		t.Run(one.name, func(t *testing.T) {
			source := libraryProgram(decodingImports, decodingDeclarations, []struct{ name, body string }{one}, 0, 1)
			shown := evaluate(t, source).shown
			require.Len(t, shown, 2)
			require.Regexp(t, "^unknown: (a value that json.Unmarshal may have changed|the capacity of a slice|the result of json.Marshal)", shown[1])
		})
	}
}
