// A validation of the program's own, which changes what it is given.
package main

import (
	"context"

	"github.com/go-playground/validator/v10"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type settings struct {
	Queue string `validate:"lower"`
}

func on(context.Context, int) error { return nil }

func main() {
	s := &settings{"Orders"}
	v := validator.New()
	_ = v.RegisterValidation("lower", func(field validator.FieldLevel) bool {
		field.Field().SetString("orders")
		return true
	})
	if err := v.Struct(s); err != nil {
		panic(err)
	}
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: s.Queue, Queue: runtime.Queue{Name: s.Queue}, Handler: runtime.Consume(on)})
	_ = broker.New().Start(context.Background(), r)
}
