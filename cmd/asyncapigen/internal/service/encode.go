package service

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/output"
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
	text, err = toYAML(text)
	return output.File{Path: name, Content: text, Kind: output.YAMLDocument}, err
}

// toYAML writes a JSON text as YAML with its members in their order.
func toYAML(text []byte) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	node, err := toNode(decoder)
	if err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	node.HeadComment = output.GeneratedYAML
	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(node); err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	return b.Bytes(), encoder.Close()
}

// toNode reads the next value. A text keeps its type: what YAML would take for a
// number or a date is quoted.
func toNode(decoder *json.Decoder) (*yaml.Node, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		node := &yaml.Node{Kind: yaml.SequenceNode, Tag: "!!seq"}
		if token == '{' {
			node.Kind, node.Tag = yaml.MappingNode, "!!map"
		}
		for decoder.More() { // names and values of an object, one after the other
			element, err := toNode(decoder)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, element)
		}
		_, err := decoder.Token()
		return node, err
	case string:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: token}, nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(token)}, nil
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
	}
}
