package difference_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
)

// shopOf returns a golden of package asyncapi, changed by replacements.
func shopOf(t *testing.T, form string, replacements ...string) *difference.Document {
	t.Helper()
	text, err := os.ReadFile("../../../../runtime/asyncapi/testdata/shop" + form + ".json")
	require.NoError(t, err)
	changed := strings.NewReplacer(replacements...).Replace(string(text))
	if len(replacements) > 0 {
		require.NotEqual(t, string(text), changed)
	}
	return read(t, "shop"+form+".json", changed)
}

// changesOf returns the changes of what both documents have.
func changesOf(t *testing.T, old, changed *difference.Document) []string {
	t.Helper()
	var all []string
	for _, c := range difference.Compare(old, changed, nil).Changes {
		if c.ID != "version-too-low" { // the goldens have one version
			all = append(all, string(c.Severity)+" "+c.ID)
		}
	}
	return all
}

func TestCompare_FindsNothingBetweenFormsOfOneContract(t *testing.T) {
	exact, extended := shopOf(t, ""), shopOf(t, "_extended")
	for _, change := range changesOf(t, exact, extended) {
		require.Equal(t, "compatible channel-added", change, "the golden has more routes")
	}
	for _, change := range changesOf(t, extended, exact) {
		require.Equal(t, "breaking channel-removed", change)
	}
}

func TestCompare_FindsChangesBetweenForms(t *testing.T) {
	changed := shopOf(t, "_extended", `"durable": true`, `"durable": false`, `"minimum": 0`, `"minimum": 5`)
	found := changesOf(t, shopOf(t, ""), changed)
	require.Contains(t, found, "breaking queue-durable-changed")
	require.Contains(t, found, "breaking schema-minimum-raised")
}

func TestCompare_JudgesExtensionsOfExtendedDocuments(t *testing.T) {
	extended := shopOf(t, "_extended")
	for _, c := range []struct{ old, new, want string }{
		{`"x-max-length": 100000`, `"x-max-length": 5`, "breaking queue-argument-changed"},
		{`"order.created"`, `"order.made"`, "breaking routing-key-removed"},
		{`"attempts": 3`, `"attempts": 4`, "documentation operation-text-changed"},
		{`"prefetch": 20`, `"prefetch": 30`, "documentation operation-text-changed"},
		{`"routingKey": "prices"`, `"routingKey": "other"`, "breaking reply-address-changed"},
	} {
		found := changesOf(t, extended, shopOf(t, "_extended", c.old, c.new))
		require.Contains(t, found, c.want, c.new)
	}
}

func TestCompare_KnowsThatHeadersAreNotKnown(t *testing.T) {
	unknown := shopOf(t, "_extended", `"messageId": "order.paid",`, `"messageId": "order.paid", "x-unknown-headers": true,`)
	require.Equal(t, []string{"documentation message-text-added"}, changesOf(t, shopOf(t, "_extended"), unknown))
}

func TestCompare_LeavesOutWhereTheSourceIs(t *testing.T) {
	at := func(line string) *difference.Document {
		return shopOf(t, "_extended", `"x-consumer": {`, `"x-source": {"file": "shop.go", "line": `+line+`}, "x-consumer": {`)
	}
	require.Empty(t, changesOf(t, at("7"), at("9")))
	require.Empty(t, changesOf(t, shopOf(t, "_extended"), at("9")))
}
