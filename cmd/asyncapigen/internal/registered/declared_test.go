package registered_test

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// declares returns what a router declares.
func declares(t *testing.T, topology runtime.Topology) registered.Declared {
	t.Helper()
	router := runtime.NewRouter()
	require.NoError(t, router.Declare(topology))
	return registered.Declared{Topology: router.Topology()}
}

func TestDeclared_CommonIsWhatBothHave(t *testing.T) {
	queue := func(name string, length int64) runtime.Queue { return runtime.Queue{Name: name, MaxLength: length} }
	binding := func(key string) runtime.Binding { return runtime.Binding{Exchange: "x", Queue: "q", RoutingKey: key} }
	a := declares(t, runtime.Topology{Queues: []runtime.Queue{queue("a", 1), queue("b", 1)}, Bindings: []runtime.Binding{binding("1"), binding("2")}})
	turned := declares(t, runtime.Topology{Queues: []runtime.Queue{queue("b", 1), queue("a", 1)}, Bindings: []runtime.Binding{binding("2"), binding("1"), binding("1")}})
	require.True(t, a.Equal(turned))
	require.Equal(t, a, a.Common(turned))

	longer := declares(t, runtime.Topology{Queues: []runtime.Queue{queue("b", 2), queue("a", 1)}, Bindings: []runtime.Binding{binding("2")}})
	common := declares(t, runtime.Topology{Queues: []runtime.Queue{queue("a", 1)}, Bindings: []runtime.Binding{binding("2")}})
	common.Unknown = true
	require.False(t, a.Equal(longer))
	require.Equal(t, common, a.Common(longer))
	require.Equal(t, common, longer.Common(a))

	more := declares(t, runtime.Topology{Queues: []runtime.Queue{queue("a", 1), queue("b", 1), queue("c", 1)}, Bindings: a.Topology.Bindings})
	require.False(t, a.Equal(more))
	require.False(t, more.Equal(a))

	unknown := a
	unknown.Unknown = true
	require.False(t, a.Equal(unknown))
	require.Equal(t, unknown, a.Common(unknown))
	require.Equal(t, unknown, unknown.Common(a))
}

func TestDeclared_CommonIsWhereTheFirstIsNotCertain(t *testing.T) {
	one, other := registered.Declared{Pos: token.Position{Filename: "a.go", Line: 1}}, registered.Declared{Pos: token.Position{Filename: "b.go", Line: 2}}
	require.Equal(t, one.Pos, one.Common(other).Pos)
	require.Equal(t, other.Pos, other.Common(one).Pos)
	require.Equal(t, one.Pos, one.Common(registered.Declared{}).Pos)
	require.Equal(t, one.Pos, registered.Declared{}.Common(one).Pos)
}

func TestDeclared_IsEmptyForCertain(t *testing.T) {
	require.True(t, registered.Declared{}.IsEmpty())
	require.False(t, registered.Declared{Unknown: true}.IsEmpty())
	require.False(t, declares(t, runtime.Topology{Queues: []runtime.Queue{{Name: "q"}}}).IsEmpty())
}
