package difference

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/internal/jsontree"
)

// A Document is a contract that was read.
type Document struct {
	Name string // of its file, as it is shown

	root     *jsontree.Node
	version  string // info.version
	contract *element
	form     documentForm
	problems []problem
	silent   []string // payloads that aren't described

	declaresUnknown bool // not all is known that the service declares beside its routes

	reader *inclusion.Reader
}

// A problem is a part of a document that can't be read.
type problem struct {
	at   place
	what string
}

// A Direction says in which operations of AsyncAPI 2 the service receives.
type Direction string

// The directions. Asyncapigen writes what the service receives as subscribe, from
// the point of view of the service's peers; AsyncAPI 2 itself calls it publish.
const (
	ByShape   Direction = ""
	Subscribe Direction = "subscribe"
	Publish   Direction = "publish"
)

// Read reads a document, by its name as JSON or as YAML. Parts that can't be read
// become findings of the comparison; an error means that there is no document.
func Read(name string, content []byte, receives Direction) (*Document, error) {
	root, err := jsontree.Parse(name, content)
	if err != nil {
		return nil, fmt.Errorf("read the document %s: %w", name, err)
	}
	d := &Document{
		Name: name, root: root, reader: inclusion.NewReader(root), version: root.Get("info").Get("version").Str(),
		contract: &element{at: placeOf("", root)},
	}
	spec := root.Get("asyncapi")
	if root.Kind != jsontree.Object || spec == nil {
		return nil, fmt.Errorf("read the document %s: it has no member \"asyncapi\": it is no AsyncAPI document", name)
	}
	r := &documentReader{Document: d, receives: receives}
	r.general()
	switch version := spec.Str(); {
	case versionTwo.MatchString(version):
		r.readTwo()
	case versionThree.MatchString(version):
		r.readThree()
	default:
		return nil, fmt.Errorf("read the document %s: line %d: its AsyncAPI version %q isn't one that is known: 2.0 to 2.6, and 3.0", name, spec.Line, version)
	}
	return d, nil
}

// Problem returns the first part of a document that can't be read, nil for none.
func (d *Document) Problem() error {
	if len(d.problems) == 0 {
		return nil
	}
	p := d.problems[0]
	return fmt.Errorf("read the document %s: line %d: %s", d.Name, p.at.line, p.what)
}

var (
	versionTwo   = regexp.MustCompile(`^2\.[0-6]\.\d+$`)
	versionThree = regexp.MustCompile(`^3\.0\.\d+$`)
)

// A documentReader makes the elements of a document.
type documentReader struct {
	*Document
	receives    Direction
	contentType *jsontree.Node // of messages that say nothing else
}

func (r *documentReader) fail(pointer string, node *jsontree.Node, format string, args ...any) {
	r.problems = append(r.problems, problem{placeOf(pointer, node), fmt.Sprintf(format, args...)})
}

// deref follows references to what they lead to.
func (r *documentReader) deref(node *jsontree.Node, pointer string) (*jsontree.Node, string) {
	target, at, err := r.root.Resolve(node, pointer)
	var broken *jsontree.ReferenceError
	if errors.As(err, &broken) {
		r.fail(broken.Pointer, broken.At, "%s", broken.What)
	}
	return target, at
}

// A keys says which element the members of an object are; what isn't in it is an
// extension, or unknown.
type keys map[string]string

// members makes elements of the members of an object. The base "" leaves one out,
// because it is read elsewhere.
func (r *documentReader) members(e *element, node *jsontree.Node, pointer string, known keys) {
	if node == nil {
		return
	}
	if node.Kind != jsontree.Object {
		r.fail(pointer, node, "it is of the kind %s, not object", node.Kind)
		return
	}
	for _, m := range node.Members {
		base, ok := known[m.Name]
		at := pointer + jsontree.Step(m.Name)
		switch {
		case ok && base == "":
		case ok:
			e.child(base, m.Name, at, m.Value)
		case strings.HasPrefix(m.Name, "x-"):
			e.child("extension", m.Name, at, m.Value)
		default:
			e.child("unknown-key", m.Name, at, m.Value)
		}
	}
}

// general reads what all versions have.
func (r *documentReader) general() {
	r.contentType = r.root.Get("defaultContentType")
	r.members(r.contract, r.root, "#", keys{
		"asyncapi": "asyncapi-version", "id": "id", "defaultContentType": "default-content-type", "tags": "document-tags",
		"externalDocs": "external-docs", "info": "", "servers": "", "channels": "", "operations": "", "components": "", "x-topology": "",
	})
	r.declared()
	info := keys{"title": "title", "version": "version"}
	for _, name := range []string{"description", "termsOfService", "contact", "license", "tags", "externalDocs"} {
		info[name] = "info"
	}
	r.members(r.contract, r.root.Get("info"), "#/info", info)
	for _, m := range r.objects(r.root.Get("servers"), "#/servers") {
		r.server(m)
	}
}

