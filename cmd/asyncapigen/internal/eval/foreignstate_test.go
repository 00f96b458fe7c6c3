package eval

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// fromSource reads packages of the standard library once for all tests.
var fromSource = importer.ForCompiler(token.NewFileSet(), "source", nil)

// checked returns a package of one file, which imports only the standard library.
func checked(t *testing.T, source string) *load.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	require.NoError(t, err)
	info := &types.Info{
		Types: make(map[ast.Expr]types.TypeAndValue), Defs: make(map[*ast.Ident]types.Object), Uses: make(map[*ast.Ident]types.Object),
		Selections: make(map[*ast.SelectorExpr]*types.Selection),
	}
	config := types.Config{Importer: fromSource}
	pkg, err := config.Check("example.com/p", fset, []*ast.File{file}, info)
	require.NoError(t, err)
	return &load.Package{Path: "example.com/p", Name: "p", Files: []*ast.File{file}, Types: pkg, Info: info}
}

const changedDeclarations = `
type plain struct{ N int }
func (p plain) get() int { return p.N }
func (p *plain) set() {}
type link struct{ to *int }
func (l link) get() int { return 0 }
type getter interface{ get() int }
var (
	n, m, i int
	s, s2 []int
	a [3]int
	lists [2][]int
	pointers []*int
	byPointer map[*int]bool
	ch chan int
	p *int
	st plain
	pst *plain
	l link
	g getter
	any_ any
	mu sync.Mutex
	fn func()
	mfn map[string]func()
	called struct{ f func() }
	re *regexp.Regexp
)
func use(...any) {}
func useFunc(func()) {}
func useSlice([]int) {}
`

func TestChangedVariables_AreThoseThatCodeMayChange(t *testing.T) {
	for code, want := range map[string]string{
		"n = 1":                                "n",
		"(n) = 1":                              "n",
		"n++":                                  "n",
		"m = n":                                "m",
		"n, m = m, 1":                          "m n",
		"s[i] = 1":                             "s",
		"a[i]++":                               "a",
		"*p = n":                               "p",
		"st.N = 1":                             "st",
		"_ = n + m":                            "",
		"_ = s2[i]":                            "",
		"_ = lists[i]":                         "lists",
		"_ = a[n:m]":                           "a",
		"_ = s[n:m]":                           "s",
		"_ = s[n:m][0]":                        "",
		"_ = &n":                               "n",
		"_ = -n":                               "",
		"<-ch":                                 "ch",
		"_ = p":                                "p",
		"_ = any_.(int)":                       "",
		"_ = any_.(*int)":                      "any_",
		"for range s {}":                       "",
		"for i := range s { _ = i }":           "",
		"for _, v := range s { _ = v }":        "",
		"for _, v := range pointers { _ = v }": "pointers",
		"for k := range byPointer { _ = k }":   "byPointer",
		"for k, v := range byPointer { _ = v; _ = k }": "byPointer",
		"for n = range s {}":                           "n",
		"for i, n = range s {}":                        "i n",
		"for range ch {}":                              "ch",
		"_ = len(s) + cap(s2)":                         "",
		"len := useSlice; len(s)":                      "s",
		"use(n)":                                       "",
		"use(s)":                                       "s",
		"fn()":                                         "",
		"useFunc(fn)":                                  "",
		"mfn[\"a\"]()":                                 "",
		"ch <- n":                                      "ch",
		"st.get()":                                     "",
		"st.set()":                                     "st",
		"pst.get()":                                    "pst",
		"l.get()":                                      "l",
		"g.get()":                                      "g",
		"mu.Lock()":                                    "",
		"called.f()":                                   "",
		"re.Longest()":                                 "",
		"if n > 0 { return }":                          "",
		"f := func() { n = 1 }; f(); _ = m":            "n",
	} {
		t.Run(code, func(t *testing.T) {
			pkg := checked(t, "package p\nimport (\"regexp\"; \"sync\")\n"+changedDeclarations+"func code() {\n"+code+"\n}\n")
			decls := pkg.Files[0].Decls
			var names []string
			for v := range changedVariables(pkg, decls[len(decls)-1]) {
				if isPackageVariable(v) {
					names = append(names, v.Name())
				}
			}
			slices.Sort(names)
			require.Equal(t, want, strings.Join(names, " "))
		})
	}
}

func TestIsFixed_HasNoReferencesThatAnybodyWritesThrough(t *testing.T) {
	pkg := checked(t, `package p
import ("reflect"; "regexp"; "strings"; "time"; "unsafe")
type (
	yes1 = int
	yes2 = error
	yes3 = *regexp.Regexp
	yes4 = *strings.Replacer
	yes5 = *time.Location
	yes6 = time.Time
	yes7 = reflect.Type
	yes8 = func()
	yes9 = [2]string
	yesA = struct{ A int; B func(); C error }
	yesB = struct{}
	no1 = unsafe.Pointer
	no2 = []int
	no3 = *int
	no4 = map[int]int
	no5 = chan int
	no6 = any
	no7 = [2]*int
	no8 = struct{ A int; B *int }
	no9 = struct{ A *int; B int }
)
`)
	for _, name := range pkg.Types.Scope().Names() {
		require.Equal(t, strings.HasPrefix(name, "yes"), isFixed(types.Unalias(pkg.Types.Scope().Lookup(name).Type())), name)
	}
	require.False(t, isFixed(nil), "what doesn't compile")
	require.False(t, isArray(nil))
}

func TestGivesCodeTo_WhatKeepsFunctionsOrValues(t *testing.T) {
	pkg := checked(t, `package p
import "time"
type (
	Config struct { Name string; OnError func(error) }
	Data struct { Names []string; Sizes map[string]int }
	Logger struct{ hooks []func() }
	Clock struct{}
	hidden struct{}
)
func (*Logger) Add(func())
func (Clock) Now() time.Time
func (Clock) after(func())
func (hidden) after(func())

func yes1(func())
func yes2(int, any)
func yes3([]Config)
func yes4() *Logger
func yes5() (int, error, *Logger)
func yes6(...error)
func no1()
func no2(int, Data)
func no3() Clock
func no4(hidden, Clock) int
var yes7 func()
var yes8 any
var yes9 = Config{}
var yesA = new(Logger)
var yesB Logger
var yesC struct{ L []Logger }
func yesD() interface{ Add(func()) }
var no5 = 1
var no6 Data
var no7 Clock
const no8 = 1
`)
	for _, name := range pkg.Types.Scope().Names() {
		if isYes := strings.HasPrefix(name, "yes"); isYes || strings.HasPrefix(name, "no") {
			require.Equal(t, isYes, givesCodeTo(pkg.Types.Scope().Lookup(name)), name)
		}
	}
	require.False(t, givesCodeTo(pkg.Types.Scope().Lookup("Config")))
}
