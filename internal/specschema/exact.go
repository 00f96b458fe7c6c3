package specschema

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// A key is a member that the specification's table of the generated document lists.
type key struct {
	kind     string // of its value: as of JSON, "text" for one that isn't empty, "schema" for any object
	required bool
	value    string // the only one, "" for any
}

// table is that of the specification, written by hand from its page and from nothing
// else. * stands for any name, # for any index.
var table = map[string]key{
	"asyncapi": {"string", true, "2.6.0"},

	"info":             {"object", true, ""},
	"info/title":       {"string", true, ""},
	"info/version":     {"string", true, ""},
	"info/description": {"text", false, ""},

	"servers":                    {"object", true, ""},
	"servers/broker":             {"object", true, ""},
	"servers/broker/url":         {"string", true, ""},
	"servers/broker/protocol":    {"string", true, "amqp"},
	"servers/broker/description": {"string", true, ""},

	"channels":                                  {"object", true, ""},
	"channels/*":                                {"object", false, ""},
	"channels/*/description":                    {"text", false, ""},
	"channels/*/subscribe":                      {"object", true, ""},
	"channels/*/subscribe/operationId":          {"text", true, ""},
	"channels/*/subscribe/message":              {"object", true, ""},
	"channels/*/subscribe/message/name":         {"text", true, ""},
	"channels/*/subscribe/message/payload":      {"schema", false, ""},
	"channels/*/subscribe/tags":                 {"array", false, ""},
	"channels/*/subscribe/tags/#":               {"object", false, ""},
	"channels/*/subscribe/tags/#/name":          {"string", true, ""},
	"channels/*/bindings":                       {"object", true, ""},
	"channels/*/bindings/amqp":                  {"object", true, ""},
	"channels/*/bindings/amqp/is":               {"string", true, "queue"},
	"channels/*/bindings/amqp/queue":            {"object", true, ""},
	"channels/*/bindings/amqp/queue/name":       {"text", true, ""},
	"channels/*/bindings/amqp/queue/durable":    {"boolean", true, ""},
	"channels/*/bindings/amqp/queue/exclusive":  {"boolean", true, ""},
	"channels/*/bindings/amqp/exchange":         {"object", false, ""},
	"channels/*/bindings/amqp/exchange/name":    {"string", true, ""},
	"channels/*/bindings/amqp/exchange/type":    {"string", true, ""},
	"channels/*/bindings/amqp/exchange/durable": {"boolean", true, ""},
	"channels/*/publish":                        {"object", false, ""},
	"channels/*/publish/operationId":            {"text", true, ""},
	"channels/*/publish/message":                {"object", true, ""},
	"channels/*/publish/message/name":           {"text", true, ""},

	// What the payloads of the table refer to.
	"components":           {"object", false, ""},
	"components/schemas":   {"object", true, ""},
	"components/schemas/*": {"schema", false, ""},
}

// several has, for a route whose messages have several types, what a message is in
// place of that of the table, which knows one for each route. See
// docs/decisions/0042.
var several = map[string]key{
	"channels/*/subscribe/message/oneOf":                             {"array", true, ""},
	"channels/*/subscribe/message/oneOf/#":                           {"object", false, ""},
	"channels/*/subscribe/message/oneOf/#/name":                      {"text", true, ""},
	"channels/*/subscribe/message/oneOf/#/payload":                   {"schema", false, ""},
	"channels/*/subscribe/message/oneOf/#/headers":                   {"schema", false, ""},
	"channels/*/subscribe/message/oneOf/#/x-routing-key":             {"text", false, ""},
	"channels/*/subscribe/message/oneOf/#/bindings":                  {"object", false, ""},
	"channels/*/subscribe/message/oneOf/#/bindings/amqp":             {"object", true, ""},
	"channels/*/subscribe/message/oneOf/#/bindings/amqp/messageType": {"text", true, ""},
}

// Exact returns an error for each way in which a document isn't what the
// specification's table says: a key that the table hasn't, one that is missing, a
// value of another kind, and a rule that doesn't hold. It looks into no schema.
func Exact(document []byte) error {
	var root map[string]any
	if err := json.Unmarshal(document, &root); err != nil {
		return fmt.Errorf("compare a document with the specification: %w", err)
	}
	c := &exactCheck{referred: map[string]bool{}}
	c.object("", "", root)
	channels, _ := root["channels"].(map[string]any)
	for name, channel := range channels {
		channel, _ := channel.(map[string]any)
		c.channel(name, channel)
	}
	c.components(root)
	return errors.Join(c.faults...)
}

