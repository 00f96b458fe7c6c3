package discover_test

import (
	"fmt"
	"strconv"
	"strings"
)

// The functions of the library that the evaluator knows, by what they return.
// In the calls, $s is a string, $i an int, $f a float64, $b a bool, $r a rune,
// $c a complex128, $e an error, $L a []int and $T a []string.
var (
	libraryInts = []string{
		"bits.OnesCount(uint($i))", "bits.Len8(uint8($i))", "len(regexp.MustCompile(`[a-z]`).FindAllString($s, -1))", "len(must(io.ReadAll(strings.NewReader($s))))", "time.Date(2024, 2, $i&31, 0, 0, 0, 0, time.UTC).YearDay()",
		"func() int { var s sink; s.Write([]byte($s)); return len(s.buf) + s.calls }()", "func() (n int) { defer func() { n *= 2 }(); return $i }()", "utf8.RuneCount([]byte($s))", "func() int { r, n := utf8.DecodeRuneInString($s); return int(r) + n }()",
		"strings.Index($s, $s)", "strings.LastIndex($s, $s)", "strings.Count($s, $s)", "strings.Compare($s, $s)", "strings.IndexByte($s, 'a')",
		"strings.IndexAny($s, \"ab\")", "strings.IndexRune($s, $r)", "strings.LastIndexByte($s, 'b')", "utf8.RuneCountInString($s)", "utf8.RuneLen($r)",
		"int(math.Round($f))", "int(math.Ceil($f))", "int(math.Trunc($f))", "int(math.Max($f, $f))", "int(math.Min($f, 9))", "int(math.Pow(2, float64($i&7)))",
		"slices.Index($L, $i)", "slices.Max(append($L, 0))", "slices.Min(append($L, 0))", "cmp.Compare($i, $i)", "sort.SearchInts($L, $i)", "slices.Compare($L, $L)",
		"int(must(strconv.ParseInt($s, 10, 64)))", "int(must(strconv.ParseUint($s, 0, 16)))", "bytes.Compare([]byte($s), []byte($s))", "len(slices.Collect(maps.Keys(map[string]int{$s: 1})))",
		"int(time.Duration($i) * time.Millisecond / time.Microsecond)", "int(unicode.ToUpper($r))", "int(unicode.ToLower($r))", "slices.IndexFunc($L, func(n int) bool { return n > $i })",
	}
	libraryBools = []string{
		"regexp.MustCompile(`^[a-c]+`).MatchString($s)", "reflect.DeepEqual($L, $L)", "json.Valid([]byte($s))", "(any((*S)(nil)) == any((*T)(nil)))", "errors.Is($e, strconv.ErrSyntax)",
		"(struct{ side int }{$i} == square{$i})", "slices.IsSortedFunc($T, strings.Compare)", "func() bool { _, found := slices.BinarySearch(slices.Sorted(slices.Values($L)), $i); return found }()",
		"func() bool { var n atomic.Bool; n.Store($b); return n.CompareAndSwap(true, false) }()", "func() bool { d, err := time.ParseDuration($s); return err == nil && d > 0 }()",
		"strings.Contains($s, $s)", "strings.ContainsAny($s, \"ab\")", "strings.ContainsRune($s, $r)", "strings.EqualFold($s, $s)", "strings.HasPrefix($s, $s)",
		"strings.HasSuffix($s, $s)", "unicode.IsDigit($r)", "unicode.IsLetter($r)", "unicode.IsLower($r)", "unicode.IsUpper($r)", "unicode.IsSpace($r)",
		"unicode.IsPunct($r)", "unicode.IsNumber($r)", "utf8.ValidString($s)", "must(path.Match(\"a*\", $s))", "path.IsAbs($s)", "must(strconv.ParseBool($s))",
		"slices.Contains($L, $i)", "slices.Contains($T, $s)", "slices.Equal($L, $L)", "sort.IntsAreSorted($L)", "slices.IsSorted($L)", "bytes.Equal([]byte($s), []byte($s))",
		"maps.Equal(map[string]int{$s: 1}, map[string]int{$s: 1})", "func() bool { _, _, ok := strings.Cut($s, $s); return ok }()",
		"func() bool { _, ok := strings.CutPrefix($s, $s); return ok }()", "slices.ContainsFunc($L, func(n int) bool { return n == $i })", "strings.ContainsFunc($s, unicode.IsDigit)",
	}
	libraryStrings = []string{
		"strings.Join($T, $s)", "strings.ToLower($s)", "strings.ToUpper($s)", "strings.ToTitle($s)", "strings.TrimSpace($s)", "strings.Trim($s, \"a \")", "strings.TrimLeft($s, \"ab\")",
		"strings.TrimRight($s, $s)", "strings.TrimPrefix($s, $s)", "strings.TrimSuffix($s, $s)", "strings.Repeat($s, $i&3)", "strings.Replace($s, $s, $s, $i&3)",
		"strings.ReplaceAll($s, $s, $s)", "strings.TrimFunc($s, unicode.IsDigit)", "strings.Map(func(r rune) rune { return r + 1 }, $s)",
		"strconv.Quote($s)", "strconv.QuoteRune($r)", "strconv.FormatInt(int64($i), 2+$i&7)", "strconv.FormatUint(uint64($i), 16)", "strconv.FormatFloat($f, 'f', 2, 64)",
		"strconv.FormatBool($b)", "must(strconv.Unquote($s))", "path.Base($s)", "path.Clean($s)", "path.Dir($s)", "path.Ext($s)", "path.Join($s, $s)", "filepath.Join($s, $s)",
		"filepath.Base($s)", "filepath.Dir($s)", "filepath.Clean($s)", "filepath.Ext($s)", "filepath.ToSlash($s)", "url.PathEscape($s)", "url.QueryEscape($s)", "html.EscapeString($s)",
		"hex.EncodeToString([]byte($s))", "time.Duration($i).String()", "time.Month($i&7+1).String()", "time.Weekday($i&3).String()", "fmt.Sprintln($i, $s)", "fmt.Sprint($s, $i, $i, $s)",
		"reflect.TypeOf($i).String()", "reflect.TypeFor[level]().Name()", "func() string { before, after, _ := strings.Cut($s, $s); return after + before }()",
		"func() string { var b strings.Builder; b.WriteString($s); b.WriteByte('-'); b.WriteRune($r); fmt.Fprintf(&b, \"%d\", $i); fmt.Fprint(&b, b.Len()); return b.String() }()",
		"func() string { var b bytes.Buffer; b.WriteString($s); b.Write([]byte{65}); fmt.Fprintln(&b, $i); b.Grow(3); return b.String() }()",
		"fmt.Sprint(slices.Sorted(slices.Values($L)))", "func() string { l := slices.Clone($L); sort.Ints(l); slices.Reverse(l); return fmt.Sprint(l) }()",
		"func() string { l := slices.Clone($L); sort.Slice(l, func(i, j int) bool { return l[i]%3 < l[j]%3 || l[i]%3 == l[j]%3 && l[i] < l[j] }); return fmt.Sprint(l) }()",
		"func() string { l := slices.Clone($T); slices.SortFunc(l, func(a, b string) int { return strings.Compare(b, a) }); return strings.Join(l, \"|\") }()",
		"func() string { h := ints(slices.Clone($L)); heap.Init(&h); heap.Push(&h, $i); return fmt.Sprint(heap.Pop(&h), h.Len()) }()",
		"func() string { l := list.New(); l.PushBack($i); l.PushFront($s); return fmt.Sprint(l.Len(), l.Front().Value, l.Back().Value) }()",
		"func() string { h := ints(slices.Clone($L)); sort.Sort(sort.Reverse(h)); return fmt.Sprint([]int(h)) }()",
		"sync.OnceValue(func() string { return $s })()",
		"func() (s string) { defer func() { s += \"a\" }(); for i := range 3 { defer func(n int) { s += strconv.Itoa(n) }(i) }; defer func() { s = \"<\" + s }(); return $s + \"-\" }()",
		"func() (s string) { defer func() { s += fmt.Sprint(recover()) }(); defer func() { s += \"b\"; panic($s) }(); s = $s; panic(\"c\") }()",
		"hex.EncodeToString(func() []byte { sum := sha256.Sum256([]byte($s)); return sum[:3] }())", "base64.StdEncoding.EncodeToString([]byte($s))",
		"string(must(base64.StdEncoding.DecodeString($s)))", "regexp.MustCompile(`[0-9]+`).ReplaceAllString($s, \"<n>\")", "cmp.Or($s, \"none\")",
		"time.Date(2024, time.Month($i&7+1), $i&31, $i, 0, 0, 0, time.UTC).Format(time.RFC1123)", "(time.Duration($i) * time.Minute).Round(time.Hour).String()",
		"func() string { var b strings.Builder; template.Must(template.New(\"t\").Parse(\"{{range .}}<{{.}}>{{else}}none{{end}}\")).Execute(&b, $T); return b.String() }()",
		"string(must(json.Marshal(map[string]any{\"b\": $i, \"a\": $T, \"c\": $s, \"d\": point{$i, 2}})))",
		"func() string { var x struct { A int; B []string; C map[string]float64 }; err := json.Unmarshal([]byte(fmt.Sprintf(`{\"A\": %d, \"B\": [%q], \"C\": {\"x\": 1.5}}`, $i, $s)), &x); return fmt.Sprint(x, err == nil) }()",
		"func() string { v := url.Values{}; v.Set(\"a\", $s); v.Add(\"a\", $s); v.Add(\"b\", \"1\"); return v.Encode() + v.Get(\"a\") }()",
		"func() string { b := bytes.NewBufferString($s); x := string(b.Next($i & 3)); b.WriteString(\"end\"); return x + \"|\" + b.String() }()",
		"strings.Map(func(r rune) rune { if r == 'a' { return -1 }; return r }, $s)", "func() string { var w sink; fmt.Fprintf(&w, \"%d-%s\", $i, $s); fmt.Fprint(&w, $b); return w.String() }()",
		"func() string { var w sink; io.WriteString(&w, $s); n, _ := io.Copy(&w, strings.NewReader($s)); return fmt.Sprint(n, w.String()) }()",
		"func() string { var m sync.Map; m.Store(\"a\", $i); v, ok := m.Load(\"a\"); _, found := m.LoadOrStore($s, 1); return fmt.Sprint(v, ok, found) }()",
		"func() string { type key struct{}; c := context.WithValue(context.Background(), key{}, $s); return fmt.Sprint(c.Value(key{}), c.Value(1) == nil) }()",
		"func() string { var n atomic.Int64; n.Add(int64($i)); n.Store(n.Load() * 2); return strconv.FormatInt(n.Swap(0), 10) }()",
		"func() string { s := bufio.NewScanner(strings.NewReader($s + \"\\nlast\")); x := \"\"; for s.Scan() { x += \"/\" + s.Text() }; return x }()",
		"func() string { data := make([]byte, 3); n, err := strings.NewReader($s).Read(data); return fmt.Sprint(n, err == io.EOF, string(data[:n])) }()",
		"func() string { m := map[string]int{}; k := \"a\"; m[k], m[\"b\"] = $i, 1; func() { defer delete(m, k); k = \"b\" }(); return fmt.Sprint(m) }()",
		"func() string { m := map[point]int{}; k := point{$i, 1}; m[k] = 1; k.X++; m[*k.Move(1)] += 2; return fmt.Sprint(m, m[k]) }()",
		"func() string { n := $i; next := func() int { n++; return n }; return fmt.Sprint(n*2+next(), n) }()",
		"func() string { p := &[3]int{$i}; x := 0; for i, v := range p { p[2] = 5; x += i * v }; for i, v := range *p { p[2] = 7; x += i + v }; var none *[2]int; for i := range none { x += i }; return fmt.Sprint(x) }()",
		"func() string { n := 0; for k, v := range map[string]int{$s: 1, \"b\": $i, \"c\": 3} { n += len(k) + v }; return strconv.Itoa(n) }()",
		"func() string { m := map[int]string{1: $s, 2: \"b\"}; for k := range m { delete(m, k) }; return fmt.Sprint(m, len(m)) }()",
		"func() string { type local struct{ A int }; x := func() any { type local struct{ A int }; return local{1} }(); return fmt.Sprint(x == any(local{1}), any(local{$i}) == any(local{1})) }()",
		"func() string { a := append([]int(nil), $L...); b := append(a[:len(a):len(a)], $i); c := append(a[:len(a)/2], 7); return fmt.Sprint(a, b, c) }()",
		"func() string { a := make([]int, 2, 6); b, c := append(a, $i), append(a, 8); return fmt.Sprint(b, c, cap(append(b[:2:2], 1, 2, 3))) }()",
		"fmt.Sprintf(\"%#v %#v %#v\", $s, $L, point{$i, 1})", "fmt.Sprintf(\"%d %s %!\", $s, $i)", "fmt.Sprintf(\"%[2]q %[1]*[3]d|\", $i&7, $s, $i)", "fmt.Sprintf(\"%v %+6d\", money($i), money(2))",
		"fmt.Sprintf(\"%s %+v %d\", level($i&3), struct { L level; E error }{level(1), $e}, []level{0})", "fmt.Sprintf(\"%6.2f|%-8q|%+.1e|%x|%t\", $f, $s, $f, []byte($s), $b)", "fmt.Sprintf(\"%v %v\", &point{$i, 1}, []any{nil, $s, $i})",
		"string(strconv.AppendInt([]byte($s), int64($i), 10))", "string(utf8.AppendRune(nil, $r))", "fmt.Sprint(slices.Collect(slices.Chunk($L, 2)))", "string(bytes.ToUpper([]byte($s)))",
		"strings.Join(slices.Collect(strings.Lines($s)), \"|\")", "fmt.Sprint(slices.Sorted(maps.Keys(maps.Collect(slices.All($T)))))", "fmt.Sprint(slices.SortedFunc(slices.Values($L), func(a, b int) int { return b - a }))",
		"(&url.URL{Scheme: \"amqp\", Host: $s, Path: \"/x\"}).String()", "fmt.Sprint(must(url.Parse(\"http://a/\" + url.PathEscape($s) + \"?q=1\")).Path)",
	}
	librarySlices = map[string][]string{
		"[]string": {
			"strings.Split($s, $s)", "strings.SplitN($s, \"a\", $i&3)", "strings.SplitAfter($s, \",\")", "strings.Fields($s)", "slices.Sorted(maps.Keys(map[string]int{$s: 1, $s + \"x\": 2}))",
			"slices.Compact($T)", "slices.Insert($T, 0, $s)", "slices.Collect(strings.SplitSeq($s, \"a\"))", "strings.FieldsFunc($s, unicode.IsSpace)",
		},
		"[]int": {
			"slices.Sorted(slices.Values($L))", "slices.Compact(slices.Clone($L))", "slices.Repeat($L, $i&1)", "slices.Concat($L, $L)", "slices.Collect(count($i&3))",
			"slices.DeleteFunc(slices.Clone($L), func(n int) bool { return n == $i })", "slices.Insert(slices.Clone($L), 0, $i)", "slices.Grow($L, 3)", "slices.Clip($L)",
			"slices.Delete(slices.Clone(append($L, 0)), 0, 1)", "slices.Sorted(maps.Values(map[string]int{\"a\": $i, \"b\": $i}))",
		},
	}
)

func (g *generator) libraryInt(of func(string) string) string { return g.filled(libraryInts, of) }

func (g *generator) libraryBool(of func(string) string) string { return g.filled(libraryBools, of) }

func (g *generator) libraryString(of func(string) string) string { return g.filled(libraryStrings, of) }

func (g *generator) librarySlice(kind string, of func(string) string) string {
	return g.filled(librarySlices[kind], of)
}

var placeholders = map[byte]string{'s': "string", 'i': "int", 'f': "float64", 'b': "bool", 'r': "rune", 'L': "[]int", 'T': "[]string", 'e': "error", 'c': "complex128"}

// filled returns one of the calls, with arguments.
func (g *generator) filled(calls []string, of func(string) string) string {
	parts := strings.Split(calls[g.next(len(calls))], "$")
	text := parts[0]
	for _, part := range parts[1:] {
		if part[0] == 'k' { // a small constant
			text += strconv.Itoa(g.next(9)) + part[1:]
			continue
		}
		text += fmt.Sprintf("(%s)", of(placeholders[part[0]])) + part[1:]
	}
	return text
}
