package docpage

import (
	"encoding/json"
	"fmt"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/modtest"
)

func parse(t testing.TB, name string, text []byte) *jsontree.Node {
	t.Helper()
	root, err := jsontree.Parse(name, text)
	require.NoError(t, err)
	return root
}

func render(t testing.TB, root *jsontree.Node) string {
	t.Helper()
	made, err := Render(root, Options{})
	require.NoError(t, err)
	return string(made)
}

// documents are those of the example, of all goldens and of testdata.
func documents(t testing.TB) map[string]*jsontree.Node {
	t.Helper()
	all := make(map[string]*jsontree.Node)
	for _, name := range modtest.Programs(t) {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".json") && strings.Contains(string(file.Data), `"asyncapi":`) {
				all[filepath.Base(name)+"/"+file.Name] = parse(t, file.Name, file.Data)
			}
		}
	}
	for _, name := range []string{filepath.Join(modtest.Root(t), "examples", "orders", "asyncapi.json"), "testdata/streetlights.yaml", "testdata/shop.yaml"} {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		all[filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name)] = parse(t, name, text)
	}
	require.Greater(t, len(all), 50)
	return all
}

var (
	idAttribute = regexp.MustCompile(` id="([^"]*)"`)
	fragment    = regexp.MustCompile(` (?:href="#|data-ref="|data-of="|aria-labelledby="|aria-controls="|for=")([^"]*)"`)
)

func TestRender_HasEachIDOnceAndLeadsToNoOther(t *testing.T) {
	for name, root := range documents(t) {
		page := render(t, root)
		ids := make(map[string]bool)
		for _, match := range idAttribute.FindAllStringSubmatch(page, -1) {
			require.False(t, ids[match[1]], "%s: two elements %s", name, match[1])
			ids[match[1]] = true
		}
		for _, match := range fragment.FindAllStringSubmatch(page, -1) {
			require.True(t, ids[match[1]] || ids[unescaped(t, match[1])], "%s: no element %s", name, match[1])
		}
	}
}

// unescaped is what a browser looks for.
func unescaped(t *testing.T, fragment string) string {
	t.Helper()
	text := regexp.MustCompile(`(?:%[0-9a-fA-F]{2})+`).ReplaceAllStringFunc(html.UnescapeString(fragment), func(escaped string) string {
		var bytes []byte
		for part := range strings.SplitSeq(escaped[1:], "%") {
			var b byte
			_, err := fmt.Sscanf(part, "%x", &b)
			require.NoError(t, err)
			bytes = append(bytes, b)
		}
		return string(bytes)
	})
	return text
}

// Each name, description and constraint that a document has is on its page.
func TestRender_ShowsAllOfTheDocument(t *testing.T) {
	for name, root := range documents(t) {
		made, err := read(root, Options{})
		require.NoError(t, err)
		text := html.UnescapeString(render(t, root))
		has := func(part string) {
			require.True(t, strings.Contains(text, part), "%s: %q isn't on the page", name, part)
		}
		for _, m := range append(members(root.Get("components").Get("schemas")), members(root.Get("operations"))...) {
			has(">" + m.Name + "<")
		}
		var walk func(n *jsontree.Node)
		walk = func(n *jsontree.Node) {
			address := n.Get("address")
			if address != nil && address.Kind == jsontree.Null {
				return // the channel of replies to whoever asked, which is said in a word
			}
			for _, m := range members(n) {
				switch {
				case m.Name == "correlationId", m.Name == "address":
					continue
				case m.Name == "properties" && m.Value.Kind == jsontree.Object:
					for _, property := range m.Value.Members {
						has(`<code class="name">` + property.Name + "</code>")
					}
				case m.Name == "operationId" && !strings.HasSuffix(m.Value.Str(), ".reply"), m.Name == "pattern", m.Name == "format":
					has(m.Value.Str())
				case m.Name == "description":
					for part := range strings.SplitSeq(m.Value.Str(), "\n\n") {
						has(strings.TrimSpace(part))
					}
				}
				walk(m.Value)
			}
			for _, item := range items(n) {
				walk(item)
			}
		}
		if len(made.Notes) == 0 {
			walk(root)
		}
	}
}

