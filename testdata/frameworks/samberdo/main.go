// A service that samber/do puts together.
package main

import (
	"context"
	"log"
	"time"

	"github.com/samber/do/v2"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	Queue string
	Grace time.Duration
}

func NewConfig(do.Injector) (*Config, error) {
	return &Config{Queue: "tickets", Grace: 10 * time.Second}, nil
}

type TicketOpened struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

type Tickets struct{ config *Config }

func NewTickets(i do.Injector) (*Tickets, error) {
	return &Tickets{config: do.MustInvoke[*Config](i)}, nil
}

func (t *Tickets) OnOpened(_ context.Context, m TicketOpened) error {
	log.Println(m.ID, m.Title)
	return nil
}

type Server struct {
	router *runtime.Router
	config *Config
}

func NewServer(i do.Injector) (*Server, error) {
	tickets, err := do.Invoke[*Tickets](i)
	if err != nil {
		return nil, err
	}
	config := do.MustInvoke[*Config](i)
	router := runtime.NewRouter()
	err = router.Register(runtime.Route{
		Name:    "opened",
		Queue:   runtime.Queue{Name: config.Queue, Durable: true},
		Handler: runtime.Consume(tickets.OnOpened),
	})
	if err != nil {
		return nil, err
	}
	return &Server{router: router, config: config}, nil
}

func (s *Server) Run(ctx context.Context) error {
	return runtime.Run(ctx, broker.New(), s.router, s.config.Grace)
}

func main() {
	injector := do.New()
	do.Provide(injector, NewConfig)
	do.Provide(injector, NewTickets)
	do.Provide(injector, NewServer)
	server := do.MustInvoke[*Server](injector)
	if err := server.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}
