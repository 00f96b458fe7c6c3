// Package jsontree reads JSON and YAML texts as trees of values that know their
// lines, and writes JSON texts as YAML.
//
//	root, err := jsontree.Parse("asyncapi.yaml", text)
//	title := root.Get("info").Get("title") // nil where there is none
//	fmt.Println(title.Text, title.Line)
//
// Both forms give the same tree: what JSON has no form for is an error, and so are
// two members of one name, of which readers would choose one.
package jsontree

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A Kind is a type of JSON.
type Kind int

// The kinds.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"null", "boolean", "number", "string", "array", "object"}[k]
}

// A Node is a value in a text. It isn't for several goroutines at a time.
type Node struct {
	Kind    Kind
	Bool    bool     // of a Bool
	Text    string   // of a String; of a Number its literal, as in JSON
	Items   []*Node  // of an Array
	Members []Member // of an Object, in the text's order
	Line    int      // from 1
	Column  int      // in bytes, from 1

	index map[string]*Node // of many Members, made when one is asked for
}

// A Member is one name of an object, with its value.
type Member struct {
	Name  string
	Value *Node
}

// maxDepth is how deep values may lie in each other.
const maxDepth = 1000

// Extensions returns those of the names of files with documents, in lower case: that of
// JSON, and those of YAML.
func Extensions() []string { return []string{".json", ".yaml", ".yml"} }

// HasExtension reports whether the name of a file has one of them, in any case.
func HasExtension(name string) bool {
	return slices.Contains(Extensions(), strings.ToLower(filepath.Ext(name)))
}

// IsYAML reports whether the extension of a file's name is .yaml or .yml.
func IsYAML(name string) bool {
	return HasExtension(name) && !strings.EqualFold(filepath.Ext(name), ".json")
}

// Parse reads a text, as YAML where [IsYAML] says so of its file's name, and else as
// JSON.
func Parse(name string, text []byte) (*Node, error) {
	if IsYAML(name) {
		return parseYAML(text)
	}
	return parseJSON(text)
}

// Get returns the member of an object, nil where n is none or has none. A nil
// Node has no members.
func (n *Node) Get(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	if len(n.Members) > 16 {
		if n.index == nil {
			n.index = make(map[string]*Node, len(n.Members))
			for _, m := range n.Members {
				n.index[m.Name] = m.Value
			}
		}
		return n.index[name]
	}
	for _, m := range n.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Str returns the text of a String, "" of anything else.
func (n *Node) Str() string {
	if n == nil || n.Kind != String {
		return ""
	}
	return n.Text
}

// Value returns the tree as encoding/json has it with UseNumber: numbers are
// json.Number. The value of a nil Node is nil.
func (n *Node) Value() any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case Bool:
		return n.Bool
	case Number:
		return json.Number(n.Text)
	case String:
		return n.Text
	case Array:
		all := make([]any, len(n.Items))
		for i, item := range n.Items {
			all[i] = item.Value()
		}
		return all
	case Object:
		all := make(map[string]any, len(n.Members))
		for _, m := range n.Members {
			all[m.Name] = m.Value.Value()
		}
		return all
	}
	return nil
}

// Equal reports whether two nodes have one value: the order of members and the
// places in the text don't matter. Nil equals nil alone.
func Equal(a, b *Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	if a.Kind != b.Kind || a.Bool != b.Bool || a.Text != b.Text || len(a.Members) != len(b.Members) {
		return false
	}
	if !slices.EqualFunc(a.Items, b.Items, Equal) {
		return false
	}
	for _, m := range a.Members {
		if other := b.Get(m.Name); other == nil || !Equal(m.Value, other) {
			return false
		}
	}
	return true
}

// At follows a JSON pointer, "" for n itself, and returns an error that names the
// step that isn't there.
func (n *Node) At(pointer string) (*Node, error) {
	if pointer == "" {
		return n, nil
	}
	if pointer[0] != '/' {
		return nil, fmt.Errorf("the JSON pointer %q doesn't begin with a slash", pointer)
	}
	at := n
	for step := range strings.SplitSeq(pointer[1:], "/") {
		name := strings.ReplaceAll(strings.ReplaceAll(step, "~1", "/"), "~0", "~")
		next := at.Get(name)
		if i, err := strconv.Atoi(name); err == nil && at.Kind == Array && i >= 0 && i < len(at.Items) {
			next = at.Items[i]
		}
		if next == nil {
			return nil, fmt.Errorf("there is no %q at that place", name)
		}
		at = next
	}
	return at, nil
}

// Step returns a name as a step of a JSON pointer, with its slash.
func Step(name string) string {
	return "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
}

// A ReferenceError is about a reference that leads to nothing in its document.
type ReferenceError struct {
	Pointer string // of the value with the reference
	At      *Node  // the reference
	What    string
}

func (e *ReferenceError) Error() string { return e.What }

// maxReferences is how many references may lead from one to the next.
const maxReferences = 64

// Resolve follows the references ($ref) of a value of the document n, whose pointer
// is given as a fragment such as "#/channels". It returns what they lead to, with
// its pointer. A value without a reference is returned as it is, nil as well. The
// error is a [*ReferenceError].
func (n *Node) Resolve(value *Node, pointer string) (*Node, string, error) {
	for range maxReferences {
		ref := value.Get("$ref")
		if ref == nil {
			return value, pointer, nil
		}
		path, within := strings.CutPrefix(ref.Str(), "#")
		decoded, err := url.PathUnescape(path)
		if !within || err != nil {
			return nil, pointer, &ReferenceError{pointer, ref, fmt.Sprintf("the reference %q leads out of the document, and only the document is read", ref.Str())}
		}
		target, err := n.At(decoded)
		if err != nil {
			return nil, pointer, &ReferenceError{pointer, ref, fmt.Sprintf("the reference %q leads nowhere: %v", ref.Str(), err)}
		}
		value, pointer = target, "#"+decoded
	}
	return nil, pointer, &ReferenceError{pointer, value, "the reference leads back to itself"}
}
