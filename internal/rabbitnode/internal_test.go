package rabbitnode

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrograms_MissingAreOneLineWithARemedy(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("RABBITMQ_SERVER", filepath.Join(t.TempDir(), "none"))
	_, err := findPrograms([]string{t.TempDir()})
	require.ErrorContains(t, err, "install rabbitmq-server")
	require.ErrorContains(t, err, "RABBITMQ_URL")
	require.NotContains(t, err.Error(), "\n")
}

func TestPrograms_OfTheEnvironmentComeFirst(t *testing.T) {
	first, second, third := programsIn(t), programsIn(t), programsIn(t)
	t.Setenv("PATH", third)
	t.Setenv("RABBITMQ_SERVER", filepath.Join(first, "rabbitmq-server"))
	for _, folder := range []string{first, second, third} {
		found, err := findPrograms([]string{second})
		require.NoError(t, err)
		require.Equal(t, programs{
			server:  filepath.Join(folder, "rabbitmq-server"),
			control: filepath.Join(folder, "rabbitmqctl"),
			epmd:    filepath.Join(third, "epmd"),
		}, found)
		require.NoError(t, os.Remove(found.control))
	}
}

// programsIn returns a folder with everything that a node needs.
func programsIn(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"rabbitmq-server", "rabbitmqctl", "epmd"} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), nil, 0o700))
	}
	return folder
}

func TestOpen_TakesTheBrokerOfTheEnvironment(t *testing.T) {
	t.Setenv("RABBITMQ_URL", "amqp://u:p@example.com:1/v")
	node, err := Open(context.Background())
	require.NoError(t, err)
	require.Equal(t, "amqp://u:p@example.com:1/v", node.URL())
	require.Error(t, node.Restart(context.Background()))
	require.Error(t, node.Control(context.Background(), "status"))
	node.Kill()
	node.Stop()
}

func TestSweep_RemovesOnlyFoldersWithoutAProcess(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	own, err := newDir()
	require.NoError(t, err)
	const noProcess = 1 << 30 // above the largest process id
	left := filepath.Join(os.TempDir(), fmt.Sprintf("%s%d-1", dirPrefix, noProcess))
	other := filepath.Join(os.TempDir(), "other")
	require.NoError(t, os.Mkdir(left, 0o700))
	require.NoError(t, os.Mkdir(other, 0o700))
	sweep()
	require.DirExists(t, own)
	require.DirExists(t, other)
	require.NoDirExists(t, left)
}

func TestPorts_AreDistinctAndBelowThoseOfOutgoingConnections(t *testing.T) {
	p, err := freePorts()
	require.NoError(t, err)
	seen := make(map[int]bool)
	for _, port := range []int{p.amqp, p.amqps, p.management, p.distribution, p.control, p.mapper} {
		require.GreaterOrEqual(t, port, firstPort)
		require.Less(t, port, lastPort)
		require.False(t, seen[port])
		seen[port] = true
	}
}
