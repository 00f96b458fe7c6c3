package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/examples/orders"
	"github.com/warrenmq/warren/internal/docpage"
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// started starts a browser that ends with the test.
func started(t *testing.T) context.Context {
	t.Helper()
	browser, end, err := Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(end)
	return browser
}

// A view is a tab that a test looks at.
type view struct {
	*Tab
	t *testing.T
}

const (
	wide  = 1280
	phone = 390
	light = "light"
)

// look opens a page, which may ask for nothing but itself, and may have no fault
// when the test ends.
func look(t *testing.T, browser context.Context, address string, width int64, colours string) view {
	t.Helper()
	tab, err := Open(browser, address, width, 900, colours)
	require.NoError(t, err)
	t.Cleanup(func() {
		require.Empty(t, tab.Faults())
		own, _, _ := strings.Cut(address, "#")
		for _, request := range tab.Requests() {
			require.True(t, strings.HasPrefix(request, own), "%s asks for %s", address, request)
		}
	})
	return view{tab, t}
}

// evaluate returns the value of an expression in the page, perhaps a promised one.
func evaluate[T any](v view, format string, args ...any) T {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.Context, 2*time.Minute)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](fmt.Sprintf(format, args...), chromedp.EvalAwaitPromise))
	require.NoError(v.t, err)
	return value
}

func (v view) do(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.Context, 2*time.Minute)
	defer cancel()
	require.NoError(v.t, chromedp.Do(ctx, actions...))
}

func (v view) click(selector string) {
	v.t.Helper()
	v.do(chromedp.Click(chromedp.CSS(selector)))
}

func (v view) press(keys string) {
	v.t.Helper()
	v.do(chromedp.KeyEvent(keys))
}

// slash presses the key whose keydown isn't to write anything.
func (v view) slash() {
	v.t.Helper()
	_, err := chromedp.Call(v.Context, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: input.DispatchKeyEventTypeKeyDown, Key: "/", Text: "/"})
	require.NoError(v.t, err)
	v.wait(`document.activeElement.id === "search"`)
}

// wait waits until an expression is true in the page.
func (v view) wait(expression string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.Context, 2*time.Minute)
	defer cancel()
	_, err := chromedp.Run(ctx, chromedp.Poll[bool](expression))
	require.NoError(v.t, err, expression)
}

// ordersDocument is that of the example, with all that the page can show.
func ordersDocument(t *testing.T) *asyncapi.Document {
	t.Helper()
	router := new(runtime.Router)
	require.NoError(t, orders.Register(router, nil))
	document, err := asyncapi.Generate(router.Routes(), &asyncapi.Config{Title: "Orders"}, asyncapi.Extended)
	require.NoError(t, err)
	return document
}

// onDisk writes the page of a document and returns its address.
func onDisk(t *testing.T, text []byte) string {
	t.Helper()
	root, err := jsontree.Parse("asyncapi.json", text)
	require.NoError(t, err)
	page, err := docpage.Render(root, docpage.Options{})
	require.NoError(t, err)
	return fileWith(t, page)
}

func fileWith(t *testing.T, page []byte) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(file, page, 0o644))
	return "file://" + file
}

func ordersPage(t *testing.T) string {
	t.Helper()
	text, err := ordersDocument(t).JSON(2)
	require.NoError(t, err)
	return onDisk(t, text)
}

// shown are the ids of the articles that can be seen.
const shown = `[...document.querySelectorAll("article")].filter(a => a.checkVisibility()).map(a => a.id)`

func TestPage_FindsWhatIsSearched(t *testing.T) {
	v := look(t, started(t), ordersPage(t), wide, light)
	everything := evaluate[[]string](v, shown)
	require.Len(t, everything, 23)
	v.slash()
	v.press("POSTCODE")
	require.Equal(t, []string{"route-OrderCreated", "schema-Address"}, evaluate[[]string](v, shown))
	require.Equal(t, "2 of 23", evaluate[string](v, `document.getElementById("found").textContent`))
	require.Equal(t, []string{"OrderCreated", "Address"}, evaluate[[]string](v, `[...document.querySelectorAll("nav li[data-of]")].filter(l => l.checkVisibility()).map(l => l.textContent)`))
	v.press(" nonsense")
	require.Empty(t, evaluate[[]string](v, shown))
	require.True(t, evaluate[bool](v, `document.getElementById("nothing").checkVisibility()`))
	v.press(kb.Escape)
	require.Equal(t, everything, evaluate[[]string](v, shown))

	v.click(`.tag[data-tag="queries"]`)
	require.Equal(t, []string{"route-FindOrders"}, evaluate[[]string](v, shown))
}

