package mgmt

import (
	"fmt"
	"net/http"
)

// A Scope says which part of a broker a list is of: one virtual host, by [In], or
// all of them, by [AllVHosts]. The zero Scope is the default virtual host, "/".
// Equal scopes are ==.
//
// See docs/decisions/0072.
type Scope struct {
	vhost string // empty for the default one
	all   bool
}

// In returns the scope of one virtual host. The empty name is the default one, "/".
func In(vhost string) Scope {
	if vhost == defaultVHost {
		vhost = ""
	}
	return Scope{vhost: vhost}
}

// AllVHosts returns the scope of all virtual hosts that the user sees.
func AllVHosts() Scope { return Scope{all: true} }

// String returns `vhost "/"`, for one, or "all vhosts".
func (s Scope) String() string {
	if s.all {
		return "all vhosts"
	}
	return fmt.Sprintf("vhost %q", orDefault(s.vhost))
}

// under is the path of things in the scope: /api/things/{vhost}, or /api/things.
func (s Scope) under(things string) path {
	if s.all {
		return under(things)
	}
	return under(things).vhost(s.vhost)
}

// request returns a request of a method on what is in the scope.
func (s Scope) request(operation, method string, p path) request {
	r := request{operation: operation, method: method, path: p, all: s.all}
	if !s.all {
		r.vhost = orDefault(s.vhost)
	}
	return r
}

// over reads the things in a scope.
func over(operation, things string, s Scope) request {
	return s.request(operation, http.MethodGet, s.under(things))
}

// overVHosts is over where the path has the things behind the virtual host.
func overVHosts(operation, things string, s Scope) request {
	if s.all {
		return over(operation, things, s)
	}
	return s.request(operation, http.MethodGet, under("vhosts").vhost(s.vhost).and(things))
}
