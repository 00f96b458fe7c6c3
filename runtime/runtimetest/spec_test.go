package runtimetest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

type specOrder struct {
	ID    string `json:"id"`
	Total int64  `json:"total"`
}

// specRouter has one route, which a change may make another one.
func specRouter(t *testing.T, change func(*runtime.Route)) *runtime.Router {
	route := runtime.Route{
		Name:        "orders",
		Description: "Takes orders.",
		Queue:       runtime.Queue{Name: "new orders", Durable: true, MaxLength: 1000},
		Exchange:    &runtime.Exchange{Name: "shop", Type: runtime.Topic, Durable: true},
		RoutingKeys: []string{"order.*"},
		Handler:     runtime.Respond(func(context.Context, specOrder) (int, error) { return 0, nil }),
	}
	if change != nil {
		change(&route)
	}
	router := runtime.NewRouter()
	require.NoError(t, router.Register(route))
	return router
}

// committedSpec writes the document of the unchanged router.
func committedSpec(t *testing.T, name string, form asyncapi.Form) string {
	cfg := &asyncapi.Config{Title: "Shop", ServerURL: "mq.example.com", EncodeChannels: true, Security: []asyncapi.SecurityScheme{{Type: asyncapi.Plain}}}
	text, err := asyncapi.GenerateJSON(specRouter(t, nil).Routes(), cfg, 2, form)
	require.NoError(t, err)
	if filepath.Ext(name) == ".yaml" {
		text, err = jsontree.ToYAML(text, "")
		require.NoError(t, err)
	}
	file := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return file
}

// requireSpec returns what RequireSpec fails with, "" where it doesn't.
func requireSpec(t *testing.T, router *runtime.Router, file string) string {
	j := &judged{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtimetest.RequireSpec(j, router, file)
	}()
	<-done
	return strings.Join(j.failures, "\n")
}

func TestRequireSpec_TakesTheDocumentOfTheRouter(t *testing.T) {
	for _, form := range []asyncapi.Form{asyncapi.Exact, asyncapi.Extended} {
		for _, name := range []string{"asyncapi.json", "asyncapi.yaml"} {
			require.Empty(t, requireSpec(t, specRouter(t, nil), committedSpec(t, name, form)), form)
		}
	}
}

// Names are compared as the committed document has them.
func TestRequireSpec_TakesNamesThatAreNotEncoded(t *testing.T) {
	spaced := func(route *runtime.Route) { route.Queue.Name = "my orders" }
	for _, encode := range []bool{false, true} {
		text, err := asyncapi.GenerateJSON(specRouter(t, spaced).Routes(), &asyncapi.Config{EncodeChannels: encode}, 2)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "asyncapi.json")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		require.Empty(t, requireSpec(t, specRouter(t, spaced), file), encode)
	}
}

func TestRequireSpec_ShowsEachDifference(t *testing.T) {
	exact := committedSpec(t, "exact.json", asyncapi.Exact)
	shows := func(file, want string, change func(*runtime.Route)) {
		t.Helper()
		require.Contains(t, requireSpec(t, specRouter(t, change), file), want)
	}
	shows(exact, `#/channels/new%2520orders/bindings/amqp/queue/durable is true, and in the program false`, func(r *runtime.Route) { r.Queue.Durable = false })
	shows(exact, `run go generate, and commit the files`, func(r *runtime.Route) { r.Description = "" })
}

func TestRequireSpec_ShowsTwentyDifferencesAtMost(t *testing.T) {
	for queues, want := range map[int]string{17: "", 18: "\n\tand 1 more\n", 28: "\n\tand 11 more\n"} { // of the route there are three
		channels := make(map[string]any, queues)
		for i := range queues {
			channels[fmt.Sprint("q", i)] = map[string]any{"subscribe": map[string]any{"operationId": fmt.Sprint("r", i)}}
		}
		text, err := json.Marshal(map[string]any{"asyncapi": "2.6.0", "channels": channels})
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), "asyncapi.json")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		failed := requireSpec(t, specRouter(t, nil), file)
		require.Contains(t, failed, want)
		require.Equal(t, want != "", strings.Contains(failed, " more\n"), failed)
		require.Equal(t, 20, strings.Count(failed, "\n\t#/"), failed)
	}
}

func TestRequireSpec_ComparesArgumentsOfExtendedDocuments(t *testing.T) {
	longer := func(r *runtime.Route) { r.Queue.MaxLength = 2000 }
	require.Empty(t, requireSpec(t, specRouter(t, longer), committedSpec(t, "exact.json", asyncapi.Exact)), "the exact form has no place for them")
	failed := requireSpec(t, specRouter(t, longer), committedSpec(t, "extended.json", asyncapi.Extended))
	require.Contains(t, failed, "x-arguments/x-max-length is 1000, and in the program 2000")
}

