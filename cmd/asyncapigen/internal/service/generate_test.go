package service

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/modtest"
)

// orders is a service with a route, and a type whose schema isn't known.
const orders = `-- orders/orders.go --
package orders

import (
	"context"
	"encoding/json"

	"github.com/warrenmq/warren/runtime"
)

ACCEPTED

type Order struct {
	ID    string
	Price Price
}

type Price struct{ cents int }

func (p Price) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(p.cents)
	return text, err
}

func Register(router *runtime.Router) error {
	return router.Register(runtime.Route{Name: "place", Queue: runtime.Queue{Name: "orders"}, Handler: runtime.Consume(place)})
}

func place(context.Context, Order) error { return nil }
-- empty/empty.go --
package empty

import _ "github.com/warrenmq/warren/runtime"
-- other/other.go --
package other
`

// ordersModule writes the service, with directives in it.
func ordersModule(t *testing.T, accepted string) (dir string) {
	t.Helper()
	return modtest.Write(t, txtar.Parse([]byte(strings.Replace(orders, "ACCEPTED", accepted, 1))))
}

// generated is what becomes of one service of a command line.
func generated(t *testing.T, g *Generator, dir string, m Mode, args ...string) Outcome {
	t.Helper()
	o := NewOptions(dir)
	o.Seen = dir
	require.NoError(t, o.Parse(m, args))
	require.NoError(t, o.validate())
	var all []Outcome
	for made := range g.Run(t.Context(), []*Options{o}) {
		all = append(all, made)
	}
	require.Len(t, all, 1)
	return all[0]
}

func states(made Outcome) map[string]string {
	all := make(map[string]string)
	for _, file := range made.Files {
		all[filepath.Base(file.Path)] = file.State
	}
	return all
}

func TestGenerator_BringsFilesUpToDate(t *testing.T) {
	dir := filepath.Join(ordersModule(t, ""), "orders")
	var steps []string
	g := &Generator{Dir: dir, Step: func(next string) { steps = append(steps, next) }}
	args := []string{"-title", "The Shop", "-o", "a.json", "-o", "b.yaml", "-o", "3.0.0=c.json", "-client-module", "example.com/shop/orders/ordersclient"}
	of := func(state string) map[string]string {
		return map[string]string{"a.json": state, "b.yaml": state, "c.json": state, "ordersclient.go": state, "go.mod": state}
	}

	made := generated(t, g, dir, Check, args...)
	require.NoError(t, made.Fault)
	require.Equal(t, of(Missing), states(made))
	require.NoFileExists(t, filepath.Join(dir, "a.json"))
	require.Equal(t, []string{Listing, "reading packages", "finding routes", "describing types"}, steps)

	made = generated(t, g, dir, Write, args...)
	require.NoError(t, made.Fault)
	require.False(t, made.Failed())
	require.Len(t, made.Documents, 3)
	require.Len(t, made.Routes, 1)
	require.Equal(t, of(Written), states(made))
	for name, want := range map[string]string{
		"a.json": `"asyncapi": "2.6.0"`, "b.yaml": output.GeneratedYAML + "\n", "c.json": `"asyncapi": "3.0.0"`,
		"ordersclient/ordersclient.go": "package ordersclient\n", "ordersclient/go.mod": "module example.com/shop/orders/ordersclient\n\ngo ",
	} {
		text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		require.NoError(t, err)
		require.Contains(t, string(text), want, name)
		if strings.HasSuffix(name, "json") || strings.HasSuffix(name, "yaml") {
			require.Contains(t, string(text), "The Shop", name)
		}
		if name == "ordersclient/go.mod" {
			require.Contains(t, string(text), "\tgithub.com/warrenmq/warren v")
		}
	}
	require.Equal(t, of(UpToDate), states(generated(t, g, dir, Write, args...)))

	text, err := os.ReadFile(filepath.Join(dir, "a.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.json"), []byte(strings.Replace(string(text), "The Shop", "A Shop", 1)), 0o600))
	require.NoError(t, os.Remove(filepath.Join(dir, "b.yaml")))
	made = generated(t, g, dir, Check, args...)
	want := of(UpToDate)
	want["a.json"], want["b.yaml"] = Stale, Missing
	require.Equal(t, want, states(made))
	for _, file := range made.Files {
		require.Equal(t, file.State != UpToDate, file.Diff != "", file.Path)
	}
	require.Empty(t, generated(t, g, dir, List, args...).Files)
}

