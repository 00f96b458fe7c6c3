package goldens

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckForms_FindsWhatIsWrong(t *testing.T) {
	text, err := os.ReadFile("../../../../runtime/asyncapi/testdata/shop_extended.json")
	require.NoError(t, err)
	exact, err := os.ReadFile("../../../../runtime/asyncapi/testdata/shop.json")
	require.NoError(t, err)
	require.NoError(t, checkExamples(text))
	require.NoError(t, onlyAdds(exact, text))
	require.ErrorContains(t, onlyAdds(exact, bytes.ReplaceAll(text, []byte(`"durable": true`), []byte(`"durable": false`))), "durable")
	require.ErrorContains(t, checkExamples(bytes.ReplaceAll(text, []byte(`"weight": 1`), []byte(`"weight": -1`))), "weight")

	three, err := os.ReadFile("../../../../runtime/asyncapi/asyncapi3/testdata/shop.json")
	require.NoError(t, err)
	require.NoError(t, checkExamplesThree(three))
	require.ErrorContains(t, checkExamplesThree(bytes.ReplaceAll(three, []byte(`"Cents": 1`), []byte(`"Cents": "1"`))), "Cents")
	require.ErrorContains(t, sameRoutes(exact, three), "those of the exact document")
}
