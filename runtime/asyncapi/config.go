package asyncapi

import (
	"cmp"
	"net/url"
	"strings"

	"github.com/warrenmq/warren/internal/brokerurl"
)

// A Config has the parts of a document that routes don't. Empty fields, and a nil
// Config, mean the defaults. [Generate] doesn't change it and keeps no reference.
type Config struct {
	Title             string // of the service; "warren Service" by default
	Version           string // of the contract, not of AsyncAPI; "1.0.0" by default
	Description       string // of the service; left out of the document by default
	ServerURL         string // of the broker; "localhost:5672" by default. A user and a password in it are left out
	ServerDescription string // of the broker; "RabbitMQ" by default

	// EncodeChannels writes the names of queues that AsyncAPI's tools refuse as keys of
	// channels with percent-encoded bytes. The queue's binding has the name as it is.
	EncodeChannels bool

	// Parts of the extended document alone, see [Extended].
	ID           string           // a URI that names the service; by default "urn:service:" and the title, in lower case
	Contact      *Contact         // who answers questions about the service; AsyncAPI's tools warn where there is none
	License      *License         // of the contract; likewise
	ExternalDocs *ExternalDocs    // where more is written about the service
	Tags         []Tag            // of the service, and descriptions of the tags of routes
	Security     []SecurityScheme // in which clients of the broker prove who they are; one of them is enough
}

func (c *Config) info() Info {
	return Info{
		Title:       cmp.Or(c.Title, "warren Service"),
		Version:     cmp.Or(c.Version, "1.0.0"),
		Description: c.Description,
	}
}

func (c *Config) servers() Servers {
	return Servers{Broker: Server{
		URL:         cmp.Or(brokerurl.WithoutCredentials(c.ServerURL), "localhost:5672"),
		Protocol:    "amqp",
		Description: cmp.Or(c.ServerDescription, "RabbitMQ"),
	}}
}

// HasCredentials reports whether the address of a broker has a user or a password,
// which documents leave out.
func HasCredentials(address string) bool { return brokerurl.WithoutCredentials(address) != address }

// id returns a URI that names the service.
func (c *Config) id() string {
	if c.ID != "" {
		return c.ID
	}
	words := strings.Fields(strings.ToLower(c.info().Title))
	return "urn:service:" + url.PathEscape(strings.Join(words, "-"))
}
