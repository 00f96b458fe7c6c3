package landscape_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/landscape"
)

// shown is a map with flows and findings of each kind.
func shown() *landscape.Map {
	created, onCreated, paid := landscape.End{Service: "orders", Operation: "created"}, landscape.End{Service: "mails", Operation: "onCreated"}, landscape.End{Service: "orders", Operation: "onPaid"}
	return &landscape.Map{
		Services: []landscape.Service{
			{Name: "orders", Version: "1.0.0", Description: "Takes orders.", Document: "orders.json", Server: "mq.example.com", Operations: []landscape.Operation{
				{Name: "created", Action: "send", Exchange: "orders", Keys: []string{"order.created"}, Messages: []string{"Order"}},
				{Name: "onPaid", Action: "receive", Queue: "paid", Messages: []string{"Paid"}},
			}},
			{Name: "mails", Document: "mails.json", Operations: []landscape.Operation{{Name: "onCreated", Action: "receive", Queue: "mails"}}},
		},
		Flows: []landscape.Flow{
			{Kind: landscape.Sent, From: created, To: onCreated, Messages: []string{"Order", "Gift"}, Exchange: "orders", Keys: []string{"order.created", "order.<any>"}},
			{Kind: landscape.Sent, From: created, To: paid, Messages: []string{"Order"}, Exchange: "orders", Undecided: "it depends"},
			{Kind: landscape.Replied, From: onCreated, To: created, Messages: []string{"Done"}},
			{Kind: landscape.Replied, From: onCreated, To: paid, Messages: []string{"Done"}, Queue: "paid"},
			{Kind: landscape.Replied, From: onCreated, To: paid, Messages: []string{"Done"}, Exchange: "answers"},
			{Kind: landscape.DeadLetter, From: onCreated, To: paid, Messages: []string{"Order"}, Queue: "paid"},
			{Kind: landscape.Sent, From: onCreated, To: paid, Messages: []string{"Paid"}, Queue: "paid"},
		},
		Findings: []landscape.Finding{
			{ID: landscape.NotHandled, At: created, What: "nobody takes it", Example: `{"id":"<a>"}`},
			{ID: landscape.Disagreeing, At: onCreated, Peer: &created, What: "it may not fit", Undecided: true},
		},
	}
}

func TestText_ShowsFlowsAndFindings(t *testing.T) {
	var b bytes.Buffer
	shown().Text(&b)
	require.Equal(t, `FROM    MESSAGE      BY                                         TO      HANDLER
orders  Order, Gift  exchange orders order.created order.<any>  mails   onCreated
orders  Order?       exchange orders                            orders  onPaid
mails   Done         reply                                      orders  created
mails   Done         reply to queue paid                        orders  onPaid
mails   Done         reply to exchange answers                  orders  onPaid
mails   Order        dead letters to queue paid                 orders  onPaid
mails   Paid         queue paid                                 orders  onPaid

orders: created: nobody takes it [not-handled]
    example: {"id":"<a>"}
mails: onCreated: undecided: it may not fit [disagreement]

2 services, 7 flows, 2 findings
`, b.String())
	b.Reset()
	one := shown()
	one.Findings = one.Findings[:1]
	one.Text(&b)
	require.Contains(t, b.String(), "onPaid\n\norders: created: nobody takes it")
	b.Reset()
	(&landscape.Map{Services: []landscape.Service{{}}}).Text(&b)
	require.Equal(t, "FROM  MESSAGE  BY  TO  HANDLER\n\n1 service, 0 flows, 0 findings\n", b.String())
}

func TestJSON_HasTheMapAndTheVersionOfItsForm(t *testing.T) {
	var b bytes.Buffer
	shown().JSON(&b)
	require.Contains(t, b.String(), `order.<any>`, "HTML's signs stay as they are")
	require.Contains(t, b.String(), "\n  \"flows\": [")
	var read struct {
		Version int
		landscape.Map
	}
	require.NoError(t, json.Unmarshal(b.Bytes(), &read))
	require.Equal(t, 1, read.Version)
	require.Equal(t, *shown(), read.Map)
}

func TestHasCertain_LeavesOutWhatIsNotKnown(t *testing.T) {
	m := shown()
	require.True(t, m.HasCertain())
	m.Findings = m.Findings[1:]
	require.False(t, m.HasCertain())
}

// Each operation has its flows and its findings beside it.
func TestPage_JoinsOperationsToTheirFlows(t *testing.T) {
	page, err := shown().Page("Shop")
	require.NoError(t, err)
	text := string(page)
	_, created, found := bytes.Cut(page, []byte(`id="operation-orders-created"`))
	require.True(t, found)
	created, _, found = bytes.Cut(created, []byte(`id="operation-orders-onPaid"`))
	require.True(t, found)
	for _, part := range []string{"nobody takes it", "undecided: it may not fit", "exchange orders order.created order.&lt;any&gt;", "it depends", "reply", "sends"} {
		require.Contains(t, string(created), part)
	}
	_, mails, found := bytes.Cut(page, []byte(`id="operation-mails-onCreated"`))
	require.True(t, found)
	require.Contains(t, string(mails), "undecided: it may not fit")
	require.NotContains(t, string(mails), "nobody takes it")
	for arrows, n := range map[string]int{`class="exchange"`: 3, `class="reply"`: 1, `class="failure"`: 1} {
		require.Equal(t, n, strings.Count(text, arrows), arrows)
	}
	require.Regexp(t, "<b>error</b>.*nobody takes it", text)
	require.Regexp(t, "<b>undecided</b>.*it may not fit", text)
	for _, part := range []string{"nobody takes it, for example {&#34;id&#34;:&#34;&lt;a&gt;&#34;}", "mails: onCreated", "Takes orders.", "orders.json", "mq.example.com", "2 services, 7 flows, 2 findings"} {
		require.Contains(t, text, part)
	}
}
