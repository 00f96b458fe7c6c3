// Package consumers_test holds what asyncapigen scan finds in services on the clients
// of RabbitMQ that people use, written as they are written, against a real broker on
// which the services run. It is a module of its own: the clients are no dependencies
// of warren.
package consumers_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/warrenmq/warren/internal/rabbitnode"
)

var update = flag.Bool("update", false, "write want.txt anew")

// services returns the folders of the services.
func services(t *testing.T) []string {
	t.Helper()
	mains, err := filepath.Glob("*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal("there are no services", err)
	}
	for i := range mains {
		mains[i] = filepath.Dir(mains[i])
	}
	return mains
}

func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "asyncapigen")
	if _, stderr, status := run(t, "../..", "go", "build", "-o", program, "./cmd/asyncapigen"); status != 0 {
		t.Fatal(stderr)
	}
	return program
}

func run(t *testing.T, dir, name string, args ...string) (stdout, stderr string, status int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	var out, err bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &err
	fault := cmd.Run()
	if exit := new(exec.ExitError); fault != nil && !errors.As(fault, &exit) {
		t.Fatal(fault)
	}
	return out.String(), err.String(), cmd.ProcessState.ExitCode()
}

func TestScan_SaysWhatIsKnown(t *testing.T) {
	asyncapigen := build(t)
	for _, dir := range services(t) {
		t.Run(dir, func(t *testing.T) { compareScan(t, asyncapigen, dir) })
	}
}

// compareScan compares what scan prints of a program with want.txt in its folder.
func compareScan(t *testing.T, asyncapigen, dir string) {
	t.Helper()
	stdout, stderr, status := run(t, dir, asyncapigen, "scan")
	got := stdout + stderr
	file := filepath.Join(dir, "want.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if status != 0 || got != string(want) {
		t.Fatalf("scan ends with %d:\n%s\nwanted:\n%s", status, got, want)
	}
}

// The programs below lost are hard to follow: each consumer is found, or the place where
// it may be is on stderr.
func TestScan_LosesNoConsumer(t *testing.T) {
	asyncapigen := build(t)
	mains, err := filepath.Glob("lost/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal("there are no programs", err)
	}
	for _, main := range mains {
		t.Run(filepath.Base(filepath.Dir(main)), func(t *testing.T) { compareScan(t, asyncapigen, filepath.Dir(main)) })
	}
}

// undescribed are the services that can't have a document: of their only consumer
// neither the queue nor the type of the exchange is known.
var undescribed = map[string]bool{"subscribing": true}

// The document and the file with the routes are made of each service, and the file
// compiles in the service's package.
func TestScan_WritesWhatCompiles(t *testing.T) {
	asyncapigen := build(t)
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(".")); err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(copied, "go.mod"), bytes.Replace(module, []byte("=> ../.."), []byte("=> "+root), 1), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, dir := range services(t) {
		if _, stderr, status := run(t, filepath.Join(copied, dir), asyncapigen, "scan", "-o", "asyncapi.json", "-write", "routes.go"); (status != 0) != undescribed[dir] {
			t.Fatalf("%s: scan ends with %d:\n%s", dir, status, stderr)
		}
		document, err := os.ReadFile(filepath.Join(copied, dir, "asyncapi.json"))
		if undescribed[dir] {
			continue
		}
		if err != nil || !bytes.Contains(document, []byte(`"subscribe"`)) {
			t.Fatalf("%s: the document describes nothing: %v", dir, err)
		}
	}
	if _, stderr, status := run(t, copied, "go", "vet", "./..."); status != 0 {
		t.Fatal(stderr)
	}
}

// A consumer is what scan -json says of one, as far as a broker knows it.
type consumer struct {
	Queue struct {
		Name struct {
			Value, Env string
			Known      bool
		}
		NamedByBroker                            bool
		Declared, Durable, AutoDelete, Exclusive bool
		Arguments                                map[string]any
	}
	Bindings []struct {
		Exchange, Key struct {
			Value string
			Known bool
		}
		Type string
	}
	Prefetch int
	AutoAck  bool
}