func TestPage_ShowsWhatIsDeclaredBesideTheRoutes(t *testing.T) {
	document := ordersDocument(t)
	document.Topology = &asyncapi.Topology{
		Queues: []asyncapi.Queue{{Name: "audit", Durable: true}}, Exchanges: []asyncapi.Exchange{{Name: "everything", Type: "fanout"}},
		Bindings: []asyncapi.Binding{{Exchange: "everything", Queue: "audit"}}, Unknown: true,
	}
	text, err := document.JSON(2)
	require.NoError(t, err)
	for _, width := range []int64{wide, phone} {
		v := look(t, started(t), onDisk(t, text), width, light)
		v.requireAccessible(axe(t))
		v.requireFits()
		const isShown = `document.getElementById("declared").checkVisibility()`
		v.slash()
		v.press("everything")
		require.True(t, evaluate[bool](v, isShown))
		v.press(" postcode")
		require.False(t, evaluate[bool](v, isShown))
	}
}

func TestPage_OpensSchemasInPlace(t *testing.T) {
	v := look(t, started(t), ordersPage(t), wide, light)
	const route = "#route-OrderCreated .message "
	require.True(t, evaluate[bool](v, `document.querySelector("%sdetails").open`, route), "the payload is open")
	v.click(route + `details[data-ref="schema-Customer"] > summary`)
	v.wait(`document.querySelector('` + route + `details[data-ref="schema-Address"] > summary')?.checkVisibility()`)
	v.click(route + `details[data-ref="schema-Address"] > summary`)
	v.wait(`[...document.querySelectorAll("` + route + `.name")].some(n => n.textContent === "postcode" && n.checkVisibility())`)

	// A Line has parts, which are Lines.
	v.click("#schema-Line details > summary")
	v.wait(`document.querySelectorAll("#schema-Line .name").length > 6`)
	before := evaluate[int](v, `document.querySelectorAll("#schema-Line .fields .name").length`)
	v.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("#schema-Line details").forEach(d => d.open = true)`))
	v.wait(fmt.Sprintf(`document.querySelectorAll("#schema-Line .fields .name").length > %d`, before))
	require.Equal(t, 0, evaluate[int](v, `document.querySelectorAll("[id]").length - new Set([...document.querySelectorAll("[id]")].map(e => e.id)).size`), "copies have no ids")
}

// at is the element that the address names, and whether its top can be seen.
const at = `(() => { const e = document.querySelector(":target"); return e ? e.id + " " + (e.getBoundingClientRect().top >= 0 && e.getBoundingClientRect().top < innerHeight) : "" })()`

func TestPage_HasPermalinks(t *testing.T) {
	browser, address := started(t), ordersPage(t)
	v := look(t, browser, address+"#route-FindOrders", wide, light)
	require.Equal(t, "route-FindOrders true", evaluate[string](v, at))
	v.click(`#schema-Status .anchor`)
	require.Equal(t, "schema-Status true", evaluate[string](v, at))
	require.True(t, strings.HasSuffix(evaluate[string](v, "location.href"), "#schema-Status"))

	// The search has hidden what the address names.
	v.slash()
	v.press("nonsense")
	v.do(chromedp.Evaluate[chromedp.Void](`location.hash = "route-order.ship"`))
	v.wait(`document.querySelector("#route-order\\.ship").checkVisibility()`)
	require.Equal(t, "route-order.ship true", evaluate[string](v, at))

	for _, id := range evaluate[[]string](v, `[...document.querySelectorAll(".anchor")].map(a => a.getAttribute("href"))`) {
		require.True(t, evaluate[bool](v, `document.getElementById(decodeURIComponent(%q.slice(1))) !== null`, id), id)
	}
	require.GreaterOrEqual(t, evaluate[int](v, `document.querySelectorAll(".anchor").length`), 29, "of sections, routes, messages and schemas")
}

