package goldens

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/warrenmq/warren/runtime/asyncapi"
)

// SameAsRunning compares a document with what the running program shows of its own routes, but
// for what only source code has: comments and constants, and what AsyncAPI 3 shows of what is
// sent. The other forms in a folder, if there are any, are compared likewise.
func SameAsRunning(document []byte, shown string, forms string) error {
	var version struct{ AsyncAPI string }
	if err := json.Unmarshal(document, &version); err != nil {
		return err
	}
	parts := strings.Split(shown, "\x00")
	if len(parts) != 4 {
		return fmt.Errorf("the program shows %d documents", len(parts)-1)
	}
	own, extended, three := parts[0], parts[1], parts[2]
	if version.AsyncAPI == "3.0.0" {
		own = three
	}
	if err := asyncapi.Drift(document, []byte(own)); err != nil {
		return fmt.Errorf("the program's own document differs: %w", err)
	}
	return errors.Join(sameForm(forms, "extended.json", extended), sameForm(forms, "asyncapi3.json", three))
}

// sameForm compares a document of a folder, if it is there, but for what flags have said.
func sameForm(forms, name, running string) error {
	committed, err := os.ReadFile(filepath.Join(forms, name))
	if err != nil {
		return nil
	}
	var source, program map[string]any
	if err := errors.Join(json.Unmarshal(committed, &source), json.Unmarshal([]byte(running), &program)); err != nil {
		return err
	}
	for _, document := range []map[string]any{source, program} {
		delete(document, "info")
		delete(document, "servers")
		components, _ := document["components"].(map[string]any)
		delete(components, "securitySchemes")
		if len(components) == 0 {
			delete(document, "components")
		}
	}
	committed, _ = json.Marshal(source)
	own, _ := json.Marshal(program)
	if err := asyncapi.Drift(committed, own); err != nil {
		return fmt.Errorf("the program's own %s: %w", name, err)
	}
	return nil
}
