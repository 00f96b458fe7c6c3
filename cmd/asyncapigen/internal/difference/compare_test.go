package difference_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
)

const shop = `{
  "asyncapi": "2.6.0",
  "id": "urn:shop",
  "info": {"title": "Shop", "version": "1.0.0"},
  "servers": {"broker": {"url": "localhost:5672", "protocol": "amqp"}},
  "channels": {
    "orders": {
      "description": "Takes orders.",
      "subscribe": {
        "operationId": "Order",
        "message": {"oneOf": [
          {"name": "Created", "contentType": "application/json", "payload": {"type": "object"}},
          {"name": "Paid", "payload": {"type": "string"}, "headers": {"type": "object", "properties": {"tenant": {"type": "string"}}}}
        ]},
        "bindings": {"amqp": {"ack": true, "priority": 1}}
      },
      "publish": {"operationId": "Order.reply", "message": {"oneOf": [{"name": "Yes", "payload": {"type": "boolean"}}, {"name": "No"}]}},
      "bindings": {"amqp": {
        "is": "queue",
        "queue": {"name": "orders", "durable": true, "exclusive": false, "autoDelete": false, "vhost": "/", "x-arguments": {"x-max-length": 10}},
        "exchange": {"name": "shop", "type": "topic", "durable": true, "x-routing-keys": ["order.created", "order.paid"]},
        "x-hash": "1"
      }}
    },
    "prices": {
      "subscribe": {"operationId": "Price", "message": {"name": "Price"}},
      "bindings": {"amqp": {"is": "queue"}}
    }
  }
}`

func read(t testing.TB, name, text string) *difference.Document {
	t.Helper()
	d, err := difference.Read(name, []byte(text), difference.ByShape)
	require.NoError(t, err, text)
	return d
}

