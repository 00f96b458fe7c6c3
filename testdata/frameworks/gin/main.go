// A service with an HTTP interface beside its consumers, by gin.
package main

import (
	"context"
	"log"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Vote struct {
	Poll   string `json:"poll"`
	Choice int    `json:"choice"`
}

type Module interface {
	HTTP(g *gin.RouterGroup)
	AMQP(r *runtime.Router) error
}

type polls struct{ votes map[string][]int }

func (p *polls) onVote(_ context.Context, v Vote) error {
	p.votes[v.Poll] = append(p.votes[v.Poll], v.Choice)
	return nil
}

func (p *polls) HTTP(g *gin.RouterGroup) {
	g.GET("/polls/:id", func(c *gin.Context) { c.JSON(http.StatusOK, p.votes[c.Param("id")]) })
}

func (p *polls) AMQP(r *runtime.Router) error {
	return r.Register(runtime.Route{
		Name:    "votes",
		Queue:   runtime.Queue{Name: "votes", Durable: true},
		Handler: runtime.Consume(p.onVote),
	})
}

type health struct{}

func (health) HTTP(g *gin.RouterGroup) {
	g.GET("/healthz", func(c *gin.Context) { c.Status(http.StatusNoContent) })
}

func (health) AMQP(*runtime.Router) error { return nil }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()

	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.Use(gin.Recovery(), func(c *gin.Context) {
		start := time.Now()
		c.Next()
		log.Println(c.Request.URL.Path, time.Since(start))
	})
	router := runtime.NewRouter()
	api := engine.Group("/api")
	for _, m := range []Module{&polls{votes: make(map[string][]int)}, health{}} {
		m.HTTP(api)
		if err := m.AMQP(router); err != nil {
			log.Fatal(err)
		}
	}
	go func() {
		if err := engine.Run(":8081"); err != nil {
			log.Println(err)
			stop()
		}
	}()
	if err := runtime.Run(ctx, broker.New(), router, 10*time.Second); err != nil {
		log.Fatal(err)
	}
}
