package asyncapi3_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/docpage"
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/asyncapi/asyncapi3"
)

// What a page says in words of each route: its picture, its reply, its calls.
var (
	pictures = regexp.MustCompile(`class="flow" role="img" aria-label="([^"]*)"`)
	replies  = regexp.MustCompile(`<h4>Reply.*</h4>`)
	calls    = regexp.MustCompile(`<code>(?:// key .*\n)?.* := client\..*</code>`)
)

// A page reads the document's parts by their names, so that a part with another name
// would be missing without an error: the pages of both versions say the same.
func TestPage_SaysWhatThatOfTheExtendedDocumentSays(t *testing.T) {
	page := func(text []byte, err error) string {
		require.NoError(t, err)
		root, err := jsontree.Parse("asyncapi.json", text)
		require.NoError(t, err)
		page, err := docpage.Render(root, docpage.Options{})
		require.NoError(t, err)
		return string(page)
	}
	two := page(asyncapi.GenerateJSON(everything(t), nil, 2, asyncapi.Extended))
	three := page(asyncapi3.GenerateJSON(everything(t), nil, 2))
	for _, part := range []*regexp.Regexp{pictures, replies, calls} {
		require.NotEmpty(t, part.FindAllString(two, -1), part)
		require.Equal(t, part.FindAllString(two, -1), part.FindAllString(three, -1))
	}
	require.Contains(t, three, "exchange shop")
}
