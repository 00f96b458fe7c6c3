package asyncapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

func served(t *testing.T) (http.Handler, *asyncapi.Document) {
	t.Helper()
	document, err := asyncapi.Generate([]runtime.Route{route()}, full)
	require.NoError(t, err)
	return asyncapi.Handler(document), document
}

// get asks a handler, with headers as names and values.
func get(h http.Handler, target string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestHandler_ServesPageAndDocument(t *testing.T) {
	h, document := served(t)
	want, err := document.JSON(2)
	require.NoError(t, err)

	page := get(h, "/")
	require.Equal(t, http.StatusOK, page.Code)
	require.Equal(t, "text/html; charset=utf-8", page.Header().Get("Content-Type"))
	require.Contains(t, page.Body.String(), "<h1>Shop</h1>")
	require.Contains(t, page.Body.String(), `<a href="asyncapi.yaml">YAML</a>`)

	text := get(h, "/asyncapi.json")
	require.Equal(t, "application/json", text.Header().Get("Content-Type"))
	require.Equal(t, string(want)+"\n", text.Body.String())

	text = get(h, "/asyncapi.yaml")
	require.Equal(t, "application/yaml", text.Header().Get("Content-Type"))
	var value any
	require.NoError(t, yaml.Unmarshal(text.Body.Bytes(), &value))
	asJSON, err := json.Marshal(value)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(asJSON))

	require.Equal(t, http.StatusNotFound, get(h, "/other").Code)
	require.Equal(t, http.StatusNotFound, get(h, "/asyncapi.json/").Code)
}

func TestHandler_AnswersAsAcceptPrefers(t *testing.T) {
	h, _ := served(t)
	const page, text, yaml = "text/html; charset=utf-8", "application/json", "application/yaml"
	for accept, want := range map[string]string{
		"":        page,
		"*/*":     page,
		"image/*": page,
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": page,
		"application/json":                           text,
		"Application/JSON":                           text,
		"application/*":                              text,
		"application/vnd.aai.asyncapi+json":          text,
		"application/yaml":                           yaml,
		"application/yaml, application/json;q=0.5":   yaml,
		"application/json;q=0.5,text/yaml;q=0.7":     yaml,
		"text/html;q=0,application/json;q=0.1":       text,
		"text/html;q=0, */*":                         text,
		"application/json;q=nonsense":                text,
		"application/json;version=2.6.0;q=0.3,*/*":   page,
		"text/html;level=1;q=0.2, application/*;q=1": text,
		"application/*;q=0.9, */*;q=0.5":             text,
		"*/*;q=0.5, application/*;q=0.9":             text,
		"application/*;q=0.1, */*;q=0.05":            text,
		"*/*;q=0.05, application/*;q=0.1":            text,
	} {
		w := get(h, "/", "Accept", accept)
		require.Equal(t, want, w.Header().Get("Content-Type"), accept)
		require.Equal(t, "Accept", w.Header().Get("Vary"))
	}
	require.Equal(t, page, get(h, "/", "Accept", "image/png", "Accept", "text/html").Header().Get("Content-Type"), "two lines are one list")
	require.Empty(t, get(h, "/asyncapi.json", "Accept", "text/html").Header().Get("Vary"), "a path has one form")
}

func TestHandler_HasETags(t *testing.T) {
	h, _ := served(t)
	seen := make(map[string]bool)
	for _, target := range []string{"/", "/asyncapi.json", "/asyncapi.yaml"} {
		tag := get(h, target).Header().Get("ETag")
		require.Regexp(t, `^"[0-9a-f]{32}"$`, tag)
		require.False(t, seen[tag], "each form has its own")
		seen[tag] = true
		w := get(h, target, "If-None-Match", tag)
		require.Equal(t, http.StatusNotModified, w.Code)
		require.Empty(t, w.Body.String())
	}
	again, _ := served(t)
	require.True(t, seen[get(again, "/").Header().Get("ETag")], "it is that of the content")
}

func TestHandler_IsSafeToShow(t *testing.T) {
	h, _ := served(t)
	w := get(h, "/")
	policy := w.Header().Get("Content-Security-Policy")
	require.Contains(t, policy, "default-src 'none'")
	require.Contains(t, policy, "frame-ancestors 'none'")
	require.NotContains(t, policy, "unsafe")
	require.Equal(t, "nosniff", w.Header().Get("X-Content-Type-Options"))
	for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodOptions} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/", nil))
		require.Equal(t, http.StatusMethodNotAllowed, w.Code)
		require.Equal(t, "GET, HEAD", w.Header().Get("Allow"))
	}
	head := httptest.NewRecorder()
	h.ServeHTTP(head, httptest.NewRequest(http.MethodHead, "/", nil))
	require.Equal(t, http.StatusOK, head.Code)
	require.Empty(t, head.Body.String())
}

// The page's addresses are relative: below a prefix it is at one that ends with a
// slash.
func TestHandler_WorksBelowPrefix(t *testing.T) {
	h, _ := served(t)
	mux := http.NewServeMux()
	mux.Handle("/api/docs/", http.StripPrefix("/api/docs/", h))
	mux.Handle("/api/docs", http.StripPrefix("/api/docs", h))
	server := httptest.NewServer(mux)
	defer server.Close()
	for path, want := range map[string]string{"/api/docs": "/api/docs/", "/api/docs/": "/api/docs/", "/api/docs?x=1": "/api/docs/", "/api/docs/asyncapi.json": "/api/docs/asyncapi.json"} {
		response, err := server.Client().Get(server.URL + path)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.Equal(t, http.StatusOK, response.StatusCode, path)
		require.Equal(t, want, response.Request.URL.Path)
	}
	for _, target := range []string{"//evil.example.com", "/a/%2f%2fevil.example.com", "/javascript:alert(1)"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RequestURI, r.URL.Path = target, ""
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		location, err := r.URL.Parse(w.Header().Get("Location"))
		require.NoError(t, err)
		require.Equal(t, r.URL.Host, location.Host, target)
		require.Equal(t, http.StatusPermanentRedirect, w.Code, target)
		require.Empty(t, w.Body.String(), target)
		require.True(t, strings.HasPrefix(w.Header().Get("Location"), "./"), target)
	}
}

func TestHandler_KeepsWhatItRead(t *testing.T) {
	h, document := served(t)
	document.Info.Title = "Changed"
	require.Contains(t, get(h, "/").Body.String(), "<h1>Shop</h1>")
}

func TestHandler_SaysWhyThereIsNoPage(t *testing.T) {
	_, document := served(t)
	document.Components.Schemas[0].Schema.Examples = []json.RawMessage{json.RawMessage("{")}
	w := get(asyncapi.Handler(document), "/")
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Contains(t, w.Body.String(), "serve the AsyncAPI document: write the AsyncAPI document as JSON:")
	deep := strings.Repeat("[", 1001) + strings.Repeat("]", 1001)
	document.Components.Schemas[0].Schema.Examples = []json.RawMessage{json.RawMessage(deep)}
	w = get(asyncapi.Handler(document), "/")
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Contains(t, w.Body.String(), "values lie in each other more than 1000 deep")
	document.AsyncAPI = "9.0.0"
	document.Components = nil
	require.Contains(t, get(asyncapi.Handler(document), "/").Body.String(), `its AsyncAPI version "9.0.0" isn't one that is known`)
}
