// A service whose consumers are a value group of fx.
package main

import (
	"context"
	"os"

	"github.com/warrenmq/warren/runtime"
	"go.uber.org/fx"

	"example.com/frameworks/broker"
)

type Consumer interface {
	Routes() []runtime.Route
}

type Text struct {
	Body string `json:"body"`
}

type mails struct{}

func newMails() *mails { return &mails{} }

func (*mails) Routes() []runtime.Route {
	return []runtime.Route{{Name: "mails", Queue: runtime.Queue{Name: "mails"}, Handler: runtime.Consume(onText)}}
}

type chats struct{}

func newChats() *chats { return &chats{} }

func (*chats) Routes() []runtime.Route {
	return []runtime.Route{{Name: "chats", Queue: runtime.Queue{Name: "chats"}, Handler: runtime.Consume(onText)}}
}

func onText(context.Context, Text) error { return nil }

func asConsumer(constructor any) any {
	return fx.Annotate(constructor, fx.As(new(Consumer)), fx.ResultTags(`group:"consumers"`))
}

func newRouter(consumers []Consumer) (*runtime.Router, error) {
	r := runtime.NewRouter()
	for _, c := range consumers {
		if err := r.Register(c.Routes()...); err != nil {
			return nil, err
		}
	}
	return r, nil
}

func main() {
	fx.New(
		fx.Provide(
			asConsumer(newMails),
			asConsumer(newChats),
			fx.Annotate(newRouter, fx.ParamTags(`group:"consumers"`)),
		),
		fx.Invoke(func(r *runtime.Router, stop fx.Shutdowner) error {
			if err := broker.New().Start(context.Background(), r); err != nil {
				os.Exit(1)
			}
			return nil
		}),
	).Run()
}