func TestRender_ExampleIsSmall(t *testing.T) {
	page := render(t, documents(t)["orders/asyncapi.json"])
	require.Less(t, len(page), 200_000)
	require.NotRegexp(t, `(src|srcset|action|data|poster)=`, strings.NewReplacer("data-", "", "content-", "").Replace(withoutCode(page)), "it loads something")
	require.NotContains(t, withoutCode(page), "style=", "the policy refuses it")
}

// withoutCode is a page without its style and its script.
func withoutCode(page string) string {
	return regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>`).ReplaceAllString(page, "")
}

// hostile are texts that would do something on a page that doesn't escape them.
var hostile = []string{
	`</script><script>hacked()</script>`,
	`"><img src=x onerror=hacked()>`,
	`' onmouseover='hacked()`,
	"<!--", "-->", "]]>", "</style>", "</title><h1>", "`${hacked()}`", `{{.Title}}`, "\\u003cscript>",
	"javascript:hacked()", "data:text/html,<script>hacked()</script>",
	"\u202eRTL\u202c and \u2066bidi\u2069", "a\x00b", "\u2028\u2029", "مرحبا", "名前", strings.Repeat("long ", 2_000), strings.Repeat("x", 10_000),
	"", " ", "a/b#c?d%20e", "#", "%zz",
}

// hostileDocument has the text everywhere where one can stand.
func hostileDocument(t testing.TB, text string) *jsontree.Node {
	t.Helper()
	one := func(extra map[string]any) map[string]any {
		m := map[string]any{"description": text, "title": text, "x-more": text, "examples": []any{text}}
		for k, v := range extra {
			m[k] = v
		}
		return m
	}
	operation := func(id string) map[string]any {
		return map[string]any{
			"operationId": id, "summary": text, "tags": []any{map[string]any{"name": text}}, "x-some": text,
			"x-source":  map[string]any{"file": text, "line": 1, "handler": map[string]any{"name": text, "file": text, "line": 2}},
			"x-failure": map[string]any{"attempts": 3, "retries": []any{map[string]any{"queue": text, "delay": text}}, "deadLetters": map[string]any{"routingKey": text}},
			"message": map[string]any{
				"name": text, "title": text, "contentType": text, "payload": map[string]any{"$ref": "#/components/schemas/" + strings.NewReplacer("~", "~0", "/", "~1", "%", "%25").Replace(text)},
				"examples": []any{map[string]any{"name": text, "payload": text}},
			},
			"x-reply-address": map[string]any{"exchange": text, "routingKey": text},
		}
	}
	document := map[string]any{
		"asyncapi": "2.6.0", "id": text, "defaultContentType": text,
		"info":         map[string]any{"title": text, "version": text, "description": text, "license": map[string]any{"name": text, "url": text}, "contact": map[string]any{"name": text, "url": text, "email": text}, "termsOfService": text},
		"externalDocs": map[string]any{"url": text, "description": text},
		"x-topology": map[string]any{
			"queues":           []any{map[string]any{"name": text, "x-arguments": map[string]any{text: text}}},
			"exchanges":        []any{map[string]any{"name": text, "type": text}},
			"bindings":         []any{map[string]any{"exchange": text, "queue": text, "routingKey": text, "arguments": map[string]any{text: text}}},
			"exchangeBindings": []any{map[string]any{"source": text, "destination": text, "routingKey": text}},
		},
		"servers": map[string]any{text: map[string]any{"url": text, "protocol": text, "description": text}},
		"channels": map[string]any{text: map[string]any{
			"description": text, "subscribe": operation(text + "!"), "publish": operation(text + "!.reply"),
			"bindings": map[string]any{"amqp": map[string]any{
				"is": "queue", "queue": map[string]any{"name": text, "x-arguments": map[string]any{text: text}}, "bindingVersion": "0.3.0",
				"exchange": map[string]any{"name": text, "type": text}, "x-routing-keys": []any{text, text + ".*"},
			}},
		}},
		"components": map[string]any{"schemas": map[string]any{
			text: one(map[string]any{"type": "object", "required": []any{text}, "properties": map[string]any{
				text: one(map[string]any{"type": text, "format": text, "pattern": text, "enum": []any{text}, "x-enum-varnames": []any{text}, "x-enum-descriptions": []any{text}, "default": text}),
			}, "patternProperties": map[string]any{text: one(nil)}}),
		}},
	}
	encoded, err := json.Marshal(document)
	require.NoError(t, err)
	return parse(t, "hostile.json", encoded)
}

