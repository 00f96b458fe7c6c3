package rabbitmq_test

import (
	"bufio"
	"encoding/binary"
	"io"
	"net"
	"net/url"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A proxy stands between a broker and its server and passes on AMQP frames, as
// a network does: late, not at all, or in part.
type proxy struct {
	url      string
	listener net.Listener
	targets  []string // the first that answers is taken
	piping   sync.WaitGroup

	mu       sync.Mutex
	wires    map[*wire]bool
	rule     func(*frame) verdict
	pace     <-chan time.Time // of pieces, nil for as fast as it goes
	refusing bool             // connections
}

// A wire is one connection through the proxy.
type wire struct {
	client, server net.Conn
	role           string        // of the connection, as its name says it: consuming, publishing or declaring
	frozen         chan struct{} // closed where nothing passes any more
	ended          chan struct{} // closed when both ends are
}

// A frame is the unit of AMQP 0-9-1. A rule may change what is passed on.
type frame struct {
	wire       *wire
	fromServer bool
	kind       byte   // one of the constants below
	method     [2]int // class and method of a method frame
	raw        []byte
}

const (
	methodFrame = 1
	bodyFrame   = 3
)

// The methods that rules look for, by class and method (AMQP 0-9-1).
var (
	connectionStartOK = [2]int{10, 11}
	connectionTune    = [2]int{10, 30}
	connectionClose   = [2]int{10, 50}
	channelClose      = [2]int{20, 40}
	exchangeDeclare   = [2]int{40, 10}
	exchangeDeclareOK = [2]int{40, 11}
	queueDeclare      = [2]int{50, 10}
	queueDeclareOK    = [2]int{50, 11}
	queueBindOK       = [2]int{50, 21}
	basicConsume      = [2]int{60, 20}
	basicConsumeOK    = [2]int{60, 21}
	basicCancel       = [2]int{60, 30}
	basicPublish      = [2]int{60, 40}
	basicAck          = [2]int{60, 80}
)

// A verdict is what becomes of a frame.
type verdict int

const (
	pass     verdict = iota
	drop             // it is lost, alone
	cut              // the connection is reset instead
	halve            // half of it passes, then the connection is reset
	cutShort         // what the rule has left of it passes, then the connection is reset
	freeze           // it is lost, and all that follows, both ways
)

// newProxy stands before the first target that answers.
func newProxy(t *testing.T, targets ...string) *proxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &proxy{listener: listener, wires: make(map[*wire]bool)}
	var parsed *url.URL
	for _, target := range targets {
		parsed, err = url.Parse(target)
		require.NoError(t, err)
		p.targets = append(p.targets, parsed.Host)
	}
	parsed.Host = listener.Addr().String()
	p.url = parsed.String()
	p.piping.Go(p.accept)
	t.Cleanup(func() {
		listener.Close()
		p.each((*wire).end)
		p.piping.Wait()
	})
	return p
}

func (p *proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		server := p.dial()
		if server == nil {
			client.Close()
			continue
		}
		w := &wire{client: client, server: server, frozen: make(chan struct{}), ended: make(chan struct{})}
		p.mu.Lock()
		p.wires[w] = true
		p.mu.Unlock()
		p.piping.Go(func() { p.pipe(w, client, server) })
		p.piping.Go(func() { p.pipe(w, server, client) })
	}
}

// dial returns a connection to the first target that answers, nil where none does or
// connections are refused.
func (p *proxy) dial() net.Conn {
	p.mu.Lock()
	refusing := p.refusing
	p.mu.Unlock()
	if refusing {
		return nil
	}
	for _, target := range p.targets {
		if server, err := net.Dial("tcp", target); err == nil {
			return server
		}
	}
	return nil
}

// refuse takes no more connections, until heal.
func (p *proxy) refuse() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refusing = true
}

// heal ends all that is wrong with the proxy, and the connections with it.
func (p *proxy) heal() {
	p.mu.Lock()
	p.rule, p.pace, p.refusing = nil, nil, false
	p.mu.Unlock()
	p.each((*wire).end)
}

// obey sets the rule for all frames from now on. It is called for one at a time.
func (p *proxy) obey(rule func(*frame) verdict) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.rule = rule
}

// always makes a rule for all frames that are meant.
func always(v verdict, meant func(*frame) bool) func(*frame) verdict {
	return func(f *frame) verdict {
		if meant(f) {
			return v
		}
		return pass
	}
}