func TestGenerator_NeedsAModuleForAClient(t *testing.T) {
	dir := filepath.Join(ordersModule(t, ""), "orders")
	made := generated(t, &Generator{Dir: dir}, dir, Write, "-client", filepath.Join(t.TempDir(), "ordersclient"))
	require.ErrorContains(t, made.Fault, "is in no module, so that nobody could import it")
	require.NoFileExists(t, filepath.Join(dir, "asyncapi.json"))
}

func TestGenerator_OverwritesNothingOfOthers(t *testing.T) {
	dir := filepath.Join(ordersModule(t, ""), "orders")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "asyncapi.json"), []byte(`{"mine": true}`), 0o600))
	made := generated(t, &Generator{Dir: dir}, dir, Write, "-client=")
	require.ErrorContains(t, made.Fault, "asyncapi.json")
	require.Empty(t, made.Files)
}

func TestGenerator_SaysWhyNothingIsRead(t *testing.T) {
	dir := ordersModule(t, "")
	g := &Generator{Dir: dir}
	made := generated(t, g, dir, Write, "-client=", "lisst")
	require.True(t, made.Unread)
	require.ErrorContains(t, made.Fault, "(nor is lisst a command: asyncapigen help lists the commands)")
	made = generated(t, g, dir, Write, "-client=", "./none")
	require.True(t, made.Unread)
	require.Error(t, made.Fault)
	require.NotContains(t, made.Fault.Error(), "a command")
}

func TestGenerator_RefusesPackagesWithoutRoutes(t *testing.T) {
	dir := filepath.Join(ordersModule(t, ""), "empty")
	g := &Generator{Dir: dir}
	made := generated(t, g, dir, Write, "-client=")
	require.True(t, made.Failed())
	require.Equal(t, diagnostic.NoRoutes, made.Found[0].Code)
	require.Nil(t, made.Documents)
	require.NoFileExists(t, filepath.Join(dir, "asyncapi.json"))

	made = generated(t, g, dir, Write, "-client=", "-allow-empty")
	require.False(t, made.Failed(), made.Found)
	require.Equal(t, map[string]string{"asyncapi.json": Written}, states(made))
}

func TestGenerator_SkipsWhatNoChangeTouches(t *testing.T) {
	module := ordersModule(t, "")
	dir := filepath.Join(module, "orders")
	for name, c := range map[string]struct {
		changed string
		args    []string
		touched bool
	}{
		"a source":                {"orders/orders.go", nil, true},
		"of another package":      {"other/other.go", nil, false},
		"the document":            {"other/a.json", []string{"-o", "b.json", "-o", "../other/a.json"}, true},
		"another document":        {"other/b.json", []string{"-o", "../other/a.json"}, false},
		"the client":              {"other/ordersclient/ordersclient.go", []string{"-client", "../other/ordersclient"}, true},
		"within the client":       {"other/ordersclient/a/a.go", []string{"-client", "../other/ordersclient"}, false},
		"no client":               {"other/ordersclient/ordersclient.go", []string{"-client="}, false},
		"nothing, of all of them": {"other/other.go", []string{"-changed=false"}, true},
	} {
		g := &Generator{Dir: dir, Changed: []string{filepath.Join(module, filepath.FromSlash(c.changed))}}
		made := generated(t, g, dir, List, append([]string{"-changed"}, c.args...)...)
		require.NoError(t, made.Fault, name)
		require.Equal(t, !c.touched, made.Unchanged, name)
		require.Equal(t, c.touched, made.Routes != nil, name)
		require.Contains(t, made.Folders, dir, name)
	}
}