// A program may take its prefetch from its configuration, which the source code doesn't
// determine, as the document says. All else is compared.
func TestRequireSpec_TakesAConsumerThatTheProgramDecides(t *testing.T) {
	extended := committedSpec(t, "extended.json", asyncapi.Extended)
	text, err := os.ReadFile(extended)
	require.NoError(t, err)
	some := strings.Replace(string(text), `"subscribe": {`, `"subscribe": { "x-consumer": {"prefetch": 10, "unknown": ["timeout"]},`, 1)
	require.NoError(t, os.WriteFile(extended, []byte(some), 0o600))
	require.Empty(t, requireSpec(t, specRouter(t, func(r *runtime.Route) { r.Prefetch, r.Timeout = 10, time.Minute }), extended))
	require.Contains(t, requireSpec(t, specRouter(t, func(r *runtime.Route) { r.Prefetch = 7 }), extended), "x-consumer/prefetch is 10, and in the program 7")
}

func TestRequireSpec_RefusesOtherFiles(t *testing.T) {
	require.Contains(t, requireSpec(t, specRouter(t, nil), filepath.Join(t.TempDir(), "none.json")), "run go generate, or name the file")
	other := filepath.Join(t.TempDir(), "other.json")
	require.NoError(t, os.WriteFile(other, []byte(`{"asyncapi":"3.1.0"}`), 0o600))
	require.Contains(t, requireSpec(t, specRouter(t, nil), other), "declares the AsyncAPI version 3.1.0")
	require.NoError(t, os.WriteFile(other, []byte(`{"asyncapi":`), 0o600))
	require.Contains(t, requireSpec(t, specRouter(t, nil), other), "line 1, column 13: the text ends within the value")
	unwritable := specRouter(t, func(r *runtime.Route) {
		r.Handler = runtime.Consume(func(context.Context, chan int) error { return nil })
	})
	require.Contains(t, requireSpec(t, unwritable, committedSpec(t, "asyncapi.json", asyncapi.Exact)), "runtimetest: make the document of the running program: ")
	require.NoError(t, os.WriteFile(other, []byte(`[]`), 0o600))
	require.Contains(t, requireSpec(t, specRouter(t, nil), other), "declares the AsyncAPI version")
}

// A document of AsyncAPI 3.0.0 has what an extended one has, and what the program sends,
// which isn't compared.
func TestRequireSpec_TakesAsyncAPI3(t *testing.T) {
	cfg := &asyncapi.Config{Title: "Shop", ServerURL: "mq.example.com", Security: []asyncapi.SecurityScheme{{Type: asyncapi.Plain}}}
	routes := specRouter(t, nil).Routes()
	made, err := asyncapi.NewContract(routes, asyncapi.Extended)
	require.NoError(t, err)
	full, problems := contract.New([]contract.Operation{made.Channels[0].Operation}, schema.Options{}, contract.Send{
		Endpoint: runtime.Endpoint{Route: "mail", To: runtime.Address{RoutingKey: "mails"}}, Payload: schema.Reflect(reflect.TypeFor[specOrder]()),
	})
	require.False(t, problems.HasErrors(), problems)
	text, err := asyncapi3.FromContract(full, cfg).JSON(2)
	require.NoError(t, err)
	require.Contains(t, string(text), "mail.send")
	file := filepath.Join(t.TempDir(), "three.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	require.Empty(t, requireSpec(t, specRouter(t, nil), file))
	for name, change := range map[string]func(*runtime.Route){
		"x-max-length": func(r *runtime.Route) { r.Queue.MaxLength = 999 },
		"routing key":  func(r *runtime.Route) { r.RoutingKeys = []string{"order.#"} },
		"payload": func(r *runtime.Route) {
			r.Handler = runtime.Respond(func(context.Context, int) (int, error) { return 0, nil })
		},
	} {
		require.NotEmpty(t, requireSpec(t, specRouter(t, change), file), name)
	}
	renamed := requireSpec(t, specRouter(t, func(r *runtime.Route) { r.Name = "taken" }), file)
	require.Contains(t, renamed, "#/operations/orders")
	require.Contains(t, renamed, "#/operations/taken")
}

// declaringRouter declares more than its route needs.
func declaringRouter(t *testing.T, queue runtime.Queue) *runtime.Router {
	router := specRouter(t, nil)
	require.NoError(t, router.Declare(runtime.Topology{Queues: []runtime.Queue{queue}}))
	return router
}

// What a document lists is certain, also where it isn't all.
func TestRequireSpec_ComparesWhatAnUnknownTopologyLists(t *testing.T) {
	router := declaringRouter(t, runtime.Queue{Name: "audit", MaxLength: 10})
	binding := runtime.Binding{Exchange: "entries", Queue: "audit", RoutingKey: "a"}
	require.NoError(t, router.Declare(runtime.Topology{Bindings: []runtime.Binding{binding}}))
	for _, listed := range []runtime.Topology{router.Topology(), {}} {
		two, err := asyncapi.GenerateJSON(router.Routes(), &asyncapi.Config{EncodeChannels: true}, 2, asyncapi.Extended, asyncapi.WithTopology(listed))
		require.NoError(t, err)
		three, err := asyncapi3.GenerateJSON(router.Routes(), nil, 2, asyncapi.WithTopology(listed))
		require.NoError(t, err)
		for _, text := range [][]byte{two, three} {
			var document map[string]any
			require.NoError(t, json.Unmarshal(text, &document))
			topology, _ := document["x-topology"].(map[string]any)
			if topology == nil {
				topology = map[string]any{}
			}
			topology["unknown"], document["x-topology"] = true, topology
			unknown, err := json.Marshal(document)
			require.NoError(t, err)
			file := filepath.Join(t.TempDir(), "asyncapi.json")
			require.NoError(t, os.WriteFile(file, unknown, 0o600))

			more := declaringRouter(t, runtime.Queue{Name: "audit", MaxLength: 10})
			require.NoError(t, more.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "more"}}, Exchanges: []runtime.Exchange{{Name: "entries", Type: runtime.Fanout}}}))
			require.NoError(t, more.Declare(runtime.Topology{Bindings: []runtime.Binding{{Exchange: "entries", Queue: "audit", RoutingKey: "b"}, binding}}))
			require.Empty(t, requireSpec(t, router, file))
			require.Empty(t, requireSpec(t, more, file), "of what isn't listed nothing is known")
			other := declaringRouter(t, runtime.Queue{Name: "audit", MaxLength: 11})
			unbound := declaringRouter(t, runtime.Queue{Name: "audit", MaxLength: 10})
			if listed.IsEmpty() {
				require.Empty(t, requireSpec(t, specRouter(t, nil), file))
				require.Empty(t, requireSpec(t, other, file))
				continue
			}
			require.Contains(t, requireSpec(t, other, file), "#/x-topology/queues")
			require.Contains(t, requireSpec(t, unbound, file), "#/x-topology/bindings")
			require.Contains(t, requireSpec(t, specRouter(t, nil), file), "#/x-topology")
		}
	}
}