// Each change of the shop is one text for another, and back.
func TestCompare_ElementsByHowTheyAreUsed(t *testing.T) {
	for _, c := range []struct{ old, new, forth, back string }{
		{`"urn:shop"`, `"urn:store"`, "documentation id-changed", "documentation id-changed"},
		{`"Shop"`, `"Store"`, "documentation title-changed", "documentation title-changed"},
		{`"1.0.0"`, `"1.0.1"`, "documentation version-changed", "documentation version-changed"},
		{`"localhost:5672"`, `"broker:5672"`, "breaking server-url-changed", "breaking server-url-changed"},
		{`"amqp"}}`, `"amqps"}}`, "breaking server-protocol-changed", "breaking server-protocol-changed"},
		{`{"broker"`, `{"other": {"url": "b", "protocol": "amqp"}, "broker"`, "compatible server-added", "breaking server-removed"},
		{`Takes orders.`, `Takes all orders.`, "documentation channel-text-changed", "documentation channel-text-changed"},
		{`"prices": {`, `"price.list": {`, "breaking channel-removed", "breaking channel-removed"},
		{`"operationId": "Price", `, `"operationId": "PriceChanged", `, "compatible operation-id-changed", "compatible operation-id-changed"},
		{`"ack": true`, `"ack": false`, "compatible operation-ack-changed", "compatible operation-ack-changed"},
		{`"priority": 1`, `"priority": 2`, "undecided operation-property-changed", "undecided operation-property-changed"},
		{`{"name": "Created", "contentType": "application/json", "payload": {"type": "object"}},`, ``, "breaking message-removed", "compatible message-added"},
		{`, {"name": "No"}`, ``, "compatible message-removed", "breaking message-added"},
		{`"message": {"name": "Price"}`, `"message": {"name": "PriceChanged"}`, "compatible message-name-changed", "compatible message-name-changed"},
		{`"message": {"name": "Price"}`, `"message": {"oneOf": [{"name": "Price"}, {"name": "PriceList"}]}`, "undecided message-selection-changed", "breaking message-removed"},
		{`"message": {"name": "Price"}`, `"message": {"$ref": "#/components/messages/Price"}`, "undecided unreadable", "undecided unreadable"},
		{`{"name": "Paid", `, `{"name": "Payed", `, "breaking message-removed", "breaking message-removed"},
		{`"application/json"`, `"text/csv"`, "breaking message-content-type-changed", "breaking message-content-type-changed"},
		{`"contentType": "application/json", `, ``, "undecided message-content-type-removed", "undecided message-content-type-added"},
		{`"tenant": {"type": "string"}`, `"tenant": {"type": "integer"}`, "breaking schema-type-changed", "breaking schema-type-changed"},
		{`{"type": "boolean"}`, `{"type": ["boolean", "null"]}`, "breaking schema-null-added", "compatible schema-null-removed"},
		{`"is": "queue",
        "queue"`, `"is": "routingKey",
        "queue"`, "breaking binding-is-changed", "breaking binding-is-changed"},
		{`"name": "orders"`, `"name": "orders.eu"`, "breaking queue-name-changed", "breaking queue-name-changed"},
		{`"durable": true, "exclusive"`, `"durable": false, "exclusive"`, "breaking queue-durable-changed", "breaking queue-durable-changed"},
		{`"exclusive": false`, `"exclusive": true`, "breaking queue-exclusive-changed", "breaking queue-exclusive-changed"},
		{`"autoDelete": false`, `"autoDelete": true`, "breaking queue-auto-delete-changed", "breaking queue-auto-delete-changed"},
		{`"vhost": "/"`, `"vhost": "eu"`, "breaking queue-vhost-changed", "breaking queue-vhost-changed"},
		{`"x-max-length": 10`, `"x-max-length": 11`, "breaking queue-argument-changed", "breaking queue-argument-changed"},
		{`, "x-arguments": {"x-max-length": 10}`, ``, "undecided queue-argument-removed", "undecided queue-argument-added"},
		{`"name": "shop"`, `"name": "store"`, "breaking exchange-name-changed", "breaking exchange-name-changed"},
		{`"type": "topic"`, `"type": "direct"`, "breaking exchange-type-changed", "breaking exchange-type-changed"},
		{`"topic", "durable": true`, `"topic", "durable": false`, "breaking exchange-durable-changed", "breaking exchange-durable-changed"},
		{`, "order.paid"`, ``, "breaking routing-key-removed", "compatible routing-key-added"},
		{`"x-hash": "1"`, `"x-hash": "2"`, "undecided extension-changed", "undecided extension-changed"},
		{`"x-hash": "1"`, `"hash": "1"`, "undecided extension-removed", "undecided unknown-key-removed"},
	} {
		require.Contains(t, shop, c.old)
		other := strings.Replace(shop, c.old, c.new, 1)
		for _, way := range []struct{ old, new, want string }{{shop, other, c.forth}, {other, shop, c.back}} {
			report := difference.Compare(read(t, "old.json", way.old), read(t, "new.json", way.new), nil)
			var got []string
			for _, change := range report.Changes {
				got = append(got, string(change.Severity)+" "+change.ID)
				require.Contains(t, difference.Kinds(), change.ID)
				require.NotEmpty(t, change.Publisher)
				require.NotEmpty(t, change.Consumer)
				require.True(t, change.Old.IsValid() || change.New.IsValid())
			}
			require.Contains(t, got, way.want, "%s to %s", c.old, c.new)
			severity, _, _ := strings.Cut(way.want, " ")
			require.Equal(t, severity == "breaking" || severity == "undecided", report.HasBreaking(), "%v", got)
		}
	}
}

func TestCompare_SaysNothingOfEqualContracts(t *testing.T) {
	report := difference.Compare(read(t, "old.json", shop), read(t, "new.json", shop), nil)
	require.Empty(t, report.Changes)
	require.Equal(t, []string{"the payload of Order.reply", "the payload of Price"}, report.Silent)
}

// Receivers tell the messages of a oneOf apart by their names, even if there is one.
func TestCompare_NamesOfOneOfAreOnTheWire(t *testing.T) {
	text := func(message string) string { return strings.Replace(shop, `{"name": "Price"}`, message, 1) }
	one, other := text(`{"oneOf": [{"name": "Price"}]}`), text(`{"oneOf": [{"name": "PriceChanged"}]}`)
	report := difference.Compare(read(t, "a", one), read(t, "b", other), nil)
	require.Equal(t, 2, report.Count(difference.Breaking), "%v", report.Changes) // with version-too-low
}

func TestCompare_MasksCredentials(t *testing.T) {
	other := strings.Replace(shop, `"localhost:5672"`, `"amqp://ann:secret@broker:5672"`, 1)
	report := difference.Compare(read(t, "a", shop), read(t, "b", other), nil)
	var text strings.Builder
	report.Text(&text)
	require.NotContains(t, text.String(), "secret")
	require.Contains(t, text.String(), "amqp://***@broker:5672")
}

