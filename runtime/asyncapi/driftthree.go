package asyncapi

import (
	"maps"
	"slices"
	"strings"
)

// leaveOutSourceThree leaves out of documents of AsyncAPI 3 what only one of them can have:
// what the program sends, where its source is and what comments say, of the source; and what
// the source doesn't determine.
func leaveOutSourceThree(source, program map[string]any) {
	for _, document := range []map[string]any{source, program} {
		withoutSends(document)
	}
	unknown := make(map[string]unknownArguments) // of a message's route
	programs := objectsOf(program["operations"])
	for name, operation := range objectsOf(source["operations"]) {
		leaveOutOfOperation(operation, programs[name])
		of := unknownIn(bindingOf(channelOf(source, operation)))
		of.leaveOutLimits(operation, programs[name])
		for _, message := range messagesOf(operation) {
			unknown[message] = of
		}
	}
	programs = objectsOf(objectOf(program["components"])["messages"])
	for name, message := range objectsOf(objectOf(source["components"])["messages"]) {
		leaveOutOfMessage(message, programs[name], unknown[name])
	}
	programs = objectsOf(program["channels"])
	for name, channel := range objectsOf(source["channels"]) {
		binding := bindingOf(channel)
		of := unknownIn(binding)
		of.leaveOutOfBinding(binding, bindingOf(programs[name]))
		of.leaveOutOfBound(channel, programs[name])
	}
}

// withoutSends removes the operations that send, and the channels and the messages that
// only they use.
func withoutSends(document map[string]any) {
	operations := objectOf(document["operations"])
	maps.DeleteFunc(operations, func(_ string, operation any) bool { return objectOf(operation)["action"] == "send" })
	var refs []string // of what routes use
	collect(&refs, operations)
	channels := objectOf(document["channels"])
	for _, channel := range objectsOf(channels) {
		bound, _ := channel["x-bound"].([]any)
		for _, binding := range bound {
			name, _ := objectOf(binding)["channel"].(string)
			refs = append(refs, "#/channels/"+name)
		}
	}
	uses := func(ref string) bool {
		return slices.ContainsFunc(refs, func(other string) bool { return other == ref || strings.HasPrefix(other, ref+"/") })
	}
	messages := make(map[string]bool)
	for _, ref := range refs {
		if _, message, ok := strings.Cut(ref, "/messages/"); ok {
			messages[message] = true
		}
	}
	maps.DeleteFunc(channels, func(name string, _ any) bool { return !uses("#/channels/" + name) })
	for _, channel := range objectsOf(channels) {
		maps.DeleteFunc(objectOf(channel["messages"]), func(name string, _ any) bool { return !messages[name] })
	}
	components := objectOf(document["components"])
	of := objectOf(components["messages"])
	maps.DeleteFunc(of, func(name string, _ any) bool { return !messages[name] })
	if len(of) == 0 {
		delete(components, "messages")
	}
}

// collect adds the references in a value.
func collect(refs *[]string, value any) {
	switch value := value.(type) {
	case map[string]any:
		if ref, ok := value["$ref"].(string); ok {
			*refs = append(*refs, ref)
		}
		for _, member := range value {
			collect(refs, member)
		}
	case []any:
		for _, element := range value {
			collect(refs, element)
		}
	}
}

// messagesOf returns the keys of the messages of an operation.
func messagesOf(operation map[string]any) []string {
	var keys []string
	for _, message := range arrayOf(operation["messages"]) {
		ref, _ := objectOf(message)["$ref"].(string)
		keys = append(keys, ref[strings.LastIndex(ref, "/")+1:])
	}
	return keys
}

// channelOf returns that of an operation, nil where the document has none.
func channelOf(document, operation map[string]any) map[string]any {
	ref, _ := objectOf(operation["channel"])["$ref"].(string)
	return objectOf(objectOf(document["channels"])[strings.TrimPrefix(ref, "#/channels/")])
}

// withoutUnknownDeclarations leaves out of the program's channels what the source doesn't
// state of the same queue or exchange: it may be declared beside the routes, of which
// not all is known.
func withoutUnknownDeclarations(source, program map[string]any) {
	programs := objectsOf(program["channels"])
	for name, channel := range objectsOf(source["channels"]) {
		of := bindingOf(channel)
		runs := bindingOf(programs[name])
		for _, kind := range []string{"queue", "exchange"} {
			stated, states := objectOf(of[kind]), objectOf(runs[kind])
			if stated != nil && stated["name"] == states["name"] {
				maps.DeleteFunc(states, func(member string, _ any) bool { return stated[member] == nil })
			}
		}
	}
}
