package jsontree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// WriteDocument writes an AsyncAPI document as JSON text, without a newline at its end.
// Indent is the number of spaces by which each level is indented; a negative one writes
// it in one line, without spaces. Unlike json.Marshal it doesn't escape <, > and &.
func WriteDocument(document any, indent int) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(document); err != nil {
		return nil, fmt.Errorf("write the AsyncAPI document as JSON: %w", err)
	}
	compact := bytes.TrimSuffix(text.Bytes(), []byte("\n"))
	if indent < 0 {
		return compact, nil
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, compact, "", strings.Repeat(" ", indent)); err != nil {
		return nil, fmt.Errorf("indent the AsyncAPI document: %w", err)
	}
	return indented.Bytes(), nil
}
