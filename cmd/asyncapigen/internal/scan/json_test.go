package scan_test

import (
	"encoding/json"
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/scan"
)

func TestResult_IsWrittenInJSON(t *testing.T) {
	result := consumed("orders", types.Typ[types.String])
	c := result.Consumers[0]
	c.Pos, c.Client, c.Prefetch, c.AutoAck, c.Settles, c.Replies = token.Position{Filename: "main.go", Line: 3, Column: 5}, "amqp091-go", 7, true, true, true
	c.Reply, c.ChangedBy = types.Typ[types.Int], []string{"-durable"}
	c.Queue.Durable, c.Queue.AutoDelete, c.Queue.Exclusive, c.Queue.Server = true, true, true, true
	c.Queue.Arguments = map[string]any{"x": 1}
	c.Gaps = []scan.Gap{{What: "the prefetch", Why: "it is a value that isn't followed", Pos: token.Position{Filename: "main.go", Line: 4, Column: 6}}}
	c.Bindings = []scan.Binding{{Exchange: scan.Exchange{Name: scan.Text{Value: "shop"}, Durable: true}, Key: scan.Text{Value: "paid", Env: "KEY"}}}
	result.Problems = []scan.Problem{{Text: "this call unbinds a queue"}}
	text, err := json.MarshalIndent(result.JSON(), "", "  ")
	require.NoError(t, err)
	require.JSONEq(t, `{
		"version": 1,
		"consumers": [{
			"client": "amqp091-go", "position": {"file": "main.go", "line": 3, "column": 5},
			"queue": {
				"name": {"value": "orders", "known": true, "env": "", "flag": ""}, "namedByBroker": true, "declared": true,
				"durable": true, "autoDelete": true, "exclusive": true, "arguments": {"x": 1}
			},
			"bindings": [{
				"exchange": {"value": "shop", "known": true, "env": "", "flag": ""}, "type": "", "durable": true,
				"key": {"value": "paid", "known": true, "env": "KEY", "flag": ""}, "arguments": {}
			}],
			"prefetch": 7, "autoAck": true, "settles": true,
			"bodies": [{"type": "string", "by": "json", "position": null}],
			"replies": true, "reply": "int", "changedBy": ["-durable"],
			"unknown": [{"what": "the type of the exchange \"shop\"", "why": "no code that is followed declares it", "position": null}, {"what": "the prefetch", "why": "it is a value that isn't followed", "position": {"file": "main.go", "line": 4, "column": 6}}]
		}],
		"problems": [{"what": "this call unbinds a queue", "why": "", "position": null}]
	}`, string(text))
	empty, err := json.Marshal(scan.Result{}.JSON())
	require.NoError(t, err)
	require.JSONEq(t, `{"version": 1, "consumers": [], "problems": []}`, string(empty))
}
