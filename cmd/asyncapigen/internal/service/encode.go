package service

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/internal/jsontree"
)

// documentExtensions are those that say how a document is written; one without an
// extension is JSON.
var documentExtensions = []string{".json", ".yaml", ".yml"}

// isYAML reports whether a document of this name is written as YAML.
func isYAML(name string) bool {
	return slices.Contains(documentExtensions[1:], strings.ToLower(filepath.Ext(name)))
}

// A document is one of any form.
type document interface {
	JSON(indent int) ([]byte, error)
}

// encode returns the document's file, of which the name says the form.
func encode(name string, document document) (output.File, error) {
	text, err := document.JSON(2)
	if err != nil {
		return output.File{}, err
	}
	if !isYAML(name) {
		return output.File{Path: name, Content: append(text, '\n'), Kind: output.Document}, nil
	}
	text, err = jsontree.ToYAML(text, output.GeneratedYAML)
	return output.File{Path: name, Content: text, Kind: output.YAMLDocument}, err
}
