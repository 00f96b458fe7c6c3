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
// [GenerateJSON] with the same options, or that of package asyncapi3. It returns nil
// where they are equal, and else a [*DriftError]. Text that isn't a JSON object is an error, too. Indentation
// and the order of members don't matter.
//
// What only source code has is no difference: comments with their examples and
// deprecations, enumerations of constants, places in the source, and the schemas of
// types that the program takes for any JSON, because a method writes them. Nor are the
// operations of AsyncAPI 3 by which the program sends, nor what the committed document
// says that the source doesn't determine: arguments, headers by which messages are routed,
// settings of a consumer, what becomes of messages that fail, and what the program declares
// beside its routes. See docs/decisions/0011.
func Drift(committed, running []byte) error {
	source, err := readDocument(committed)
	if err != nil {
		return fmt.Errorf("compare documents: the committed one: %w", err)
	}
	program, err := readDocument(running)
	if err != nil {
		return fmt.Errorf("compare documents: the running program's: %w", err)
	}
	if differences := documentDrift(source, program); differences != nil {
		return &DriftError{differences}
	}
	return nil
}

// A DriftError says how a document differs from that of the running program.
type DriftError struct {
	// Differences has one for each place, as a JSON pointer with both values; at least
	// one.
	Differences []string
}

// Error names the first difference, and how many there are.
func (e *DriftError) Error() string {
	more := ""
	if n := len(e.Differences) - 1; n > 0 {
		more = fmt.Sprintf(", and %d more", n)
	}
	return fmt.Sprintf("the committed document isn't that of the program: %s%s: generate it anew", e.Differences[0], more)
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
func documentDrift(source, program map[string]any) []string {
	leaveOutSource(source, program)
	schemas, programs := takeSchemas(source), takeSchemas(program)
	var differences []string
	for _, at := range slices.Sorted(maps.Keys(programs)) {
		if _, ok := schemas[at]; !ok {
			differences = append(differences, at+" isn't in the committed document")
			continue
		}
		differences = append(differences, programSchemas(programs).drift(at, schemas[at], programs[at])...)
	}
	for _, at := range slices.Sorted(maps.Keys(schemas)) {
		if _, ok := programs[at]; !ok && strings.HasSuffix(at, "/payload") {
			differences = append(differences, at+" is in the committed document only")
		}
	}
	return append(differences, valueDrift("#", source, program)...)
}

// leaveOutSource removes from extended documents what only source code has, and what
// it couldn't determine.
func leaveOutSource(source, program map[string]any) {
	if objectOf(source["x-topology"])["unknown"] == true {
		leaveOutUnlisted(source, program)
		withoutUnknownDeclarations(source, program)
	}
	if version, _ := source["asyncapi"].(string); strings.HasPrefix(version, "3.") {
		leaveOutSourceThree(source, program)
	} else {
		leaveOutSourceTwo(source, program)
	}
}

// leaveOutSourceTwo is leaveOutSource of documents of AsyncAPI 2.
func leaveOutSourceTwo(source, program map[string]any) {
	for name, channel := range objectsOf(source["channels"]) {
		running := objectOf(objectOf(program["channels"])[name])
		binding, runs := bindingOf(channel), bindingOf(running)
		unknown := unknownIn(binding)
		unknown.leaveOutOfBinding(binding, runs)
		unknown.leaveOutOfSources(binding, runs)
		for _, direction := range []string{"subscribe", "publish"} {
			operation, runs := objectOf(channel[direction]), objectOf(running[direction])
			leaveOutOfOperation(operation, runs)
			leaveOutOfMessage(objectOf(operation["message"]), objectOf(runs["message"]), unknown)
		}
		unknown.leaveOutLimits(objectOf(channel["subscribe"]), objectOf(running["subscribe"]))
	}
}

// bindingOf returns the AMQP binding of a channel or an operation, nil where it has none.
func bindingOf(of map[string]any) map[string]any { return objectOf(objectOf(of["bindings"])["amqp"]) }

// leaveOutUnlisted leaves out what the program declares beside its routes and the source
// doesn't list, of which not all is known. What it lists is certain.
func leaveOutUnlisted(source, program map[string]any) {
	listed, declared := objectOf(source["x-topology"]), objectOf(program["x-topology"])
	delete(listed, "unknown")
	for member, value := range declared {
		all, _ := value.([]any)
		lists, _ := listed[member].([]any)
		isUnlisted := func(one any) bool {
			return !slices.ContainsFunc(lists, func(other any) bool { return areOfOneThing(one, other) })
		}
		if declared[member] = slices.DeleteFunc(all, isUnlisted); len(lists) == 0 {
			delete(declared, member)
		}
	}
	for _, document := range []map[string]any{source, program} {
		if len(objectOf(document["x-topology"])) == 0 {
			delete(document, "x-topology")
		}
	}
}

// areOfOneThing reports whether both describe the queue or the exchange of one name, or
// are the same binding, which has none.
func areOfOneThing(a, b any) bool {
	name, ok := objectOf(a)["name"]
	return ok && name == objectOf(b)["name"] || reflect.DeepEqual(a, b)
}

// leaveOutOfOperation leaves out where the source is, and what it says that it doesn't
// determine: what becomes of messages that fail, and how the route consumes.
func leaveOutOfOperation(source, program map[string]any) {
	unknown, _ := objectOf(source["x-consumer"])["unknown"].([]any)
	failureUnknown := objectOf(source["x-failure"])["unknown"] == true
	for _, operation := range []map[string]any{source, program} {
		delete(operation, "x-source")
		if failureUnknown {
			delete(operation, "x-failure")
		}
		consumer := objectOf(operation["x-consumer"])
		delete(consumer, "unknown")
		maps.DeleteFunc(consumer, func(name string, _ any) bool { return slices.Contains(unknown, any(name)) })
		if len(consumer) == 0 {
			delete(operation, "x-consumer")
		}
	}
}

// leaveOutOfMessage takes the content type of a codec, which source code doesn't
// always determine, for that of the program, and leaves out what isn't known of its headers.
func leaveOutOfMessage(source, program map[string]any, unknown unknownArguments) {
	if source["contentType"] == octets && program["contentType"] != nil {
		source["contentType"] = program["contentType"]
	}
	unknown.leaveOutHeaders(source, program)
	for _, message := range []map[string]any{source, program} {
		delete(message, "examples")
		delete(message, "summary")
	}
	for _, of := range both(source["oneOf"], program["oneOf"]) {
		leaveOutOfMessage(of.source, of.program, unknown)
	}
}

// objectOf returns nil for what is no object.
func objectOf(value any) map[string]any {
	members, _ := value.(map[string]any)
	return members
}

func objectsOf(value any) map[string]map[string]any {
	all := make(map[string]map[string]any)
	for name, member := range objectOf(value) {
		all[name] = objectOf(member)
	}
	return all
}

// takeSchemas removes the payloads and the components from a document and
// returns them by their places.
func takeSchemas(document map[string]any) map[string]any {
	schemas := map[string]any{}
	for name, channel := range objectsOf(document["channels"]) {
		for _, direction := range []string{"subscribe", "publish"} {
			message := objectOf(objectOf(channel[direction])["message"])
			takePayloads(schemas, "#/channels/"+name+"/"+direction+"/message", message)
		}
	}
	components := objectOf(document["components"])
	for name, message := range objectsOf(components["messages"]) {
		takePayloads(schemas, "#/components/messages/"+name, message)
	}
	for key, schema := range objectOf(components["schemas"]) {
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
		takePayloads(schemas, fmt.Sprintf("%s/oneOf/%d", at, i), objectOf(one))
	}
}

// programSchemas are the running program's, by their places, which references name.
type programSchemas map[string]any

// drift returns where the schemas differ in what a program knows.
func (all programSchemas) drift(at string, source, program any) []string {
	s, p := known(source), known(program)
	if isOpen(p) {
		return nil
	}
	if all.refersToOpen(p) {
		s = withoutNull(s)
	}
	if s == nil || p == nil {
		return valueDrift(at, source, program)
	}
	var differences []string
	for _, keyword := range memberNames(s, p) {
		differences = append(differences, all.keywordDrift(at+"/"+keyword, keyword, s[keyword], p[keyword])...)
	}
	return differences
}

// keywordDrift compares the values of a keyword, nil where it isn't there.
func (all programSchemas) keywordDrift(at, keyword string, s, p any) []string {
	var differences []string
	switch keyword {
	case "items", "additionalProperties", "propertyNames":
		if s != nil && p != nil {
			return all.drift(at, s, p)
		}
	case "properties":
		s, p := objectOf(s), objectOf(p)
		for _, name := range memberNames(s, p) {
			if s[name] == nil || p[name] == nil {
				differences = append(differences, valueDrift(at+"/"+name, s[name], p[name])...)
				continue
			}
			differences = append(differences, all.drift(at+"/"+name, s[name], p[name])...)
		}
		return differences
	case "allOf", "anyOf", "oneOf":
		s, _ := s.([]any)
		p, _ := p.([]any)
		if len(s) == len(p) {
			for i := range s {
				differences = append(differences, all.drift(fmt.Sprintf("%s/%d", at, i), s[i], p[i])...)
			}
			return differences
		}
	}
	return valueDrift(at, s, p)
}

// refersToOpen reports whether a schema is a reference to one that accepts any JSON, with
// or without keywords beside it.
func (all programSchemas) refersToOpen(schema map[string]any) bool {
	if parts, _ := schema["allOf"].([]any); len(parts) == 1 {
		schema = objectOf(parts[0])
	}
	ref, ok := schema["$ref"].(string)
	return ok && isOpen(known(all[ref]))
}

// withoutNull returns s without the null that its anyOf adds to a reference: where any JSON
// is accepted, null is, too.
func withoutNull(s map[string]any) map[string]any {
	either, _ := s["anyOf"].([]any)
	if len(either) != 2 || s["allOf"] != nil || !reflect.DeepEqual(either[1], map[string]any{"type": "null"}) {
		return s
	}
	s = maps.Clone(s)
	delete(s, "anyOf")
	s["allOf"] = either[:1]
	return known(s)
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

// valueDrift returns where two values differ.
func valueDrift(at string, source, program any) []string {
	s, isObject := source.(map[string]any)
	p, alsoObject := program.(map[string]any)
	if !isObject || !alsoObject {
		if reflect.DeepEqual(source, program) {
			return nil
		}
		return []string{fmt.Sprintf("%s is %s, and in the program %s", at, shown(source), shown(program))}
	}
	var differences []string
	for _, name := range memberNames(s, p) {
		differences = append(differences, valueDrift(at+"/"+name, s[name], p[name])...)
	}
	return differences
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
