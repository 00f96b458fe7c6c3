package rabbitmq

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const (
	// leastHandshake is how long an attempt to connect may take at least, the
	// handshakes included.
	leastHandshake = 3 * time.Second

	// answerHeartbeats is how many heartbeats the server may take to answer.
	answerHeartbeats = 3

	// instanceLength makes the names of queues for each instance unlikely to meet.
	instanceLength = 12
)

var (
	// errNoAnswer: the server sends heartbeats, and doesn't answer.
	errNoAnswer = errors.New("the server hasn't answered a request in time")

	// errStopped: nobody waits for the answer any more.
	errStopped = errors.New("the broker was shut down before the server answered")
)

// A link is one connection, from its handshake to its end. It is never
// reconnected: the next connection is another link. See docs/decisions/0023.
type link struct {
	conn     *amqp.Connection
	socket   net.Conn
	filter   *headerFilter // above the socket, and above TLS
	gaveUp   atomic.Bool   // it was torn down because an answer took too long
	instance string        // names the queues of this connection alone

	dead   chan struct{} // closed when the connection has ended
	cause  error         // why, once dead is closed; nil for our own closing
	detach func() bool   // from the context that tears it down

	asking sync.WaitGroup // calls that nobody may be waiting for any more
}

// dialAddress connects once to an address, as a user; nil is the URL's.
func (b *Broker) dialAddress(ctx context.Context, role, address string, user *url.Userinfo) (*link, error) {
	ctx, cancel := context.WithTimeout(ctx, b.handshakeTime())
	defer cancel()
	server := fmt.Sprintf("%s, vhost %q", address, b.endpoint.vhost)
	target, secured, err := plain(b.url(), address, user, b.config.TLS)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", server, err)
	}
	l := &link{dead: make(chan struct{}), instance: rand.Text()[:instanceLength]}
	abandon := func() bool { return true }
	config := amqp.Config{ // a fresh one each time: the library changes it
		Heartbeat:  b.config.Heartbeat,
		Properties: amqp.NewConnectionProperties(),
		Dial: func(network, address string) (net.Conn, error) {
			var dialer net.Dialer
			socket, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			l.socket = socket
			abandon = context.AfterFunc(ctx, func() { socket.Close() })
			return l.above(ctx, secured)
		},
	}
	config.Properties.SetClientConnectionName(b.config.ConnectionName + " (" + role + ")")

	conn, err := amqp.DialConfig(target, config)
	if inTime := abandon(); !inTime {
		err = ctx.Err() // what the library says of the closed socket may mislead
	}
	if err != nil {
		if l.socket != nil {
			l.socket.Close() // the library leaves it open where the handshake fails
		}
		return nil, fmt.Errorf("connect to %s: %w", server, explainRefusal(err))
	}
	l.conn = conn
	l.filter.frameMax.Store(uint32(conn.Config.FrameSize))
	l.watch(b.forced)
	return l, nil
}

// above returns what the library is to read from and write to: the socket, with
// TLS where it is wanted, behind the header filter.
func (l *link) above(ctx context.Context, secured *tls.Config) (net.Conn, error) {
	conn := l.socket
	if secured != nil {
		client := tls.Client(l.socket, secured)
		if err := client.HandshakeContext(ctx); err != nil {
			return nil, err
		}
		conn = client
	}
	l.filter = newHeaderFilter(conn)
	return l.filter, nil
}

// handshakeTime bounds one attempt to connect. It goes by the heartbeat, since both
// say how long the other end may be silent.
func (b *Broker) handshakeTime() time.Duration {
	return max(cmp.Or(b.endpoint.heartbeat, b.config.Heartbeat), leastHandshake)
}

// watch notes the connection's end. The goroutine ends with it. It closes the
// socket first: a write that hangs in it holds a lock that the library takes
// before it closes the socket itself (v1.16.0), and holds it until the system
// gives the link up, after a quarter of an hour.
func (l *link) watch(forced context.Context) {
	l.detach = context.AfterFunc(forced, l.tearDown)
	ended := l.conn.NotifyClose(make(chan *amqp.Error, 1))
	go func() {
		err, failed := <-ended
		l.tearDown()
		switch {
		case l.gaveUp.Load():
			l.cause = errNoAnswer
		case failed:
			l.cause = err
		}
		close(l.dead)
	}()
}

// tearDown ends the connection by closing its socket. Calls that wait for the
// server return then.
func (l *link) tearDown() { l.socket.Close() }

// close ends the connection within the time, and returns when it has ended. What
// is unsettled on it goes back to its queues.
func (l *link) close(within time.Duration) {
	timer := time.AfterFunc(within, l.tearDown)
	_ = l.conn.Close() // fails where it has ended already
	timer.Stop()
	l.detach()
	l.tearDown()
	<-l.dead
	l.asking.Wait()
}

// ask runs calls that wait for the server and know no context. It gives the
// connection up when they take too long: the heartbeats show only that the server
// is alive, not that it works. The error of calls that took too long is an errNoAnswer.
func (l *link) ask(calls func() error) error {
	timer := time.AfterFunc(l.answerTime(), func() {
		l.gaveUp.Store(true)
		l.tearDown()
	})
	err := calls()
	if inTime := timer.Stop(); !inTime && err != nil {
		return fmt.Errorf("%w: %w", errNoAnswer, err)
	}
	return err
}

// askUntil is ask, but waits no longer than until stop is closed. Its error is errStopped
// then, and the calls may go on until the link has ended: the caller shares nothing with
// them any more.
func (l *link) askUntil(stop <-chan struct{}, calls func() error) error {
	select {
	case <-stop:
		return errStopped
	default:
	}
	answer := make(chan error, 1)
	l.asking.Go(func() { answer <- l.ask(calls) })
	select {
	case err := <-answer:
		return err
	case <-stop:
		return errStopped
	}
}

// answerTime goes by the heartbeat that was agreed on, or by the default where
// the URL has switched heartbeats off.
func (l *link) answerTime() time.Duration {
	return answerHeartbeats * cmp.Or(l.conn.Config.Heartbeat, defaultHeartbeat)
}

// guard tears the connection down when ctx ends, for calls that know no context.
// The caller ends it by the function that is returned.
func (l *link) guard(ctx context.Context) (release func() bool) {
	return context.AfterFunc(ctx, l.tearDown)
}

// during returns a context that ends with parent, and with the connection. The caller
// ends it by stop.
func (l *link) during(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	var watch sync.WaitGroup
	watch.Go(func() {
		select {
		case <-l.dead:
			cancel()
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		cancel()
		watch.Wait()
	}
}

func (l *link) hasEnded() bool {
	select {
	case <-l.dead:
		return true
	default:
		return false
	}
}
