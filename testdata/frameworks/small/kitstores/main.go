// Stores of settings that another module makes.
package main

import (
	"context"
	"log"

	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
	"example.com/kit/stores"
)

func on(context.Context, string) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(queue string) {
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	v := stores.Viper("shop")
	v.SetDefault("dead.queue", "dead")
	add(v.GetString("queue"))
	add(v.GetString("dead.queue"))

	k, err := stores.Koanf()
	if err != nil {
		log.Fatal(err)
	}
	for _, queue := range k.Strings("queues") {
		add(queue)
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}
