package jsontree

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
)

// A jsonParser reads the tokens of a text, with their places.
type jsonParser struct {
	text    []byte
	decoder *json.Decoder
	lines   []int // offsets at which lines begin
}

func parseJSON(text []byte) (*Node, error) {
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	p := &jsonParser{text: text, decoder: json.NewDecoder(bytes.NewReader(text)), lines: []int{0}}
	p.decoder.UseNumber()
	for i, b := range text {
		if b == '\n' {
			p.lines = append(p.lines, i+1)
		}
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if _, err := p.decoder.Token(); err != io.EOF {
		return nil, p.fault(errors.New("something follows the value"))
	}
	return root, nil
}

// next is the offset of the token that is read next.
func (p *jsonParser) next() int {
	at := int(p.decoder.InputOffset())
	for at < len(p.text) && bytes.IndexByte([]byte(" \t\r\n,:"), p.text[at]) >= 0 {
		at++
	}
	return at
}

func (p *jsonParser) place(offset int) (line, column int) {
	line = sort.Search(len(p.lines), func(i int) bool { return p.lines[i] > offset })
	return line, offset - p.lines[line-1] + 1
}

func (p *jsonParser) fault(err error) error {
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errors.New("the text ends within the value")
	}
	line, column := p.place(min(p.next(), len(p.text))) // where the token begins that can't be read
	return fmt.Errorf("line %d, column %d: %w", line, column, err)
}

func (p *jsonParser) value(depth int) (*Node, error) {
	n := new(Node)
	n.Line, n.Column = p.place(p.next())
	if depth > maxDepth {
		return nil, p.fault(fmt.Errorf("values lie in each other more than %d deep", maxDepth))
	}
	token, err := p.decoder.Token()
	if err != nil {
		return nil, p.fault(err)
	}
	switch token := token.(type) {
	case bool:
		n.Kind, n.Bool = Bool, token
	case json.Number:
		n.Kind, n.Text = Number, string(token)
	case string:
		n.Kind, n.Text = String, token
	case json.Delim:
		if token == '[' {
			n.Kind = Array
			err = p.items(n, depth)
		} else {
			n.Kind = Object
			err = p.members(n, depth)
		}
	}
	return n, err
}

func (p *jsonParser) items(n *Node, depth int) error {
	for p.decoder.More() {
		item, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.Items = append(n.Items, item)
	}
	return p.end()
}

func (p *jsonParser) members(n *Node, depth int) error {
	seen := make(map[string]bool)
	for p.decoder.More() {
		at := p.next()
		token, err := p.decoder.Token()
		if err != nil {
			return p.fault(err)
		}
		name, ok := token.(string)
		if !ok || seen[name] {
			line, column := p.place(at)
			return fmt.Errorf("line %d, column %d: a second member %q: readers would choose one", line, column, name)
		}
		seen[name] = true
		value, err := p.value(depth + 1)
		if err != nil {
			return err
		}
		n.Members = append(n.Members, Member{name, value})
	}
	return p.end()
}

// end reads the bracket at the end of an array or an object.
func (p *jsonParser) end() error {
	if _, err := p.decoder.Token(); err != nil {
		return p.fault(err)
	}
	return nil
}
