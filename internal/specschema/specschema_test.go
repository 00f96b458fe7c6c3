package specschema_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/specschema"
)

// document has one channel, with a payload.
func document(t *testing.T, channel, payload string) []byte {
	t.Helper()
	text, err := json.Marshal(map[string]any{
		"asyncapi": "2.6.0",
		"info":     map[string]any{"title": "shop", "version": "1"},
		"channels": map[string]any{channel: map[string]any{
			"subscribe": map[string]any{"message": map[string]any{"payload": json.RawMessage(payload)}},
		}},
		"components": map[string]any{"schemas": map[string]any{
			"Order": map[string]any{"type": "object"}, "a/b~c": map[string]any{},
		}},
	})
	require.NoError(t, err)
	return text
}

func TestValidate_TakesValidDocuments(t *testing.T) {
	for _, payload := range []string{`{}`, `{"$ref":"#/components/schemas/Order"}`, `{"type":["string","null"],"format":"int64"}`, `{"$ref":"#/components/schemas/a~1b~0c"}`} {
		require.NoError(t, specschema.Validate(document(t, "orders", payload)), payload)
	}
	require.NoError(t, specschema.Validate([]byte(`{"asyncapi":"2.6.0","info":{"title":"","version":""},"channels":{}}`)))
	require.NoError(t, specschema.Validate([]byte(`{"asyncapi":"3.0.0","info":{"title":"","version":""},"channels":{"a":{"address":null}}}`)))
}

func TestValidate_RefusesInvalidDocuments(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{`, "it isn't JSON"},
		{`{"asyncapi":"2.6.0","info":{"title":"","version":""}}`, "channels"},
		{`{"asyncapi":"3.1.0","info":{"title":"","version":""},"channels":{}}`, "/asyncapi"},
		{`{"asyncapi":"3.0.0","info":{"title":""}}`, "version"},
		{`{"asyncapi":"3.0.0","info":{"title":"","version":""},"channels":{"a":{"bindings":{"amqp":{"is":"queue","queue":{},"exchange":{}}}}}}`, "/channels/a"},
		{`{"asyncapi":"3.0.0","info":{"title":"","version":""},"operations":{"a":{"action":"send","channel":{"$ref":"#/channels/a"}}}}`, "leads nowhere"},
		{`{"asyncapi":"2.6.0","info":{"title":"","version":""},"channels":{"a":{"title":"x"}}}`, "title"},
		{string(document(t, "orders", `{"type":"text"}`)), "/payload"},
		{string(document(t, "orders", `{"$ref":"#/components/schemas/Nope"}`)), `at #/channels/orders/subscribe/message/payload: "#/components/schemas/Nope" leads nowhere`},
		{string(document(t, "orders", `{"$ref":"#/info/title/x"}`)), "leads nowhere"},
		{string(document(t, "orders", `{"items":{"$ref":"https://example.com/schema.json"}}`)), "leads nowhere"},
	} {
		require.ErrorContains(t, specschema.Validate([]byte(c.text)), c.want)
	}
}

// The names are those that the official parser was run on.
func TestValidate_TakesURITemplatesAsChannelNames(t *testing.T) {
	for _, name := range []string{
		"orders.created", "заказы.создан", "注文", "/leading", "a:b@c", "a,b;c", "a+b=c", "a[b]", "(a)!", "~0~1", "amq.gen-x", "100%25",
		"{tenant}.orders", "${x}", "{a,b}", "trailing/",
	} {
		require.NoError(t, specschema.Validate(document(t, name, `{}`)), name)
	}
	for _, name := range []string{
		"a b", `a"b`, "a'b", "a<b", "a>b", "a|b", `a\b`, "a^b", "a`b", "100%", "a{b", "a}b", "{}", "{a b}", "",
	} {
		require.Error(t, specschema.Validate(document(t, name, `{}`)), name)
	}
}
