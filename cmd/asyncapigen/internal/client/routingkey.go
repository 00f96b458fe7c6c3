package client

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"unicode"

	"github.com/dave/jennifer/jen"

	"github.com/warrenmq/warren/internal/methodname"
)

// keyChoice is how the sender of a message chooses its routing key.
type keyChoice int

const (
	fixedKey  keyChoice = iota // not at all
	wordsKey                   // by the words for the wildcards of the only pattern
	listedKey                  // one of several, which are constants
	freeKey                    // any that matches one of several patterns, or any at all
)

func (a address) keyChoice() keyChoice {
	switch {
	case len(a.keys) == 0:
		return fixedKey
	case a.literal:
		return listedKey
	case len(a.keys) == 1 && !a.spreads:
		return wordsKey
	}
	return freeKey
}

// keyParam is a parameter for the routing key, or for what stands in the place of one
// wildcard.
type keyParam struct {
	name string
	many bool   // any number of words, for a #
	typ  string // of a listed key; else it is a string
}

func (p keyParam) typeExpr() *jen.Statement {
	switch {
	case p.many:
		return jen.Index().String()
	case p.typ != "":
		return jen.Id(p.typ)
	}
	return jen.String()
}

// keyParams returns the parameters by which the sender chooses the key.
func (g *generator) keyParams(m method) []keyParam {
	switch m.to.keyChoice() {
	case wordsKey:
		params := wordParams(m.to.keys[0], m.route.KeyWords)
		for _, p := range params {
			g.params[p.name] = true
		}
		return params
	case listedKey:
		return []keyParam{{name: "key", typ: g.keyTypes[m.of]}}
	case freeKey:
		return []keyParam{{name: "key"}}
	}
	return nil
}

// wordParams names the parameters for the wildcards of pattern. A route whose names
// aren't as many is one that Register refuses.
func wordParams(pattern string, names []string) []keyParam {
	reserved, taken := newScope(locals...), newScope()
	for _, pkg := range own {
		reserved[pkg.name] = true
	}
	var params []keyParam
	for word := range strings.SplitSeq(pattern, ".") {
		if word != "*" && word != "#" {
			continue
		}
		p := keyParam{name: "word", many: word == "#"}
		if p.many {
			p.name = "words"
		}
		if i := len(params); i < len(names) && token.IsIdentifier(unexported(names[i])) {
			p.name = unexported(names[i])
		}
		if reserved[p.name] || unusable(p.name) {
			p.name += "Word"
		}
		p.name = taken.take(p.name)
		params = append(params, p)
	}
	return params
}

// unexported makes the name of a parameter: "by", "userID", "id" of "ID", "httpCode" of
// "HTTPCode".
func unexported(name string) string {
	runes := []rune(methodname.Of(name))
	for i := range runes {
		if !unicode.IsUpper(runes[i]) || i > 0 && i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
			break
		}
		runes[i] = unicode.ToLower(runes[i])
	}
	return string(runes)
}

// keyConstants declares the type of the keys of a route with several, and the keys.
func (g *generator) keyConstants(m method) {
	if m.to.keyChoice() != listedKey || g.keyTypes[m.of] != "" {
		return
	}
	name := g.names.take("Key"+m.of, "RoutingKey"+m.of)
	g.keyTypes[m.of] = name
	var values []jen.Code
	for i, key := range m.to.keys {
		ident := methodname.Of(key)
		if ident == "" {
			ident = strconv.Itoa(i + 1)
		}
		values = append(values, jen.Id(g.names.take(name+ident)).Id(name).Op("=").Lit(key))
	}
	g.keys = append(g.keys,
		jen.Add(comment(fmt.Sprintf("%s is a routing key of the route %q.", name, m.route.Name))).Line().Type().Id(name).String(),
		jen.Add(comment(fmt.Sprintf("The routing keys of the route %q.", m.route.Name))).Line().Const().Defs(values...))
}

// keyDoc says in the comment of a method what its key parameters are.
func (m method) keyDoc() string {
	switch m.to.keyChoice() {
	case wordsKey:
		return m.wordsDoc()
	case listedKey:
		return fmt.Sprintf("The key is one of those that the queue is bound by: %s.", quoted(m.to.keys))
	case freeKey:
		if m.to.spreads {
			return "The exchange spreads messages over its queues by their keys; any key is right."
		}
		return fmt.Sprintf("The key matches one of the queue's bindings (* is one word, # any number of words): %s.", quoted(m.to.keys))
	}
	return ""
}

// wordsDoc names the parameters that stand for wildcards.
func (m method) wordsDoc() string {
	var names []string
	for _, p := range m.keyParams {
		name := p.name
		if p.many {
			name += " (any number)"
		}
		names = append(names, name)
	}
	last := len(names) - 1
	if last == 0 {
		return fmt.Sprintf("The wildcard of the routing key %q is replaced by %s.", m.to.keys[0], names[0])
	}
	return fmt.Sprintf("The wildcards of the routing key %q are replaced by %s and %s.", m.to.keys[0], strings.Join(names[:last], ", "), names[last])
}

func quoted(keys []string) string {
	all := make([]string, len(keys))
	for i, key := range keys {
		all[i] = fmt.Sprintf("%q", key)
	}
	return strings.Join(all, ", ")
}