func TestPage_ChangesItsTheme(t *testing.T) {
	browser, address := started(t), ordersPage(t)
	const background = `getComputedStyle(document.body).backgroundColor`
	const white, black = "rgb(255, 255, 255)", "rgb(18, 20, 23)"
	v := look(t, browser, address, wide, light)
	require.Equal(t, white, evaluate[string](v, background))
	v = look(t, browser, address, wide, "dark")
	require.Equal(t, black, evaluate[string](v, background))
	v.click("#theme")
	require.Equal(t, "Theme: light", evaluate[string](v, `document.getElementById("theme").textContent`))
	require.Equal(t, white, evaluate[string](v, background))
	v.do(chromedp.Reload())
	require.Equal(t, white, evaluate[string](v, background), "it is kept")
	v.click("#theme")
	require.Equal(t, black, evaluate[string](v, background))
	v.click("#theme")
	require.Equal(t, "Theme: auto", evaluate[string](v, `document.getElementById("theme").textContent`))
}

func TestPage_CopiesCallsAndMessages(t *testing.T) {
	v := look(t, started(t), ordersPage(t), wide, light)
	const button = "#copies-the-call"
	v.do(chromedp.Evaluate[chromedp.Void](`[...document.querySelectorAll("#route-FindOrders .code")].find(c => c.textContent.startsWith("reply, err")).querySelector(".copy").id = "copies-the-call"`))
	for _, clipboard := range []string{
		`Object.defineProperty(navigator, "clipboard", {configurable: true, value: {writeText: async (text) => { window.copied = text; }}})`,
		`Object.defineProperty(navigator, "clipboard", {configurable: true, value: undefined}); document.addEventListener("copy", () => { window.copied = document.activeElement.value; })`,
	} {
		// The button says it for a moment only, which a slow machine may sleep through.
		observe := `; window.copied = undefined; window.said = []; { const b = document.querySelector("` + button + `"); new MutationObserver(() => window.said.push(b.textContent)).observe(b, {childList: true}); }`
		v.do(chromedp.Evaluate[chromedp.Void](clipboard + observe))
		v.click(button)
		v.wait(`window.said.includes("Copy")`)
		require.Equal(t, "Copied, Copy", evaluate[string](v, `[...new Set(window.said)].join(", ")`))
		require.Equal(t, "reply, err := client.CallFindOrders(ctx, req)", evaluate[string](v, "window.copied"))
	}
}

// What can be used is reached by the tabulator, in the order of the page, and a key
// opens a schema.
func TestPage_IsReachableByKeyboard(t *testing.T) {
	v := look(t, started(t), ordersPage(t), wide, light)
	v.do(chromedp.Evaluate[chromedp.Void](`window.all = [...document.querySelectorAll("a[href], button, input, summary, [tabindex='0']")].filter(e => e.checkVisibility({visibilityProperty: true}))`))
	n := evaluate[int](v, "window.all.length")
	require.Greater(t, n, 80)
	for i := range n {
		v.press(kb.Tab)
		reached := evaluate[int](v, "window.all.indexOf(document.activeElement)")
		require.Equal(t, i, reached, evaluate[string](v, "document.activeElement.outerHTML.slice(0, 200)"))
	}
	v.do(chromedp.Focus(chromedp.CSS("#schema-Line summary")))
	v.press(kb.Enter)
	v.wait(`document.querySelector("#schema-Line details").open`)
}

// A violation is a rule of axe that a page breaks.
type violation struct {
	ID    string
	Nodes []struct{ HTML, FailureSummary string }
}

func (v view) requireAccessible(axe string) {
	v.t.Helper()
	v.do(chromedp.Evaluate[chromedp.Void](axe + "; undefined"))
	found := evaluate[string](v, `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}).then(r => JSON.stringify(r.violations))`)
	var violations []violation
	require.NoError(v.t, json.Unmarshal([]byte(found), &violations))
	for _, broken := range violations {
		for _, node := range broken.Nodes {
			v.t.Errorf("%s: %s: %s", broken.ID, node.HTML, node.FailureSummary)
		}
	}
}

// Axe-core judges names, contrasts and structure.
// axe returns the script of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "tools", "axe", "node_modules", "axe-core", "axe.min.js"))
	require.NoError(t, err, "make browser gets axe-core")
	return string(text)
}

func TestPage_IsAccessible(t *testing.T) {
	axe := axe(t)
	findings, err := docpage.RenderFindings("Orders", docpage.Options{Findings: []docpage.Finding{{Severity: "error", Position: "a.go:1:2", Text: "wrong"}, {Severity: "warning", Text: "odd"}}})
	require.NoError(t, err)
	browser := started(t)
	for name, address := range map[string]string{"orders": ordersPage(t), "findings": fileWith(t, findings)} {
		for _, width := range []int64{wide, phone} {
			for _, colours := range []string{light, "dark"} {
				t.Run(fmt.Sprint(name, width, colours), func(t *testing.T) {
					v := look(t, browser, address, width, colours)
					v.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
					v.requireAccessible(axe)
				})
			}
		}
	}
}