// What the services expect to be there.
var there = map[string][]string{ // paths of the management API, below the virtual host
	"config":      {"exchanges/%s/shop"},
	"subscribing": {"exchanges/%s/positions"},
	"switching":   {"queues/%s/accounts", "queues/%s/audit"},
	"forwarded":   {"queues/%s/jobs"},
}

// Each service is run, and the broker asked what it has declared and consumes.
func TestScan_AgreesWithTheBroker(t *testing.T) {
	node, err := rabbitnode.Start(t.Context(), rabbitnode.WithPlugins("rabbitmq_management"))
	if err != nil {
		t.Fatal(err)
	}
	defer node.Stop()
	asyncapigen := build(t)
	programs := t.TempDir()
	if _, stderr, status := run(t, ".", "go", "build", "-o", programs+"/", "./..."); status != 0 {
		t.Fatal(stderr)
	}
	for _, dir := range services(t) {
		t.Run(dir, func(t *testing.T) {
			b := broker{t, node, dir}
			b.put("vhosts/"+dir, `{}`)
			for _, path := range there[dir] {
				b.put(fmt.Sprintf(path, dir), `{"durable": true, "type": "topic"}`)
			}
			stdout, stderr, status := run(t, dir, asyncapigen, "scan", "-json")
			var found struct{ Consumers []consumer }
			if err := json.Unmarshal([]byte(stdout), &found); err != nil || status != 0 {
				t.Fatal(err, stderr)
			}
			b.start(filepath.Join(programs, dir))
			consumed := b.consumers(len(found.Consumers))
			for _, c := range found.Consumers {
				b.compare(c, consumed)
			}
		})
	}
}

// broker is the virtual host of one service.
type broker struct {
	t     *testing.T
	node  *rabbitnode.Node
	vhost string
}

func (b broker) request(method, path, body string) []byte {
	b.t.Helper()
	request, err := http.NewRequestWithContext(b.t.Context(), method, b.node.ManagementURL()+"/api/"+path, strings.NewReader(body))
	if err != nil {
		b.t.Fatal(err)
	}
	request.SetBasicAuth("guest", "guest")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		b.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode > 299 {
		b.t.Fatal(method, path, response.Status, string(text), err)
	}
	return text
}

func (b broker) put(path, body string) { b.request(http.MethodPut, path, body) }

func (b broker) get(path string, into any) {
	if err := json.Unmarshal(b.request(http.MethodGet, path, ""), into); err != nil {
		b.t.Fatal(err)
	}
}

// start runs a service until the test ends.
func (b broker) start(program string) {
	at, err := url.Parse(b.node.URL())
	if err != nil {
		b.t.Fatal(err)
	}
	addr, err := rabbitnode.FreeAddress()
	if err != nil {
		b.t.Fatal(err)
	}
	at.Path = "/" + b.vhost
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), "AMQP_URL="+at.String(), "TENANT=acme", "ADDR="+addr)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if b.t.Failed() {
			b.t.Log(said.String())
		}
	})
	if b.vhost == "subscribing" {
		go ask(b.t, "http://"+addr+"/vehicles/7")
	}
}

