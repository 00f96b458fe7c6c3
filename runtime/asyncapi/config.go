package asyncapi

import "cmp"

// A Config has the parts of a document that routes don't. Empty fields, and a nil
// Config, mean the defaults. [Generate] doesn't change it and keeps no reference.
type Config struct {
	Title             string // of the service; "warren Service" by default
	Version           string // of the contract, not of AsyncAPI; "1.0.0" by default
	Description       string // of the service; left out of the document by default
	ServerURL         string // of the broker, without credentials; "localhost:5672" by default
	ServerDescription string // of the broker; "RabbitMQ" by default
}

func (c *Config) info() Info {
	if c == nil {
		c = &Config{}
	}
	return Info{
		Title:       cmp.Or(c.Title, "warren Service"),
		Version:     cmp.Or(c.Version, "1.0.0"),
		Description: c.Description,
	}
}

func (c *Config) servers() Servers {
	if c == nil {
		c = &Config{}
	}
	return Servers{Broker: Server{
		URL:         cmp.Or(c.ServerURL, "localhost:5672"),
		Protocol:    "amqp",
		Description: cmp.Or(c.ServerDescription, "RabbitMQ"),
	}}
}
