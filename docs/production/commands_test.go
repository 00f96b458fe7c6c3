package production

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/rabbitnode"
)

var shellBlock = regexp.MustCompile("(?ms)^```sh\n(.*?)^```$")

// A reader runs the commands of a page, one line after the other, as somebody who
// follows it would.
type reader struct {
	dir         string // the working directory
	environment []string
	replace     *strings.Replacer // what the page can't know by what is here
	served      string            // the address of the service that runs, "" for none
	output      string            // of all commands so far
}

// readBlocks runs the blocks of a page, each in the folder that place returns.
func (r *reader) readBlocks(t *testing.T, page string, place func(block string) string) {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	for _, block := range shellBlock.FindAllStringSubmatch(string(text), -1) {
		r.dir, r.served = place(block[1]), ""
		ctx, stop := context.WithCancel(t.Context())
		for line := range strings.Lines(block[1]) {
			command, _, _ := strings.Cut(line, "   # ")
			r.run(ctx, t, r.replace.Replace(strings.TrimSpace(command)))
		}
		stop()
	}
}

// elsewhere are commands that continuous integration runs itself.
var elsewhere = []string{"make test"}

func (r *reader) run(ctx context.Context, t *testing.T, line string) {
	t.Log(line)
	words := strings.Fields(line)
	require.NotEmpty(t, words, "a block has no empty line")
	for _, command := range elsewhere {
		if line == command {
			steps, err := os.ReadFile(filepath.Join(modtest.Root(t), ".ci", "run"))
			require.NoError(t, err)
			require.Contains(t, string(steps), "\nstep "+command+"\n")
			return
		}
	}
	switch {
	case words[0] == "cd":
		r.dir = filepath.Join(r.dir, words[1])
	case words[0] == "curl":
		r.get(t, words[len(words)-1])
	case strings.Contains(line, " -serve"):
		r.serve(ctx, t, words)
	default:
		r.shell(ctx, t, line)
	}
}

func (r *reader) shell(ctx context.Context, t *testing.T, line string) {
	cmd := exec.CommandContext(ctx, "sh", "-c", line)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), r.environment...)
	output, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	isDifference := strings.Contains(line, " topology diff ") && errors.As(err, &exit) && exit.ExitCode() == 1
	require.True(t, err == nil || isDifference, "%s: %v\n%s", line, err, output)
	r.output += string(output)
}

// serve begins go run PACKAGE ARGS, which ends with ctx.
func (r *reader) serve(ctx context.Context, t *testing.T, words []string) {
	require.Equal(t, []string{"go", "run"}, words[:2])
	program := filepath.Join(t.TempDir(), "served")
	r.shell(ctx, t, "go build -o "+program+" "+words[2])
	served, err := rabbitnode.FreeAddress()
	require.NoError(t, err)
	r.served = served
	cmd := exec.CommandContext(ctx, program, append(words[3:], "-http", r.served)...)
	cmd.Dir, cmd.Env = r.dir, append(os.Environ(), "RABBITMQ_URL=")
	require.NoError(t, cmd.Start())
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // it is killed
		close(ended)
	}()
	t.Cleanup(func() { <-ended })
	require.Eventually(t, func() bool { return status("http://"+r.served+"/readyz") == http.StatusOK }, patience, 20*time.Millisecond)
}

// get does what curl does.
func (r *reader) get(t *testing.T, url string) {
	require.NotEmpty(t, r.served, "nothing is served in this block")
	_, path, _ := strings.Cut(url, "/")
	response, err := http.Get("http://" + r.served + "/" + path)
	require.NoError(t, err)
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, response.StatusCode, "%s", text)
	r.output += string(text)
}

// modulesOfCache returns variables by which the go command takes modules from its cache, and
// asks a server only for those that aren't there: this checkout stands in for warren's own
// versions.
func modulesOfCache(t *testing.T) []string {
	text, err := exec.CommandContext(t.Context(), "go", "env", "GOMODCACHE", "GOPROXY").Output()
	require.NoError(t, err)
	cache, proxy, _ := strings.Cut(strings.TrimSpace(string(text)), "\n")
	return []string{"GOPROXY=file://" + filepath.ToSlash(filepath.Join(strings.TrimSpace(cache), "cache", "download")) + "," + proxy, "GOSUMDB=off"}
}

// A newcomer runs each command of the README in the order in which it is there.
func TestReadme_CommandsRun(t *testing.T) {
	root, empty := modtest.Root(t), t.TempDir()
	r := &reader{
		environment: append(modulesOfCache(t), "GOWORK=off", "GOFLAGS=-mod=mod", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com"),
		replace: strings.NewReplacer("=../warren ", "="+root+" ", "@latest", "@v0.0.0"),
	}
	r.readBlocks(t, filepath.Join(root, "README.md"), func(block string) string {
		switch {
		case strings.Contains(block, "make "), strings.Contains(block, "./examples/"):
			return root
		case strings.Contains(block, "go get "):
			return filepath.Join(empty, "orders") // where a checkout stands in for a version
		}
		return empty
	})
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	found := regexp.MustCompile("(?ms)^```\n(ROUTE .*?)^```$").FindSubmatch(page)
	require.NotNil(t, found)
	require.Contains(t, r.output, string(found[1]), "what list prints")
}

// Each command of the guide runs in the guide's own module, against RabbitMQ.
func TestGuide_CommandsRun(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	defer node.Stop()
	root, dir := modtest.Root(t), modtest.WriteGuide(t)
	uri, err := amqp.ParseURI(node.URL())
	require.NoError(t, err)
	r := &reader{
		environment: append(modulesOfCache(t), modtest.GuideEnvironment()...),
		replace: strings.NewReplacer(
			"=../warren ", "="+root+" ", "@latest", "@v0.0.0",
			"amqps://rabbit.example.com:5671", "amqp://"+net.JoinHostPort(uri.Host, strconv.Itoa(uri.Port)), "https://rabbit.example.com:15671", node.ManagementURL(),
			"-user ops", "-user "+uri.Username, "PASSWORD=...", "PASSWORD="+uri.Password,
		),
	}
	r.dir = dir
	r.shell(ctx, t, "go get -tool github.com/warrenmq/warren/cmd/asyncapigen@v0.0.0")
	r.shell(ctx, t, "go generate ./...")
	fresh := modtest.Write(t, new(txtar.Archive)) // where warren is installed
	pages := modtest.GuidePages(t)
	// What topology declares, failure looks at.
	pages = append([]string{pages[0], filepath.Join(root, "docs", "guide", "topology.md")}, pages[1:]...)
	for _, page := range pages {
		r.readBlocks(t, page, func(block string) string {
			if strings.Contains(block, "go get ") || strings.Contains(block, "go mod ") {
				return fresh
			}
			return dir
		})
	}
}