// fits requires that a page is no wider than its window.
func (v view) requireFits() {
	v.t.Helper()
	require.LessOrEqual(v.t, evaluate[int](v, "document.documentElement.scrollWidth"), evaluate[int](v, "innerWidth"), evaluate[string](v,
		`[...document.querySelectorAll("main *")].filter(e => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll, pre")).map(e => e.outerHTML.slice(0, 120)).slice(0, 3).join("\n")`))
}

func TestPage_FitsTelephone(t *testing.T) {
	v := look(t, started(t), ordersPage(t), phone, light)
	v.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true)`))
	v.requireFits()
	require.True(t, evaluate[bool](v, `document.querySelector("#route-OrderCreated .narrow svg").checkVisibility()`))
	require.False(t, evaluate[bool](v, `document.querySelector("#route-OrderCreated .wide svg").checkVisibility()`))

	const link = `document.querySelector('nav a[href="#schema-Money"]')`
	require.False(t, evaluate[bool](v, link+`.checkVisibility()`))
	v.click("#menu")
	require.True(t, evaluate[bool](v, link+`.checkVisibility()`))
	v.click(`nav a[href="#schema-Money"]`)
	v.wait(`location.hash === "#schema-Money"`)
	require.False(t, evaluate[bool](v, link+`.checkVisibility()`), "the contents are closed again")
	v.requireFits()
}

// hostile are texts that would do something on a page that doesn't escape them.
var hostile = []string{
	`</script><script>window.hacked=1</script>`, `"><img src=x onerror="window.hacked=1">`, `' onmouseover='window.hacked=1' x='`,
	`</title></style><svg onload="window.hacked=1">`, "javascript:window.hacked=1", "${window.hacked=1}", "\u202eRTL", strings.Repeat("long", 300), strings.Repeat("مرحبا ", 300),
}

