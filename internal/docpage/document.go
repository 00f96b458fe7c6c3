package docpage

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/warrenmq/warren/internal/brokerurl"
	"github.com/warrenmq/warren/internal/jsontree"
)

var (
	versionTwo   = regexp.MustCompile(`^2\.[0-6]\.\d+$`)
	versionThree = regexp.MustCompile(`^3\.0\.\d+$`)
)

// A reader makes the page of a document.
type reader struct {
	root   *jsontree.Node
	page   *page
	ids    ids
	source string // template of links to source code, see Options
}

// read returns what the page shows of a document.
func read(root *jsontree.Node, o Options) (*page, error) {
	spec := root.Get("asyncapi").Str()
	if root == nil || root.Kind != jsontree.Object || spec == "" {
		return nil, fmt.Errorf("make the page of a document: it has no member \"asyncapi\": it is no AsyncAPI document")
	}
	r := &reader{root: root, page: &page{FindingsTitle: findingsTitle, Findings: o.Findings}, ids: newIDs(), source: o.SourceURL}
	r.general(spec)
	switch {
	case versionTwo.MatchString(spec):
		r.readTwo()
	case versionThree.MatchString(spec):
		r.readThree()
	default:
		return nil, fmt.Errorf("make the page of a document: its AsyncAPI version %q isn't one that is known: 2.0 to 2.6, and 3.0", spec)
	}
	r.page.Declared = readDeclared(r.root.Get("x-topology"))
	r.page.Schemas = r.components()
	for _, route := range r.page.Routes {
		route.Picture = drawRoute(route)
	}
	r.page.Overview = drawOverview(r.page)
	r.tags()
	return r.page, nil
}

// note says on the page what can't be read, once.
func (r *reader) note(text string) {
	if !slices.Contains(r.page.Notes, text) {
		r.page.Notes = append(r.page.Notes, text)
	}
}

// resolve follows references; nil where one leads nowhere.
func (r *reader) resolve(n *jsontree.Node) *jsontree.Node {
	target, _, err := r.root.Resolve(n, "")
	if err != nil {
		r.note(err.Error())
	}
	return target
}

// general reads what all versions have.
func (r *reader) general(spec string) {
	info := r.root.Get("info")
	p := r.page
	p.Specification = "AsyncAPI " + spec
	p.Title, p.Version, p.Description = info.Get("title").Str(), info.Get("version").Str(), info.Get("description").Str()
	if p.Title == "" {
		p.Title = "A service without a title"
	}
	add := func(name string, n *jsontree.Node, link string) {
		if text := n.Str(); text != "" {
			p.Facts = append(p.Facts, fact{Name: name, Value: text, Link: linkTo(link)})
		}
	}
	add("Id", r.root.Get("id"), "")
	add("Content type", r.root.Get("defaultContentType"), "")
	license, contact := info.Get("license"), info.Get("contact")
	add("License", license.Get("name"), license.Get("url").Str())
	add("Terms", info.Get("termsOfService"), info.Get("termsOfService").Str())
	add("Contact", contact.Get("name"), contact.Get("url").Str())
	if mail := contact.Get("email").Str(); mail != "" {
		p.Facts = append(p.Facts, fact{Name: "Mail", Value: mail, Link: "mailto:" + mail})
	}
	docs := r.root.Get("externalDocs")
	if docs == nil {
		docs = info.Get("externalDocs")
	}
	if docs = r.resolve(docs); docs.Get("url") != nil {
		text := docs.Get("description").Str()
		if text == "" {
			text = docs.Get("url").Str()
		}
		p.Facts = append(p.Facts, fact{Name: "More", Value: text, Link: linkTo(docs.Get("url").Str())})
	}
	for _, m := range members(r.root.Get("servers")) {
		r.server(m.Name, r.resolve(m.Value))
	}
}

// linkTo returns the address of a link, "" where a browser would do something else than
// show what is there.
func linkTo(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return ""
	}
	return address
}

