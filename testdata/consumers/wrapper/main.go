// Command wrapper has a package of its own around the client, with generic handlers.
package main

import (
	"context"
	"log"
	"os"

	"github.com/warrenmq/warren/testdata/consumers/wrapper/bus"
)

type Shipped struct {
	Order   string   `json:"order"`
	Parcels []string `json:"parcels"`
}

type Returned struct {
	Order string `json:"order"`
}

func main() {
	b, err := bus.New(os.Getenv("AMQP_URL"), "parcels")
	if err != nil {
		log.Fatal(err)
	}
	bus.On(b, "parcel.shipped", func(_ context.Context, s Shipped) error { return nil })
	bus.On(b, "parcel.returned", onReturned)
	if err := b.Run(context.Background()); err != nil {
		log.Fatal(err)
	}
}

func onReturned(context.Context, *Returned) error { return nil }
