package mgmt

import (
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// maxName is AMQP's limit for the names of queues and exchanges, in bytes. The
// broker has it for other names as well.
const maxName = 255

// defaultVHost is what an empty virtual host means (specification, section B).
const defaultVHost = "/"

// A path is the path of a request below the configured address, or the error of
// a name in it.
type path struct {
	escaped []byte
	err     error
}

// under begins a path with segments that need no escaping.
func under(segments string) path {
	escaped := make([]byte, 0, 96)
	return path{escaped: append(append(escaped, "/api/"...), segments...)}
}

// and adds segments that need no escaping.
func (p path) and(segments string) path {
	p.escaped = append(append(p.escaped, '/'), segments...)
	return p
}

// vhost adds a virtual host.
func (p path) vhost(name string) path {
	if name == "" || name == defaultVHost {
		return p.and("%2F")
	}
	return p.name("virtual host", name)
}

// name adds a name of at most 255 bytes.
func (p path) name(kind, name string) path {
	if len(name) > maxName && p.err == nil {
		p.err = fmt.Errorf("%w: the %s's name has %d bytes, more than %d", ErrName, kind, len(name), maxName)
		return p
	}
	return p.segment(kind, name)
}

// segment adds a name of any length. It refuses names that the server would
// misread: it resolves dots, escaped ones too, strips line breaks, and accepts
// names in invalid UTF-8, but can't list them (measured on 3.10, 4.0 and 4.3).
func (p path) segment(kind, name string) path {
	if p.err != nil {
		return p
	}
	switch {
	case name == "":
		p.err = fmt.Errorf("%w: the %s's name is empty", ErrName, kind)
	case name == "." || name == "..":
		p.err = fmt.Errorf("%w: the %s's name %q would be resolved as a path", ErrName, kind, name)
	case !utf8.ValidString(name):
		p.err = fmt.Errorf("%w: the %s's name %q isn't valid UTF-8", ErrName, kind, name)
	case strings.ContainsAny(name, "\r\n"):
		p.err = fmt.Errorf("%w: the %s's name %q has a line break", ErrName, kind, name)
	default:
		return p.and(url.PathEscape(name))
	}
	return p
}

// of returns the path of segments that the caller of Do gives.
func of(segments []string) path {
	p := path{escaped: append(make([]byte, 0, 96), "/api"...)}
	if len(segments) == 0 {
		p.err = fmt.Errorf("%w: the path has no segments", ErrName)
	}
	for _, segment := range segments {
		p = p.segment("segment", segment)
	}
	return p
}

// checkKey refuses a routing key that AMQP has no form for.
func checkKey(key string) error {
	if len(key) > maxName {
		return fmt.Errorf("%w: the routing key has %d bytes, more than %d", ErrName, len(key), maxName)
	}
	if !utf8.ValidString(key) {
		return fmt.Errorf("%w: the routing key %q isn't valid UTF-8", ErrName, key)
	}
	return nil
}
