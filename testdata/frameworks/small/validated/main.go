// Settings that go-playground's validator reads, which leaves them as they are.
package main

import (
	"context"
	"log"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type settings struct {
	Queue  string `json:"queue" validate:"required,min=1"`
	Nested struct {
		Kinds []string `validate:"dive,required"`
	}
}

var validate = validator.New(validator.WithRequiredStructEnabled())

func init() {
	validate.RegisterTagNameFunc(func(field reflect.StructField) string {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		return name
	})
}

func load() (*settings, error) {
	s := &settings{Queue: "orders"}
	s.Nested.Kinds = []string{"placed", "paid"}
	if err := validate.Struct(s); err != nil {
		return nil, err
	}
	return s, validate.Var(s.Queue, "required")
}

func on(context.Context, int) error { return nil }

func main() {
	s, err := load()
	if err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	for _, kind := range s.Nested.Kinds {
		name := s.Queue + "." + kind
		r.MustRegister(runtime.Route{Name: name, Queue: runtime.Queue{Name: name}, Handler: runtime.Consume(on)})
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}
