// A service that dig puts together.
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"time"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/dig"

	"example.com/frameworks/broker"
)

type Config struct {
	Exchange string
	Grace    time.Duration
}

func newConfig() Config { return Config{Exchange: "tracking", Grace: 10 * time.Second} }

type Store interface {
	Save(id string, at time.Time) error
}

type memoryStore struct{ seen map[string]time.Time }

func (s *memoryStore) Save(id string, at time.Time) error {
	s.seen[id] = at
	return nil
}

func newStore() Store { return &memoryStore{seen: make(map[string]time.Time)} }

type ParcelScanned struct {
	ID string    `json:"id"`
	At time.Time `json:"at"`
}

type Tracker struct {
	store  Store
	config Config
}

func newTracker(store Store, config Config) *Tracker { return &Tracker{store, config} }

func (t *Tracker) OnScanned(_ context.Context, p ParcelScanned) error {
	return t.store.Save(p.ID, p.At)
}

type Server struct {
	router *runtime.Router
	broker runtime.Broker
	config Config
}

func newServer(router *runtime.Router, b runtime.Broker, config Config) *Server {
	return &Server{router: router, broker: b, config: config}
}

func (s *Server) Run(ctx context.Context) error {
	return runtime.Run(ctx, s.broker, s.router, s.config.Grace)
}

func newRouter(t *Tracker, config Config) (*runtime.Router, error) {
	r := runtime.NewRouter()
	return r, r.Register(runtime.Route{
		Name:        "scanned",
		Queue:       runtime.Queue{Name: "parcels.scanned", Durable: true},
		Exchange:    &runtime.Exchange{Name: config.Exchange, Type: runtime.Topic},
		RoutingKeys: []string{"parcel.*.scanned"},
		Handler:     runtime.Consume(t.OnScanned),
	})
}

func buildContainer() *dig.Container {
	c := dig.New()
	for _, constructor := range []any{newConfig, newStore, newTracker, newRouter, broker.New, newServer} {
		if err := c.Provide(constructor); err != nil {
			log.Fatal(err)
		}
	}
	return c
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := buildContainer().Invoke(func(s *Server) error {
		return s.Run(ctx)
	})
	if err != nil {
		log.Fatal(err)
	}
}