var (
	element   = regexp.MustCompile(`<[a-zA-Z][^>]*>`)
	goodLink  = regexp.MustCompile(`^<a [^>]*href="(#|https?://|mailto:|[^":]*")`)
	value     = regexp.MustCompile(`"[^"]*"`)
	attribute = regexp.MustCompile(`^<[a-z0-9]+(?: [a-zA-Z-]+(?:="[^"]*")?)*/?>$`)
)

// What a document has stays text: each element is one of the template's, with
// attributes that are quoted.
func TestRender_EscapesHostileTexts(t *testing.T) {
	known := make(map[string]bool)
	for _, match := range regexp.MustCompile(`<([a-z0-9]+)[ >]`).FindAllStringSubmatch(pageHTML, -1) {
		known[match[1]] = true
	}
	for _, name := range []string{"html", "head", "body", "meta", "style", "script", "path", "rect", "text"} {
		known[name] = true
	}
	for _, text := range hostile {
		page := render(t, hostileDocument(t, text))
		require.Equal(t, 1, strings.Count(page, "<script>"), "%.40q", text)
		require.Equal(t, 1, strings.Count(page, "</script>"), "%.40q", text)
		require.Equal(t, 1, strings.Count(page, "<style>"), "%.40q", text)
		for _, tag := range element.FindAllString(withoutCode(page), -1) {
			require.Regexp(t, attribute, tag, "%.40q", text)
			name := regexp.MustCompile(`^<([a-z0-9]+)`).FindStringSubmatch(tag)[1]
			require.True(t, known[name], "%.40q makes an element %s", text, tag)
			require.NotRegexp(t, ` (on[a-z]+|style|srcdoc)=`, value.ReplaceAllString(tag, ""), "%.40q", text)
			if name == "a" {
				require.Regexp(t, goodLink, tag, "%.40q", text)
			}
		}
	}
}

// The default exchange has no name, and each queue is bound to it.
func TestRender_ShowsNoBindingToTheDefaultExchange(t *testing.T) {
	channel := func(exchange string) string {
		return render(t, parse(t, "a.yaml", []byte("asyncapi: 2.6.0\ninfo: {title: a}\nchannels: {orders: {subscribe: {operationId: OnOrder}, bindings: {amqp: {is: queue, queue: {name: orders}"+exchange+"}}}}\n")))
	}
	require.Contains(t, channel(", exchange: {name: shop, type: fanout}"), "shop")
	require.Equal(t, channel(""), channel(", exchange: {name: '', type: default}"))
}

func TestRender_ShowsWhatIsDeclaredBesideTheRoutes(t *testing.T) {
	page := func(topology string) string {
		return render(t, parse(t, "a.yaml", []byte("asyncapi: 2.6.0\ninfo: {title: a}\nchannels: {}\n"+topology)))
	}
	require.NotContains(t, page(""), "Declared")
	all := page(`x-topology:
  queues: [{name: audit, durable: true, x-arguments: {x-max-length: 10}}]
  exchanges: [{name: everything, type: fanout}]
  bindings: [{exchange: everything, queue: audit, routingKey: ""}]
  exchangeBindings: [{source: shop, destination: everything, routingKey: "order.#", arguments: {a: 1}}]
`)
	require.Contains(t, all, `<dd><code>audit</code> <span class="fact">durable</span> <span class="fact">x-max-length <code>10</code></span>`)
	require.Contains(t, all, `<dd><code>everything</code> <span class="fact">fanout</span>`)
	require.Contains(t, all, `exchange <code>everything</code> to queue <code>audit</code>`)
	require.Contains(t, all, `exchange <code>shop</code> to exchange <code>everything</code> by <code class="key">order.#</code> <span class="fact">a <code>1</code></span>`)
	require.NotContains(t, all, "There may be more")
	require.Contains(t, page("x-topology: {unknown: true}"), "There may be more")
}