type exactCheck struct {
	faults   []error
	referred map[string]bool
}

func (c *exactCheck) fault(at, format string, args ...any) {
	c.faults = append(c.faults, fmt.Errorf("%s: "+format, append([]any{cmp.Or(at, "the document")}, args...)...))
}

// within is a path in the table.
func within(path, step string) string {
	if path == "" {
		return step
	}
	return path + "/" + step
}

// object checks the members of an object, which is at a place and has a path in the
// table.
func (c *exactCheck) object(at, path string, members map[string]any) {
	keys := table
	if _, ok := members["oneOf"]; ok && path == "channels/*/subscribe/message" {
		keys = several
	} else if strings.Contains(path, "/oneOf/#") {
		keys = several
	}
	_, anyName := keys[within(path, "*")]
	for _, name := range slices.Sorted(maps.Keys(members)) {
		step := name
		if anyName {
			step = "*"
		}
		c.value(keys, within(at, name), within(path, step), members[name])
	}
	for listed, key := range keys {
		i := strings.LastIndexByte(listed, '/')
		parent, name := listed[:max(i, 0)], listed[i+1:]
		if parent == path && key.required && name != "*" {
			if _, ok := members[name]; !ok {
				c.fault(at, "it has no %s", name)
			}
		}
	}
}

func (c *exactCheck) value(keys map[string]key, at, path string, value any) {
	key, ok := keys[path]
	if !ok {
		c.fault(at, "the specification has no such key")
		return
	}
	text, isText := value.(string)
	list, isList := value.([]any)
	members, isObject := value.(map[string]any)
	_, isBool := value.(bool)
	holds := map[string]bool{
		"string": isText, "text": isText && text != "", "boolean": isBool, "array": isList && len(list) > 0,
		"object": isObject, "schema": isObject && len(members) > 0,
	}
	switch {
	case !holds[key.kind]:
		c.fault(at, "it is %v, and the specification wants: %s", value, key.kind)
	case key.value != "" && text != key.value:
		c.fault(at, "it is %q, and the specification wants %q", text, key.value)
	case key.kind == "schema":
		c.refer(value)
	case isObject:
		c.object(at, path, members)
	case isList:
		for i, item := range list {
			c.value(keys, within(at, strconv.Itoa(i)), within(path, "#"), item)
		}
	}
}

// channel checks the rules between the values of a channel.
func (c *exactCheck) channel(name string, channel map[string]any) {
	at := within("channels", name)
	get := func(path string) any {
		var value any = channel
		for step := range strings.SplitSeq(path, "/") {
			members, _ := value.(map[string]any)
			value = members[step]
		}
		return value
	}
	same := func(path string, want any) {
		if got := get(path); got != want {
			c.fault(within(at, path), "it is %v, and the specification wants %v", got, want)
		}
	}
	same("bindings/amqp/queue/name", name)
	route, _ := get("subscribe/operationId").(string)
	if get("subscribe/message/oneOf") == nil {
		same("subscribe/message/name", route)
	}
	if get("publish") != nil {
		same("publish/operationId", route+".reply")
		same("publish/message/name", route+".response")
	}
	if tags, ok := get("subscribe/tags").([]any); ok {
		var names []string
		for _, tag := range tags {
			members, _ := tag.(map[string]any)
			name, _ := members["name"].(string)
			names = append(names, name)
		}
		if sorted := slices.Compact(slices.Sorted(slices.Values(names))); !reflect.DeepEqual(sorted, names) {
			c.fault(within(at, "subscribe/tags"), "they are %q, and the specification wants them sorted, each once", names)
		}
	}
}

// refer notes the components that a schema refers to.
func (c *exactCheck) refer(value any) {
	switch value := value.(type) {
	case map[string]any:
		if ref, ok := value["$ref"].(string); ok {
			c.referred[strings.TrimPrefix(ref, "#/components/schemas/")] = true
		}
		for _, part := range value {
			c.refer(part)
		}
	case []any:
		for _, part := range value {
			c.refer(part)
		}
	}
}

// components checks that they are those that something refers to.
func (c *exactCheck) components(root map[string]any) {
	components, _ := root["components"].(map[string]any)
	schemas, _ := components["schemas"].(map[string]any)
	if components != nil && len(schemas) == 0 {
		c.fault("components", "it is there for no schema")
	}
	for name := range schemas {
		if !c.referred[name] {
			c.fault("components/schemas/"+name, "nothing refers to it")
		}
	}
	for name := range c.referred {
		if _, ok := schemas[name]; !ok {
			c.fault("components/schemas", "it has no %s", name)
		}
	}
}
