package rabbitmq

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/internal/masked"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/internal/consuming"
)

const (
	defaultHeartbeat    = 10 * time.Second
	defaultStartTimeout = 30 * time.Second
)

// A Config says where the server is and how to consume. Only URL is required.
// [New] copies it. It is printed, logged and marshalled without the URL's
// credentials. Fields of the same name as in memory.Config mean the same.
type Config struct {
	// URL is amqp://user:password@host:port/vhost, or amqps for TLS, as the
	// RabbitMQ URI specification says. Reserved characters in its parts are
	// percent-encoded. It is required.
	URL string

	// Addresses are further nodes of the same cluster, as host or host:port: they are
	// tried in turn after the host of URL whenever a connection is made, beginning with
	// the last that has answered. User, vhost and TLS are the URL's; the name in a
	// certificate has to be that of its node, unless TLS has a ServerName.
	Addresses []string

	// Credentials returns who logs in, for each connection that is made: at the start
	// and after each loss, so that a password may change while the service runs. It has
	// to return when its context ends, after a heartbeat, and may be called by several
	// goroutines at a time. Its error is logged; what it returns is never. URL
	// has no user then. Nil means the user of URL.
	Credentials func(context.Context) (Credentials, error)

	// Prefetch limits the deliveries that a route holds unsettled, those that
	// wait for a handler included. The default is 100, or Concurrency where that is
	// more; less than 1 means the default, and 65,535 is the most. RabbitMQ wants all of them settled within its consumer_timeout,
	// which is 30 minutes by default: lower Prefetch where a handler takes longer
	// than some seconds.
	Prefetch int

	// PrefetchBytes limits the bodies of the deliveries that a route holds, in bytes.
	// RabbitMQ can count deliveries only, so the route asks for fewer where they are
	// large, by the largest of the last; ones that are larger than those before them
	// may exceed it until they are handled, and a single one, or those of one batch, are
	// always taken. Those of stuck handlers don't count, see Timeout. The default is 64 MiB; negative means no limit. A single active
	// consumer, an auto-delete queue, a stream and a route with an Order have none.
	PrefetchBytes int64

	// Concurrency is how many deliveries of one route are handled at a time. Raise
	// it where handlers mostly wait for something else, and the order of messages
	// doesn't matter. The default is 1, which keeps the order of the queue; less
	// than 1 means the default. A route holds no more than its Prefetch, so that one
	// with a Prefetch of its own has no more handlers either.
	Concurrency int

	// AckBatch is how many acknowledgements of a route are sent as one, at most;
	// what isn't handled yet is never among them. An acknowledgement waits only
	// while its route goes on with other deliveries, and for 10 milliseconds at
	// most. A program that dies meanwhile gets the messages again, so a larger
	// batch may repeat more of them. The default is 50; less than 1 means the
	// default, more than half of Prefetch means that half, and 1 sends each
	// acknowledgement on its own.
	AckBatch int

	// Timeout limits the time of one call of a handler, see [runtime.Route], whose
	// own limit comes before this one. The default is 30 minutes, which is
	// RabbitMQ's default of consumer_timeout; negative means no limit.
	Timeout time.Duration

	// RedeliveryDelay is how long a delivery that has failed again is held before
	// it goes back to its queue, so that a message which always fails doesn't keep
	// the service busy. The first failure isn't held. Of a route, no more than
	// Prefetch go back in one delay, and up to 10,000 are held beside Prefetch; with
	// a single active consumer, they count for it. The default is one second;
	// negative means no delay.
	RedeliveryDelay time.Duration

	// CancelOnLoss ends the context of a handler when the channel of its delivery has
	// gone, with [runtime.ErrLost] as the cause: the message comes again, perhaps
	// while the handler still runs. Set it where handlers can stop halfway. The
	// default lets them finish.
	CancelOnLoss bool

	// Topology says whether the queues, exchanges and bindings of the router are
	// declared, only looked for, or neither. The default declares them.
	Topology runtime.TopologyMode

	// Events are called with what happens to connections and routes, see [runtime.Events]. The default is
	// none.
	Events []runtime.Events

	// Logger gets what is consumed, the errors of deliveries, both with route and
	// queue, and the loss and return of connections where the broker has any. Nil
	// means that nothing is logged.
	Logger *slog.Logger

	// ConnectionName is shown in RabbitMQ's management, with " (consuming)" or
	// " (publishing)" after it. Set it where one program runs as several services.
	// The default is the name of the program's file.
	ConnectionName string

	// Heartbeat is the interval at which both ends show that they are alive; a
	// silent connection is given up after one and a half of them, and one on which
	// nothing else is answered after three. Lower it to notice a lost network
	// sooner, raise it for links that pause. It is in whole seconds; the server's
	// own counts where that is less. The default is that of the URL, or ten seconds.
	Heartbeat time.Duration

	// TLS is used with amqps: set RootCAs where the server's authority isn't the
	// system's, and Certificates where the server wants one of the client. It is
	// cloned for each connection, and must not be changed after New. Nil trusts the
	// system's authorities and checks the name of the URL's host.
	TLS *tls.Config

	// StartTimeout is how long Start tries to reach the server before it fails.
	// The default is 30 seconds. A connection that is lost later is tried again
	// without limit.
	StartTimeout time.Duration
}

