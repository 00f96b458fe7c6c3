package registered_test

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// consumed returns a route with a value of each kind, changed.
func consumed(change func(*registered.Route)) registered.Route {
	text := types.Typ[types.String]
	route := registered.Route{
		Route: runtime.Route{
			Name: "r", Queue: runtime.Queue{Name: "q", Arguments: map[string]any{"a": 1}}, Failure: &runtime.FailurePolicy{},
			Prefetch: 1, PrefetchBytes: 1, Concurrency: 1, Timeout: 1, AckMode: runtime.AckFirst, ConsumerPriority: 1, ConsumerArguments: map[string]any{"a": 1},
		},
		Body: text, Result: text, Ordered: true, Batch: &registered.Batch{Size: 1},
		Cases:            []registered.Case{{Body: text, Result: text}},
		HandledBy:        registered.Handler{Name: "main.on", Pos: token.Position{Line: 1}, Made: token.Position{Line: 2}},
		UnknownArguments: []string{"Arguments"}, UnknownSettings: []string{"timeout"},
	}
	change(&route)
	return route
}

func same(*registered.Route) {}

func TestRoute_CommonLosesWhatDiffersInHowItIsConsumed(t *testing.T) {
	for name, test := range map[string]struct {
		change              func(*registered.Route)
		want                func(*registered.Route) // what the common one has not
		settings, arguments []string                // that aren't known, besides
	}{
		"prefetch":      {func(r *registered.Route) { r.Prefetch = 2 }, func(r *registered.Route) { r.Prefetch = 0 }, []string{"prefetch"}, nil},
		"prefetchBytes": {func(r *registered.Route) { r.PrefetchBytes = 2 }, func(r *registered.Route) { r.PrefetchBytes = 0 }, []string{"prefetchBytes"}, nil},
		"concurrency":   {func(r *registered.Route) { r.Concurrency = 2 }, func(r *registered.Route) { r.Concurrency = 0 }, []string{"concurrency"}, nil},
		"timeout":       {func(r *registered.Route) { r.Timeout = 2 }, func(r *registered.Route) { r.Timeout = 0 }, nil, nil},
		"arguments":     {func(r *registered.Route) { r.ConsumerArguments = nil }, func(r *registered.Route) { r.ConsumerArguments = nil }, []string{"arguments"}, nil},
		"ackMode": {
			func(r *registered.Route) { r.AckMode = runtime.AckByHand }, func(r *registered.Route) { r.AckMode = 0 },
			[]string{"acknowledges"},
			[]string{registered.TheAckMode},
		},
		"order":      {func(r *registered.Route) { r.Ordered = false }, func(r *registered.Route) { r.Ordered = false }, []string{"order"}, []string{registered.TheOrder}},
		"strictness": {func(r *registered.Route) { r.Strict = true }, func(r *registered.Route) { r.Ordered = false }, []string{"order"}, []string{registered.TheOrder}},
		"unknowns": {func(r *registered.Route) {
			r.UnknownSettings, r.UnknownArguments = []string{"order", "timeout"}, []string{"x"}
		}, same, []string{"order"}, []string{"x"}},
		"handlers":    {func(r *registered.Route) { r.HandledBy.Name = "main.other" }, withoutHandler, nil, nil},
		"literals":    {func(r *registered.Route) { r.HandledBy.Pos.Line = 3 }, withoutHandler, nil, nil},
		"made there":  {func(r *registered.Route) { r.HandledBy.Made.Line = 3 }, same, nil, nil},
		"placed":      {func(r *registered.Route) { r.Pos.Line = 3 }, same, nil, nil},
		"batches":     {func(r *registered.Route) { r.Batch = nil }, same, nil, nil},
		"its origins": {func(r *registered.Route) { r.Origins = []registered.FieldOrigin{{}} }, same, nil, nil},
		"its router":  {func(r *registered.Route) { r.Router = 1 }, same, nil, nil},
		"nothing":     {same, same, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			want := consumed(test.want)
			want.UnknownSettings = append(want.UnknownSettings, test.settings...)
			want.UnknownArguments = append(want.UnknownArguments, test.arguments...)
			route, other := consumed(same), consumed(test.change)
			common, isSame := route.Common(other)
			require.True(t, isSame)
			require.Equal(t, want, common)
			require.Equal(t, [2]registered.Route{consumed(same), consumed(test.change)}, [2]registered.Route{route, other})

			again, isSame := common.Common(other)
			require.True(t, isSame)
			require.Equal(t, want, again)
		})
	}
}

func withoutHandler(r *registered.Route) { r.HandledBy = registered.Handler{Made: r.HandledBy.Made} }

// Routes of one start may share the room behind their lists.
func TestRoute_CommonHasListsOfItsOwn(t *testing.T) {
	route := consumed(func(r *registered.Route) { r.UnknownSettings = make([]string, 0, 9) })
	one, _ := route.Common(consumed(func(r *registered.Route) { r.UnknownSettings = []string{"prefetch"} }))
	route.Common(consumed(func(r *registered.Route) { r.UnknownSettings = []string{"order"} }))
	require.Equal(t, []string{"prefetch"}, one.UnknownSettings)
}

func TestRoute_CommonIsOfTheSameContract(t *testing.T) {
	number := types.Typ[types.Int]
	for name, change := range map[string]func(*registered.Route){
		"name":           func(r *registered.Route) { r.Name = "other" },
		"argument":       func(r *registered.Route) { r.Queue.Arguments = nil },
		"priority":       func(r *registered.Route) { r.ConsumerPriority = 2 },
		"failure":        func(r *registered.Route) { r.Failure = &runtime.FailurePolicy{Endless: true} },
		"no failure":     func(r *registered.Route) { r.FailureUnknown = true },
		"body":           func(r *registered.Route) { r.Body = number },
		"result":         func(r *registered.Route) { r.Result = number },
		"no result":      func(r *registered.Route) { r.Result = nil },
		"codec":          func(r *registered.Route) { r.CodecType = types.NewTypeName(token.NoPos, nil, "T", number) },
		"dispatched":     func(r *registered.Route) { _, r.DispatchedBy = runtime.DispatchByKey().Cases() },
		"cases":          func(r *registered.Route) { r.Cases = nil },
		"case":           func(r *registered.Route) { r.Cases[0].Name = "other" },
		"case otherwise": func(r *registered.Route) { r.Cases[0].Otherwise = true },
		"body of a case": func(r *registered.Route) { r.Cases[0].Body = number },
		"its result":     func(r *registered.Route) { r.Cases[0].Result = nil },
	} {
		t.Run(name, func(t *testing.T) {
			_, isSame := consumed(same).Common(consumed(change))
			require.False(t, isSame)
			require.False(t, consumed(same).Equal(consumed(change)))
		})
	}
	require.True(t, consumed(same).Equal(consumed(same)))
	require.False(t, consumed(same).Equal(consumed(func(r *registered.Route) { r.Prefetch = 2 })))
}
