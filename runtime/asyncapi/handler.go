package asyncapi

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/warrenmq/warren/internal/docpage"
	"github.com/warrenmq/warren/internal/jsontree"
)

// Handler returns a handler that serves a document: at its root a page for people,
// and the document as asyncapi.json and asyncapi.yaml beside it. The root answers
// with one of the three as the Accept header of a request prefers; there, too, the
// page is the default.
//
//	mux.Handle("/docs/", http.StripPrefix("/docs", asyncapi.Handler(document)))
//
// The page is self-contained: it loads nothing else, and its Content-Security-Policy
// forbids everything that isn't its own. It works below any prefix. Answers have an
// ETag, and other methods than GET and HEAD are refused.
//
// The document is read here; what becomes of it later isn't served. One that can't be
// written is answered with the status 500 and the reason. The handler is safe for
// concurrent use, and starts no goroutine. Who may see the document is up to what is
// around the handler. See docs/decisions/0067.
func Handler(doc *Document) http.Handler {
	h := make(handler)
	text, err := doc.JSON(2)
	if err == nil {
		err = h.add(append(text, '\n'))
	}
	if err != nil {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, "serve the AsyncAPI document: "+err.Error(), http.StatusInternalServerError)
		})
	}
	return h
}

// A handler has what is served, by its path.
type handler map[string]served

// Files that a handler serves; the page is that of the root.
const (
	pageFile = ""
	jsonFile = "asyncapi.json"
	yamlFile = "asyncapi.yaml"
)

type served struct {
	contentType string
	content     []byte
	etag        string
}

func newServed(contentType string, content []byte) served {
	sum := sha256.Sum256(content)
	return served{contentType, content, `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// add makes all forms of a document.
func (h handler) add(text []byte) error {
	root, err := jsontree.Parse(jsonFile, text)
	if err != nil {
		return err
	}
	page, err := docpage.Render(root, pageOptions())
	if err != nil {
		return err
	}
	yaml, err := jsontree.ToYAML(text, "")
	if err != nil {
		return err
	}
	h[pageFile] = newServed("text/html; charset=utf-8", page)
	h[jsonFile] = newServed("application/json", text)
	h[yamlFile] = newServed("application/yaml", yaml)
	return nil
}

func pageOptions() docpage.Options {
	return docpage.Options{Files: []docpage.File{{Name: "JSON", Address: jsonFile}, {Name: "YAML", Address: yamlFile}}}
}

func (h handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		http.Error(w, "the document can only be read", http.StatusMethodNotAllowed)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	asked, _, _ := strings.Cut(r.RequestURI, "?")
	if r.URL.Path == "" && asked != "" && !strings.HasSuffix(asked, "/") {
		// The addresses on the page are those of files beside it.
		w.Header().Set("Location", "./"+path.Base(asked)+"/")
		w.WriteHeader(http.StatusPermanentRedirect)
		return
	}
	header := w.Header()
	if name == pageFile {
		header.Set("Vary", "Accept")
		name = preferred(r.Header.Values("Accept"))
	}
	file, ok := h[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	header.Set("Content-Type", file.contentType)
	header.Set("ETag", file.etag)
	header.Set("Cache-Control", "no-cache")
	header.Set("Content-Security-Policy", docpage.Policy(pageOptions()))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "no-referrer")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(file.content))
}

// preferred returns the file that an Accept header asks for, the page where it has
// no preference.
func preferred(accept []string) string {
	best, quality := pageFile, 0.0
	for _, offer := range []struct {
		file  string
		types []string
	}{
		{pageFile, []string{"text/html"}},
		{jsonFile, []string{"application/json", "application/vnd.aai.asyncapi+json", "application/vnd.aai.asyncapi"}},
		{yamlFile, []string{"application/yaml", "application/vnd.aai.asyncapi+yaml", "application/x-yaml", "text/yaml"}},
	} {
		for _, mediaType := range offer.types {
			if q := qualityOf(mediaType, accept); q > quality {
				best, quality = offer.file, q
			}
		}
	}
	return best
}

// qualityOf returns how much an Accept header wants a media type, by the most
// specific of its ranges: from 0, for not at all, to 1.
func qualityOf(mediaType string, accept []string) float64 {
	kind, _, _ := strings.Cut(mediaType, "/")
	specific, quality := 0, 0.0
	for one := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		of, parameters, _ := strings.Cut(one, ";")
		rank := map[string]int{mediaType: 3, kind + "/*": 2, "*/*": 1}[strings.ToLower(strings.TrimSpace(of))]
		if rank > specific {
			specific, quality = rank, weight(parameters)
		}
	}
	return quality
}

// weight returns the parameter q, 1 where there is none that is valid.
func weight(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if q, err := strconv.ParseFloat(value, 64); strings.EqualFold(name, "q") && err == nil && q >= 0 && q <= 1 {
			return q
		}
	}
	return 1
}