func TestAccept_TakesWarningsForGood(t *testing.T) {
	for accepted, want := range map[string][]string{
		"": {"custom-json"},
		"//asyncapigen:accept custom-json orders.Price it is a number":                               nil,
		"//asyncapigen:accept custom-json orders.*":                                                  nil,
		"//asyncapigen:accept custom-json *":                                                         nil,
		"//asyncapigen:accept custom-json orders.Prices":                                             {"custom-json", "there is no warning custom-json of orders.Prices: remove the directive"},
		"//asyncapigen:accept custom-json orders.Price\n//asyncapigen:accept custom-json shop.Price": {"there is no warning custom-json of shop.Price: remove the directive"},
		"//asyncapigen:accept unknown-target orders.Price":                                           {"custom-json"},
		"//asyncapigen:accept custom-jso orders.Price":                                               {"custom-json", "the directive can't be read: there is no code custom-jso: did you mean custom-json?: write //asyncapigen:accept CODE TYPE, such as custom-json shop.Price"},
		"//asyncapigen:accept never orders.Price":                                                    {"custom-json", "the directive can't be read: there is no code never: write //asyncapigen:accept CODE TYPE, such as custom-json shop.Price"},
		"//asyncapigen:accept custom-json":                                                           {"custom-json", "the directive can't be read: it needs a code, and the type or the route that the warning is about: write //asyncapigen:accept CODE TYPE, such as custom-json shop.Price"},
		"//asyncapigen:accept":                                                                       {"custom-json", "the directive can't be read: it needs a code, and the type or the route that the warning is about: write //asyncapigen:accept CODE TYPE, such as custom-json shop.Price"},
		"//asyncapigen:accepted custom-json orders.Price":                                            {"there is no directive //asyncapigen:accepted: write value, schema, example or accept"},
	} {
		dir := filepath.Join(ordersModule(t, accepted), "orders")
		made := generated(t, &Generator{Dir: dir}, dir, Check, "-client=", "-werror")
		require.NoError(t, made.Fault)
		var got []string
		for _, d := range made.Found.Sorted() {
			text := string(d.Code)
			if d.Code == diagnostic.BadDirective {
				text = strings.ReplaceAll(d.What+": "+d.Why+": "+d.Remedy, ": : ", ": ")
			}
			got = append(got, text)
		}
		require.ElementsMatch(t, want, got, accepted)
		require.Equal(t, len(want) > 0, made.Failed(), accepted)
	}
}

func TestGenerator_WritesAClientIntoTheModule(t *testing.T) {
	dir := filepath.Join(ordersModule(t, ""), "orders")
	made := generated(t, &Generator{Dir: dir}, dir, Write)
	require.NoError(t, made.Fault)
	require.Equal(t, map[string]string{"asyncapi.json": Written, "ordersclient.go": Written}, states(made))
}

// changedOrders is the service with another text in the place of one.
func changedOrders(t *testing.T, from, to string) (dir string) {
	t.Helper()
	require.Equal(t, 1, strings.Count(orders, from))
	source := strings.Replace(strings.Replace(orders, "ACCEPTED", "", 1), from, to, 1)
	return filepath.Join(modtest.Write(t, txtar.Parse([]byte(source))), "orders")
}

// The routes can be read where a fault has no part in them.
func TestGenerator_TakesFaultsBesideTheRoutesForWarnings(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string
		severity diagnostic.Severity
		why      string
	}{
		"in a handler":             {"error { return nil }", "error { return undefined }", diagnostic.Warning, ""},
		"in Register":              {"\treturn router.Register(", "\tvar n int = router.Register(", diagnostic.Error, ""},
		"a client that is to come": {`"encoding/json"`, "\"encoding/json\"\n\t\"example.com/shop/mailclient\"", diagnostic.Warning, "what it registers, if anything, isn't known"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := changedOrders(t, c.from, c.to)
			made := generated(t, &Generator{Dir: dir}, dir, List, "-client=")
			var faults diagnostic.List
			for _, d := range made.Found {
				if d.Code == diagnostic.TypeError {
					faults = append(faults, d)
				}
			}
			require.NotEmpty(t, faults)
			require.Equal(t, c.severity, faults[0].Severity)
			require.Equal(t, c.why, faults[0].Why)
			require.Equal(t, c.severity == diagnostic.Error, made.Failed())
		})
	}
}

func TestGenerator_WarnsOfChannelNamesThatToolsRefuse(t *testing.T) {
	dir := changedOrders(t, `Name: "orders"`, `Name: "orders/{new}?"`)
	warned := func(args ...string) bool {
		made := generated(t, &Generator{Dir: dir}, dir, List, append(args, "-client=")...)
		return slices.ContainsFunc(made.Found, func(d diagnostic.Diagnostic) bool { return d.Code == diagnostic.ChannelName })
	}
	require.True(t, warned())
	require.True(t, warned("-extended"))
	require.False(t, warned("-encode-channels"))
	require.False(t, warned("-asyncapi", "3.0.0"))
}

func TestVersion_NamesTheToolAndGo(t *testing.T) {
	require.Regexp(t, `^asyncapigen \S* ?go1\.`, Version())
}
