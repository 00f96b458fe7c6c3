package topology

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// The tests of Diff, Apply and Migrate with a real broker are in
// mgmt/internal/live.

func have[T any](t *testing.T, text string) T {
	t.Helper()
	var info T
	require.NoError(t, json.Unmarshal([]byte(text), &info))
	return info
}

func texts(fields []Field) []string {
	all := []string{}
	for _, field := range fields {
		all = append(all, field.String())
	}
	return all
}

type (
	flag bool
	text string
)

func TestDiff_ComparesQueuesAsTheBrokerDoes(t *testing.T) {
	for name, test := range map[string]struct {
		want      Queue
		have      string
		otherwise string
		fields    []string
	}{
		"3.10 doesn't name the type":      {Queue{Durable: true}, `{"durable":true,"type":"classic","arguments":{}}`, "classic", nil},
		"4.x does":                        {Queue{Durable: true}, `{"durable":true,"type":"classic","arguments":{"x-queue-type":"classic"}}`, "classic", nil},
		"the program does":                {Queue{Durable: true, Arguments: map[string]any{"x-queue-type": "classic"}}, `{"durable":true,"type":"classic"}`, "classic", nil},
		"the vhost has decided otherwise": {Queue{Durable: true}, `{"durable":true,"type":"classic","arguments":{}}`, "quorum", []string{"x-queue-type: want quorum, have classic"}},
		"the vhost decides":               {Queue{Durable: true}, `{"durable":true,"type":"quorum","arguments":{"x-queue-type":"quorum"}}`, "quorum", nil},
		"a transient queue is classic":    {Queue{}, `{"durable":false,"type":"classic","arguments":{"x-queue-type":"classic"}}`, "quorum", nil},
		"so is one that deletes itself":   {Queue{Durable: true, AutoDelete: true}, `{"durable":true,"auto_delete":true,"type":"classic"}`, "quorum", nil},
		"another type":                    {Queue{Durable: true}, `{"durable":true,"type":"quorum","arguments":{"x-queue-type":"quorum"}}`, "classic", []string{"x-queue-type: want classic, have quorum"}},
		"numbers of any type":             {Queue{Arguments: map[string]any{"a": int32(1), "b": uint8(2), "c": 3.0, "d": int64(4)}}, `{"durable":false,"arguments":{"a":1,"b":2,"c":3,"d":4}}`, "classic", nil},
		"booleans":                        {Queue{Arguments: map[string]any{"x-single-active-consumer": true, "b": flag(true), "c": []bool{true}}}, `{"durable":false,"arguments":{"x-single-active-consumer":true,"b":true,"c":[true]}}`, "classic", nil},
		"booleans that differ":            {Queue{Arguments: map[string]any{"x-single-active-consumer": true, "b": flag(false)}}, `{"durable":false,"arguments":{"x-single-active-consumer":false,"b":true}}`, "classic", []string{"x-single-active-consumer: want true, have false", "b: want false, have true"}},
		"a boolean isn't its text":        {Queue{Arguments: map[string]any{"a": true}}, `{"durable":false,"arguments":{"a":"true"}}`, "classic", []string{`a: want true, have "true"`}},
		"numbers that no broker has":      {Queue{Arguments: map[string]any{"a": uint64(math.MaxUint64), "b": 1e300, "c": 1.5}}, `{"durable":false,"arguments":{"a":-1,"b":1e300,"c":1.5}}`, "classic", []string{"a: want 18446744073709551615, have -1"}},
		"the largest number":              {Queue{Arguments: map[string]any{"a": uint64(math.MaxInt64)}}, `{"durable":false,"arguments":{"a":9223372036854775807}}`, "classic", nil},
		"nested, and different":           {Queue{Arguments: map[string]any{"a": []int{1}, "m": map[string]any{"n": 1}}}, `{"durable":false,"arguments":{"a":[2],"m":{"n":2}}}`, "classic", []string{"a: want [1], have [2]", "m: want map[n:1], have map[n:2]"}},
		"bytes are text":                  {Queue{Arguments: map[string]any{"a": []byte("x"), "b": text("y")}}, `{"durable":false,"arguments":{"a":"x","b":"y"}}`, "classic", nil},
		"text isn't a number":             {Queue{Arguments: map[string]any{"a": "1"}}, `{"durable":false,"arguments":{"a":1}}`, "classic", []string{`a: want "1", have 1`}},
		"nested":                          {Queue{Arguments: map[string]any{"a": []int{1}, "m": map[string]any{"n": 1}}}, `{"durable":false,"arguments":{"a":[1],"m":{"n":1}}}`, "classic", nil},
		"a missing argument":              {Queue{Arguments: map[string]any{"x-max-length": 1}}, `{"durable":false,"arguments":{}}`, "classic", []string{"x-max-length: want 1, have none"}},
		"an argument that isn't declared": {Queue{}, `{"durable":false,"arguments":{"x-max-length":1}}`, "classic", []string{"x-max-length: want none, have 1"}},
		"durability and deletion":         {Queue{AutoDelete: true}, `{"durable":true,"auto_delete":false}`, "classic", []string{"durable: want false, have true", "auto-delete: want true, have false"}},
		"what the broker doesn't tell":    {Queue{Durable: true}, `{}`, "classic", nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.ElementsMatch(t, test.fields, texts(compareQueue(test.want, have[mgmt.QueueInfo](t, test.have), test.otherwise)))
		})
	}
}