// renderOperation renders a document with one operation.
func renderOperation(t *testing.T, operation string) string {
	t.Helper()
	return render(t, parse(t, "a.yaml", []byte("asyncapi: 2.6.0\ninfo: {title: a}\nchannels: {orders: {subscribe: "+operation+"}}\n")))
}

// Extensions that are shown in their own way aren't among the facts.
func TestRender_ShowsOtherExtensionsOfOperations(t *testing.T) {
	page := renderOperation(t, `{operationId: OnOrder, x-owner: warehouse, x-failure: {attempts: 3}, x-source: "orders.go:7", x-consumer: {prefetch: 7}, x-target: {queue: orders}}`)
	require.Contains(t, page, `x-owner <code>warehouse</code>`)
	for _, own := range []string{"x-failure", "x-source", "x-consumer", "x-target"} {
		require.NotContains(t, withoutCode(page), own+" ", own)
	}
}

func TestRender_NamesWhatIsNotKnownOfAnOperation(t *testing.T) {
	page := renderOperation(t, `{operationId: OnOrder, x-failure: {unknown: true}, x-consumer: {prefetch: 7, unknown: [concurrency, timeout]}}`)
	require.Contains(t, page, "not known concurrency, timeout, what becomes of messages that fail")
	require.NotContains(t, page, "attempts")
	page = renderOperation(t, `{operationId: OnOrder, message: {name: order, x-unknown-headers: true}}`)
	require.Contains(t, page, "not known all headers by which it is routed")
}

func TestUntyped_SaysWhatASchemaWithoutATypeIs(t *testing.T) {
	for text, want := range map[string]string{
		`{"const":1}`:            "constant",
		`{"enum":["a"]}`:         "constant",
		`{"properties":{}}`:      "object, if it is one",
		`{"oneOf":[{"enum":1}]}`: "one of",
		`{"anyOf":[{}]}`:         "any of",
		`{"allOf":[{}]}`:         "all of",
		`{"title":"a"}`:          "any",
	} {
		require.Equal(t, want, untyped(parse(t, "a.json", []byte(text))), text)
	}
}

// A text that is no address of a page is shown without a link, and credentials of a
// server aren't shown at all.
func TestRender_LinksToPagesAlone(t *testing.T) {
	page := func(link, server string) string {
		return render(t, parse(t, "a.yaml", []byte(fmt.Sprintf(`{asyncapi: 2.6.0, info: {title: a, termsOfService: %[1]q,
			contact: {name: who, url: %[1]q}, license: {name: what, url: %[1]q}}, externalDocs: {url: %[1]q},
			servers: {a: {url: %[2]q, protocol: amqp}}, channels: {}}`, link, server))))
	}
	links := regexp.MustCompile(`<a href="[^"]*" rel=`)
	require.Len(t, links.FindAllString(page("https://example.com/a?b=c", ""), -1), 4)
	for _, link := range []string{"javascript:alert(1)", "JavaScript://x%0aalert(1)", "data:text/html,x", "vbscript:x", "file:///etc/passwd", "page", "//example.com", "::"} {
		require.Empty(t, links.FindAllString(page(link, ""), -1), link)
	}
	shown := page("", "amqps://shop:sec/ret@mq.example.com/shop")
	require.Contains(t, shown, "<code>amqps://mq.example.com/shop</code>")
	require.NotContains(t, shown, "ret@")
}

func TestRender_Refuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:               `it has no member "asyncapi": it is no AsyncAPI document`,
		`[]`:                    `it is no AsyncAPI document`,
		`{"asyncapi":"1.2.0"}`:  `its AsyncAPI version "1.2.0" isn't one that is known: 2.0 to 2.6, and 3.0`,
		`{"asyncapi":"2.60.0"}`: `isn't one that is known`,
	} {
		_, err := Render(parse(t, "a.json", []byte(text)), Options{})
		require.ErrorContains(t, err, want)
	}
	_, err := Render(nil, Options{})
	require.Error(t, err)
}