// String describes the configuration without credentials.
func (c Config) String() string {
	endpoint, err := c.parse()
	if err != nil {
		return "rabbitmq.Config{URL: invalid}"
	}
	return fmt.Sprintf("rabbitmq.Config{%s}", endpoint)
}

// GoString is String: a %#v of a configuration doesn't show credentials either.
func (c Config) GoString() string { return c.String() }

// Format is String for every verb.
func (c Config) Format(f fmt.State, _ rune) { masked.Format(f, c) }

// LogValue is what slog shows.
func (c Config) LogValue() slog.Value { return masked.LogValue(c) }

// MarshalJSON is String, as a JSON string.
func (c Config) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(c) }

// withDefaults returns c complete.
func (c Config) withDefaults() Config {
	c.Logger = consuming.Logger(c.Logger)
	if c.AckBatch < 1 {
		c.AckBatch = defaultAckBatch
	}
	c.ConnectionName = cmp.Or(c.ConnectionName, filepath.Base(os.Args[0]))
	c.Heartbeat = cmp.Or(c.Heartbeat, defaultHeartbeat)
	c.StartTimeout = cmp.Or(c.StartTimeout, defaultStartTimeout)
	return c
}

// limits are those of the broker, which a route may change.
func (c Config) limits() consuming.Limits {
	return consuming.Limits{
		Prefetch: c.Prefetch, PrefetchBytes: c.PrefetchBytes, Concurrency: c.Concurrency, Timeout: c.Timeout, RedeliveryDelay: c.RedeliveryDelay,
	}.WithDefaults()
}

// ackBatch returns how many acknowledgements of a route are sent as one. The server
// has the other half of the prefetch to go on with.
func (c Config) ackBatch(prefetch int) int { return min(c.AckBatch, max(prefetch/2, 1)) }

// An endpoint is what may be shown of a URL, and who logs in there.
type endpoint struct {
	addresses []string // host:port
	vhost     string
	user      string // "" when the login isn't by name

	heartbeat time.Duration // of the URL, 0 where it has none
}

func (e endpoint) String() string {
	return fmt.Sprintf("%s, vhost %q", strings.Join(e.addresses, " or "), e.vhost)
}

// errURL says all that is safe to say: the parser's own errors quote the URL.
var errURL = errors.New("the URL isn't valid (it isn't shown, since it may hold a password): " +
	"its form is amqp://user:password@host:5672/vhost, or amqps, with reserved characters percent-encoded")

func (c Config) parse() (endpoint, error) {
	uri, err := amqp.ParseURI(c.URL)
	if err != nil {
		return endpoint{}, errURL
	}
	e := endpoint{vhost: uri.Vhost, user: uri.Username}
	if e.addresses, err = addressesOf(uri, c.Addresses); err != nil {
		return endpoint{}, err
	}
	for _, mechanism := range uri.AuthMechanism {
		if strings.EqualFold(mechanism, "EXTERNAL") {
			e.user = ""
		}
	}
	parsed, err := url.Parse(c.URL)
	if err != nil {
		return endpoint{}, errURL
	}
	seconds, _ := strconv.Atoi(parsed.Query().Get("heartbeat"))
	e.heartbeat = time.Duration(seconds) * time.Second
	return e, c.contradiction(uri, parsed, e.heartbeat)
}