// What asyncapigen didn't write may mean either side: both have to hold. It writes publish
// beside subscribe for replies alone.
func TestCompare_UnprovedDirectionIsBoth(t *testing.T) {
	queue := func(subscribed, published string) *difference.Document {
		return read(t, "a", fmt.Sprintf(`{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{"q":{
			"subscribe":{"operationId":"A","message":{"payload":{"type":%q}}},"publish":{"operationId":"B","message":{"payload":{"type":%q}}},
			"bindings":{"amqp":{"is":"queue"}}}}}`, subscribed, published))
	}
	for _, types := range [][2]string{{"integer", "number"}, {"number", "integer"}} {
		require.True(t, difference.Compare(queue(types[0], "string"), queue(types[1], "string"), nil).HasBreaking(), types)
		require.True(t, difference.Compare(queue("string", types[0]), queue("string", types[1]), nil).HasBreaking(), types)
	}
	both := difference.Compare(queue("integer", "string"), queue("boolean", "string"), nil)
	require.Equal(t, 2, both.Count(difference.Breaking), "%v", both.Changes) // with version-too-low
	i := slices.IndexFunc(both.Changes, func(c difference.Change) bool { return c.ID == "schema-type-changed" })
	require.Equal(t, "may send what the service no longer accepts", both.Changes[i].Publisher, "the first of both sides to fail")
	text := func(payload string) string {
		return `{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{"q":{"publish":{"operationId":"A","message":{"payload":` + payload + `}}}}}`
	}
	narrow, wide := text(`{"type":"integer"}`), text(`{"type":"number"}`)
	require.True(t, difference.Compare(read(t, "a", narrow), read(t, "b", wide), nil).HasBreaking())
	require.True(t, difference.Compare(read(t, "a", wide), read(t, "b", narrow), nil).HasBreaking())
	for receives, breaks := range map[difference.Direction]bool{difference.Publish: false, difference.Subscribe: true} {
		old, err := difference.Read("a", []byte(narrow), receives)
		require.NoError(t, err)
		new, err := difference.Read("b", []byte(wide), receives)
		require.NoError(t, err)
		require.Equal(t, breaks, difference.Compare(old, new, nil).HasBreaking())
	}
}

func TestCompare_ReportsABindingOfAnotherProtocolOnce(t *testing.T) {
	const place = `"operationId": "Price", "message": {"name": "Price"}}`
	for _, with := range []string{
		`"operationId": "Price", "message": {"name": "Price"}, "bindings": {"kafka": {"groupId": "a"}}}`,
		`"operationId": "Price", "message": {"name": "Price", "bindings": {"kafka": {"groupId": "a"}}}}`,
		`"operationId": "Price", "message": {"name": "Price"}}, "publish": {"operationId": "Price.reply", "message": {}, "bindings": {"kafka": {"groupId": "a"}}}`,
	} {
		require.Contains(t, shop, place)
		old := strings.Replace(shop, place, with, 1)
		report := difference.Compare(read(t, "old.json", old), read(t, "new.json", strings.Replace(old, `"a"`, `"b"`, 1)), nil)
		require.Len(t, report.Changes, 1, with)
		require.Equal(t, "protocol-binding-changed", report.Changes[0].ID)
	}
}

func TestOperations_AreInOrderWithTheirReplies(t *testing.T) {
	named := func(operations []difference.Operation) (lines []string) {
		for _, o := range operations {
			line := fmt.Sprintf("%s by %s sends %t", o.Name, o.Channel.Name, o.Sends)
			if o.Reply != nil {
				line += ", replied to by " + o.Reply.Messages[0].Name
			}
			for _, m := range o.Messages {
				line += ", " + m.Name
			}
			lines = append(lines, line)
		}
		return lines
	}
	require.Equal(t, []string{
		"Order by orders sends false, replied to by Yes, Created, Paid", "Price by prices sends false, Price",
	}, named(read(t, "two.json", strings.Replace(shop, `{"name": "Price"}`, `{"messageId": "id", "name": "Price"}`, 1)).Operations()))
	require.Equal(t, []string{"A by q sends true, id", "B by q sends false, N"}, named(read(t, "other.json", `{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{"q":{
		"subscribe":{"operationId":"A","message":{"messageId":"id","name":"M"}},"publish":{"operationId":"B","message":{"name":"N"}}}}}`).Operations()), "of others")
	require.Equal(t, []string{
		"Ask by q sends true, replied to by answer, M", "Take by q sends false, M",
	}, named(read(t, "three.json", `{"asyncapi":"3.0.0","info":{"title":"T","version":"1.0.0"},
		"channels":{"q":{"address":"q","messages":{"M":{}}},"reply":{"address":null,"messages":{"answer":{}}}},
		"operations":{"Ask":{"action":"send","channel":{"$ref":"#/channels/q"},"reply":{"channel":{"$ref":"#/channels/reply"}}},
			"Take":{"action":"receive","channel":{"$ref":"#/channels/q"}}}}`).Operations()))
}

