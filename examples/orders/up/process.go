package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/warrenmq/warren/internal/rabbitnode"
)

// A process is a program that runs beside this one, or none.
type process struct {
	address string // a URL, or why there is none
	program string
	cmd     *exec.Cmd
	log     *bytes.Buffer // to be read when it has ended
	drained chan struct{} // closed when its output has ended, nil where none is read
}

// stop tells the program to end, and waits for that.
func (p *process) stop() error {
	if p.cmd == nil {
		return nil
	}
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
		_ = p.cmd.Process.Kill() // a system without signals
	}
	if p.drained != nil {
		<-p.drained
	}
	var exit *exec.ExitError
	if err := p.cmd.Wait(); errors.As(err, &exit) && exit.ExitCode() > 0 {
		return fmt.Errorf("%s: %w\n%s", filepath.Base(p.program), err, p.log)
	}
	return nil
}

// exportInterval is how often the service exports the spans that have ended.
const exportInterval = 200 * time.Millisecond

// environment tells the service where the others are.
func environment(broker, collector string) []string {
	return []string{
		"RABBITMQ_URL=" + broker,
		"OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf",
		"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector,
		fmt.Sprintf("OTEL_BSP_SCHEDULE_DELAY=%d", exportInterval.Milliseconds()),
	}
}

// startOrders builds the service and runs it until it serves.
func startOrders(ctx context.Context, dir, address, broker, collector string) (*process, error) {
	p := &process{program: filepath.Join(dir, "orders"), log: new(bytes.Buffer)}
	build := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", p.program, "github.com/warrenmq/warren/examples/orders/cmd/orders")
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build the service: %w\n%s", err, out)
	}
	p.cmd = exec.Command(p.program, "-serve", "-http", address)
	p.cmd.Env = append(os.Environ(), environment(broker, collector)...)
	p.cmd.Stderr = p.log
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if served, found := strings.CutPrefix(lines.Text(), "serving  "); found {
			p.address = strings.TrimSuffix(served, ", until interrupted")
			p.drained = make(chan struct{})
			go func() {
				defer close(p.drained)
				for lines.Scan() { // what it handles, until it ends
				}
			}()
			return p, nil
		}
	}
	_ = p.cmd.Wait()
	return nil, fmt.Errorf("the service doesn't serve:\n%s", p.log)
}

// startPrometheus runs Prometheus, where it is installed, with the service's rules.
func startPrometheus(ctx context.Context, dir string, orders *process) (*process, error) {
	program, err := exec.LookPath("prometheus")
	if err != nil {
		return &process{address: "none: it isn't installed"}, nil
	}
	rules, err := exec.CommandContext(ctx, orders.program, "-rules").Output()
	if err != nil {
		return nil, fmt.Errorf("print the service's rules: %w", err)
	}
	config := fmt.Sprintf("global: {scrape_interval: 1s, evaluation_interval: 1s}\nrule_files: [rules.yml]\n"+
		"scrape_configs: [{job_name: orders, static_configs: [{targets: ['%s']}]}]\n", strings.TrimPrefix(orders.address, "http://"))
	for name, text := range map[string]string{"rules.yml": string(rules), "prometheus.yml": config} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	address, err := rabbitnode.FreeAddress()
	if err != nil {
		return nil, err
	}
	p := &process{address: "http://" + address, program: program, log: new(bytes.Buffer)}
	p.cmd = exec.Command(program, "--config.file="+filepath.Join(dir, "prometheus.yml"),
		"--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address, "--enable-feature=exemplar-storage")
	p.cmd.Stderr = p.log
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if err := p.awaitReady(ctx); err != nil {
		return nil, errors.Join(err, p.stop())
	}
	return p, nil
}

func (p *process) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		if request(ctx, http.MethodGet, p.address+"/-/ready", "", http.StatusOK) == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for Prometheus: %w", ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
