// A service that reads its configuration by kelseyhightower/envconfig.
package main

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/kelseyhightower/envconfig"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Broker struct {
	Exchange string `default:"metrics"`
	Prefetch uint16 `split_words:"true" default:"20"`
}

type Specification struct {
	Queue   string        `envconfig:"QUEUE" default:"samples" required:"true"`
	Durable bool          `default:"true"`
	Keys    []string      `default:"sample.cpu,sample.memory"`
	Grace   time.Duration `default:"3s"`
	Broker  *Broker
	Debug   bool `ignored:"true"`
	Kept    string
}

type Sample struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

func onSample(context.Context, Sample) error { return nil }

func main() {
	s := Specification{Kept: "kept"}
	if err := envconfig.Process("metrics", &s); err != nil {
		log.Fatal(err.Error())
	}
	router := runtime.NewRouter()
	if !s.Debug {
		router.MustRegister(runtime.Route{
			Name:        fmt.Sprint(s.Kept, s.Broker.Prefetch),
			Queue:       runtime.Queue{Name: s.Queue, Durable: s.Durable},
			Exchange:    &runtime.Exchange{Name: s.Broker.Exchange, Type: runtime.Topic},
			RoutingKeys: s.Keys,
			Handler:     runtime.Consume(onSample),
		})
	}
	if err := runtime.Run(context.Background(), broker.New(), router, s.Grace); err != nil {
		log.Fatal(err)
	}
}
