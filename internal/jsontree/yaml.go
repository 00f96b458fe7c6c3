package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"go.yaml.in/yaml/v3"
)

// maxNodes bounds what aliases, which stand for whole trees, make of a text.
const maxNodes = 1_000_000

// A yamlParser makes nodes of YAML's. See docs/decisions/0054.
type yamlParser struct{ nodes int }

func parseYAML(text []byte) (*Node, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var document yaml.Node
	if err := decoder.Decode(&document); err != nil {
		if err == io.EOF {
			return nil, errors.New("line 1: the text is empty")
		}
		return nil, err
	}
	if err := decoder.Decode(new(yaml.Node)); err != io.EOF {
		return nil, errors.New("the text has more than one YAML document")
	}
	p := new(yamlParser)
	return p.value(document.Content[0], 0)
}

func yamlFault(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d, column %d: %w", n.Line, n.Column, fmt.Errorf(format, args...))
}

func (p *yamlParser) value(y *yaml.Node, depth int) (*Node, error) {
	if p.nodes++; p.nodes > maxNodes || depth > maxDepth {
		return nil, yamlFault(y, "the value is too large, or contains itself")
	}
	n := &Node{Line: y.Line, Column: y.Column}
	switch y.Kind {
	case yaml.AliasNode:
		return p.value(y.Alias, depth+1)
	case yaml.SequenceNode:
		n.Kind = Array
		for _, item := range y.Content {
			value, err := p.value(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, value)
		}
		return n, nil
	case yaml.MappingNode:
		n.Kind = Object
		return n, p.members(n, y, depth)
	}
	return n, scalar(n, y)
}

func (p *yamlParser) members(n *Node, y *yaml.Node, depth int) error {
	seen := make(map[string]bool)
	for i := 0; i < len(y.Content); i += 2 {
		key := y.Content[i]
		switch {
		case key.Kind != yaml.ScalarNode:
			return yamlFault(key, "the name of a member is no text")
		case key.Tag == "!!merge":
			return yamlFault(key, "merge keys (<<) aren't read: write the members out")
		case seen[key.Value]:
			return yamlFault(key, "a second member %q: readers would choose one", key.Value)
		}
		seen[key.Value] = true
		value, err := p.value(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		n.Members = append(n.Members, Member{key.Value, value})
	}
	return nil
}

// scalar gives n the value of a YAML scalar.
func scalar(n *Node, y *yaml.Node) error {
	switch y.ShortTag() {
	case "!!null":
		n.Kind = Null
	case "!!bool":
		n.Kind = Bool
		return y.Decode(&n.Bool)
	case "!!int", "!!float":
		n.Kind = Number
		if json.Valid([]byte(y.Value)) {
			n.Text = y.Value
			return nil
		}
		var value any
		if err := y.Decode(&value); err != nil {
			return yamlFault(y, "%w", err)
		}
		if f, ok := value.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
			return yamlFault(y, "JSON has no number %s", y.Value)
		}
		text, err := json.Marshal(value)
		n.Text = string(text)
		return err
	case "!!str", "!!timestamp", "!!binary":
		n.Kind, n.Text = String, y.Value
	default:
		return yamlFault(y, "the tag %s has no form in JSON", y.Tag)
	}
	return nil
}
