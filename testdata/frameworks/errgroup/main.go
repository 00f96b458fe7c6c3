// A service whose parts run in an errgroup.
package main

import (
	"context"
	"errors"
	"log"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/warrenmq/warren/runtime"
	"golang.org/x/sync/errgroup"

	"example.com/frameworks/broker"
)

type Click struct {
	URL  string `json:"url"`
	User string `json:"user"`
}

type clicks struct{ perURL map[string]int }

func (c *clicks) onClick(_ context.Context, m Click) error {
	c.perURL[m.URL]++
	return nil
}

func (c *clicks) consume(ctx context.Context) error {
	router := runtime.NewRouter()
	err := router.Register(runtime.Route{
		Queue:    runtime.Queue{Name: "clicks", AutoDelete: true},
		Exchange: &runtime.Exchange{Name: "tracking", Type: runtime.Fanout},
		Handler:  runtime.Consume(c.onClick),
	})
	if err != nil {
		return err
	}
	return runtime.Run(ctx, broker.New(), router, 5*time.Second)
}

func serveHTTP(ctx context.Context, server *http.Server) error {
	go func() {
		<-ctx.Done()
		server.Shutdown(context.Background())
	}()
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func run(ctx context.Context) error {
	c := &clicks{perURL: make(map[string]int)}
	server := &http.Server{Addr: ":8082", ReadHeaderTimeout: time.Second}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(4)
	g.Go(func() error { return c.consume(ctx) })
	g.Go(func() error { return serveHTTP(ctx, server) })
	return g.Wait()
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		log.Fatal(err)
	}
}
