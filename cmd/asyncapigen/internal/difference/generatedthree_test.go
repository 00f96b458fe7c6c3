package difference_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
)

// Documents of AsyncAPI 3.0.0 that package asyncapi3 writes are compared in all that
// the wire shows.
func TestCompare_ReadsGeneratedDocumentsOfAsyncAPI3(t *testing.T) {
	text, err := os.ReadFile("../../../../runtime/asyncapi/asyncapi3/testdata/shop.json")
	require.NoError(t, err)
	old := read(t, "old.json", string(text))
	require.Empty(t, difference.Compare(old, read(t, "new.json", string(text)), nil).Changes)
	moved := read(t, "new.json", strings.ReplaceAll(string(text), `"line": 7`, `"line": 8`))
	require.Empty(t, difference.Compare(old, moved, nil).Changes, "a place in the source is no part of a contract")
	for _, c := range []struct{ old, new, want string }{
		{`"durable": true`, `"durable": false`, "breaking queue-durable-changed"},
		{`"x-queue-type": "quorum"`, `"x-queue-type": "classic"`, "breaking queue-argument-changed"},
		{`"type": "topic"`, `"type": "direct"`, "breaking exchange-type-changed"},
		{`"channel": "exchange.legacy"`, `"channel": "exchange.audit.order._"`, "breaking routing-key-removed"},
		{`"location": "$message.header#/reply_to"`, `"location": "$message.header#/other"`, "breaking reply-address-changed"},
		{`"ID": {` + "\n" + `            "type": "string"`, `"ID": {` + "\n" + `            "type": "integer"`, "breaking schema-type-changed"},
		{`"attempts": 3`, `"attempts": 4`, "documentation operation-text-changed"},
		{`"order.created.send": {` + "\n" + `      "action": "send"`, `"order.created.send": {` + "\n" + `      "action": "receive"`, "breaking operation-removed"},
	} {
		changed := strings.ReplaceAll(string(text), c.old, c.new)
		require.NotEqual(t, string(text), changed, c.old)
		var ids []string
		for _, change := range difference.Compare(old, read(t, "new.json", changed), nil).Changes {
			ids = append(ids, string(change.Severity)+" "+change.ID)
			require.NotEqual(t, difference.Undecided, change.Severity, "%v", change)
		}
		require.Contains(t, ids, c.want, c.old)
	}
}
