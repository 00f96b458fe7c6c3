package contract_test

import (
	"context"
	"fmt"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/runtime"
)

func ExampleNew() {
	route := runtime.Route{
		Name:    "greet",
		Queue:   runtime.Queue{Name: "greetings"},
		Handler: runtime.Consume(func(context.Context, string) error { return nil }),
	}
	c, problems := contract.New([]contract.Operation{{
		Route:   route,
		Payload: schema.Reflect(route.Handler.BodyType()),
	}}, schema.Options{})
	fmt.Println(len(problems))
	for _, channel := range c.Channels {
		fmt.Println(channel.Queue.Name, channel.Name, channel.Schema.Type)
	}
	// Output:
	// 0
	// greetings greet [string]
}
