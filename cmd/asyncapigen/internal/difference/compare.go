package difference

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
	"github.com/warrenmq/warren/internal/jsontree"
)

// A Change is one finding of a comparison.
type Change struct {
	ID        string
	Severity  Severity
	What      string   // a sentence without a period
	Subject   string   // the operation, channel or server, "" for the document
	Publisher string   // what it does to those who publish
	Consumer  string   // what it does to those who consume
	Example   string   // a message, as JSON, that is sent and not accepted; "" for none
	Old, New  Position // zero where there is none
}

// A Position is a place in a document.
type Position struct {
	File    string
	Pointer string // a JSON pointer
	Line    int
	Column  int
}

// IsValid reports whether there is a position.
func (p Position) IsValid() bool { return p.Line > 0 }

// A Report is the result of a comparison.
type Report struct {
	Changes []Change // the most severe first
	Version Version
	Silent  []string // what neither document describes, so that nothing is known of it
}

// Has reports whether a change is at least of a severity.
func (r *Report) Has(least Severity) bool {
	return slices.ContainsFunc(r.Changes, func(c Change) bool {
		return slices.Index(severities, c.Severity) >= slices.Index(severities, least)
	})
}

// HasBreaking reports whether a change is breaking, or may be.
func (r *Report) HasBreaking() bool { return r.Has(Undecided) }

// Count returns how many changes are of a severity.
func (r *Report) Count(of Severity) int {
	n := 0
	for _, c := range r.Changes {
		if c.Severity == of {
			n++
		}
	}
	return n
}

// Failed is the report of documents of which one can't be read: one finding, which
// counts as breaking.
func Failed(err error) *Report {
	return &Report{Changes: []Change{{
		ID: unreadable, Severity: Undecided, What: err.Error(),
		Publisher: untold, Consumer: untold,
	}}}
}

const untold = "can't be told"

// Compare compares an old document with a new one. The policy may be nil.
func Compare(old, new *Document, policy Policy) *Report {
	c := &comparison{old: old, new: new, prover: inclusion.NewProver(), report: &Report{}, policy: policy}
	c.problems(old, false)
	c.problems(new, true)
	c.declaredUnknown()
	c.elements(comparedElements(old, new))
	c.payloads()
	for _, silent := range old.silent {
		if slices.Contains(new.silent, silent) {
			c.report.Silent = append(c.report.Silent, silent)
		}
	}
	c.order()
	c.report.Version = newVersion(old.version, new.version, c.report)
	if v := c.report.Version; v.TooLow {
		at := new.root.Get("info").Get("version")
		c.add(Change{
			ID: versionTooLow, Severity: Breaking,
			What:      fmt.Sprintf("the changes are breaking, and the version went from %s to %s: the next one is %s", orNone(v.Old), orNone(v.New), v.Next),
			Publisher: "can't see from the version that it has to change", Consumer: "can't see from the version that it has to change",
			Old: old.position(placeOf("#/info/version", old.root.Get("info").Get("version"))), New: new.position(placeOf("#/info/version", at)),
		})
		c.order()
	}
	return c.report
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// A comparison of two documents.
type comparison struct {
	old, new *Document
	prover   *inclusion.Prover
	report   *Report
	policy   Policy
	roots    []*rootPair // the schemas of messages that are in both
}

func (c *comparison) add(change Change) {
	if severity, ok := c.policy[change.ID]; ok {
		change.Severity = severity
	}
	c.report.Changes = append(c.report.Changes, change)
}

func (d *Document) position(at place) Position {
	if at.line == 0 {
		return Position{}
	}
	return Position{d.Name, at.pointer, at.line, at.column}
}

// problems reports what couldn't be read.
func (c *comparison) problems(d *Document, isNew bool) {
	for _, p := range d.problems {
		change := Change{ID: unreadable, Severity: Undecided, What: p.what, Publisher: untold, Consumer: untold}
		if isNew {
			change.New = d.position(p.at)
		} else {
			change.Old = d.position(p.at)
		}
		c.add(change)
	}
}

// order puts the most severe changes first, those of a document in its order.
func (c *comparison) order() {
	rank := func(change Change) int { return -slices.Index(severities, change.Severity) }
	line := func(change Change) int {
		if change.New.IsValid() {
			return change.New.Line
		}
		return change.Old.Line
	}
	slices.SortStableFunc(c.report.Changes, func(a, b Change) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return line(a) - line(b)
	})
}

// elements compares two elements that are one.
func (c *comparison) elements(old, new *element) {
	if c.leaf(old, new) {
		return
	}
	c.messages(old, new)
	matched := make(map[*element]bool)
	others := make(map[[2]string]*element, len(new.children))
	for _, e := range new.children {
		others[[2]string{e.base, e.name}] = e
	}
	for _, e := range old.children {
		if e.base == "message" {
			continue
		}
		other := others[[2]string{e.base, e.name}]
		if other == nil {
			c.missing(e, removed)
			continue
		}
		matched[other] = true
		c.elements(e, other)
	}
	for _, e := range new.children {
		if !matched[e] && e.base != "message" {
			c.missing(e, added)
		}
	}
}