// A service that only sends has a document with what it declares.
func TestRequireSpec_TakesAServiceWithoutRoutes(t *testing.T) {
	declaring := func(length int64) *runtime.Router {
		router := runtime.NewRouter()
		require.NoError(t, router.Declare(runtime.Topology{Queues: []runtime.Queue{{Name: "audit", MaxLength: length}}}))
		return router
	}
	full, problems := contract.New(nil, schema.Options{}, contract.Send{
		Endpoint: runtime.Endpoint{To: runtime.Address{RoutingKey: "audit"}}, Payload: schema.Reflect(reflect.TypeFor[specOrder]()),
	})
	require.False(t, problems.HasErrors(), problems)
	full.Declared = declaring(10).Topology()
	cfg := &asyncapi.Config{Title: "Sender", Security: []asyncapi.SecurityScheme{{Type: asyncapi.Plain}}}
	three, err := asyncapi3.FromContract(full, cfg).JSON(2)
	require.NoError(t, err)
	full.Sends, full.Components = nil, nil
	two, err := asyncapi.ExtendedFromContract(full, cfg).JSON(2)
	require.NoError(t, err)
	for _, text := range [][]byte{two, three} {
		file := filepath.Join(t.TempDir(), "asyncapi.json")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		require.Empty(t, requireSpec(t, declaring(10), file))
		require.Contains(t, requireSpec(t, declaring(11), file), "#/x-topology/queues")
		require.Contains(t, requireSpec(t, runtime.NewRouter(), file), "#/x-topology")
		require.NotEmpty(t, requireSpec(t, specRouter(t, nil), file))
	}
}

func TestRequireSpec_ComparesWhatIsDeclaredBesideTheRoutes(t *testing.T) {
	router := declaringRouter(t, runtime.Queue{Name: "audit", MaxLength: 10})
	option := asyncapi.WithTopology(router.Topology())
	two, err := asyncapi.GenerateJSON(router.Routes(), &asyncapi.Config{EncodeChannels: true}, 2, asyncapi.Extended, option)
	require.NoError(t, err)
	three, err := asyncapi3.GenerateJSON(router.Routes(), nil, 2, option)
	require.NoError(t, err)
	for _, text := range [][]byte{two, three} {
		file := filepath.Join(t.TempDir(), "asyncapi.json")
		require.NoError(t, os.WriteFile(file, text, 0o600))
		require.Empty(t, requireSpec(t, router, file))
		require.Contains(t, requireSpec(t, specRouter(t, nil), file), "#/x-topology")
		require.Contains(t, requireSpec(t, declaringRouter(t, runtime.Queue{Name: "audit", MaxLength: 11}), file), "#/x-topology/queues")

	}
	exact := committedSpec(t, "asyncapi.json", asyncapi.Exact)
	require.Empty(t, requireSpec(t, router, exact))
}
