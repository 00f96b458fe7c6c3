// A service that wire puts together.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"time"

	"github.com/warrenmq/warren/runtime"
)

type config struct {
	file     string
	exchange runtime.Exchange
	grace    time.Duration
}

func newConfig() config {
	return config{
		file:     os.Getenv("HISTORY"),
		exchange: runtime.Exchange{Name: "cars", Type: runtime.Headers, Durable: true},
		grace:    10 * time.Second,
	}
}

type Position struct {
	Car string  `json:"car"`
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

type history struct{ out io.WriteCloser }

func newHistory(c config) (*history, func(), error) {
	if c.file == "" {
		return &history{out: os.Stderr}, func() {}, nil
	}
	f, err := os.Create(c.file)
	if err != nil {
		return nil, nil, err
	}
	return &history{out: f}, func() { f.Close() }, nil
}

type handlers struct{ history *history }

func newHandlers(h *history) *handlers { return &handlers{h} }

func (h *handlers) onPosition(_ context.Context, p Position) error {
	_, err := io.WriteString(h.history.out, p.Car+"\n")
	return err
}

func newRouter(c config, h *handlers) (*runtime.Router, error) {
	r := runtime.NewRouter()
	if err := r.Register(runtime.Route{
		Name:             "positions",
		Queue:            runtime.Queue{Name: "positions", Durable: true},
		Exchange:         &c.exchange,
		BindingArguments: map[string]any{"x-match": "all", "kind": "car"},
		Handler:          runtime.Consume(h.onPosition),
	}); err != nil {
		return nil, err
	}
	return r, nil
}

type app struct {
	config config
	broker runtime.Broker
	router *runtime.Router
}

func newApp(c config, b runtime.Broker, r *runtime.Router) *app { return &app{c, b, r} }

func main() {
	a, cleanup, err := initialize()
	if err != nil {
		log.Fatal(err)
	}
	defer cleanup()
	if err := runtime.Run(context.Background(), a.broker, a.router, a.config.grace); err != nil {
		log.Fatal(err)
	}
}
