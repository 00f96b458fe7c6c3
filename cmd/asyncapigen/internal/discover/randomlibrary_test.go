package discover_test

import (
	"fmt"
	"strings"
)

// The functions of the library that the evaluator knows, by what they return.
// In the calls, $s is a string, $i an int, $f a float64, $b a bool, $r a rune,
// $c a complex128, $e an error, $L a []int and $T a []string.
var (
	libraryInts = []string{
		"strings.Index($s, $s)", "strings.LastIndex($s, $s)", "strings.Count($s, $s)", "strings.Compare($s, $s)", "strings.IndexByte($s, 'a')",
		"strings.IndexAny($s, \"ab\")", "strings.IndexRune($s, $r)", "strings.LastIndexByte($s, 'b')", "utf8.RuneCountInString($s)", "utf8.RuneLen($r)",
		"int(math.Round($f))", "int(math.Ceil($f))", "int(math.Trunc($f))", "int(math.Max($f, $f))", "int(math.Min($f, 9))", "int(math.Pow(2, float64($i&7)))",
		"slices.Index($L, $i)", "slices.Max(append($L, 0))", "slices.Min(append($L, 0))", "cmp.Compare($i, $i)", "sort.SearchInts($L, $i)", "slices.Compare($L, $L)",
		"int(must(strconv.ParseInt($s, 10, 64)))", "int(must(strconv.ParseUint($s, 0, 16)))", "bytes.Compare([]byte($s), []byte($s))", "len(slices.Collect(maps.Keys(map[string]int{$s: 1})))",
		"int(time.Duration($i) * time.Millisecond / time.Microsecond)", "int(unicode.ToUpper($r))", "int(unicode.ToLower($r))", "slices.IndexFunc($L, func(n int) bool { return n > $i })",
	}
	libraryBools = []string{
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
		text += fmt.Sprintf("(%s)", of(placeholders[part[0]])) + part[1:]
	}
	return text
}