func TestDiff_RefusesBindingsOfUndeclaredQueues(t *testing.T) {
	client, err := mgmt.New(mgmt.Config{URL: "http://localhost:1"})
	require.NoError(t, err)
	_, err = Diff(t.Context(), client, Topology{Queues: []Queue{{Name: "q"}}, Bindings: []Binding{{Exchange: "x", Queue: "q"}, {Exchange: "x", Queue: "other"}}})
	require.ErrorContains(t, err, `binding of queue "other" to exchange "x" by "": its queue isn't among the Queues`)
}

func TestDiff_ComparesExchangesAsTheBrokerDoes(t *testing.T) {
	info := have[mgmt.ExchangeInfo](t, `{"type":"direct","durable":true,"auto_delete":false,"internal":false,"arguments":{}}`)
	require.Empty(t, compareExchange(Exchange{Durable: true}, info), "direct is the default")
	require.Equal(t, []string{"type: want topic, have direct", "durable: want false, have true", "auto-delete: want true, have false", "internal: want true, have false", "a: want 1, have none"},
		texts(compareExchange(Exchange{Type: "topic", AutoDelete: true, Internal: true, Arguments: map[string]any{"a": 1}}, info)))
}

func TestChanges_PrintAsADifference(t *testing.T) {
	queue := Queue{Name: "q", Durable: true, Arguments: map[string]any{"x-queue-type": "quorum"}}
	changes := Changes{
		Exchanges:    []Exchange{{Name: "x", Type: "topic"}},
		Queues:       []Queue{queue},
		Bindings:     []Binding{{Exchange: "x", Queue: "q", RoutingKey: "k"}},
		Inequivalent: []Difference{{KindQueue, "d", []Field{{"durable", true, false}}, []string{"first", "second"}}},
		Surplus: Surplus{
			Exchanges: []string{"old.x"}, Queues: []string{"old.q"},
			Bindings: []mgmt.BindingInfo{{Source: "x", Destination: "q", RoutingKey: "old"}},
		},
	}
	require.False(t, changes.IsEmpty())
	require.Equal(t, `+ exchange "x" (topic) with transient
+ queue "q" with x-queue-type=quorum
+ binding of queue "q" to exchange "x" by "k"
~ queue "d"
    durable: want true, have false
  1. first
  2. second
- binding of queue "q" to exchange "x" by "old"
- queue "old.q"
- exchange "old.x"
`, changes.String())
	require.True(t, Changes{VHost: "v"}.IsEmpty())
	for _, one := range []Changes{
		{Exchanges: changes.Exchanges},
		{Queues: changes.Queues},
		{Bindings: changes.Bindings},
		{ExchangeBindings: []ExchangeBinding{{}}},
		{Inequivalent: changes.Inequivalent},
		{Surplus: Surplus{Exchanges: changes.Surplus.Exchanges}},
		{Surplus: Surplus{Queues: changes.Surplus.Queues}},
		{Surplus: Surplus{Bindings: changes.Surplus.Bindings}},
	} {
		require.False(t, one.IsEmpty(), "%v", one)
		require.NotEmpty(t, one.String())
	}
}

func TestIsSame_ComparesSourceKeyAndArguments(t *testing.T) {
	want := Binding{Exchange: "x", Queue: "q", RoutingKey: "k", Arguments: map[string]any{"n": int32(1)}}
	there := mgmt.BindingInfo{Source: "x", Destination: "q", RoutingKey: "k", Arguments: mgmt.Table{"n": int64(1)}}
	require.True(t, isSame(want, there))
	for _, change := range []func(*mgmt.BindingInfo){
		func(b *mgmt.BindingInfo) { b.Source = "y" },
		func(b *mgmt.BindingInfo) { b.RoutingKey = "l" },
		func(b *mgmt.BindingInfo) { b.Arguments = nil },
		func(b *mgmt.BindingInfo) { b.Arguments = mgmt.Table{"n": int64(2)} },
	} {
		other := there
		change(&other)
		require.False(t, isSame(want, other), "%v", other)
	}
}
