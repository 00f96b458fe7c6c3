package difference_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
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

// Where not all is known, what is missing isn't gone, and what both list is compared.
func TestCompare_WhatAnUnknownTopologyLists(t *testing.T) {
	const fanout = `{"name": "everything", "type": "fanout", "durable": true}`
	topologyOf := func(text string) string {
		return strings.Replace(shop, `"id": "urn:shop",`, `"id": "urn:shop", "x-topology": {`+text+`},`, 1)
	}
	unknownOf := func(text string) string { return topologyOf(`"unknown": true` + text) }
	listing := func(exchange string) string { return `"exchanges": [` + exchange + `]` }
	topic := strings.Replace(fanout, "fanout", "topic", 1)
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"nothing listed, of all":       {declaring, unknownOf(""), []string{"undecided unreadable"}},
		"nothing listed, to all":       {unknownOf(""), declaring, []string{"undecided unreadable"}},
		"both unknown":                 {unknownOf(""), unknownOf(""), nil},
		"both unknown and alike":       {unknownOf("," + listing(fanout)), unknownOf("," + listing(fanout)), nil},
		"both unknown, one lists":      {unknownOf("," + listing(fanout)), unknownOf(""), []string{"undecided unreadable"}},
		"both unknown, the other does": {unknownOf(""), unknownOf("," + listing(fanout)), []string{"undecided unreadable"}},
		"both unknown, and changed":    {unknownOf("," + listing(fanout)), unknownOf("," + listing(topic)), []string{"breaking exchange-type-changed"}},
		"changed, and more":            {topologyOf(listing(fanout)), unknownOf("," + listing(topic)), []string{"breaking exchange-type-changed", "undecided unreadable"}},
		"gone for certain":             {unknownOf("," + listing(fanout)), topologyOf(`"queues": []`), []string{"breaking declared-exchange-removed", "undecided unreadable"}},
		"new for certain":              {topologyOf(`"queues": []`), unknownOf("," + listing(fanout)), []string{"undecided unreadable", "compatible declared-exchange-added"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, changesOf(t, read(t, "old.json", c.old), read(t, "new.json", c.new)))
		})
	}
}

func TestCompare_NamesWhatIsUndecided(t *testing.T) {
	unknown := strings.Replace(shop, `"id": "urn:shop",`, `"id": "urn:shop", "x-topology": {"unknown": true},`, 1)
	report := difference.Compare(read(t, "old.json", declaring), read(t, "new.json", unknown), nil)
	require.Equal(t, "not all that the service declares beside its routes is known: what both documents list was compared, "+
		"but not the declared queue audit, the declared exchange everything, the declared binding of queue audit to exchange everything by \"\", "+
		"the declared binding of exchange everything to exchange shop by \"#\"", report.Changes[0].What)
	require.False(t, report.Changes[0].Old.IsValid())
	require.Equal(t, "new.json", report.Changes[0].New.File)
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
