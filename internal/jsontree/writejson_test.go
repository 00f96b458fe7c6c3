package jsontree_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/jsontree"
)

func TestWriteDocument_IndentsAndEscapesNoHTML(t *testing.T) {
	document := map[string]any{"a": "<&>"}
	for indent, want := range map[int]string{-1: `{"a":"<&>"}`, 0: "{\n\"a\": \"<&>\"\n}", 2: "{\n  \"a\": \"<&>\"\n}"} {
		text, err := jsontree.WriteDocument(document, indent)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
	_, err := jsontree.WriteDocument(func() {}, 2)
	require.ErrorContains(t, err, "write the AsyncAPI document as JSON: ")
}
