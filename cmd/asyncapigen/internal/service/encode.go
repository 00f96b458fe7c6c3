package service

import (
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
	"github.com/warrenmq/warren/internal/jsontree"
)

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
	if !jsontree.IsYAML(name) {
		return output.File{Path: name, Content: append(text, '\n'), Kind: output.Document}, nil
	}
	text, err = jsontree.ToYAML(text, output.GeneratedYAML)
	return output.File{Path: name, Content: text, Kind: output.YAMLDocument}, err
}
