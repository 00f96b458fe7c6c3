package rabbitmq

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/runtime"
)

// contradiction returns an error that names two settings of which one would have no
// effect, nil where there are none.
func (c Config) contradiction(uri amqp.URI, parsed *url.URL, heartbeat time.Duration) error {
	external := slices.ContainsFunc(uri.AuthMechanism, func(name string) bool { return strings.EqualFold(name, "EXTERNAL") })
	ofURL := false // TLS
	for _, parameter := range []string{"cacertfile", "certfile", "keyfile", "server_name_indication"} {
		ofURL = ofURL || parsed.Query().Has(parameter)
	}
	switch {
	case c.Credentials != nil && parsed.User != nil:
		return errors.New("the settings Credentials and URL both say who logs in: remove user and password from URL")
	case c.Credentials != nil && external:
		return errors.New("the settings Credentials and URL contradict each other: by auth_mechanism=external of URL the certificate logs in")
	case c.TLS != nil && uri.Scheme != "amqps":
		return errors.New("the settings TLS and URL contradict each other: URL is one of amqp, which isn't secured: write amqps, or remove TLS")
	case c.TLS != nil && ofURL:
		return errors.New("the settings TLS and URL both speak of TLS: remove the parameters from URL")
	case ofURL && uri.Scheme != "amqps":
		return errors.New("the setting URL has parameters of TLS and is one of amqp, which isn't secured: write amqps, or remove the parameters")
	case c.Heartbeat != 0 && parsed.Query().Has("heartbeat") && heartbeat != c.Heartbeat:
		return fmt.Errorf("the setting Heartbeat is %v and that of URL %v: say it once", c.Heartbeat, heartbeat)
	case c.Prefetch > 0 && c.Concurrency > c.Prefetch:
		return fmt.Errorf("the setting Concurrency is %d and Prefetch %d, so that no more are handled at a time: raise Prefetch", c.Concurrency, c.Prefetch)
	case !slices.Contains([]runtime.TopologyMode{runtime.TopologyDeclare, runtime.TopologyVerify, runtime.TopologyNone}, c.Topology):
		return fmt.Errorf("the setting Topology is %q: use runtime.TopologyDeclare, TopologyVerify or TopologyNone", c.Topology)
	default:
		return nil
	}
}
