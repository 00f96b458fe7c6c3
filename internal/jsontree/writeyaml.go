package jsontree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"
)

// ToYAML writes a JSON text as YAML, with its members in their order. The comment,
// which begins with #, stands above it; empty means none.
func ToYAML(text []byte, comment string) ([]byte, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	node, err := toNode(decoder)
	if err != nil {
		return nil, fmt.Errorf("write YAML: %w", err)
	}
	node.HeadComment = comment
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
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Style: styleOf(token), Value: token}, nil
	case json.Number:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: token.String()}, nil
	case bool:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: fmt.Sprint(token)}, nil
	default:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!null", Value: "null"}, nil
	}
}

// styleOf says how a text is written: in quotes where the encoder would write it as
// something else, which is a merge key, or lines of which the first is indented.
func styleOf(text string) yaml.Style {
	if text == "<<" || strings.ContainsAny(text, "\n") && strings.IndexByte("\t\n", text[0]) >= 0 {
		return yaml.DoubleQuotedStyle
	}
	return 0
}
