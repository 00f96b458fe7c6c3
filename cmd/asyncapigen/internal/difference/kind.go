package difference

import (
	"maps"
	"slices"
	"strings"
)

// A rule is about one kind of element of a document.
type rule struct {
	relation relation
	words    string // what it is called in a sentence
	whole    bool   // it has parts; that it is there or not says something itself
}

// rules are those of all elements that documents have, by the first part of the
// ids of their changes.
var rules = map[string]rule{
	"asyncapi-version":     {text, "version of AsyncAPI", false},
	"id":                   {text, "id of the service", false},
	"title":                {text, "title", false},
	"version":              {text, "version of the contract", false},
	"info":                 {text, "information about the service", false},
	"default-content-type": {text, "default content type", false},
	"document-tags":        {text, "tags of the document", false},
	"external-docs":        {text, "external documentation", false},

	"server":                  {offer, "server", true},
	"server-url":              {agreed, "address of the server", false},
	"server-protocol":         {agreed, "protocol of the server", false},
	"server-protocol-version": {agreed, "protocol's version of the server", false},
	"server-security":         {agreed, "security of the server", false},
	"server-variables":        {agreed, "variables of the server's address", false},
	"server-bindings":         {foreign, "bindings of the server", false},
	"server-text":             {text, "text of the server", false},

	"channel":            {offer, "channel", true},
	"channel-text":       {text, "text of the channel", false},
	"channel-servers":    {agreed, "servers of the channel", false},
	"channel-parameters": {agreed, "parameters of the channel", false},
	"binding-is":         {agreed, "kind of the channel", false},
	"binding-version":    {text, "version of the binding", false},
	"protocol-binding":   {foreign, "binding of another protocol", false},
	"queue-name":         {agreed, "name of the queue", false},
	"queue-durable":      {agreed, "durability of the queue", false},
	"queue-exclusive":    {agreed, "exclusivity of the queue", false},
	"queue-auto-delete":  {agreed, "auto-deletion of the queue", false},
	"queue-vhost":        {agreed, "virtual host of the queue", false},
	"queue-argument":     {agreed, "argument of the queue", false},

	"exchange":             {agreed, "exchange", true},
	"exchange-name":        {agreed, "name of the exchange", false},
	"exchange-type":        {agreed, "type of the exchange", false},
	"exchange-durable":     {agreed, "durability of the exchange", false},
	"exchange-auto-delete": {agreed, "auto-deletion of the exchange", false},
	"exchange-vhost":       {agreed, "virtual host of the exchange", false},
	"exchange-argument":    {agreed, "argument of the exchange", false},
	"routing-key":          {offer, "routing key", true},

	"declared-queue":    {offer, "declared queue", true},
	"declared-exchange": {offer, "declared exchange", true},
	"declared-binding":  {offer, "declared binding", true},

	"operation":          {offer, "operation", true},
	"operation-id":       {code, "id of the operation", false},
	"operation-text":     {text, "text of the operation", false},
	"operation-security": {agreed, "security of the operation", false},
	"operation-property": {foreign, "property of the operation's messages", false},
	"operation-traits":   {foreign, "traits of the operation", false},
	"operation-ack":      {code, "acknowledgement of the operation", false},
	"reply-address":      {agreed, "address of the reply", false},

	"message":               {message, "message", true},
	"message-selection":     {foreign, "way in which messages are told apart", false},
	"message-name":          {code, "name of the message", false},
	"message-id":            {code, "id of the message", false},
	"message-text":          {text, "text of the message", false},
	"message-examples":      {text, "examples of the message", false},
	"message-content-type":  {agreed, "content type of the message", false},
	"message-encoding":      {agreed, "content encoding of the message", false},
	"message-type":          {agreed, "type property of the message", false},
	"message-schema-format": {foreign, "schema format of the message", false},
	"message-correlation":   {agreed, "correlation id of the message", false},
	"message-traits":        {foreign, "traits of the message", false},
	"payload":               {payload, "payload", false},
	"headers":               {payload, "headers", false},

	"extension":   {foreign, "extension", false},
	"unknown-key": {foreign, "key that AsyncAPI doesn't have", false},
}

// Kinds of findings that aren't a difference of one element.
const (
	unreadable      = "unreadable"       // a part of a document, or all of it
	payloadNarrowed = "payload-narrowed" // all of a schema, where no keyword alone does it
	versionTooLow   = "version-too-low"  // of the contract
)

// annotations are the keywords of schemas that no validator acts on, with the id of
// a change.
var annotations = map[string]string{
	"title": "schema-title-changed", "description": "schema-description-changed", "examples": "schema-examples-changed",
	"default": "schema-default-changed", "deprecated": "schema-deprecated-changed", "readOnly": "schema-read-only-changed",
	"writeOnly": "schema-write-only-changed", "discriminator": "schema-discriminator-changed",
	"externalDocs": "schema-external-docs-changed", "$comment": "schema-comment-changed",
	"x-enum-varnames": "schema-enum-names-changed", "x-enum-descriptions": "schema-enum-descriptions-changed",
}

// schemaKeywords are the keywords whose changes are compared by what the schema
// accepts, with the forms of their changes.
var schemaKeywords = map[string][]string{
	"type": {"changed", "widened", "narrowed"}, "null": {"added", "removed"},
	"enum": {"added", "removed"}, "enum-value": {"added", "removed"}, "const": {"added", "removed", "changed"},
	"format": {"added", "removed", "changed"}, "pattern": {"added", "removed", "changed"},
	"content-encoding": {"added", "removed", "changed"}, "content-media-type": {"added", "removed", "changed"},
	"minimum": bounds, "maximum": bounds, "exclusive-minimum": bounds, "exclusive-maximum": bounds, "multiple-of": {"added", "removed", "changed"},
	"min-length": bounds, "max-length": bounds, "min-items": bounds, "max-items": bounds, "min-properties": bounds, "max-properties": bounds,
	"unique-items": {"added", "removed"}, "items": {"added", "removed", "changed"}, "contains": {"added", "removed", "changed"},
	"additional-items": {"added", "removed", "changed"},
	"property":         {"added", "removed"}, "required": {"added", "removed"}, "additional-properties": {"added", "removed"},
	"pattern-property": {"added", "removed"}, "property-names": {"added", "removed", "changed"}, "dependency": {"added", "removed", "changed"},
	"all-of": {"added", "removed"}, "any-of": {"added", "removed"}, "one-of": {"added", "removed"},
	"not": {"added", "removed", "changed"}, "condition": {"added", "removed", "changed"}, "boolean-schema": {"changed"},
}

var bounds = []string{"added", "removed", "raised", "lowered"}

// Kinds returns the ids of all kinds of changes, sorted.
func Kinds() []string {
	all := []string{unreadable, payloadNarrowed, versionTooLow}
	for base, r := range rules {
		switch {
		case r.relation == payload:
			continue
		case !r.whole:
			all = append(all, base+"-changed")
		}
		all = append(all, base+"-added", base+"-removed")
	}
	for keyword, forms := range schemaKeywords {
		for _, form := range forms {
			all = append(all, "schema-"+keyword+"-"+form)
		}
	}
	all = slices.AppendSeq(all, maps.Values(annotations))
	all = append(all, "schema-keyword-changed")
	slices.Sort(all)
	return slices.Compact(all)
}

// kebab writes a keyword as ids do.
func kebab(keyword string) string {
	var b strings.Builder
	for _, r := range keyword {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('-')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
