package service

import (
	"errors"
	"flag"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/warrenmq/warren/runtime/asyncapi"
)

// configFlags are the flags with what documents have beside the routes.
func (o *Options) configFlags(f *flag.FlagSet) {
	c := &o.Config
	f.StringVar(&c.Title, "title", c.Title, "`TITLE` of the service (default \"warren Service\")")
	f.StringVar(&c.Version, "api-version", c.Version, "`VERSION` of the contract (default \"1.0.0\")")
	f.StringVar(&c.Description, "description", c.Description, "`TEXT` that describes the service")
	f.StringVar(&c.ServerURL, "server-url", c.ServerURL, "`URL` of the broker, without credentials (default \"localhost:5672\")")
	f.StringVar(&c.ServerDescription, "server-description", c.ServerDescription, "`TEXT` that describes the broker (default \"RabbitMQ\")")

	// The parts of extended documents are values of their own, which the options of
	// other services don't share.
	contact, license, more := valueOf(c.Contact), valueOf(c.License), valueOf(c.ExternalDocs)
	c.Contact, c.License, c.ExternalDocs = contact, license, more
	f.StringVar(&c.ID, "id", c.ID, "`URI` that names the service, in extended documents")
	f.StringVar(&contact.Name, "contact-name", contact.Name, "`NAME` of who answers questions, in extended documents")
	f.StringVar(&contact.URL, "contact-url", contact.URL, "`URL` of who answers questions, in extended documents")
	f.StringVar(&contact.Email, "contact-email", contact.Email, "`ADDRESS` of who answers questions, in extended documents")
	f.StringVar(&license.Name, "license", license.Name, "`NAME` of the contract's license, in extended documents")
	f.StringVar(&license.URL, "license-url", license.URL, "`URL` of the contract's license, in extended documents")
	f.StringVar(&more.URL, "docs-url", more.URL, "`URL` where more is written about the service, in extended documents")
	f.Var(&listFlag{add: o.addTag, clear: func() { c.Tags = nil }}, "document-tag",
		"give extended documents a tag, or one of theirs a description: `TAG` is NAME or NAME=TEXT. It can be given several times")
	f.Var(&listFlag{add: o.addSecurity, clear: func() { c.Security = nil }}, "security",
		"say in extended documents how clients log in: `SCHEME` is "+strings.Join(securityTypes(), ", ")+", perhaps with =TEXT. It can be given several times")
}

func valueOf[T any](p *T) *T {
	value := new(T)
	if p != nil {
		*value = *p
	}
	return value
}

func unlessEmpty[T comparable](p *T) *T {
	if p == nil || *p == *new(T) {
		return nil
	}
	return p
}

// A listFlag is one that can be given several times. The first of a command line
// replaces what was given before it.
type listFlag struct {
	add   func(text string) error
	clear func()
	given bool
}

func (l *listFlag) String() string { return "" }

func (l *listFlag) Set(text string) error {
	if !l.given {
		l.clear()
		l.given = true
	}
	return l.add(text)
}

func (o *Options) addTag(text string) error {
	name, description, _ := strings.Cut(text, "=")
	if name == "" {
		return errors.New("the tag has no name")
	}
	o.Config.Tags = append(o.Config.Tags, asyncapi.Tag{Name: name, Description: description})
	return nil
}

// securityTypes are those that AsyncAPI has for brokers of AMQP.
func securityTypes() []string {
	return []string{
		string(asyncapi.UserPassword), string(asyncapi.Plain), string(asyncapi.X509),
		string(asyncapi.ScramSHA256), string(asyncapi.ScramSHA512),
	}
}

func (o *Options) addSecurity(text string) error {
	name, description, _ := strings.Cut(text, "=")
	is := func(known string) bool { return strings.EqualFold(known, name) }
	i := slices.IndexFunc(securityTypes(), is)
	if i < 0 {
		return fmt.Errorf("it is %s", strings.Join(securityTypes(), ", "))
	}
	o.Config.Security = append(o.Config.Security, asyncapi.SecurityScheme{Type: asyncapi.SecurityType(securityTypes()[i]), Description: description})
	return nil
}

// checkConfig refuses what no document could show, and forgets the parts of which
// nothing was said.
func (o *Options) checkConfig() error {
	c := &o.Config
	c.Contact, c.License, c.ExternalDocs = unlessEmpty(c.Contact), unlessEmpty(c.License), unlessEmpty(c.ExternalDocs)
	if c.License != nil && c.License.Name == "" {
		return errors.New("flag -license-url: the license has no name: give it by -license")
	}
	if asyncapi.HasCredentials(c.ServerURL) {
		return errors.New("flag -server-url: it has credentials, which all readers of the document would see: leave them out")
	}
	return o.checkExtended()
}

// checkExtended refuses flags of extended documents where there is none.
func (o *Options) checkExtended() error {
	c := &o.Config
	flags := []struct {
		name  string
		given bool
		uri   string
	}{
		{"id", c.ID != "", c.ID},
		{"contact-url", c.Contact != nil, valueOf(c.Contact).URL},
		{"license-url", c.License != nil, valueOf(c.License).URL},
		{"docs-url", c.ExternalDocs != nil, valueOf(c.ExternalDocs).URL},
		{"document-tag", c.Tags != nil, ""},
		{"security", c.Security != nil, ""},
	}
	for _, flag := range flags {
		if flag.given && o.AreExact() {
			return fmt.Errorf("flag -%s: only extended documents have it: add -extended, or leave it out", strings.TrimSuffix(flag.name, "-url"))
		}
		if parsed, err := url.Parse(flag.uri); flag.uri != "" && (err != nil || !parsed.IsAbs()) {
			return fmt.Errorf("flag -%s: %q is no URI: write one with its scheme, such as https://example.com/orders", flag.name, flag.uri)
		}
	}
	return nil
}
