package difference_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// declaring is the shop with queues, exchanges and bindings beside its routes.
var declaring = strings.Replace(shop, `"id": "urn:shop",`, `"id": "urn:shop",
  "x-topology": {
    "queues": [{"name": "audit", "durable": true, "exclusive": false, "x-arguments": {"x-queue-type": "stream"}}],
    "exchanges": [{"name": "everything", "type": "fanout", "durable": true}],
    "bindings": [{"exchange": "everything", "queue": "audit", "routingKey": ""}],
    "exchangeBindings": [{"source": "shop", "destination": "everything", "routingKey": "#"}]
  },`, 1)

func TestCompare_DeclaredBesideTheRoutes(t *testing.T) {
	for _, c := range []struct{ old, new, forth, back string }{
		{`"queues": [{"name": "audit", "durable": true`, `"queues": [{"name": "audit", "durable": false`, "breaking queue-durable-changed", "breaking queue-durable-changed"},
		{`"stream"`, `"classic"`, "breaking queue-argument-changed", "breaking queue-argument-changed"},
		{`[{"name": "audit", "durable": true, "exclusive": false, "x-arguments": {"x-queue-type": "stream"}}]`, `[]`, "breaking declared-queue-removed", "compatible declared-queue-added"},
		{`"fanout"`, `"topic"`, "breaking exchange-type-changed", "breaking exchange-type-changed"},
		{`[{"name": "everything", "type": "fanout", "durable": true}]`, `[]`, "breaking declared-exchange-removed", "compatible declared-exchange-added"},
		{`[{"exchange": "everything", "queue": "audit", "routingKey": ""}]`, `[]`, "breaking declared-binding-removed", "compatible declared-binding-added"},
		{`"routingKey": "#"`, `"routingKey": "order.#"`, "breaking declared-binding-removed", "breaking declared-binding-removed"},
		{`"routingKey": "#"`, `"routingKey": "#", "arguments": {"x-match": "any"}`, "breaking declared-binding-removed", "breaking declared-binding-removed"},
		{`"exchangeBindings": [`, `"unknown": true, "exchangeBindings": [`, "undecided unreadable", "undecided unreadable"},
	} {
		require.Contains(t, declaring, c.old)
		other := strings.Replace(declaring, c.old, c.new, 1)
		for _, way := range []struct{ old, new, want string }{{declaring, other, c.forth}, {other, declaring, c.back}} {
			got := changesOf(t, read(t, "old.json", way.old), read(t, "new.json", way.new))
			require.Contains(t, got, way.want, "%s to %s", c.old, c.new)
			for _, change := range got {
				require.True(t, strings.HasPrefix(change, "compatible ") || strings.HasPrefix(change, strings.Fields(way.want)[0]), "%v", got)
			}
		}
	}
}

// Where not all is known, what is missing isn't gone.
func TestCompare_UnknownDeclarationsAreNotGone(t *testing.T) {
	unknown := read(t, "unknown.json", strings.Replace(shop, `"id": "urn:shop",`, `"id": "urn:shop", "x-topology": {"unknown": true},`, 1))
	require.Equal(t, []string{"undecided unreadable"}, changesOf(t, read(t, "old.json", declaring), unknown))
	require.Empty(t, changesOf(t, unknown, unknown))
}

func TestCompare_ForeignMembersOfTheTopology(t *testing.T) {
	text := strings.Replace(shop, `"id": "urn:shop",`, `"id": "urn:shop", "x-topology": {"x-owner": "team", "note": {"a": 1}},`, 1)
	require.Empty(t, changesOf(t, read(t, "old.json", text), read(t, "new.json", text)))
}

func TestRead_TopologyNamesWhatHasAnotherShape(t *testing.T) {
	d := read(t, "a.json", strings.Replace(shop, `"id": "urn:shop",`, `"id": "urn:shop", "x-topology": {"queues": {}},`, 1))
	require.ErrorContains(t, d.Problem(), "#/x-topology/queues is of the kind object")
}

func TestRead_TopologyOfAnotherShape(t *testing.T) {
	for _, topology := range []string{`[]`, `{"queues": {}}`, `{"queues": ["audit"]}`} {
		d := read(t, "a.json", strings.Replace(shop, `"id": "urn:shop",`, `"id": "urn:shop", "x-topology": `+topology+`,`, 1))
		require.Error(t, d.Problem(), topology)
	}
}
