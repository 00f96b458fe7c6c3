// Package production runs the guide's service against RabbitMQ, as its users would.
package production

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/rabbitnode"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

// patience only ends a test that hangs.
const patience = time.Minute

var service = regexp.MustCompile("(?ms)^```go\n// payments/main.go\n(.*?)^```$")

// The service has at most 60 lines. It gets ready, handles what it can, buries what it
// can't, and ends when it is told to.
func TestGuide_ServiceRunsInProduction(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	node, err := rabbitnode.Start(ctx)
	require.NoError(t, err)
	defer node.Stop()
	program := build(t)
	probes, err := rabbitnode.FreeAddress()
	require.NoError(t, err)
	running := exec.CommandContext(ctx, program)
	running.Env = append(os.Environ(), "RABBITMQ_URL="+node.URL(), "PROBES_ADDR="+probes)
	var log bytes.Buffer
	running.Stderr = &log
	require.NoError(t, running.Start())
	require.Eventually(t, func() bool { return status("http://"+probes+"/readyz") == http.StatusOK }, patience, 20*time.Millisecond)
	require.Equal(t, http.StatusOK, status("http://"+probes+"/livez"))

	send(t, node, 10)
	require.Eventually(t, func() bool { return depth(t, node, "payments") == 0 && depth(t, node, "payments.dead") == 1 }, patience, 20*time.Millisecond)
	require.NoError(t, running.Process.Signal(syscall.SIGTERM))
	require.NoError(t, running.Wait(), "it ends well: %s", &log)
}

// build builds the guide's service.
func build(t *testing.T) (program string) {
	page, err := os.ReadFile(filepath.Join(modtest.Root(t), "docs", "guide", "production.md"))
	require.NoError(t, err)
	found := service.FindSubmatch(page)
	require.NotNil(t, found, "the chapter has payments/main.go")
	require.LessOrEqual(t, strings.Count(string(found[1]), "\n"), 60)
	dir := modtest.Write(t, &txtar.Archive{Files: []txtar.File{{Name: "payments/main.go", Data: found[1]}}})
	sums, err := os.ReadFile(filepath.Join(modtest.Root(t), "go.sum"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.sum"), sums, 0o600))
	program = filepath.Join(t.TempDir(), "payments")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "./payments")
	build.Dir, build.Env = dir, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	output, err := build.CombinedOutput()
	require.NoError(t, err, "%s", output)
	return program
}

// send sends n messages that the service handles, and one that it refuses.
func send(t *testing.T, node *rabbitnode.Node, n int) {
	broker, err := rabbitmq.New(rabbitmq.Config{URL: node.URL()})
	require.NoError(t, err)
	defer broker.Shutdown(t.Context())
	for i := range n + 1 {
		body, err := json.Marshal(map[string]any{"customer": string(rune('a' + i%3)), "cents": i})
		require.NoError(t, err)
		require.NoError(t, broker.Publish(t.Context(), runtime.Address{Exchange: "shop", RoutingKey: "order.paid"}, &runtime.Message{Body: body}))
	}
}

func depth(t *testing.T, node *rabbitnode.Node, queue string) int {
	conn, err := amqp.Dial(node.URL())
	require.NoError(t, err)
	defer conn.Close()
	channel, err := conn.Channel()
	require.NoError(t, err)
	found, err := channel.QueueDeclarePassive(queue, true, false, false, false, nil)
	require.NoError(t, err)
	return found.Messages
}

// status returns the status of a request, 0 where there is no answer.
func status(url string) int {
	response, err := http.Get(url)
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}