// One service's contract is the sender's, the other's the receiver's.
func TestDisagreements_AreOfTheReceiver(t *testing.T) {
	message := func(payload string) difference.Message {
		return read(t, "a", `{"asyncapi":"3.0.0","info":{"title":"T","version":"1.0.0"},"defaultContentType":"application/json",
			"channels":{"q":{"address":"q","messages":{"M":`+payload+`}}},"operations":{"A":{"action":"send","channel":{"$ref":"#/channels/q"}}}}`).Operations()[0].Messages[0]
	}
	for _, c := range []struct {
		sent, accepted string
		want           []string
	}{
		{`{"payload":{"type":"integer"}}`, `{"payload":{"type":"number","title":"N"}}`, nil},
		{`{"payload":{"type":"number"}}`, `{"payload":{"type":"integer"}}`, []string{"breaking schema-type-narrowed"}},
		{`{"payload":{"type":"number"}}`, `{}`, nil},
		{`{}`, `{"payload":{"type":"number"}}`, nil},
		{`{}`, `{"contentType":"text/csv"}`, []string{"breaking message-content-type-changed"}},
		{`{"payload":{"type":"integer"}}`, `{"payload":{"type":"integer"},"headers":{"type":"object","required":["a"]}}`, nil},
	} {
		var got []string
		for _, change := range difference.Disagreements(message(c.sent), message(c.accepted)) {
			got = append(got, string(change.Severity)+" "+change.ID)
		}
		require.Equal(t, c.want, got, "%s to %s", c.sent, c.accepted)
	}
}

func TestReadPolicy_IsAnObjectOfSeverities(t *testing.T) {
	policy, err := difference.ReadPolicy("policy.yaml", []byte("title-changed: breaking\n"))
	require.NoError(t, err)
	require.Equal(t, difference.Policy{"title-changed": difference.Breaking}, policy)
	for text, want := range map[string]string{
		`{`: "read the severities in p.json: ", `[]`: "it is of the kind array", `{"titel-changed":"breaking"}`: `no kind of change "titel-changed"`, `{"title-changed":"bad"}`: `"bad" is none`,
	} {
		_, err := difference.ReadPolicy("p.json", []byte(text))
		require.ErrorContains(t, err, want)
	}
}

func TestCompare_NamesOfSeveralMessagesAreOnTheWire(t *testing.T) {
	document := func(messages string) *difference.Document {
		return read(t, "a", `{"asyncapi":"3.0.0","info":{"title":"T","version":"1.0.0"},"channels":{"q":{"address":"q","messages":{"M":{},"N":{}}}},
			"operations":{"A":{"action":"receive","channel":{"$ref":"#/channels/q"},"messages":[`+messages+`]}}}`)
	}
	one, both := `{"$ref":"#/channels/q/messages/M"}`, `{"$ref":"#/channels/q/messages/M"},{"$ref":"#/channels/q/messages/N"}`
	require.Equal(t, []string{"undecided message-selection-changed", "compatible message-added"}, changesOf(t, document(one), document(both)))
}

func TestCompare_ReadsBothVersionsAlike(t *testing.T) {
	two := `{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{"q":{
		"subscribe":{"operationId":"Ask","message":{"name":"Ask","payload":{"type":"string"}}},
		"publish":{"operationId":"Ask.reply","message":{"name":"Ask.response","payload":{"type":"integer"}}},
		"bindings":{"amqp":{"is":"queue","queue":{"name":"q","durable":true}}}}}}`
	three := `{"asyncapi":"3.0.0","info":{"title":"T","version":"1.0.0"},
		"channels":{"q":{"address":"q","messages":{"Ask":{"name":"Ask","payload":{"type":"string"}}},"bindings":{"amqp":{"is":"queue","queue":{"name":"q","durable":true}}}},
			"reply":{"address":null,"messages":{"response":{"name":"Ask.response","payload":{"type":"%s"}}}}},
		"operations":{"Ask":{"action":"receive","channel":{"$ref":"#/channels/q"},"messages":[{"$ref":"#/channels/q/messages/Ask"}],
			"reply":{"address":{"location":"$message.header#/reply_to"},"channel":{"$ref":"#/channels/reply"}}}}}`
	report := difference.Compare(read(t, "a", two), read(t, "b", fmt.Sprintf(three, "integer")), nil)
	for _, c := range report.Changes {
		require.Contains(t, []string{"asyncapi-version-changed", "channel-added", "reply-address-added", "operation-id-removed"}, c.ID, "%v", c)
	}
	report = difference.Compare(read(t, "a", fmt.Sprintf(three, "integer")), read(t, "b", fmt.Sprintf(three, "number")), nil)
	require.Equal(t, "schema-type-widened", report.Changes[slices.IndexFunc(report.Changes, func(c difference.Change) bool { return c.Example != "" })].ID)
}

