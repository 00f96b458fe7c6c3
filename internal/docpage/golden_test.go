package docpage

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the goldens of testdata anew")

// requireGolden compares what is between a page's style and its scripts, one element a line.
func requireGolden(t *testing.T, name string, page []byte) {
	t.Helper()
	_, body, _ := strings.Cut(string(page), "</style>")
	body, _, found := strings.Cut(body, "<script>")
	require.True(t, found)
	body = regexp.MustCompile(`\s*\n\s*`).ReplaceAllString(body, "\n")
	body = regexp.MustCompile(`>\s*<([^/])`).ReplaceAllString(body, ">\n<$1")
	name = filepath.Join("testdata", name+".golden")
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(body), 0o644))
	}
	want, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, string(want), body)
}

func TestRender_PagesAreThoseOfTheGoldens(t *testing.T) {
	for _, file := range []string{"testdata/general.yaml", "testdata/shop.yaml", "testdata/streetlights.yaml", "../../runtime/asyncapi/testdata/shop_extended.json", "../../runtime/asyncapi/asyncapi3/testdata/shop.json"} {
		name := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
		if strings.Contains(file, "asyncapi3") {
			name += "3"
		}
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			page, err := Render(parse(t, file, text), Options{
				SourceURL: "https://example.com/{file}#L{line}",
				Files:     []File{{Name: "JSON", Address: "asyncapi.json"}},
			})
			require.NoError(t, err)
			requireGolden(t, name, page)
		})
	}
}

func TestRenderMap_PageIsThatOfTheGolden(t *testing.T) {
	page, err := RenderMap(Map{
		Title: "Shop", Summary: "3 services",
		Services: []MapService{
			{Name: "orders", Version: "1.0.0", Description: "Takes orders.", Document: "orders.json", Server: "mq.example.com", Operations: []MapOperation{
				{Name: "created", Sends: true, Exchange: "orders", Keys: []string{"order.created"}, Messages: []string{"Order"}, To: []MapEnd{{Service: "mails", Operation: "onCreated", By: "orders, order.#"}, {Service: "bills", Operation: "onCreated", Undecided: "the key isn't known"}}},
				{Name: "onPaid", Queue: "orders.paid", Messages: []string{"Paid"}, From: []MapEnd{{Service: "bills", Operation: "paid", By: "queue orders.paid"}}, Findings: []string{"Nobody sends Refunded."}},
			}},
			{Name: "mails", Operations: []MapOperation{{Name: "onCreated", Queue: "mails.created", From: []MapEnd{{Service: "orders", Operation: "created"}}}}},
			{Name: "bills", Operations: []MapOperation{{Name: "paid", Sends: true, Keys: []string{"orders.paid"}}}},
		},
		Flows: []MapFlow{
			{From: "orders", To: "mails", Messages: []string{"Order"}},
			{From: "orders", To: "mails", Messages: []string{"Cancelled", "Order"}},
			{From: "orders", To: "bills", Messages: []string{"Order"}},
			{From: "bills", To: "orders", Messages: []string{"Paid"}, IsReply: true},
			{From: "bills", To: "orders", Messages: []string{"Order"}, IsFailure: true},
		},
		Findings: []Finding{{Severity: "warning", Position: "orders.json:1", Text: "Two services have one name."}},
	})
	require.NoError(t, err)
	requireGolden(t, "map", page)
}