func (r *reader) server(name string, n *jsontree.Node) {
	s := server{Name: name, Address: n.Get("url").Str(), Protocol: n.Get("protocol").Str(), Description: n.Get("description").Str()}
	if host := n.Get("host").Str(); host != "" {
		s.Address = host + n.Get("pathname").Str()
	}
	s.Address = brokerurl.WithoutCredentials(s.Address)
	var ways []string
	for _, one := range items(n.Get("security")) {
		for _, m := range members(r.resolve(one)) {
			if scheme := r.resolve(r.root.Get("components").Get("securitySchemes").Get(m.Name)); scheme != nil {
				ways = append(ways, scheme.Get("type").Str())
			}
		}
		if text := r.resolve(one).Get("type").Str(); text != "" {
			ways = append(ways, text)
		}
	}
	if slices.Sort(ways); len(ways) > 0 {
		s.Protocol += " (" + strings.Join(slices.Compact(ways), ", ") + ")"
	}
	r.page.Servers = append(r.page.Servers, s)
}

// tags puts the routes into groups: the document's own tags first, then the others
// as they come, and at the end what has none.
func (r *reader) tags() {
	at := make(map[string]int)
	add := func(name, description string) int {
		i, ok := at[name]
		if !ok {
			i = len(r.page.Tags)
			at[name] = i
			r.page.Tags = append(r.page.Tags, tag{Name: name, Description: description})
		}
		return i
	}
	declared := items(r.root.Get("tags"))
	if declared == nil {
		declared = items(r.root.Get("info").Get("tags"))
	}
	for _, one := range declared {
		one = r.resolve(one)
		add(one.Get("name").Str(), one.Get("description").Str())
	}
	var rest []*route
	for _, route := range r.page.Routes {
		for _, name := range route.Tags {
			i := add(name, "")
			r.page.Tags[i].Routes = append(r.page.Tags[i].Routes, route)
		}
		if len(route.Tags) == 0 {
			rest = append(rest, route)
		}
	}
	r.page.Tags = slices.DeleteFunc(r.page.Tags, func(t tag) bool { return len(t.Routes) == 0 })
	if len(rest) > 0 {
		r.page.Tags = append(r.page.Tags, tag{Routes: rest})
	}
}

// tagsOf returns the names of an operation's tags.
func (r *reader) tagsOf(n *jsontree.Node) []string {
	var names []string
	for _, one := range items(n.Get("tags")) {
		if name := r.resolve(one).Get("name").Str(); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// extensions returns the members of an object that none of the known names, as they
// are.
func extensions(n *jsontree.Node, known ...string) []fact {
	var all []fact
	for _, m := range members(n) {
		if slices.Contains(known, m.Name) {
			continue
		}
		switch {
		case isTrue(m.Value):
			all = append(all, fact{Value: m.Name})
		case m.Value.Kind == jsontree.String:
			all = append(all, fact{Name: m.Name, Value: m.Value.Text, Code: true})
		default:
			all = append(all, fact{Name: m.Name, Value: compact(m.Value), Code: true})
		}
	}
	return all
}

// ids gives elements ids that are unique, that stay, and that need no escaping in
// an address but for letters of other scripts.
type ids struct {
	taken map[string]bool
	byKey map[string]string
}

func newIDs() ids { return ids{make(map[string]bool), make(map[string]string)} }

// of returns the id of an element of a kind, which has a key of its own.
func (s ids) of(kind, key, name string) string {
	key = kind + " " + key
	if id, ok := s.byKey[key]; ok {
		return id
	}
	id := kind + "-" + strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || c == '.' || c == '_' || c == '-' {
			return c
		}
		return '-'
	}, name)
	free := id
	for n := 2; s.taken[free]; n++ {
		free = id + "~" + strconv.Itoa(n)
	}
	s.taken[free], s.byKey[key] = true, free
	return free
}
