package runtimetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// maxDifferences bounds what RequireSpec shows.
const maxDifferences = 20

// RequireSpec ends the test if the routes of router aren't those of the document in
// file, which asyncapigen has written: an exact or an extended one of AsyncAPI 2.6.0, or
// one of AsyncAPI 3.0.0, JSON or YAML by the file's extension. It is the guard against a
// document that was generated before the code changed, or that says what only holds for
// the analysis:
//
//	func TestContract_IsThatOfTheProgram(t *testing.T) {
//		router := runtime.NewRouter()
//		if err := orders.Register(router, new(orders.Service)); err != nil {
//			t.Fatal(err)
//		}
//		runtimetest.RequireSpec(t, router, "asyncapi.json")
//	}
//
// Compared are the channels with their operations, messages, schemas and bindings;
// arguments of queues and exchanges, routing keys, replies and what the router declares
// beside the routes where the document isn't an exact one. What the program sends isn't. What the flags of asyncapigen say, such as
// the title and the server, is taken as it is, and so is what only source code has, see
// [asyncapi.Drift]. Options are those by which the document was made: [asyncapi.Decode],
// and the unions of the program.
func RequireSpec(t testing.TB, router *runtime.Router, file string, options ...asyncapi.Option) {
	t.Helper()
	committed, document, err := readSpec(file)
	if err != nil {
		t.Fatalf("runtimetest: read the contract: %v", err)
	}
	running, err := runningSpec(router, document, options)
	if err != nil {
		t.Fatalf("runtimetest: make the document of the running program: %v", err)
	}
	err = asyncapi.Drift(committed, running)
	var drift *asyncapi.DriftError
	if !errors.As(err, &drift) {
		if err != nil {
			t.Fatalf("runtimetest: %v", err)
		}
		return
	}
	shown := drift.Differences[:min(len(drift.Differences), maxDifferences)]
	more := ""
	if n := len(drift.Differences) - len(shown); n > 0 {
		more = fmt.Sprintf("\n\tand %d more", n)
	}
	t.Fatalf("runtimetest: %s isn't the contract of the program:\n\t%s%s\nrun go generate, and commit the files", file, strings.Join(shown, "\n\t"), more)
}

// versionThree is that of the documents of package asyncapi3.
const versionThree = "3.0.0"

// readSpec returns a document as JSON, and its members.
func readSpec(file string) ([]byte, map[string]any, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: run go generate, or name the file of the flag -o", err)
	}
	root, err := jsontree.Parse(file, text)
	if err != nil {
		return nil, nil, err
	}
	document, ok := root.Value().(map[string]any)
	if version := document["asyncapi"]; !ok || version != "2.6.0" && version != versionThree {
		return nil, nil, fmt.Errorf("%s declares the AsyncAPI version %v, and only documents of 2.6.0 and %s are compared: name one that asyncapigen writes by -o", file, version, versionThree)
	}
	text, err = json.Marshal(document)
	return text, document, err
}

// runningSpec returns the document of a router's routes, of the form that the
// committed one has, and with its members beside the routes.
func runningSpec(router *runtime.Router, committed map[string]any, options []asyncapi.Option) ([]byte, error) {
	text, err := generated(router, committed, options)
	if err != nil {
		return nil, err
	}
	root, err := jsontree.Parse("running.json", text)
	if err != nil {
		return nil, err
	}
	running, _ := root.Value().(map[string]any)
	ofRoutes := map[string]any{"channels": running["channels"]}
	if operations, ok := running["operations"]; ok { // of AsyncAPI 3
		ofRoutes["operations"] = operations
	}
	components, _ := running["components"].(map[string]any)
	theirs, _ := committed["components"].(map[string]any)
	if schemes, ok := theirs["securitySchemes"]; ok {
		if components == nil {
			components = map[string]any{}
		}
		components["securitySchemes"] = schemes
	}
	if components != nil {
		ofRoutes["components"] = components
	}
	if declared, ok := running["x-topology"]; ok {
		ofRoutes["x-topology"] = declared
	}
	beside := maps.Clone(committed)
	delete(beside, "components")
	delete(beside, "x-topology")
	maps.Copy(beside, ofRoutes)
	return json.Marshal(beside)
}

// generated makes the document of a router's routes.
func generated(router *runtime.Router, committed map[string]any, options []asyncapi.Option) ([]byte, error) {
	options = append(options[:len(options):len(options)], asyncapi.WithTopology(router.Topology()))
	if committed["asyncapi"] == versionThree {
		return asyncapi3.GenerateJSON(router.Routes(), nil, -1, options...)
	}
	form := asyncapi.Exact
	if _, ok := committed["defaultContentType"]; ok {
		form = asyncapi.Extended
	}
	cfg := &asyncapi.Config{EncodeChannels: hasEncoded(committed)}
	return asyncapi.GenerateJSON(router.Routes(), cfg, -1, append(options, form)...)
}

// hasEncoded reports whether a channel has another key than its queue.
func hasEncoded(document map[string]any) bool {
	member := func(value any, name string) any {
		members, _ := value.(map[string]any)
		return members[name]
	}
	channels, _ := document["channels"].(map[string]any)
	for key, channel := range channels {
		queue := member(member(member(member(channel, "bindings"), "amqp"), "queue"), "name")
		if name, ok := queue.(string); ok && name != key {
			return true
		}
	}
	return false
}
