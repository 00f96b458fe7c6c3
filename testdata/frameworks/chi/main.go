// A service with an HTTP interface beside its consumers, by chi.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type PriceChanged struct {
	SKU   string `json:"sku"`
	Cents int    `json:"cents"`
}

type prices struct{ cents map[string]int }

func (p *prices) onChanged(_ context.Context, m PriceChanged) error {
	p.cents[m.SKU] = m.Cents
	return nil
}

func (p *prices) get(w http.ResponseWriter, r *http.Request) {
	cents, ok := p.cents[chi.URLParam(r, "sku")]
	if !ok {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(cents)
}

func (p *prices) Register(r *runtime.Router) {
	r.MustRegister(runtime.Route{
		Name:        "priceChanged",
		Queue:       runtime.Queue{Name: "prices.changed", Durable: true},
		Exchange:    &runtime.Exchange{Name: "catalogue", Type: runtime.Topic, Durable: true},
		RoutingKeys: []string{"price.changed"},
		Handler:     runtime.Consume(p.onChanged),
	})
}

func (p *prices) handler() http.Handler {
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Get("/healthz", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	r.Route("/prices", func(r chi.Router) {
		r.Use(middleware.Timeout(time.Second))
		r.Get("/{sku}", p.get)
	})
	return r
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	p := &prices{cents: make(map[string]int)}
	server := &http.Server{Addr: ":8080", Handler: p.handler(), ReadHeaderTimeout: time.Second}
	go func() {
		if err := server.ListenAndServe(); err != nil && !errors.Is(err, http.ErrServerClosed) {
			log.Println(err)
			stop()
		}
	}()
	router := runtime.NewRouter()
	p.Register(router)
	if err := runtime.Run(ctx, broker.New(), router, 10*time.Second); err != nil {
		log.Fatal(err)
	}
	server.Shutdown(context.Background())
}
