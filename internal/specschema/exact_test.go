package specschema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/specschema"
)

const exact = `{
	"asyncapi":"2.6.0","info":{"title":"Shop","version":"1"},
	"servers":{"broker":{"url":"localhost:5672","protocol":"amqp","description":"RabbitMQ"}},
	"channels":{"q":{
		"description":"Takes orders.",
		"subscribe":{"operationId":"r","message":{"name":"r","payload":{"$ref":"#/components/schemas/O"}},"tags":[{"name":"a"},{"name":"b"}]},
		"publish":{"operationId":"r.reply","message":{"name":"r.response"}},
		"bindings":{"amqp":{"is":"queue","queue":{"name":"q","durable":true,"exclusive":false},"exchange":{"name":"x","type":"topic","durable":true}}}
	}},
	"components":{"schemas":{"O":{"type":"object"}}}
}`

func TestExact_TakesWhatTheTableLists(t *testing.T) {
	require.NoError(t, specschema.Exact([]byte(exact)))
	require.NoError(t, specschema.Exact([]byte(strings.Replace(exact, `"name":"r","payload":{"$ref":"#/components/schemas/O"}`,
		`"oneOf":[{"name":"a","payload":{"$ref":"#/components/schemas/O"},"bindings":{"amqp":{"messageType":"a"}}}]`, 1))))
}

// Each row breaks one rule.
func TestExact_RefusesAllElse(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"asyncapi":"2.6.0"`, `"asyncapi":"2.5.0"`, `it is "2.5.0"`},
		{`"asyncapi":"2.6.0"`, `"asyncapi":"2.6.0","id":"urn:a"`, "id: the specification has no such key"},
		{`"version":"1"`, `"version":"1","description":""`, "info/description: it is"},
		{`,"version":"1"`, ``, "info: it has no version"},
		{`"protocol":"amqp"`, `"protocol":"amqps"`, `it is "amqps"`},
		{`"broker":{`, `"other":{},"broker":{`, "servers/other: the specification has no such key"},
		{`"description":"Takes orders."`, `"description":""`, "channels/q/description"},
		{`"description":"Takes orders."`, `"x-a":1`, "channels/q/x-a: the specification has no such key"},
		{`"name":"r","payload"`, `"name":"s","payload"`, "message/name: it is s"},
		{`"name":"r","payload"`, `"name":"r","contentType":"a/b","payload"`, "contentType: the specification has no such key"},
		{`{"$ref":"#/components/schemas/O"}`, `{}`, "payload: it is"},
		{`[{"name":"a"},{"name":"b"}]`, `[]`, "tags: it is"},
		{`[{"name":"a"},{"name":"b"}]`, `[{"name":"b"},{"name":"a"}]`, "wants them sorted"},
		{`[{"name":"a"},{"name":"b"}]`, `[{"name":"a"},{"name":"a"}]`, "each once"},
		{`{"name":"b"}`, `{"name":"b","description":"x"}`, "the specification has no such key"},
		{`"is":"queue"`, `"is":"routingKey"`, `it is "routingKey"`},
		{`{"name":"q","durable"`, `{"name":"p","durable"`, "queue/name: it is p"},
		{`"durable":true,"exclusive":false`, `"durable":"yes","exclusive":false`, "durable: it is yes"},
		{`,"exclusive":false`, ``, "it has no exclusive"},
		{`"type":"topic",`, ``, "it has no type"},
		{`"exclusive":false`, `"exclusive":false,"x-arguments":{}`, "x-arguments: the specification has no such key"},
		{`"operationId":"r.reply"`, `"operationId":"s.reply"`, "publish/operationId"},
		{`{"name":"r.response"}`, `{"name":"r.response","payload":{"type":"string"}}`, "publish/message/payload: the specification has no such key"},
		{`"O":{"type":"object"}`, `"O":{"type":"object"},"P":{"type":"object"}`, "components/schemas/P: nothing refers to it"},
		{`"O":{"type":"object"}`, ``, "it is there for no schema"},
		{`"schemas":{`, `"securitySchemes":{},"schemas":{`, "the specification has no such key"},
		{`{"name":"r","payload":{"$ref":"#/components/schemas/O"}}`, `{"oneOf":[{"name":"a","messageId":"a"}]}`, "messageId: the specification has no such key"},
	} {
		require.Contains(t, exact, c.old)
		require.ErrorContains(t, specschema.Exact([]byte(strings.Replace(exact, c.old, c.new, 1))), c.want, c.new)
	}
	require.Error(t, specschema.Exact([]byte(`[`)))
}