// ask asks until there is an answer, or the test ends.
func ask(t *testing.T, address string) {
	for t.Context().Err() == nil {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil)
		if err != nil {
			return
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			_ = response.Body.Close()
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// consumed is a consumer as the broker sees it.
type consumed struct {
	AckRequired   bool `json:"ack_required"`
	PrefetchCount int  `json:"prefetch_count"`
	Queue         struct{ Name string }
}

// consumers waits until there are n consumers, and returns them.
func (b broker) consumers(n int) []consumed {
	b.t.Helper()
	var all []consumed
	for range 1200 {
		b.get("consumers/"+b.vhost, &all)
		if len(all) == n {
			return all
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("the broker has %d consumers, and scan found %d: %v", len(all), n, all)
	return nil
}

// queue is one as the broker has it.
type queue struct {
	Name       string
	Durable    bool
	AutoDelete bool `json:"auto_delete"`
	Exclusive  bool
	Arguments  map[string]any
}

func (b broker) compare(c consumer, all []consumed) {
	b.t.Helper()
	i := slices.IndexFunc(all, func(one consumed) bool {
		switch {
		case c.Queue.NamedByBroker:
			return strings.HasPrefix(one.Queue.Name, "amq.gen-")
		case !c.Queue.Name.Known:
			return strings.HasPrefix(one.Queue.Name, "acme.")
		}
		return one.Queue.Name == c.Queue.Name.Value
	})
	if i < 0 {
		b.t.Fatalf("the broker has no consumer of %v: %v", c.Queue.Name, all)
	}
	one := all[i]
	if one.AckRequired == c.AutoAck || one.PrefetchCount != c.Prefetch {
		b.t.Errorf("scan says prefetch %d, autoAck %t, and the broker %+v", c.Prefetch, c.AutoAck, one)
	}
	var q queue
	b.get("queues/"+b.vhost+"/"+url.PathEscape(one.Queue.Name), &q)
	if c.Queue.Declared {
		delete(q.Arguments, "x-queue-type-default")
		want, _ := json.Marshal(queue{q.Name, c.Queue.Durable, c.Queue.AutoDelete, c.Queue.Exclusive, c.Queue.Arguments})
		got, _ := json.Marshal(q)
		if string(want) != string(got) {
			b.t.Errorf("scan says of the queue:\n%s\nthe broker:\n%s", want, got)
		}
	}
	b.compareBindings(c, one.Queue.Name)
}

func (b broker) compareBindings(c consumer, name string) {
	b.t.Helper()
	var bindings []struct {
		Source string
		Key    string `json:"routing_key"`
	}
	b.get("queues/"+b.vhost+"/"+url.PathEscape(name)+"/bindings", &bindings)
	var want, got []string
	for _, binding := range bindings {
		if binding.Source != "" { // of the default exchange
			got = append(got, binding.Source+" "+strings.Replace(binding.Key, "vehicle.7", "?", 1))
		}
	}
	for _, binding := range c.Bindings {
		key := binding.Key.Value
		if !binding.Key.Known {
			key = "?"
		}
		want = append(want, binding.Exchange.Value+" "+key)
		if binding.Type != "" {
			var exchange struct{ Type string }
			b.get("exchanges/"+b.vhost+"/"+url.PathEscape(binding.Exchange.Value), &exchange)
			if exchange.Type != binding.Type {
				b.t.Errorf("scan says the exchange %s is %s, and the broker %s", binding.Exchange.Value, binding.Type, exchange.Type)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		b.t.Errorf("scan says %s is bound by %q, and the broker by %q", name, want, got)
	}
}

// A flag that isn't known isn't false in the document: its consumer isn't there.
func TestScan_DescribesNoFlagThatIsNotKnown(t *testing.T) {
	asyncapigen := build(t)
	file := filepath.Join(t.TempDir(), "asyncapi.json")
	_, stderr, status := run(t, "lost/flags", asyncapigen, "scan", "-o", "extended="+file)
	const want = "main.go:38:9: this consumer isn't in the document: it isn't known whether the queue is durable, " +
		"whether the queue is exclusive, whether messages are acknowledged when they are sent\n"
	if status != 0 || !strings.Contains(stderr, want) {
		t.Fatalf("scan ends with %d: %s", status, stderr)
	}
	document, err := os.ReadFile(file)
	if err != nil || bytes.Contains(document, []byte("orders")) || !bytes.Contains(document, []byte(`"x-match"`)) {
		t.Fatalf("%v: %s", err, document)
	}
}