// once makes a rule for the first frame that is meant.
func once(v verdict, meant func(*frame) bool) func(*frame) verdict {
	done := false
	return func(f *frame) verdict {
		if done || !meant(f) {
			return pass
		}
		done = true
		return v
	}
}

// cutAfter makes a rule that lets n more bytes through in one direction, and then
// cuts a connection, once.
func cutAfter(n int, fromServer bool) func(*frame) verdict {
	done := false
	return func(f *frame) verdict {
		if done || f.fromServer != fromServer {
			return pass
		}
		if n >= len(f.raw) {
			n -= len(f.raw)
			return pass
		}
		done = true
		f.raw = f.raw[:n]
		return cutShort
	}
}

// freeze makes the connections that there are half-open: nothing comes through
// any more, and neither end is closed.
func (p *proxy) freeze() { p.each((*wire).freeze) }

// throttle lets bytes through at about the rate, in pieces.
func (p *proxy) throttle(t *testing.T, bytesPerSecond int) {
	ticker := time.NewTicker(time.Second * piece / time.Duration(bytesPerSecond))
	t.Cleanup(ticker.Stop)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pace = ticker.C
}

// slow is throttle until heal.
func (p *proxy) slow(bytesPerSecond int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pace = time.Tick(time.Second * piece / time.Duration(bytesPerSecond))
}

const piece = 1024 // bytes

func (p *proxy) each(do func(*wire)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for w := range p.wires {
		do(w)
	}
}

// end ends the connections of a role.
func (p *proxy) end(role string) {
	p.each(func(w *wire) {
		if w.role == role {
			w.end()
		}
	})
}

// pipe passes frames on until an end is closed.
func (p *proxy) pipe(w *wire, from, to net.Conn) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		w.end()
		delete(p.wires, w)
	}()
	fromServer := from == w.server
	in := bufio.NewReader(from)
	if !fromServer { // the protocol header comes before the first frame
		if _, err := io.CopyN(to, in, 8); err != nil {
			return
		}
	}
	for {
		f, err := readFrame(in)
		if err != nil {
			return
		}
		f.wire, f.fromServer = w, fromServer
		if !p.pass(w, f, to) {
			return
		}
	}
}

func readFrame(in io.Reader) (*frame, error) {
	const header, end = 7, 1
	raw := make([]byte, header)
	if _, err := io.ReadFull(in, raw); err != nil {
		return nil, err
	}
	raw = append(raw, make([]byte, binary.BigEndian.Uint32(raw[3:])+end)...)
	if _, err := io.ReadFull(in, raw[header:]); err != nil {
		return nil, err
	}
	f := &frame{kind: raw[0], raw: raw}
	if f.kind == methodFrame {
		f.method = [2]int{int(binary.BigEndian.Uint16(raw[7:])), int(binary.BigEndian.Uint16(raw[9:]))}
	}
	return f, nil
}

var roleInName = regexp.MustCompile(`consuming|publishing|declaring`)

// pass does what the rule says and reports whether the connection goes on.
func (p *proxy) pass(w *wire, f *frame, to net.Conn) bool {
	p.mu.Lock()
	v, pace := pass, p.pace
	if f.method == connectionStartOK {
		w.role = string(roleInName.Find(f.raw))
	}
	if p.rule != nil {
		v = p.rule(f)
	}
	if v == freeze {
		w.freeze()
	}
	p.mu.Unlock()
	select {
	case <-w.frozen:
		<-w.ended
		return false
	default:
	}
	switch v {
	case drop:
		return true
	case cut:
		return false
	case halve:
		_, _ = to.Write(f.raw[:len(f.raw)/2])
		return false
	case cutShort:
		_, _ = to.Write(f.raw)
		return false
	default:
		return w.write(to, f.raw, pace)
	}
}

func (w *wire) write(to net.Conn, raw []byte, pace <-chan time.Time) bool {
	for pace != nil && len(raw) > piece {
		select {
		case <-pace:
		case <-w.ended:
			return false
		}
		if _, err := to.Write(raw[:piece]); err != nil {
			return false
		}
		raw = raw[piece:]
	}
	_, err := to.Write(raw)
	return err == nil
}

// freeze and end are called with the proxy's mutex.
func (w *wire) freeze() { closeOnce(w.frozen) }

func (w *wire) end() {
	closeOnce(w.ended)
	for _, conn := range []net.Conn{w.client, w.server} {
		_ = conn.(*net.TCPConn).SetLinger(0) // a reset, not an orderly end
		conn.Close()
	}
}

func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}
