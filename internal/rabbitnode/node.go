package rabbitnode

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

const (
	startAttempts = 3               // with ports of their own each
	startLimit    = 2 * time.Minute // a loaded machine takes 20 seconds
	pollInterval  = 50 * time.Millisecond
)

// A Node is a private RabbitMQ node, or the one of RABBITMQ_URL; see [Open].
type Node struct {
	programs programs
	dir      string
	ports    ports
	mapper   *process // epmd
	server   *process // nil while the node is killed

	plugins  []string // beyond those of every node
	settings []string // likewise, lines of rabbitmq.conf
	tls      *TLS     // nil for none

	cookie   string // of its cluster; "" for one of its own
	registry *Node  // whose port mapper it uses; nil for its own

	external string // the URL of a node that isn't ours
}

// An Option makes a node differ from the usual one.
type Option func(*Node)

// WithServer takes the rabbitmq-server at path, with the rabbitmqctl beside it,
// rather than the one that is installed.
func WithServer(path string) Option {
	return func(n *Node) {
		n.programs.server, n.programs.control = path, filepath.Join(filepath.Dir(path), "rabbitmqctl")
	}
}

// WithPlugins enables plugins beyond those for management and shovels.
func WithPlugins(names ...string) Option {
	return func(n *Node) { n.plugins = append(n.plugins, names...) }
}

// WithSettings adds lines to rabbitmq.conf.
func WithSettings(lines ...string) Option {
	return func(n *Node) { n.settings = append(n.settings, lines...) }
}

// TLS is what a node needs to speak TLS, in PEM.
type TLS struct {
	CA   []byte // the authority of the clients' certificates
	Cert []byte
	Key  []byte
}

// WithTLS lets the node listen on TLS as well, see [Node.TLSURL]. Clients have to
// show a certificate of the authority.
func WithTLS(files TLS) Option {
	return func(n *Node) { n.tls = &files }
}

// Open returns the RabbitMQ that the environment variable RABBITMQ_URL names,
// or else a private node as [Start] does. Tests that end or change the node
// need Start.
func Open(ctx context.Context) (*Node, error) {
	if url := os.Getenv("RABBITMQ_URL"); url != "" {
		return &Node{external: url}, nil
	}
	return Start(ctx)
}

// Start starts a node and returns when it accepts connections. The caller has
// to stop it.
func Start(ctx context.Context, options ...Option) (*Node, error) {
	found, err := findPrograms(folders)
	if err != nil {
		return nil, err
	}
	sweep()
	var errs []error
	for range startAttempts {
		node, err := start(ctx, found, options)
		if err == nil {
			return node, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, fmt.Errorf("start a RabbitMQ node with %s: %w", found.server, errors.Join(errs...))
}

func start(ctx context.Context, found programs, options []Option) (_ *Node, err error) {
	n := &Node{programs: found}
	for _, option := range options {
		option(n)
	}
	defer func() {
		if err != nil {
			n.Stop()
		}
	}()
	if n.dir, err = newDir(); err != nil {
		return nil, err
	}
	if n.ports, err = freePorts(); err != nil {
		return nil, err
	}
	if n.registry != nil {
		n.ports.mapper = n.registry.ports.mapper
	}
	if err = n.writeFiles(); err != nil {
		return nil, err
	}
	if err = n.startMapper(); err != nil {
		return nil, err
	}
	if err = n.Restart(ctx); err != nil {
		return nil, err
	}
	return n, nil
}

// startMapper starts Erlang's port mapper, unless another node has it.
func (n *Node) startMapper() (err error) {
	if n.registry != nil {
		return nil
	}
	mapper := exec.Command(n.programs.epmd, "-port", fmt.Sprint(n.ports.mapper), "-address", "127.0.0.1")
	mapper.Env = n.environment()
	if n.mapper, err = startProcess(mapper); err != nil {
		return fmt.Errorf("start Erlang's port mapper: %w", err)
	}
	return nil
}

// URL returns the node's AMQP URL, with credentials.
func (n *Node) URL() string {
	if n.external != "" {
		return n.external
	}
	return fmt.Sprintf("amqp://guest:guest@127.0.0.1:%d/", n.ports.amqp)
}

// TLSURL returns the node's AMQP URL over TLS, with credentials. It is empty where
// [WithTLS] wasn't given.
func (n *Node) TLSURL() string {
	if n.tls == nil {
		return ""
	}
	return fmt.Sprintf("amqps://guest:guest@127.0.0.1:%d/", n.ports.amqps)
}

// ManagementURL returns the address of the node's management API, without
// credentials (guest and guest). It is empty for the node of RABBITMQ_URL.
func (n *Node) ManagementURL() string {
	if n.external != "" {
		return ""
	}
	return fmt.Sprintf("http://127.0.0.1:%d", n.ports.management)
}

// Name returns the node's name, as the management API gives it.
func (n *Node) Name() string { return fmt.Sprintf("warren%d@localhost", n.ports.amqp) }

// Kill ends the node by SIGKILL and returns when it is gone. Its durable data
// stays for Restart.
func (n *Node) Kill() {
	n.server.kill()
	n.server = nil
}

// Restart starts the node again on its data and its ports, killing it first
// where it runs, and returns when it accepts connections.
func (n *Node) Restart(ctx context.Context) error {
	if n.external != "" {
		return errors.New("the broker of RABBITMQ_URL can't be restarted: use rabbitnode.Start")
	}
	n.Kill()
	output, err := os.OpenFile(n.consoleLog(), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer output.Close()
	server := exec.Command(n.programs.server)
	server.Dir, server.Env = n.dir, n.environment()
	server.Stdout, server.Stderr = output, output
	if n.server, err = startProcess(server); err != nil {
		return err
	}
	return n.awaitReady(ctx)
}

// Stop ends the node and removes its folder. It does nothing to the node of
// RABBITMQ_URL.
func (n *Node) Stop() {
	n.Kill()
	n.mapper.kill()
	n.mapper = nil
	if n.dir != "" {
		os.RemoveAll(n.dir)
	}
}

// awaitReady polls, because the node doesn't report when its listener opens.
func (n *Node) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	ticker := time.NewTicker(pollInterval)
	defer ticker.Stop()
	for {
		conn, err := amqp.DialConfig(n.URL(), amqp.Config{Dial: amqp.DefaultDial(10 * time.Second)})
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ticker.C:
		case <-n.server.ended:
			return fmt.Errorf("the node ended; it wrote:\n%s", n.lastOutput())
		case <-ctx.Done():
			return fmt.Errorf("no connection (%w): %w; the node wrote:\n%s", err, ctx.Err(), n.lastOutput())
		}
	}
}

func (n *Node) consoleLog() string { return filepath.Join(n.dir, "log", "console.log") }

// lastOutput returns the end of what the node has written to its console.
func (n *Node) lastOutput() string {
	const enough = 2000
	output, err := os.ReadFile(n.consoleLog())
	if err != nil {
		return err.Error()
	}
	return string(output[max(0, len(output)-enough):])
}

// Control runs rabbitmqctl for the node, which takes about half a second.
func (n *Node) Control(ctx context.Context, args ...string) error {
	if n.external != "" {
		return errors.New("the broker of RABBITMQ_URL isn't controlled by tests: use rabbitnode.Start")
	}
	control := exec.CommandContext(ctx, n.programs.control, append([]string{"-n", n.Name()}, args...)...)
	control.Dir, control.Env = n.dir, n.environment()
	if output, err := control.CombinedOutput(); err != nil {
		return fmt.Errorf("rabbitmqctl %v: %w: %s", args, err, output)
	}
	return nil
}
