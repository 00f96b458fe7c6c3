package client

import (
	"fmt"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// BenchmarkGenerate_ThousandRoutes generates a client of 1,000 routes of every kind, with
// copies of 1,000 types. It is to take less than a second.
func BenchmarkGenerate_ThousandRoutes(b *testing.B) {
	pkg := types.NewPackage("shop", "main")
	var routes []registered.Route
	for i := range 1000 {
		fields := []*types.Var{
			types.NewField(0, pkg, "ID", types.Typ[types.String], false),
			types.NewField(0, pkg, "Items", types.NewSlice(types.Typ[types.Int]), false),
		}
		obj := types.NewTypeName(0, pkg, fmt.Sprintf("Order%d", i), nil)
		r := route(fmt.Sprintf("order.%d", i), types.NewNamed(obj, types.NewStruct(fields, nil), nil))
		pkg.Scope().Insert(obj)
		r.Exchange = &runtime.Exchange{Name: "shop", Type: runtime.Topic}
		r.RoutingKeys = []string{fmt.Sprintf("order.%d.*", i)}
		if i%2 == 0 {
			r.RoutingKeys, r.Result, r.Reply = []string{"a", "b"}, r.Body, new(runtime.Address)
		}
		routes = append(routes, r)
	}
	for b.Loop() {
		source, problems, err := Generate(config, routes)
		require.NoError(b, err)
		require.Empty(b, problems)
		b.ReportMetric(float64(len(source)), "bytes")
	}
}