// An object is a member of a table, after its references.
type object struct {
	name    string
	node    *jsontree.Node
	pointer string
}

// objects are the members of a table that are objects.
func (r *documentReader) objects(table *jsontree.Node, pointer string) []object {
	if table == nil {
		return nil
	}
	if table.Kind != jsontree.Object {
		r.fail(pointer, table, "it is of the kind %s, not object", table.Kind)
		return nil
	}
	var all []object
	for _, m := range table.Members {
		node, at := r.deref(m.Value, pointer+jsontree.Step(m.Name))
		switch {
		case node == nil:
		case node.Kind != jsontree.Object:
			r.fail(at, node, "it is of the kind %s, not object", node.Kind)
		default:
			all = append(all, object{m.Name, node, at})
		}
	}
	return all
}

func (r *documentReader) server(m object) {
	e := r.contract.child("server", m.name, m.pointer, m.node)
	e.subject = "the server " + m.name
	known := keys{
		"url": "", "host": "", "pathname": "", "protocol": "server-protocol", "protocolVersion": "server-protocol-version",
		"security": "server-security", "variables": "server-variables", "bindings": "server-bindings",
	}
	for _, name := range []string{"description", "title", "summary", "tags", "externalDocs"} {
		known[name] = "server-text"
	}
	r.members(e, m.node, m.pointer, known)
	if url := m.node.Get("url"); url != nil {
		e.child("server-url", "url", m.pointer+"/url", url)
	}
	if host := m.node.Get("host"); host != nil {
		address := &jsontree.Node{Kind: jsontree.String, Text: host.Str() + m.node.Get("pathname").Str(), Line: host.Line, Column: host.Column}
		e.child("server-url", "url", m.pointer+"/host", address)
	}
}

// bindings reads those of a channel.
func (r *documentReader) bindings(e *element, node *jsontree.Node, pointer string) {
	for _, m := range r.objects(node, pointer) {
		if m.name != "amqp" {
			e.child("protocol-binding", m.name, m.pointer, m.node)
			continue
		}
		r.members(e, m.node, m.pointer, r.withExtensions(keys{"is": "binding-is", "bindingVersion": "binding-version", "queue": "", "exchange": "", "x-routing-keys": ""}))
		r.routingKeys(e, m.node, m.pointer)
		if queue := m.node.Get("queue"); queue != nil {
			r.amqp(e, "queue", queue, m.pointer+"/queue")
		}
		if exchange := m.node.Get("exchange"); exchange != nil {
			in := e.child("exchange", "", m.pointer+"/exchange", exchange)
			r.amqp(in, "exchange", exchange, m.pointer+"/exchange")
		}
	}
}

// amqp reads a queue or an exchange. Its extensions are arguments: the broker
// compares them.
func (r *documentReader) amqp(e *element, kind string, node *jsontree.Node, pointer string) {
	if node.Kind != jsontree.Object {
		r.fail(pointer, node, "it is of the kind %s, not object", node.Kind)
		return
	}
	properties := []string{"name", "type", "durable", "exclusive", "autoDelete", "vhost"}
	for _, m := range node.Members {
		at := pointer + jsontree.Step(m.Name)
		base := kind + "-" + kebab(m.Name)
		_, known := rules[base]
		switch {
		case m.Name == "x-routing-keys":
			r.routingKeys(e, node, pointer)
		case slices.Contains(properties, m.Name) && known:
			e.leaf(base, at, m.Value)
		case strings.HasPrefix(m.Name, "x-") && m.Value.Kind == jsontree.Object:
			for _, argument := range m.Value.Members {
				e.child(kind+"-argument", argument.Name, at+jsontree.Step(argument.Name), argument.Value)
			}
		case strings.HasPrefix(m.Name, "x-"):
			e.child(kind+"-argument", m.Name, at, m.Value)
		default:
			e.child("unknown-key", m.Name, at, m.Value)
		}
	}
}

// routingKeys reads the keys by which a queue is bound.
func (r *documentReader) routingKeys(e *element, node *jsontree.Node, pointer string) {
	keys := node.Get("x-routing-keys")
	if keys == nil {
		return
	}
	for i, key := range keys.Items {
		e.child("routing-key", key.Str(), fmt.Sprintf("%s/x-routing-keys/%d", pointer, i), key)
	}
}
