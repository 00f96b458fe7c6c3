package rabbitnode

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
)

// programs are the paths of what a node needs.
type programs struct {
	server  string // rabbitmq-server, which is a script beside the others
	control string // rabbitmqctl
	epmd    string
}

// errMissing is one line that says what to do.
var errMissing = errors.New("no RabbitMQ for the tests: install rabbitmq-server, or set RABBITMQ_URL to a broker that they may use")

// folders hold RabbitMQ's own scripts. What Debian puts on the PATH are
// wrappers that change the user and the folder, so they come last.
var folders = []string{
	"/usr/lib/rabbitmq/bin",           // Debian, Fedora
	"/opt/homebrew/opt/rabbitmq/sbin", // Homebrew on Apple silicon
	"/usr/local/opt/rabbitmq/sbin",    // Homebrew on Intel
	"/home/linuxbrew/.linuxbrew/opt/rabbitmq/sbin",
	"/opt/rabbitmq*/sbin", // the container image, generic archives
}

// candidates are the paths that rabbitmq-server may have: the one that the
// environment variable RABBITMQ_SERVER names, those in folders, which may be
// patterns, and the one on the PATH.
func candidates(folders []string) []string {
	var paths []string
	if path := os.Getenv("RABBITMQ_SERVER"); path != "" {
		paths = append(paths, path)
	}
	for _, folder := range folders {
		found, _ := filepath.Glob(filepath.Join(folder, "rabbitmq-server"))
		paths = append(paths, found...)
	}
	if path, err := exec.LookPath("rabbitmq-server"); err == nil {
		paths = append(paths, path)
	}
	return paths
}

// findPrograms returns the first rabbitmq-server that has rabbitmqctl beside it,
// and Erlang's port mapper.
func findPrograms(folders []string) (programs, error) {
	for _, server := range candidates(folders) {
		control := filepath.Join(filepath.Dir(server), "rabbitmqctl")
		if !isExecutable(server) || !isExecutable(control) {
			continue
		}
		epmd, err := findEPMD()
		if err != nil {
			return programs{}, err
		}
		return programs{server: server, control: control, epmd: epmd}, nil
	}
	return programs{}, errMissing
}

// findEPMD finds Erlang's port mapper, which not every package puts on the PATH.
func findEPMD() (string, error) {
	if path, err := exec.LookPath("epmd"); err == nil {
		return path, nil
	}
	for _, pattern := range []string{"/usr/lib/erlang/erts-*/bin/epmd", "/usr/local/lib/erlang/erts-*/bin/epmd", "/opt/homebrew/lib/erlang/erts-*/bin/epmd"} {
		if found, _ := filepath.Glob(pattern); len(found) > 0 {
			return found[len(found)-1], nil
		}
	}
	return "", errors.New("no Erlang for the tests' RabbitMQ: put epmd, which comes with Erlang, on the PATH")
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}
