// A service whose parts are actors of oklog/run.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/oklog/run"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Heartbeat struct {
	Host string    `json:"host"`
	At   time.Time `json:"at"`
}

type monitor struct{ seen map[string]time.Time }

func (m *monitor) onHeartbeat(_ context.Context, h Heartbeat) error {
	m.seen[h.Host] = h.At
	return nil
}

func (m *monitor) routes() []runtime.Route {
	return []runtime.Route{{
		Name:        "heartbeats",
		Queue:       runtime.Queue{Name: "heartbeats", Exclusive: true},
		Exchange:    &runtime.Exchange{Name: "hosts", Type: runtime.Topic},
		RoutingKeys: []string{"host.*.heartbeat"},
		Handler:     runtime.Consume(m.onHeartbeat),
	}}
}

func main() {
	var g run.Group
	m := &monitor{seen: make(map[string]time.Time)}
	{
		ctx, cancel := context.WithCancel(context.Background())
		g.Add(func() error {
			router := runtime.NewRouter()
			if err := router.Register(m.routes()...); err != nil {
				return err
			}
			return runtime.Run(ctx, broker.New(), router, 5*time.Second)
		}, func(error) {
			cancel()
		})
	}
	{
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			log.Fatal(err)
		}
		g.Add(func() error {
			return http.Serve(listener, http.NotFoundHandler())
		}, func(error) {
			listener.Close()
		})
	}
	g.Add(run.SignalHandler(context.Background(), syscall.SIGINT, syscall.SIGTERM))
	if err := g.Run(); err != nil {
		log.Fatal(err)
	}
}
