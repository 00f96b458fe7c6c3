package discover

import (
	"go/ast"
	"go/constant"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

func TestWithoutOrdered_LosesWhatIsNotMadeInEachOrder(t *testing.T) {
	first, second := ast.NewIdent("first"), ast.NewIdent("second")
	lost := diagnostic.Diagnostic{What: "the order decides"}
	other := diagnostic.Diagnostic{What: "not known"}
	made := func(at ast.Expr, key string) Construction {
		return Construction{At: at, Body: types.Typ[types.Int], Endpoint: runtime.Endpoint{Route: key}}
	}
	lose := func(at ast.Expr, key string, why *diagnostic.Diagnostic) Construction {
		c := made(at, key)
		c.Lost = why
		return c
	}
	ofText := made(first, "a")
	ofText.Body = types.Typ[types.String]
	answered := made(first, "a")
	answered.Result = types.Typ[types.String]
	for name, test := range map[string]struct{ made, otherwise, want []Construction }{
		"nothing":                         {nil, nil, nil},
		"the same":                        {[]Construction{made(first, "a")}, []Construction{made(first, "a")}, []Construction{made(first, "a")}},
		"the same in another order":       {[]Construction{made(first, "a"), made(first, "b")}, []Construction{made(first, "b"), made(first, "a")}, []Construction{made(first, "a"), made(first, "b")}},
		"another endpoint":                {[]Construction{made(first, "a")}, []Construction{made(first, "b")}, []Construction{lose(first, "a", &lost)}},
		"another call":                    {[]Construction{made(first, "a")}, []Construction{made(second, "a")}, []Construction{lose(first, "a", &lost), lose(second, "a", &lost)}},
		"another type":                    {[]Construction{made(first, "a")}, []Construction{ofText}, []Construction{lose(first, "a", &lost)}},
		"another type of replies":         {[]Construction{made(first, "a")}, []Construction{answered}, []Construction{lose(first, "a", &lost)}},
		"only in one":                     {[]Construction{made(first, "a")}, nil, []Construction{lose(first, "a", &lost)}},
		"only in the other":               {nil, []Construction{made(first, "a")}, []Construction{lose(first, "a", &lost)}},
		"several of one call":             {[]Construction{made(first, "a"), made(first, "b")}, nil, []Construction{lose(first, "a", &lost)}},
		"several of one call, otherwise":  {nil, []Construction{made(first, "a"), made(first, "b")}, []Construction{lose(first, "a", &lost)}},
		"one of a call beside one lost":   {[]Construction{made(first, "a"), made(first, "b")}, []Construction{made(first, "b")}, []Construction{lose(first, "a", &lost), made(first, "b")}},
		"lost before, for another reason": {[]Construction{lose(first, "a", &other), made(first, "b")}, nil, []Construction{lose(first, "a", &other), lose(first, "b", &lost)}},
		"lost before, for this reason":    {[]Construction{lose(first, "a", &lost), made(first, "b")}, nil, []Construction{lose(first, "a", &lost)}},
		"lost otherwise":                  {[]Construction{made(first, "a")}, []Construction{lose(first, "a", &other)}, []Construction{lose(first, "a", &lost)}},
		"lost otherwise alone":            {nil, []Construction{lose(first, "a", &other)}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, test.want, withoutOrdered(test.made, test.otherwise, lost))
		})
	}
}

func TestSameCause_IsThatOfTwoValuesThatAreNotKnown(t *testing.T) {
	u := func(reason string) *value.Unknown { return &value.Unknown{Reason: reason} }
	known := value.NewConst(constant.MakeInt64(1), types.Typ[types.Int])
	for name, test := range map[string]struct {
		a, b value.Value
		same bool
	}{
		"one reason":             {u("a"), u("a"), true},
		"two reasons":            {u("a"), u("b"), false},
		"one of no reason":       {u("a"), known, false},
		"the other of no reason": {known, u("a"), false},
		"both of no reason":      {known, known, true},
		"another field":          {u("a"), &value.Unknown{Reason: "a", Field: types.NewField(0, nil, "F", types.Typ[types.Int], false)}, false},
		"another variable":       {u("a"), &value.Unknown{Reason: "a", Env: "A"}, false},
		"another place":          {u("a"), &value.Unknown{Reason: "a", Pos: 1}, false},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, test.same, sameCause(test.a, test.b)) })
	}
}
