package rabbitnode

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// dirPrefix begins the names of the nodes' folders; the process id of the test
// follows.
const dirPrefix = "warren-rabbitnode-"

func newDir() (string, error) {
	return os.MkdirTemp("", fmt.Sprintf("%s%d-", dirPrefix, os.Getpid()))
}

// sweep removes the folders of tests that ended without removing them.
func sweep() {
	left, _ := filepath.Glob(filepath.Join(os.TempDir(), dirPrefix+"*"))
	for _, dir := range left {
		owner, _, _ := strings.Cut(strings.TrimPrefix(filepath.Base(dir), dirPrefix), "-")
		if pid, err := strconv.Atoi(owner); err == nil && !processExists(pid) {
			os.RemoveAll(dir)
		}
	}
}

// writeFiles writes the node's configuration.
func (n *Node) writeFiles() error {
	for _, name := range []string{"home", "mnesia", "log"} {
		if err := os.Mkdir(n.in(name), 0o700); err != nil {
			return err
		}
	}
	configuration := fmt.Sprintf(`listeners.tcp.default = 127.0.0.1:%d
management.tcp.ip = 127.0.0.1
management.tcp.port = %d
log.file.level = info
disk_free_limit.absolute = 50MB
vm_memory_high_watermark.absolute = 512MB
collect_statistics_interval = 1000
`, n.ports.amqp, n.ports.management)
	if n.tls != nil {
		if err := n.writeTLS(); err != nil {
			return err
		}
		configuration += fmt.Sprintf(`listeners.ssl.default = 127.0.0.1:%d
ssl_options.cacertfile = %s
ssl_options.certfile = %s
ssl_options.keyfile = %s
ssl_options.verify = verify_peer
ssl_options.fail_if_no_peer_cert = true
`, n.ports.amqps, n.in("ca.pem"), n.in("cert.pem"), n.in("key.pem"))
	}
	if n.cookie != "" {
		if err := os.WriteFile(filepath.Join(n.in("home"), ".erlang.cookie"), []byte(n.cookie), 0o400); err != nil {
			return err
		}
	}
	plugins := append([]string{"rabbitmq_management", "rabbitmq_shovel", "rabbitmq_shovel_management"}, n.plugins...)
	for name, content := range map[string]string{
		"rabbitmq.conf":   configuration + strings.Join(n.settings, "\n") + "\n",
		"enabled_plugins": "[" + strings.Join(plugins, ",") + "].\n",
	} {
		if err := os.WriteFile(n.in(name), []byte(content), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func (n *Node) writeTLS() error {
	return errors.Join(
		os.WriteFile(n.in("ca.pem"), n.tls.CA, 0o600),
		os.WriteFile(n.in("cert.pem"), n.tls.Cert, 0o600),
		os.WriteFile(n.in("key.pem"), n.tls.Key, 0o600))
}

// in is the path of a file in the node's folder.
func (n *Node) in(name string) string { return filepath.Join(n.dir, name) }

// environment keeps the node away from whatever is installed: every path is in
// its folder, every port its own.
func (n *Node) environment() []string {
	in, port := n.in, strconv.Itoa
	return append(inherited(),
		"HOME="+in("home"), // the Erlang cookie is made there
		"RABBITMQ_NODENAME="+n.Name(),
		"RABBITMQ_NODE_IP_ADDRESS=127.0.0.1",
		"RABBITMQ_NODE_PORT="+port(n.ports.amqp),
		"RABBITMQ_DIST_PORT="+port(n.ports.distribution),
		"RABBITMQ_CTL_DIST_PORT_MIN="+port(n.ports.control),
		"RABBITMQ_CTL_DIST_PORT_MAX="+port(n.ports.control),
		"ERL_EPMD_PORT="+port(n.ports.mapper),
		"ERL_EPMD_ADDRESS=127.0.0.1",
		"ERL_CRASH_DUMP="+in("crash.dump"),
		"RABBITMQ_MNESIA_BASE="+in("mnesia"),
		"RABBITMQ_LOG_BASE="+in("log"),
		"RABBITMQ_PID_FILE="+in("pid"),
		"RABBITMQ_ENABLED_PLUGINS_FILE="+in("enabled_plugins"),
		"RABBITMQ_CONFIG_FILE="+in("rabbitmq.conf"),
		"RABBITMQ_ADVANCED_CONFIG_FILE="+in("advanced.config"),
		"RABBITMQ_CONF_ENV_FILE="+in("none-env.conf"),
		"RABBITMQ_GENERATED_CONFIG_DIR="+in("generated"),
		"RABBITMQ_SCHEMA_DIR="+in("schema"),
		// The script then becomes the node rather than the node's parent, so that
		// one process is all there is to end. The node still reads no input.
		"RABBITMQ_ALLOW_INPUT=1",
		"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS=-noinput +S 2:2 +sbwt none +sbwtdcpu none +sbwtdio none -kernel inet_dist_use_interface {127,0,0,1}",
	)
}

// inherited is the process's environment without what would reach RabbitMQ.
func inherited() []string {
	var kept []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "RABBITMQ_") && !strings.HasPrefix(variable, "ERL_") && !strings.HasPrefix(variable, "HOME=") {
			kept = append(kept, variable)
		}
	}
	return kept
}
