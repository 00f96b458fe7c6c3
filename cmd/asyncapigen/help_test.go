package main

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/warrenmq/warren/docs"
	"github.com/warrenmq/warren/internal/diagnostic"
)

func TestHelp_ExplainsEveryCode(t *testing.T) {
	for _, code := range diagnostic.Codes() {
		text := codeSection(docs.Diagnostics, code)
		assert.NotEmpty(t, text, code)
		assert.NotContains(t, text, "\n#", code)
		assert.NotContains(t, text, "```", code)
	}
}

func TestHelp_ShowsCodeIndented(t *testing.T) {
	page := "# P\n\n### bad-tag\n\nA [tag](a.md#b) is wrong.\n```go\nx := 1\n\ny()\n```\n```text\nsaid\n```\n\n### next\n\nOther.\n"
	assert.Equal(t, "A tag is wrong.\n\n\tx := 1\n\n\ty()\n\n\tsaid", codeSection(page, "bad-tag"))
}
