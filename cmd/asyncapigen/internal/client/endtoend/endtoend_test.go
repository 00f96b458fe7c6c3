package endtoend_test

import (
	"bytes"
	"context"
	_ "embed"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/tools/txtar"

	"github.com/warrenmq/warren/internal/modtest"
	"github.com/warrenmq/warren/internal/rabbitnode"
)

// module is below that of warren, so that its programs may make random values.
const module = "github.com/warrenmq/warren/shop"

// showing is package show as the generator sees it, before there is a client.
const showing = `package show

import "github.com/warrenmq/warren/runtime"

func Document(routers ...*runtime.Router) {
	for _, r := range routers {
		r.Routes()
	}
}

func Sending(...runtime.ClientOption) {}
`

// calling makes the client of which show calls the methods.
const calling = `package show

import (
	"MODULE/shopclient"
	"github.com/warrenmq/warren/runtime"
)

func newClient(t runtime.Transport, options ...runtime.ClientOption) any { return shopclient.New(t, options...) }
`

//go:embed testdata/show/show.go
var show []byte

// goldens are those of the repository whose clients differ; the others are about how
// routes are found.
var goldens = []string{
	"batches_and_order", "body_types", "codec_of_a_route", "config_tables", "constants", "decorated_handlers", "directive_at_a_field",
	"embedded_route", "fluent_builder", "function_local_types", "generic_handlers", "generic_wrapper", "handler_functions", "handler_names",
	"limits_of_a_route", "literals", "map_of_handlers", "messages_of_several_types", "method_expression", "several_routers", "service_method",
	"type_names", "typed_consumers",
}

var only = flag.String("only", "", "the services whose names match this `regexp`")

// A service is a program in a folder of the module, with its client.
type service struct {
	name, dir string
	generated bool // with the service: the client is that of an older asyncapigen
}

// TestClients_ReachTheirRoutes generates the clients of services, and has each service
// call all methods of its client on both brokers: what a method sends reaches the route
// that it is named after, as it was sent, and the caller gets what the handler returned.
// It vets the clients and holds them to staticcheck and gofumpt. The clients of older
// generators, testdata/generation_*.txtar, are as they were, and never generated anew.
func TestClients_ReachTheirRoutes(t *testing.T) {
	dir, services := layOut(t)
	bin := filepath.Join(t.TempDir(), "bin") + string(filepath.Separator)
	require.NoError(t, os.Mkdir(bin, 0o755))
	root := modtest.Root(t)
	run(t, root, "go", "build", "-buildvcs=false", "-o", bin, "./cmd/asyncapigen")
	for _, tool := range []string{"honnef.co/go/tools/cmd/staticcheck", "mvdan.cc/gofumpt"} {
		run(t, root, "go", "build", "-modfile=tools/go.mod", "-o", bin, tool)
	}
	var clients, fresh, programs []string
	for _, s := range services {
		if !s.generated {
			run(t, s.dir, bin+"asyncapigen", "-client", "shopclient")
			fresh = append(fresh, "./"+s.name+"/shopclient")
		}
		write(t, filepath.Join(s.dir, "show", "show.go"), show)
		write(t, filepath.Join(s.dir, "show", "client.go"), []byte(strings.ReplaceAll(calling, "MODULE", module+"/"+s.name)))
		clients, programs = append(clients, "./"+s.name+"/shopclient"), append(programs, "./"+s.name)
	}

	if len(fresh) > 0 {
		require.Empty(t, run(t, dir, bin+"gofumpt", append([]string{"-l"}, fresh...)...))
	}
	run(t, dir, "go", append([]string{"vet"}, clients...)...)
	run(t, dir, bin+"staticcheck", append([]string{"-checks=all"}, clients...)...)
	run(t, dir, "go", append([]string{"build", "-buildvcs=false", "-o", bin}, programs...)...)

	node, err := rabbitnode.Start(t.Context())
	require.NoError(t, err)
	defer node.Stop()
	for _, s := range services {
		t.Run(s.name, func(t *testing.T) {
			for _, url := range []string{"", node.URL() + addVhost(t, node, s.name)} {
				cmd := exec.CommandContext(t.Context(), bin+s.name)
				cmd.Dir, cmd.Env = s.dir, append(os.Environ(), "RABBITMQ_URL="+url)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, "%s\n%s", url, out)
				require.Regexp(t, regexp.MustCompile(`(?m)^sent [1-9]`), string(out))
			}
		})
	}
}

// Each version that clients may refer to as the least has a client of its time.
func TestGenerations_HaveAClientEach(t *testing.T) {
	source, err := os.ReadFile(filepath.Join(modtest.Root(t), "runtime", "doc.go"))
	require.NoError(t, err)
	versions := regexp.MustCompile(`(?m)^const IsAtLeastVersion(\w+) `).FindAllSubmatch(source, -1)
	require.NotEmpty(t, versions)
	for _, version := range versions {
		client, err := os.ReadFile(fmt.Sprintf("testdata/generation_%s.txtar", version[1]))
		require.NoError(t, err, "add a service with the client that this version generates")
		require.Contains(t, string(client), "const _ = runtime.IsAtLeastVersion"+string(version[1])+"\n")
	}
}

// layOut writes the services below one module.
func layOut(t *testing.T) (dir string, services []service) {
	t.Helper()
	dir = t.TempDir()
	root := modtest.Root(t)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	text := strings.Replace(string(mod), "module github.com/warrenmq/warren\n", "module "+module+"\n", 1)
	text += fmt.Sprintf("\nrequire github.com/warrenmq/warren v0.0.0\n\nreplace github.com/warrenmq/warren => %s\n", root)
	write(t, filepath.Join(dir, "go.mod"), []byte(text))
	write(t, filepath.Join(dir, "go.sum"), modtest.GoSum(t))

	paths, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	for _, name := range goldens {
		paths = append(paths, filepath.Join(root, "testdata", "golden", name+".txtar"))
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		s := service{name: strings.TrimSuffix(filepath.Base(path), ".txtar")}
		if !regexp.MustCompile(*only).MatchString(s.name) {
			continue
		}
		s.dir = filepath.Join(dir, s.name)
		for _, file := range archive.Files {
			source := bytes.ReplaceAll(file.Data, []byte(`"example.com/shop/`), []byte(`"`+module+"/"+s.name+"/"))
			write(t, filepath.Join(s.dir, filepath.FromSlash(file.Name)), source)
			s.generated = s.generated || file.Name == "shopclient/shopclient.go"
		}
		write(t, filepath.Join(s.dir, "show", "show.go"), []byte(showing))
		services = append(services, s)
	}
	return dir, services
}

func write(t *testing.T, name string, content []byte) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, content, 0o644))
}

func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %v:\n%s", name, args, out)
	return string(out)
}

// addVhost makes a virtual host of that name, so that services don't share queues.
func addVhost(t *testing.T, node *rabbitnode.Node, name string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPut, node.ManagementURL()+"/api/vhosts/"+name, nil)
	require.NoError(t, err)
	request.SetBasicAuth("guest", "guest")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, http.StatusCreated, response.StatusCode)
	return name
}
