package discover

import (
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

func TestStart_FailsWhereABrokerOrADocumentIsNotMade(t *testing.T) {
	function := func(path, result string) *types.Func {
		pkg := types.NewPackage(path, "p")
		named := types.NewNamed(types.NewTypeName(0, pkg, result, nil), types.NewStruct(nil, nil), nil)
		results := types.NewTuple(types.NewVar(0, pkg, "", types.NewPointer(named)), types.NewVar(0, pkg, "", types.Universe.Lookup("error").Type()))
		return types.NewFunc(0, pkg, "New", types.NewSignatureType(nil, nil, nil, nil, results, false))
	}
	require.True(t, belongsToStart(function(load.RuntimePath+"/rabbitmq", "Broker")))
	require.False(t, belongsToStart(function(load.RuntimePath+"/rabbitmq", "Queue")))
	require.True(t, belongsToStart(function(load.RuntimePath+"/asyncapi", "Document")))
}
