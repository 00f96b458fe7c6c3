package eval_test

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// explaining is a user that notes where what show is called with comes from.
type explaining struct{ recorder }

func (e *explaining) Call(call *model.Call) (value.Value, bool) {
	if call.Fn.Obj.Name() != "show" {
		return nil, false
	}
	e.shown = append(e.shown, lineage(call.Args[0].(value.Const).Origin))
	return value.Tuple{}, true
}

// lineage writes an origin with those behind it in parentheses.
func lineage(o *diagnostic.Origin) string {
	if o == nil {
		return "nothing"
	}
	if len(o.From) == 0 {
		return o.Text
	}
	from := make([]string, len(o.From))
	for i, behind := range o.From {
		from[i] = lineage(behind)
	}
	return o.Text + "(" + strings.Join(from, ", ") + ")"
}

func TestExplain_NotesWhereValuesComeFrom(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{`show("a")`, `"a"`},
		{`show("a" + "b")`, `"a" + "b"`},
		{`s := "a"; show(s)`, `s("a")`},
		{`s := "a"; show(s + "b")`, `s + "b"(s("a"), "b")`},
		{`s := "a"; show((s))`, `s("a")`},
		{`show(shop)`, `shop(shop = "shop")`},
		{`show(shop + "s")`, `shop + "s"`},
		{`show(true)`, `true`},
		{`show(math.MaxInt8)`, `math.MaxInt8`},
		{`f := func() string { s := "a"; return s }; show(f())`, `f()(s("a"))`},
		{`show(strings.ToUpper("a"))`, `strings.ToUpper("a")("a")`},
		{`s := strings.ToUpper("a"); show(s)`, `s(strings.ToUpper("a")("a"))`},
		{`f := func(s string) string { return strings.ToUpper(s) }; s := f("a"); show(s)`, `s(f("a")(strings.ToUpper(s)(s("a"))))`},
		{`n := 1; show(fmt.Sprint(n, n+1))`, `fmt.Sprint(n, n + 1)(n(1), n + 1(n(1), 1))`},
		{`n := 1; list := []int{7, 8}; show(list[n])`, `list[n](8)`},
	} {
		t.Run(test.body, func(t *testing.T) {
			source := libraryProgram([]string{"fmt", "math", "strings"}, "const shop = \"shop\"\nvar _ = math.Max\nvar _ = strings.ToUpper\n",
				[]struct{ name, body string }{{"", test.body}}, 0, 1)
			program := programOf(t, source)
			user := new(explaining)
			ev := eval.New(t.Context(), program, user)
			ev.Explain = true
			pkg := program.Source(modulePath)
			body := pkg.Types.Scope().Lookup("case0").(*types.Func)
			ev.Starts(func() {
				user.shown = nil
				ev.Initialize(pkg)
				ev.Enter(ast.NewIdent("case0"), &value.Func{Type: body.Type(), Obj: body}, nil)
			}, func() any { return nil })
			require.Equal(t, []string{test.want}, user.shown)
		})
	}
}
