package asyncapi

import (
	"cmp"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/schema/example"
)

// jsonMedia is the content type of all bodies that say no other.
const jsonMedia = "application/json"

// ExtendedFromContract returns the extended document of a contract, as
// [FromContract] returns the exact one. See docs/decisions/0062.
func ExtendedFromContract(c *contract.Contract, cfg *Config) *Document {
	if cfg == nil {
		cfg = &Config{}
	}
	document := FromContract(c, cfg)
	document.ID = cfg.id()
	document.DefaultContentType = jsonMedia
	document.Info.Description = cmp.Or(cfg.Description, "The messages that "+document.Info.Title+" consumes, and its replies.")
	document.Info.Contact, document.Info.License, document.ExternalDocs = clone(cfg.Contact), clone(cfg.License), clone(cfg.ExternalDocs)
	document.Servers.Broker.ProtocolVersion = "0.9.1"
	document.secure(cfg.Security)
	writer := newExtendedWriter(c)
	for i := range document.Channels {
		writer.channel(&document.Channels[i], c.Channels[i])
	}
	document.Tags = documentTags(document.Channels, cfg.Tags)
	document.Topology = topologyOf(c)
	return document
}

func clone[T any](value *T) *T {
	if value == nil {
		return nil
	}
	copied := *value
	return &copied
}

// secure adds the schemes, of which one is enough to connect.
func (d *Document) secure(schemes []SecurityScheme) {
	if len(schemes) == 0 {
		return
	}
	if d.Components == nil {
		d.Components = &Components{}
	}
	d.Components.SecuritySchemes = make(map[string]SecurityScheme)
	for _, scheme := range schemes {
		key := strings.ToLower(string(scheme.Type[:1])) + string(scheme.Type[1:])
		if _, ok := d.Components.SecuritySchemes[key]; ok {
			continue
		}
		d.Components.SecuritySchemes[key] = scheme
		d.Servers.Broker.Security = append(d.Servers.Broker.Security, SecurityRequirement{key: {}})
	}
}

// documentTags returns the tags of the service and those of its operations, each
// once. A document without any has the protocol as its tag, since AsyncAPI's tools
// want one.
func documentTags(channels Channels, own []Tag) []Tag {
	tags := slices.Clone(own)
	for _, channel := range channels {
		tags = append(tags, channel.Subscribe.Tags...)
	}
	if len(tags) == 0 {
		return []Tag{{Name: "amqp"}}
	}
	slices.SortStableFunc(tags, func(a, b Tag) int { return cmp.Compare(a.Name, b.Name) })
	return slices.CompactFunc(tags, func(a, b Tag) bool { return a.Name == b.Name })
}

// An extendedWriter adds to the channels of an exact document.
type extendedWriter struct {
	components map[string]*schema.Schema // by key
	messageIDs map[string]bool           // that are taken
	maker      *example.Maker
}

func newExtendedWriter(c *contract.Contract) *extendedWriter {
	w := &extendedWriter{components: map[string]*schema.Schema{}, messageIDs: map[string]bool{}, maker: example.New(c.Components)}
	for _, component := range c.Components {
		w.components[component.Key] = component.Schema
	}
	return w
}

// firstSentence returns the first sentence of a text in one line.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(text, "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if end := strings.Index(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text
}