// What a service is answered comes from others: they go on to send the old reply.
func TestCompare_TakesRepliesToCallsForReceived(t *testing.T) {
	document := func(reply string) *difference.Document {
		return read(t, "a", fmt.Sprintf(`{"asyncapi":"3.0.0","info":{"title":"T","version":"1.0.0"},
			"channels":{"q":{"address":"q","messages":{"Ask":{"name":"Ask","payload":{"type":"string"}}}},
				"reply":{"address":null,"messages":{"answer":{"name":"Answer","payload":{"type":%q}}}}},
			"operations":{"Ask":{"action":"send","channel":{"$ref":"#/channels/q"},"reply":{"$ref":"#/components/replies/answer"}}},
			"components":{"replies":{"answer":{"address":{"location":"$message.header#/reply_to"},"channel":{"$ref":"#/channels/reply"}}}}}`, reply))
	}
	require.True(t, difference.Compare(document("number"), document("integer"), nil).HasBreaking())
	require.False(t, difference.Compare(document("integer"), document("number"), nil).HasBreaking())
	require.Equal(t, []string{"compatible schema-type-widened"}, changesOf(t, document("integer"), document("number")))
}

func TestCompare_NamesNextVersion(t *testing.T) {
	for _, c := range []struct{ old, new, title, more, next string }{
		{"1.2.3", "1.2.3", "T", ``, "1.2.3"},
		{"1.2.3", "1.2.3", "U", ``, "1.2.4"},
		{"1.2.3", "1.2.4", "U", ``, "1.2.4"},
		{"1.2.3", "1.3.0", "T", `,"servers":{"s":{"url":"a","protocol":"amqp"}}`, "1.3.0"},
		{"1.2.3", "2.0.0", "T", `,"x-a":{}`, "2.0.0"},
		{"0.2.3", "0.3.0", "T", `,"x-a":{}`, "0.3.0"},
		{"soon", "later", "U", ``, ""},
	} {
		text := func(version, title, more string) string {
			return fmt.Sprintf(`{"asyncapi":"2.6.0","info":{"version":%q,"title":%q},"channels":{}%s}`, version, title, more)
		}
		report := difference.Compare(read(t, "a", text(c.old, "T", "")), read(t, "b", text(c.new, c.title, c.more)), nil)
		require.Equal(t, c.next, report.Version.Next, "%v", report.Changes)
		require.False(t, report.Version.TooLow)
	}
}

func TestRead_NamesWhatIsNoObject(t *testing.T) {
	for text, line := range map[string]int{`"channels":1`: 1, "\n\n" + `"channels":{"q":1}`: 3, "\n" + `"servers":{"s":[]}`: 2} {
		d := read(t, "a.json", `{"asyncapi":"2.6.0",`+text+`}`)
		require.ErrorContains(t, d.Problem(), fmt.Sprintf("line %d: it is of the kind ", line))
		require.ErrorContains(t, d.Problem(), ", not object")
	}
}

// Whatever stands in a document, it is compared or refused.
func TestRead_NeverPanics(t *testing.T) {
	for _, text := range []string{``, `[]`, `{}`, `null`, `{"asyncapi":2}`, `{"asyncapi":"2.6.0","asyncapi":"2.6.0"}`, strings.Repeat(`[`, 5000)} {
		_, err := difference.Read("a.json", []byte(text), difference.ByShape)
		require.Error(t, err, text)
	}
	values := []string{`null`, `1`, `"x"`, `[]`, `{}`, `[{}]`, `{"$ref":"#/channels"}`, `{"$ref":"#/info/title"}`, `{"$ref":1}`, `{"a":{"$ref":"x"}}`, `true`}
	for i := range len(shop) {
		if shop[i] != ':' {
			continue
		}
		end := i + 1 + strings.IndexAny(shop[i+1:], ",}]")
		if open := strings.IndexAny(shop[i+1:end], "{["); open >= 0 {
			continue
		}
		for _, value := range values {
			text := shop[:i+1] + value + shop[end:]
			if d, err := difference.Read("a.json", []byte(text), difference.ByShape); err == nil {
				difference.Compare(read(t, "b.json", shop), d, nil)
				difference.Compare(d, read(t, "b.json", shop), nil)
			}
		}
	}
}
