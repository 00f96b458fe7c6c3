package contract_test

import (
	"fmt"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/protobuf"
)

// on returns an operation on a queue.
func on(name, queue string) contract.Operation {
	return contract.Operation{Route: runtime.Route{Name: name, Queue: runtime.Queue{Name: queue}}}
}

func TestNew_GivesTheContractDespiteWarnings(t *testing.T) {
	operation := on("a", "a")
	operation.Payload = schema.Reflect(reflect.TypeFor[struct{ Err error }]())
	operation.Pos = token.Position{Filename: "shop.go", Line: 3}
	c, problems := contract.New([]contract.Operation{operation}, schema.Options{})
	require.NotNil(t, c)
	require.Len(t, problems, 1)
	require.Equal(t, diagnostic.Warning, problems[0].Severity)
	require.Equal(t, "shop.go:3", problems[0].Pos.String(), "the route's, where the type has none")
}

func TestNew_DescribesEachMessageOfAnOperation(t *testing.T) {
	several := contract.Operation{
		Route: runtime.Route{Name: "several", Queue: runtime.Queue{Name: "several"}},
		Messages: []contract.Message{
			{Name: "text", Payload: schema.Reflect(reflect.TypeFor[string]())},
			{Name: "number", Payload: schema.Reflect(reflect.TypeFor[int]())},
		},
	}
	one := contract.Operation{Route: runtime.Route{Name: "one", Queue: runtime.Queue{Name: "one"}}, Payload: schema.Reflect(reflect.TypeFor[bool]())}
	c, problems := contract.New([]contract.Operation{several, one}, schema.Options{})
	require.Empty(t, problems)
	require.Nil(t, c.Channels[0].Schema)
	require.Equal(t, schema.Types{"string"}, c.Channels[0].Messages[0].Schema.Type)
	require.Equal(t, schema.Types{"integer"}, c.Channels[0].Messages[1].Schema.Type)
	require.Equal(t, schema.Types{"boolean"}, c.Channels[1].Schema.Type)
	require.Nil(t, several.Messages[0].Schema, "the operation is the caller's")
}

func TestNew_WarnsOfRoutesThatAreReplaced(t *testing.T) {
	c, problems := contract.New([]contract.Operation{on("first", "q"), on("second", "q")}, schema.Options{})
	require.NotNil(t, c)
	require.Len(t, problems, 1)
	require.Equal(t, `route "second": it replaces route "first" in the document, because both consume queue "q": give each route a queue of its own, or make one route of them by runtime.Dispatch`,
		problems[0].Text())
}

func TestNew_WarnsOnceOfATagThatIsRepeated(t *testing.T) {
	for text, want := range map[string][]string{
		"":            nil,
		"a b":         nil,
		"a a":         {"a"},
		"b a b a b b": {"a", "b"},
		"a b b":       {"b"},
		"a b b b c c": {"b", "c"},
	} {
		o := on("route", "q")
		o.Tags = strings.Fields(text)
		_, problems := contract.New([]contract.Operation{o}, schema.Options{})
		require.Len(t, problems, len(want), text)
		for i, tag := range want {
			require.Equal(t, diagnostic.RepeatedTag, problems[i].Code)
			require.Contains(t, problems[i].Text(), fmt.Sprintf("the tag %q", tag), text)
		}
	}
}

// Nothing is known of the body that a codec writes.
func TestNew_DescribesNoMessageOfACodec(t *testing.T) {
	o := on("route", "q")
	o.Codec = protobuf.Codec{}
	o.Messages = []contract.Message{{Name: "one", Payload: schema.Reflect(reflect.TypeFor[struct{ A int }]()), Result: schema.Reflect(reflect.TypeFor[struct{ B int }]())}}
	c, problems := contract.New([]contract.Operation{o}, schema.Options{})
	require.Empty(t, problems)
	require.Empty(t, c.Components)
	require.True(t, c.Channels[0].Messages[0].Schema.IsEmpty())
}

func TestNew_DescribesEachResultOfAnOperation(t *testing.T) {
	o := on("route", "q")
	o.Messages = []contract.Message{
		{Name: "text", Payload: schema.Reflect(reflect.TypeFor[string]())},
		{Name: "number", Payload: schema.Reflect(reflect.TypeFor[int]()), Result: schema.Reflect(reflect.TypeFor[bool]())},
		{Name: "list", Payload: schema.Reflect(reflect.TypeFor[[1]int]()), Result: schema.Reflect(reflect.TypeFor[float64]())},
	}
	c, problems := contract.New([]contract.Operation{o}, schema.Options{})
	require.Empty(t, problems)
	require.Nil(t, c.Channels[0].Messages[0].ResultSchema)
	require.Equal(t, schema.Types{"boolean"}, c.Channels[0].Messages[1].ResultSchema.Type)
	require.Equal(t, schema.Types{"number"}, c.Channels[0].Messages[2].ResultSchema.Type)
}

func TestNew_GivesNoContractWithErrors(t *testing.T) {
	c, problems := contract.New([]contract.Operation{on("", "")}, schema.Options{})
	require.Nil(t, c)
	require.Len(t, problems, 2)
	require.Equal(t, `route "(unnamed)": it has no name: name the route`, problems[0].Text())
}

func TestNew_LeavesOperationsUnchanged(t *testing.T) {
	exchange := &runtime.Exchange{Name: "shop"}
	operations := []contract.Operation{on("a", "q")}
	operations[0].Tags, operations[0].Exchange = []string{"b", "a"}, exchange
	c, _ := contract.New(operations, schema.Options{})
	document := asyncapi.FromContract(c, nil)
	require.Equal(t, []string{"b", "a"}, operations[0].Tags)
	document.Channels[0].Bindings.AMQP.Exchange.Name = "changed"
	require.Equal(t, "shop", exchange.Name)
}

type shipment struct {
	Parcels []parcel
	Labels  map[string]string
	Return  *shipment
}

type parcel struct {
	Weight uint16
	Seal   []byte
}

func BenchmarkNew(b *testing.B) {
	for _, n := range []int{10, 1000} {
		operations := make([]contract.Operation, n)
		for i := range operations {
			operations[i] = on("route"+strconv.Itoa(i), "queue"+strconv.Itoa(i))
			operations[i].Payload = schema.Reflect(reflect.TypeFor[shipment]())
		}
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			for b.Loop() {
				if c, _ := contract.New(operations, schema.Options{}); c == nil {
					b.Fatal("no contract")
				}
			}
		})
	}
}
