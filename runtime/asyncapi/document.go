package asyncapi

import (
	"github.com/warrenmq/warren/internal/jsontree"
	"github.com/warrenmq/warren/internal/schema"
)

// specificationVersion is the version of AsyncAPI that documents declare.
const specificationVersion = "2.6.0"

// A Document is an AsyncAPI 2.6.0 document of the specification's shape, as
// [Generate] makes it, or of the extended one, which has more of everything; see
// [Extended]. Its fields are marshalled in their order here. It may be changed
// before it is written, and read back by json.Unmarshal, by which numbers among
// arguments are json.Numbers.
//
// Of each type here, the fields that only the extended document has come with the
// word "extended"; they are zero in the other.
type Document struct {
	AsyncAPI           string        `json:"asyncapi"`     // always "2.6.0"
	ID                 string        `json:"id,omitempty"` // extended: a URI that names the service
	Info               Info          `json:"info"`
	Servers            Servers       `json:"servers"`
	DefaultContentType string        `json:"defaultContentType,omitempty"` // extended
	Channels           Channels      `json:"channels"`
	Components         *Components   `json:"components,omitempty"`   // nil where nothing refers to one
	Tags               []Tag         `json:"tags,omitempty"`         // extended: those of the operations, and of the Config
	ExternalDocs       *ExternalDocs `json:"externalDocs,omitempty"` // extended
	Topology           *Topology     `json:"x-topology,omitempty"`   // extended; nil where nothing is declared beside the routes
}

// Info is about the service.
type Info struct {
	Title       string   `json:"title"`
	Version     string   `json:"version"`
	Description string   `json:"description,omitempty"`
	Contact     *Contact `json:"contact,omitempty"` // extended
	License     *License `json:"license,omitempty"` // extended
}

// A Contact is who answers questions about a service.
type Contact struct {
	Name  string `json:"name,omitempty"`
	URL   string `json:"url,omitempty"`
	Email string `json:"email,omitempty"`
}

// A License is that of the contract.
type License struct {
	Name string `json:"name"`
	URL  string `json:"url,omitempty"`
}

// ExternalDocs are where more is written about a service.
type ExternalDocs struct {
	Description string `json:"description,omitempty"`
	URL         string `json:"url"`
}

// Servers has the one server of a document.
type Servers struct {
	Broker Server `json:"broker"`
}

// A Server is where the service's queues are.
type Server struct {
	URL             string                `json:"url"`
	Protocol        string                `json:"protocol"`                  // always "amqp"
	ProtocolVersion string                `json:"protocolVersion,omitempty"` // extended: "0.9.1"
	Description     string                `json:"description"`
	Security        []SecurityRequirement `json:"security,omitempty"` // extended: one of them is enough
}

// A SecurityRequirement has a security scheme's key among the components, and no
// scopes.
type SecurityRequirement map[string][]string

// A Tag groups operations.
type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"` // extended, of a document's own
}

// Components are what other parts of the document refer to.
type Components struct {
	Schemas         schema.Properties         `json:"schemas,omitempty"`         // by key
	SecuritySchemes map[string]SecurityScheme `json:"securitySchemes,omitempty"` // extended
}

// A SecurityScheme is a way in which clients prove who they are.
type SecurityScheme struct {
	Type        SecurityType `json:"type"`
	Description string       `json:"description,omitempty"`
}

// A SecurityType is one of those that AsyncAPI has for brokers of AMQP.
type SecurityType string

// The ways in which clients of a broker prove who they are.
const (
	UserPassword SecurityType = "userPassword"
	Plain        SecurityType = "plain"       // SASL PLAIN
	X509         SecurityType = "X509"        // a client certificate
	ScramSHA256  SecurityType = "scramSha256" // SASL SCRAM-SHA-256
	ScramSHA512  SecurityType = "scramSha512" // SASL SCRAM-SHA-512
)

// JSON returns the document as JSON text, without a newline at its end. Indent is
// the number of spaces by which each level is indented; a negative one writes the
// document in one line, without spaces. Unlike [json.Marshal], JSON doesn't escape
// <, > and &. It fails only where a document that was changed has text that isn't
// JSON in its schemas.
func (d *Document) JSON(indent int) ([]byte, error) { return jsontree.WriteDocument(d, indent) }
