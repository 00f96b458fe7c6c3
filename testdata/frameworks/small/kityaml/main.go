// Settings in YAML of another module's type, whose method changes the name of the queue.
package main

import (
	"context"
	"log"
	"time"

	"github.com/warrenmq/warren/runtime"
	"gopkg.in/yaml.v3"

	"example.com/frameworks/broker"
	"example.com/kit/settings"
	"example.com/kit/tenant"
)

type config struct {
	Tenant settings.Tenant `yaml:"tenant"`
}

func on(context.Context, string) error { return nil }

func main() {
	var c config
	if err := yaml.Unmarshal([]byte("tenant: north"), &c); err != nil {
		log.Fatal(err)
	}
	router := runtime.NewRouter()
	router.MustRegister(runtime.Route{Name: "orders", Queue: runtime.Queue{Name: tenant.Name() + ".orders"}, Handler: runtime.Consume(on)})
	if err := runtime.Run(context.Background(), broker.New(), router, time.Second); err != nil {
		log.Fatal(err)
	}
}