// No text of a document is code, also where the policy isn't there to stop it.
func TestPage_RunsNoCodeOfDocument(t *testing.T) {
	browser := started(t)
	for _, text := range hostile {
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		ref, err := json.Marshal("#/components/schemas/" + strings.NewReplacer("~", "~0", "/", "~1", "%", "%25").Replace(text))
		require.NoError(t, err)
		document := strings.NewReplacer("TEXT", string(quoted), "REF", string(ref)).Replace(`{"asyncapi": "2.6.0", "id": TEXT,
			"info": {"title": TEXT, "version": TEXT, "description": TEXT, "license": {"name": TEXT, "url": TEXT}, "contact": {"name": TEXT, "url": TEXT, "email": TEXT}},
			"channels": {TEXT: {"subscribe": {"operationId": TEXT, "description": TEXT, "tags": [{"name": TEXT}], "message": {"name": TEXT, "payload": {"$ref": REF},
					"examples": [{"name": TEXT, "payload": {TEXT: TEXT}}]}, "x-failure": {"attempts": 2, "retries": [{"queue": TEXT, "delay": TEXT}], "deadLetters": {"routingKey": TEXT}}},
				"bindings": {"amqp": {"is": "queue", "queue": {"name": TEXT, "x-arguments": {TEXT: TEXT}}, "exchange": {"name": TEXT, "type": TEXT}, "x-routing-keys": [TEXT], "bindingVersion": "0.3.0"}}}},
			"components": {"schemas": {TEXT: {"type": "object", "description": TEXT, "properties": {TEXT: {"type": TEXT, "enum": [TEXT], "pattern": TEXT, "description": TEXT, "examples": [TEXT]}}}}}}`)
		for _, policy := range []bool{true, false} {
			root, err := jsontree.Parse("a.json", []byte(document))
			require.NoError(t, err)
			page, err := docpage.Render(root, docpage.Options{})
			require.NoError(t, err)
			if !policy {
				page = []byte(strings.Replace(string(page), "Content-Security-Policy", "x", 1))
			}
			v := look(t, browser, fileWith(t, page), phone, light)
			v.do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("details").forEach(d => d.open = true); document.querySelectorAll("main *").forEach(e => e.dispatchEvent(new MouseEvent("mouseover")))`))
			v.click(".tag")
			require.False(t, evaluate[bool](v, `"hacked" in window`), text)
			require.False(t, evaluate[bool](v, `[...document.querySelectorAll("a")].some(a => a.href.startsWith("javascript:"))`), text)
			require.Equal(t, 1, evaluate[int](v, `document.querySelectorAll("script").length`), text)
			v.requireFits()
		}
	}
}

// A page of very many schemas is still searched and opened.
func TestPage_ShowsThousandSchemas(t *testing.T) {
	schemas := make(map[string]any)
	for i := range 1000 {
		properties := map[string]any{fmt.Sprintf("field%d", i): map[string]any{"type": "string"}, "next": map[string]any{"$ref": fmt.Sprintf("#/components/schemas/Type%d", (i+1)%1000)}}
		schemas[fmt.Sprintf("Type%d", i)] = map[string]any{"type": "object", "description": "A type.", "properties": properties}
	}
	text, err := json.Marshal(map[string]any{"asyncapi": "2.6.0", "info": map[string]any{"title": "Many", "version": "1"}, "channels": map[string]any{}, "components": map[string]any{"schemas": schemas}})
	require.NoError(t, err)
	v := look(t, started(t), onDisk(t, text), wide, light)
	v.click("#search")
	v.press("field777")
	require.Equal(t, []string{"schema-Type777"}, evaluate[[]string](v, shown))
	v.click("#schema-Type777 summary")
	v.wait(`document.querySelector("#schema-Type777").textContent.includes("field778")`)
}

// The handler's page works below a prefix, and leads to its other forms.
func TestHandler_ServesPage(t *testing.T) {
	mux := http.NewServeMux()
	mux.Handle("/api/docs/", http.StripPrefix("/api/docs", asyncapi.Handler(ordersDocument(t))))
	server := httptest.NewServer(mux)
	defer server.Close()
	browser := started(t)
	v := look(t, browser, server.URL+"/api/docs/", wide, light)
	require.Equal(t, "Orders", evaluate[string](v, `document.querySelector("h1").textContent`))
	require.Equal(t, []string{server.URL + "/api/docs/asyncapi.json", server.URL + "/api/docs/asyncapi.yaml"},
		evaluate[[]string](v, `[...document.querySelectorAll(".sub a")].map(a => a.href)`))
	require.Equal(t, "2.6.0", evaluate[string](look(t, browser, server.URL+"/api/docs/asyncapi.json", wide, light), `JSON.parse(document.body.textContent).asyncapi`))
}

// The map of many services is a page like that of one.
func TestMap_IsUsable(t *testing.T) {
	end := docpage.MapEnd{Service: "Mail", Operation: "receipt", By: "queue mails", Undecided: "it isn't said"}
	page, err := docpage.RenderMap(docpage.Map{
		Title: "The shop", Summary: "2 services",
		Services: []docpage.MapService{
			{Name: "Billing", Version: "1.0.0", Document: "billing.json", Server: "localhost:5672", Operations: []docpage.MapOperation{
				{Name: "bill", Sends: true, Queue: "mails", Messages: []string{"receipt"}, To: []docpage.MapEnd{end}, Findings: []string{"something"}},
			}},
			{Name: "Mail", Document: "mail.json", Operations: []docpage.MapOperation{
				{Name: "receipt", Queue: "mails", Exchange: "shop", Keys: []string{"a.*"}, Messages: []string{"receipt"}, From: []docpage.MapEnd{{Service: "Billing", Operation: "bill", By: "queue mails"}}},
			}},
		},
		Flows:    []docpage.MapFlow{{From: "Billing", To: "Mail", Messages: []string{"receipt"}}, {From: "Mail", To: "Billing", Messages: []string{"no"}, IsReply: true}},
		Findings: []docpage.Finding{{Severity: "error", Position: "Billing: bill", Text: "something"}},
	})
	require.NoError(t, err)
	address := fileWith(t, page)
	browser := started(t)
	for _, width := range []int64{wide, phone} {
		for _, colours := range []string{light, "dark"} {
			v := look(t, browser, address, width, colours)
			v.requireAccessible(axe(t))
		}
	}
	v := look(t, browser, address, wide, light)
	v.click(`#operation-Billing-bill a[href="#operation-Mail-receipt"]`)
	require.Equal(t, "#operation-Mail-receipt", evaluate[string](v, "location.hash"))
	v.slash()
	v.press("billing.json nothing")
	v.wait(`!document.querySelector("#nothing").hidden`)
	require.True(t, evaluate[bool](v, `document.querySelector("#services").hidden`))
}