// leaf compares elements without parts, and reports whether they are such.
func (c *comparison) leaf(old, new *element) bool {
	r := rules[old.base]
	switch {
	case old.base == "" || r.whole:
		return false
	case r.relation == payload:
		c.roots = append(c.roots, &rootPair{element: new, old: old, new: new})
		return true
	case jsontree.Equal(old.value, new.value):
		return true
	}
	words := old.words(r)
	c.judge(Change{
		ID:   old.base + "-changed",
		What: fmt.Sprintf("%s is %s, and was %s", words, shown(new.value), shown(old.value)),
		Old:  c.old.position(old.at), New: c.new.position(new.at), Subject: new.subject,
	}, r.relation.judge(changed, new.role, r.words))
	return true
}

// words names an element in a sentence.
func (e *element) words(r rule) string {
	words := "the " + r.words
	switch {
	case r.relation == foreign || e.base == "queue-argument" || e.base == "exchange-argument" || strings.HasSuffix(e.base, "-text") || e.base == "info":
		words += " " + strconv.Quote(e.name)
	case r.whole && e.name != "":
		words += " " + e.name
	}
	if e.subject != "" && !r.whole && !strings.Contains(r.words, e.subject) {
		words += " (" + e.subject + ")"
	}
	return words
}

// missing reports an element that only one of the documents has.
func (c *comparison) missing(e *element, f form) {
	r := rules[e.base]
	change := Change{ID: e.base + "-" + string(f), Subject: e.subject}
	d, verb := c.old, "is gone"
	if f == added {
		d, verb = c.new, "is new"
		change.New = d.position(e.at)
	} else {
		change.Old = d.position(e.at)
	}
	switch {
	case r.relation == payload:
		c.lonely(e, f)
		return
	case e.base == "operation":
		change.What = fmt.Sprintf("the operation %s %s: the service %s", e.subject, verb, e.doing(f))
	case r.whole:
		change.What = e.words(r) + " " + verb
	default:
		change.What = fmt.Sprintf("%s %s: %s", e.words(r), verb, shown(e.value))
	}
	judged := r.relation.judge(f, e.role, r.words)
	if e.base == "exchange" { // to be bound to none means the default exchange
		judged = agreed.judge(changed, e.role, r.words)
	}
	c.judge(change, judged)
}

// doing says what the service does, or did.
func (e *element) doing(f form) string {
	no := map[form]string{removed: "no longer ", added: ""}[f]
	switch e.role {
	case receiving:
		return no + "receives its messages"
	case sending:
		return no + "sends its messages"
	}
	return no + "has part in it"
}

func (c *comparison) judge(change Change, j judgement) {
	change.Severity, change.Publisher, change.Consumer = j.severity(), j.publisher.why, j.consumer.why
	c.add(change)
}

// messages compares those of an operation. One alone is the same message whatever
// its name is, unless receivers tell messages apart by it.
func (c *comparison) messages(old, new *element) {
	olds, news := old.named("message"), new.named("message")
	if old.oneOf != new.oneOf {
		what := map[bool]string{true: "the operation has several messages, and had one", false: "the operation has one message, and had several"}[new.oneOf]
		c.judge(Change{
			ID: "message-selection-changed", What: what + ": how a message says which it is isn't in the contract", Subject: new.subject,
			Old: c.old.position(old.at), New: c.new.position(new.at),
		}, foreign.judge(changed, new.role, ""))
	}
	if len(olds) == 1 && len(news) == 1 && !old.oneOf && !new.oneOf {
		c.elements(olds[0], news[0])
		return
	}
	for _, e := range olds {
		if other := new.find("message", e.name); other != nil {
			c.elements(e, other)
		} else {
			c.missing(e, removed)
		}
	}
	for _, e := range news {
		if old.find("message", e.name) == nil {
			c.missing(e, added)
		}
	}
}

// maxShown is how much of a value a sentence quotes.
const maxShown = 80

// shown writes a value as a sentence has it.
func shown(node *jsontree.Node) string {
	if node == nil {
		return "absent"
	}
	written, err := json.Marshal(node.Value())
	if err != nil {
		return node.Kind.String()
	}
	text := userInfo.ReplaceAllString(string(written), "//***@")
	if len(text) > maxShown {
		return strings.ToValidUTF8(text[:maxShown], "") + "..."
	}
	return text
}

// userInfo is the part of an address that may hold a password.
var userInfo = regexp.MustCompile(`//[^/"\s]*@`)
