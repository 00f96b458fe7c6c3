package rabbitnode

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// installed is the version that the machine has, whichever that is.
const installed = "installed"

// Versions lists what tests of differences between versions run on: what the
// environment variable RABBITMQ_VERSIONS lists, or else "installed", which is the
// RabbitMQ of the machine. [WithVersion] has the others.
func Versions() []string {
	return strings.Fields(cmp.Or(os.Getenv("RABBITMQ_VERSIONS"), installed))
}

// WithVersion takes the RabbitMQ of a version, which is "installed" or one that
// scripts/rabbitmq4 gets.
func WithVersion(version string) (Option, error) {
	if version == installed {
		return func(*Node) {}, nil
	}
	_, file, _, _ := runtime.Caller(0)
	fetch := exec.Command(filepath.Join(filepath.Dir(file), "..", "..", "scripts", "rabbitmq4"), version)
	fetch.Stderr = os.Stderr
	server, err := fetch.Output()
	if err != nil {
		return nil, fmt.Errorf("get RabbitMQ %s: %w", version, err)
	}
	return WithServer(string(bytes.TrimSpace(server))), nil
}
