package asyncapi

import (
	"maps"
	"slices"

	"github.com/warrenmq/warren/internal/contract"
)

// unknownArguments are the names of the arguments that a document says that source code
// doesn't determine.
type unknownArguments []string

// unknownIn returns those that a binding of a channel names.
func unknownIn(binding map[string]any) unknownArguments {
	var unknown unknownArguments
	for _, name := range arrayOf(binding["x-unknown-arguments"]) {
		text, _ := name.(string)
		unknown = append(unknown, text)
	}
	return unknown
}

// leaveOut leaves out of the program's arguments those of the tables that the source doesn't
// determine. What it states is certain.
func (u unknownArguments) leaveOut(source, program map[string]any, member string, tables ...string) {
	stated, arguments := objectOf(source[member]), objectOf(program[member])
	maps.DeleteFunc(arguments, func(key string, _ any) bool {
		_, states := stated[key]
		return !states && u.has(key, tables...)
	})
	if len(arguments) == 0 {
		delete(program, member)
	}
}

func (u unknownArguments) has(key string, tables ...string) bool {
	return slices.ContainsFunc(tables, func(table string) bool { return contract.IsUnknownArgument(u, table, key) })
}

// leaveOutOfBinding leaves out what a binding says of the queue and the exchange.
func (u unknownArguments) leaveOutOfBinding(source, program map[string]any) {
	delete(source, "x-unknown-arguments")
	u.leaveOut(objectOf(source["queue"]), objectOf(program["queue"]), "x-arguments", contract.QueueArguments)
	u.leaveOut(objectOf(source["exchange"]), objectOf(program["exchange"]), "x-arguments", contract.ExchangeArguments)
}

// leaveOutOfSources leaves out what the binding of a channel of AsyncAPI 2 says of how the
// queue is bound.
func (u unknownArguments) leaveOutOfSources(source, program map[string]any) {
	u.leaveOut(source, program, "x-binding-arguments", contract.BindingArguments)
	for i, of := range both(source["x-sources"], program["x-sources"]) {
		u.leaveOut(of.source, of.program, "arguments", contract.SourceArguments(i))
		u.leaveOut(objectOf(of.source["exchange"]), objectOf(of.program["exchange"]), "x-arguments", contract.SourceExchangeArguments(i))
	}
}

// leaveOutOfBound leaves out the same of a channel of AsyncAPI 3, which doesn't say of which
// table the arguments of a binding are.
func (u unknownArguments) leaveOutOfBound(source, program map[string]any) {
	all := both(source["x-bound"], program["x-bound"])
	tables := []string{contract.BindingArguments}
	for i := range all {
		tables = append(tables, contract.SourceArguments(i))
	}
	for _, of := range all {
		u.leaveOut(of.source, of.program, "arguments", tables...)
	}
}

// leaveOutLimits leaves out what arguments of the queue say of the messages of an operation.
func (u unknownArguments) leaveOutLimits(source, program map[string]any) {
	stated, limits := bindingOf(source), bindingOf(program)
	for member, key := range map[string]string{"expiration": argMessageTTL, "priority": argMaxPriority} {
		if stated[member] == nil && u.has(key, contract.QueueArguments) {
			delete(limits, member)
		}
	}
}

// leaveOutHeaders leaves out what the source doesn't determine of the headers by which a
// message is routed: values of those that it names, and with x-unknown-headers those that it
// doesn't name and which are required.
func (u unknownArguments) leaveOutHeaders(source, program map[string]any) {
	headers, running := objectOf(source["headers"]), objectOf(program["headers"])
	stated, properties := objectOf(headers["properties"]), objectOf(running["properties"])
	for _, key := range contract.UnknownKeys(u, contract.BindingArguments) {
		if _, has := properties[key]; has {
			properties[key] = stated[key]
		}
	}
	if source["x-unknown-headers"] != true {
		return
	}
	delete(source, "x-unknown-headers")
	maps.DeleteFunc(properties, func(name string, _ any) bool { return stated[name] == nil })
	for name, property := range stated {
		if value := objectOf(properties[name]); objectOf(property)["examples"] != nil && value["enum"] != nil {
			properties[name] = map[string]any{"examples": value["enum"]}
		}
	}
	if headers == nil {
		delete(program, "headers")
		return
	}
	needed := arrayOf(headers["required"])
	required := slices.DeleteFunc(arrayOf(running["required"]), func(name any) bool { return !slices.Contains(needed, name) })
	if delete(running, "required"); len(required) > 0 {
		running["required"] = required
	}
}

// A pair has what two documents have in one place.
type pair struct{ source, program map[string]any }

// both returns the objects of two arrays that stand in the same places.
func both(source, program any) []pair {
	var all []pair
	programs := arrayOf(program)
	for i, one := range arrayOf(source) {
		if i < len(programs) {
			all = append(all, pair{objectOf(one), objectOf(programs[i])})
		}
	}
	return all
}

// arrayOf returns nil for what is no array.
func arrayOf(value any) []any {
	elements, _ := value.([]any)
	return elements
}
