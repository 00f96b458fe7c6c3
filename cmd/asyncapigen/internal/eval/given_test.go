package eval

import (
	"go/constant"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
)

func TestFrom_SaysThatAValueIsADefault(t *testing.T) {
	program := onefile.New(t, "package main\n").Program
	v := value.NewConst(constant.MakeString("orders"), types.Typ[types.String])
	why := &value.Unknown{Reason: "the flag -queue", Pos: program.Roots[0].Files[0].Pos()}

	ev := &Evaluator{program: program}
	require.Equal(t, value.Value(v), ev.from(why, v))
	ev.Explain = true
	require.Equal(t, &diagnostic.Origin{Pos: program.Position(why.Pos), Text: "the default of the flag -queue"}, ev.from(why, v).(value.Const).Origin)
	require.Equal(t, value.Value(value.Nil{}), ev.from(why, value.Nil{}))
}
