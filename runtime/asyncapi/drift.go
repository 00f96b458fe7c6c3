package asyncapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// Drift compares a document that was made from source code, such as a committed
// asyncapi.json, with the one that the running program makes of its own routes by
// [GenerateJSON] with the same options, or that of package asyncapi3. It returns nil where they are equal, and
// else an error that names the first difference, by its JSON pointer, with both
// values. Text that isn't a JSON object is an error, too. Indentation and the order
// of members don't matter.
//
// What only source code has is no difference: comments with their examples and
// deprecations, enumerations of constants, and the schemas of types that the
// program takes for any JSON, because a method writes them. Nor are the operations of
// AsyncAPI 3 by which the program sends, and what its extensions say of the source.
// See docs/decisions/0011.
func Drift(committed, running []byte) error {
	source, err := readDocument(committed)
	if err != nil {
		return fmt.Errorf("compare documents: the committed one: %w", err)
	}
	program, err := readDocument(running)
	if err != nil {
		return fmt.Errorf("compare documents: the running program's: %w", err)
	}
	if version, _ := source["asyncapi"].(string); strings.HasPrefix(version, "3.") {
		prepareThree(source, program)
	}
	if difference := documentDrift(source, program); difference != "" {
		return fmt.Errorf("the committed document isn't that of the program: %s: generate it anew", difference)
	}
	return nil
}

func readDocument(text []byte) (map[string]any, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var document map[string]any
	if err := decoder.Decode(&document); err != nil {
		return nil, fmt.Errorf("it is no JSON object: %w", err)
	}
	return document, nil
}

// documentDrift compares schemas by their own rules, and all else as it is.
func documentDrift(source, program map[string]any) string {
	schemas, programs := takeSchemas(source), takeSchemas(program)
	for _, at := range slices.Sorted(maps.Keys(programs)) {
		if _, ok := schemas[at]; !ok {
			return at + " isn't in the committed document"
		}
		if difference := schemaDrift(at, schemas[at], programs[at]); difference != "" {
			return difference
		}
	}
	for _, at := range slices.Sorted(maps.Keys(schemas)) {
		if _, ok := programs[at]; !ok && strings.HasSuffix(at, "/payload") {
			return at + " is in the committed document only"
		}
	}
	return valueDrift("#", source, program)
}

// takeSchemas removes the payloads and the components from a document and
// returns them by their places.
func takeSchemas(document map[string]any) map[string]any {
	schemas := map[string]any{}
	channels, _ := document["channels"].(map[string]any)
	for name, channel := range channels {
		channel, _ := channel.(map[string]any)
		for _, direction := range []string{"subscribe", "publish"} {
			operation, _ := channel[direction].(map[string]any)
			message, _ := operation["message"].(map[string]any)
			takePayloads(schemas, "#/channels/"+name+"/"+direction+"/message", message)
		}
	}
	components, _ := document["components"].(map[string]any)
	for name, message := range objects(components["messages"]) {
		takePayloads(schemas, "#/components/messages/"+name, message)
	}
	all, _ := components["schemas"].(map[string]any)
	for key, schema := range all {
		schemas["#/components/schemas/"+key] = schema
	}
	delete(components, "schemas")
	if len(components) == 0 {
		delete(document, "components")
	}
	return schemas
}

// takePayloads removes the payload of a message, or those of each that it is one of.
func takePayloads(schemas map[string]any, at string, message map[string]any) {
	if payload, ok := message["payload"]; ok {
		schemas[at+"/payload"] = payload
		delete(message, "payload")
	}
	oneOf, _ := message["oneOf"].([]any)
	for i, one := range oneOf {
		one, _ := one.(map[string]any)
		takePayloads(schemas, fmt.Sprintf("%s/oneOf/%d", at, i), one)
	}
}

// schemaDrift returns where the schemas differ in what a program knows.
func schemaDrift(at string, source, program any) string {
	s, p := known(source), known(program)
	if s == nil || p == nil || isOpen(p) {
		if isOpen(p) {
			return ""
		}
		return valueDrift(at, source, program)
	}
	for _, keyword := range memberNames(s, p) {
		if difference := keywordDrift(at+"/"+keyword, keyword, s[keyword], p[keyword]); difference != "" {
			return difference
		}
	}
	return ""
}

// keywordDrift compares the values of a keyword, nil where it isn't there.
func keywordDrift(at, keyword string, s, p any) string {
	switch keyword {
	case "items", "additionalProperties", "propertyNames":
		if s != nil && p != nil {
			return schemaDrift(at, s, p)
		}
	case "properties":
		s, _ := s.(map[string]any)
		p, _ := p.(map[string]any)
		for _, name := range memberNames(s, p) {
			if s[name] == nil || p[name] == nil {
				return valueDrift(at+"/"+name, s[name], p[name])
			}
			if difference := schemaDrift(at+"/"+name, s[name], p[name]); difference != "" {
				return difference
			}
		}
		return ""
	case "allOf", "anyOf", "oneOf":
		s, _ := s.([]any)
		p, _ := p.([]any)
		if len(s) == len(p) {
			for i := range s {
				if difference := schemaDrift(fmt.Sprintf("%s/%d", at, i), s[i], p[i]); difference != "" {
					return difference
				}
			}
			return ""
		}
	}
	return valueDrift(at, s, p)
}

// known is a schema without what only source code has; nil for what isn't a
// schema.
func known(value any) map[string]any {
	schema, ok := value.(map[string]any)
	if !ok {
		return nil
	}
	schema = maps.Clone(schema)
	if _, constants := schema["x-enum-varnames"]; constants {
		delete(schema, "enum")
	}
	for _, keyword := range []string{"description", "deprecated", "examples", "x-enum-varnames", "x-enum-descriptions"} {
		delete(schema, keyword)
	}
	if all, ok := schema["allOf"].([]any); ok && len(schema) == 1 && len(all) == 1 {
		return known(all[0]) // the $ref beside which a deprecation stood
	}
	return schema
}

// isOpen reports whether a schema accepts any JSON.
func isOpen(schema map[string]any) bool {
	_, titled := schema["title"]
	return schema != nil && (len(schema) == 0 || titled && len(schema) == 1)
}

// memberNames are those of both, sorted.
func memberNames(s, p map[string]any) []string {
	all := maps.Clone(p)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, s)
	return slices.Sorted(maps.Keys(all))
}

// valueDrift finds the first difference between two values.
func valueDrift(at string, source, program any) string {
	s, isObject := source.(map[string]any)
	p, alsoObject := program.(map[string]any)
	if !isObject || !alsoObject {
		if reflect.DeepEqual(source, program) {
			return ""
		}
		return fmt.Sprintf("%s is %s, and in the program %s", at, shown(source), shown(program))
	}
	for _, name := range memberNames(s, p) {
		if difference := valueDrift(at+"/"+name, s[name], p[name]); difference != "" {
			return difference
		}
	}
	return ""
}

func shown(value any) string {
	if value == nil {
		return "absent"
	}
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Sprint(value)
	}
	return string(text)
}