func TestRender_NotesWhatCannotBeShown(t *testing.T) {
	text, err := os.ReadFile("testdata/streetlights.yaml")
	require.NoError(t, err)
	page := html.UnescapeString(render(t, parse(t, "a.yaml", text)))
	require.Contains(t, page, `<li>the reference "#/components/messages/nothing" leads nowhere: there is no "nothing" at that place</li>`)
}

// Documents of any shape make a page or an error.
func FuzzRender(f *testing.F) {
	for _, root := range documents(f) {
		f.Add(write(root))
	}
	f.Add([]byte(`{"asyncapi":"2.6.0","channels":{"a":{"$ref":"#/channels/a"}},"components":{"schemas":{"a":{"allOf":[{"$ref":"#/components/schemas/a"}]}}}}`))
	f.Add([]byte(`{"asyncapi":"3.0.0","operations":{"a":{"channel":1,"reply":[]}},"components":[1]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := jsontree.Parse("a.json", text)
		if err != nil {
			return
		}
		page, err := Render(root, Options{})
		require.True(t, (err == nil) == (len(page) > 0))
	})
}

// many is a document of n schemas, each of which refers to two others and has five
// further fields, and of a route for each tenth.
func many(tb testing.TB, n int) *jsontree.Node {
	tb.Helper()
	schemas, channels := map[string]any{}, map[string]any{}
	ref := func(i int) map[string]any {
		return map[string]any{"$ref": fmt.Sprintf("#/components/schemas/Type%04d", i%n)}
	}
	for i := range n {
		properties := map[string]any{"next": ref(i + 1), "other": map[string]any{"type": "array", "items": ref(i * 7)}}
		for _, name := range []string{"id", "name", "count", "created_at", "note"} {
			properties[name] = map[string]any{"type": "string", "description": "What the field is for, in a sentence.", "minLength": 1, "maxLength": 64}
		}
		schemas[fmt.Sprintf("Type%04d", i)] = map[string]any{"type": "object", "description": "A type of the shop.", "properties": properties, "required": []any{"id", "name"}}
		if i%10 == 0 {
			name := fmt.Sprintf("queue.%04d", i)
			channels[name] = map[string]any{
				"subscribe": map[string]any{"operationId": fmt.Sprintf("on%04d", i), "message": map[string]any{"name": "m", "payload": ref(i)}, "tags": []any{map[string]any{"name": fmt.Sprint("tag", i%7)}}},
				"bindings":  map[string]any{"amqp": map[string]any{"is": "queue", "queue": map[string]any{"name": name, "durable": true}, "exchange": map[string]any{"name": "shop", "type": "topic", "durable": true}}},
			}
		}
	}
	text, err := json.Marshal(map[string]any{"asyncapi": "2.6.0", "info": map[string]any{"title": "Many", "version": "1.0.0"}, "channels": channels, "components": map[string]any{"schemas": schemas}})
	require.NoError(tb, err)
	return parse(tb, "a.json", text)
}

// A page grows as its document does: a schema is shown once, wherever it is used.
func TestRender_GrowsWithTheDocument(t *testing.T) {
	base, large := len(render(t, many(t, 10))), len(render(t, many(t, 100)))
	code := len(pageCSS) + len(pageJS)
	require.Less(t, large-code, 12*(base-code))
}

// Eight times the document are eight times the work: it is counted in what is
// allocated, whatever the machine.
func TestRender_IsLinear(t *testing.T) {
	mallocs := func(n int) float64 {
		root := many(t, n)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		render(t, root)
		runtime.ReadMemStats(&after)
		return float64(after.Mallocs - before.Mallocs)
	}
	render(t, many(t, 1)) // templates are parsed once
	one, eight := mallocs(40), mallocs(320)
	require.Less(t, eight, 12*one)
}

// BenchmarkRender_ThousandSchemas is below a second.
func BenchmarkRender_ThousandSchemas(b *testing.B) {
	root := many(b, 1000)
	for b.Loop() {
		page := render(b, root)
		b.ReportMetric(float64(len(page)), "B/page")
	}
}
