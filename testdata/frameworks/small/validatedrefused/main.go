// What go-playground's validator finds isn't known, nor what methods that tags name do; its errors
// lead to what it was given.
package main

import (
	"context"
	"errors"

	"github.com/go-playground/validator/v10"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type queue struct{ name string }

func (q *queue) Check() bool {
	q.name = "checked"
	return true
}

type (
	naming struct {
		Queues []queue `validate:"dive,validateFn=Check"`
	}
	limited struct {
		Queues []*queue `validate:"len=3"`
	}
	required struct {
		Name string `validate:"required"`
	}
)

func on(context.Context, int) error { return nil }

func main() {
	r := runtime.NewRouter()
	add := func(name string) {
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
	}
	v := validator.New()

	n := &naming{[]queue{{"named"}}}
	if err := v.Struct(n); err != nil {
		panic(err)
	}
	add(n.Queues[0].name)

	l := &limited{[]*queue{{"limited"}}}
	var failed validator.ValidationErrors
	if errors.As(v.Struct(l), &failed) {
		for _, field := range failed {
			field.Value().([]*queue)[0].name = "changed"
		}
	}
	add(l.Queues[0].name)

	if err := v.Struct(required{}); err != nil {
		add("invalid")
	}
	_ = broker.New().Start(context.Background(), r)
}
