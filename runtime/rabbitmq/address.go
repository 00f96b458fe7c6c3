package rabbitmq

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"strconv"

	amqp "github.com/rabbitmq/amqp091-go"

	"github.com/warrenmq/warren/internal/masked"
)

// Credentials are the name and the password of a login. They are printed without the
// password.
type Credentials struct {
	User     string
	Password string
}

// String names the user alone.
func (c Credentials) String() string { return fmt.Sprintf("rabbitmq.Credentials{%s}", c.User) }

// GoString is String.
func (c Credentials) GoString() string { return c.String() }

// Format is String for every verb.
func (c Credentials) Format(f fmt.State, _ rune) { masked.Format(f, c) }

// LogValue is what slog shows.
func (c Credentials) LogValue() slog.Value { return masked.LogValue(c) }

// MarshalJSON is String, as a JSON string.
func (c Credentials) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(c) }

// login returns the credentials of the next connection, those of the URL where there is
// no provider.
func (b *Broker) login(ctx context.Context) (*url.Userinfo, error) {
	if b.config.Credentials == nil {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, b.handshakeTime())
	defer cancel()
	credentials, err := b.config.Credentials(ctx)
	if err != nil {
		return nil, fmt.Errorf("get the credentials: %w", err)
	}
	if credentials.User == "" {
		return nil, errors.New("get the credentials: Config.Credentials returned no user and no error")
	}
	b.user.Store(&credentials.User)
	return url.UserPassword(credentials.User, credentials.Password), nil
}

// loginUser returns who logs in, "" where that isn't known or isn't by name.
func (b *Broker) loginUser() string {
	if user := b.user.Load(); user != nil {
		return *user
	}
	return b.endpoint.user
}

// addressesOf returns the hosts and ports that are tried, that of the URL first.
func addressesOf(uri amqp.URI, further []string) ([]string, error) {
	addresses := []string{net.JoinHostPort(uri.Host, strconv.Itoa(uri.Port))}
	seen := map[string]bool{addresses[0]: true}
	for _, text := range further {
		host, port, err := net.SplitHostPort(text)
		if err != nil { // without a port
			host, port = text, strconv.Itoa(uri.Port)
			if parsed, parseErr := url.Parse("amqp://" + text); parseErr != nil || parsed.Host != text || parsed.Port() != "" {
				return nil, errAddress
			}
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 || host == "" {
			return nil, errAddress
		}
		address := net.JoinHostPort(host, port)
		if seen[address] {
			return nil, fmt.Errorf("the setting Addresses: %s is there twice, or the address of the URL as well: remove it", address)
		}
		seen[address] = true
		addresses = append(addresses, address)
	}
	return addresses, nil
}

// errAddress doesn't quote the address, which may be a URL with a password.
var errAddress = errors.New("the setting Addresses: one of them isn't host or host:port: user, password and vhost are those of the URL")

// dialErrors say why no address could be connected to.
type dialErrors []error

// Error lists them.
func (e dialErrors) Error() string { return errors.Join(e...).Error() }

// Unwrap returns the errors. Refusals are among them only where each server refuses:
// while one can't be reached, another attempt may have another answer.
func (e dialErrors) Unwrap() []error {
	var others []error
	for _, err := range e {
		var refused *refusal
		if !errors.As(err, &refused) {
			others = append(others, err)
		}
	}
	if len(others) == 0 {
		return e
	}
	return others
}

// dial connects once: it tries the addresses in turn, beginning with the last one that
// had answered. role tells the broker's connections apart in RabbitMQ's management.
func (b *Broker) dial(ctx context.Context, role string) (*link, error) {
	user, err := b.login(ctx)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", b.endpoint, err)
	}
	addresses, first := b.endpoint.addresses, int(b.good.Load())
	var failed dialErrors
	for i := range addresses {
		at := (first + i) % len(addresses)
		l, err := b.dialAddress(ctx, role, addresses[at], user)
		if err == nil {
			b.good.Store(int32(at))
			return l, nil
		}
		failed = append(failed, err)
		if ctx.Err() != nil {
			break
		}
	}
	if len(failed) == 1 {
		return nil, failed[0]
	}
	return nil, failed
}
