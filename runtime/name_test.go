package runtime_test

import (
	"context"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

type service struct{ calls int }

func (service) OnValue(context.Context, order) error { return nil }

func (s *service) OnPointer(context.Context, order) error {
	s.calls++
	return nil
}

func (s *service) literal() func(context.Context, order) error {
	return func(context.Context, order) error {
		s.calls++
		return nil
	}
}

type (
	valueHandler interface {
		OnValue(context.Context, order) error
	}
	embedding        struct{ service }
	pointerEmbedding struct{ *service }
	ifaceEmbedding   struct{ valueHandler }
	named            int
	function         func(context.Context, order) error
	store[T any]     struct{ last T }
)

func (named) OnNamed(context.Context, order) error { return nil }

func (f function) OnFunction(ctx context.Context, o order) error { return f(ctx, o) }

func (store[T]) OnItem(context.Context, T) error { return nil }

func (s *store[T]) OnStored(_ context.Context, item T) error {
	s.last = item
	return nil
}

func onAny[T any](context.Context, T) error { return nil }

func answerAny[Req, Res any](context.Context, Req) (res Res, err error) { return res, nil }

func func1(context.Context, order) error { return nil }

func überweisung(context.Context, order) error { return nil }

// inlined is small enough to vanish into small, and has the first instruction.
func inlined(o order) error {
	if o.Items > 3 {
		return strconv.ErrRange
	}
	return nil
}

func small(_ context.Context, o order) error { return inlined(o) }

var (
	variable        = onOrder
	literalVariable = func(context.Context, order) error { return nil }
)

func factory() func(context.Context, order) error { return literalVariable }

func factoryOfLiteral(n int) func(context.Context, order) error {
	return func(context.Context, order) error { return inlined(order{Items: n}) }
}

func factoryOfFunction() func(context.Context, order) error { return onOrder }

// inGeneric and its like are generic code that makes the handler.
func inGeneric[T any]() runtime.Handler { return runtime.Consume(onAny[T]) }

func methodInGeneric[T any]() runtime.Handler { return runtime.Consume(store[T]{}.OnItem) }

func literalInGeneric[T any]() runtime.Handler {
	return runtime.Consume(func(context.Context, T) error { return nil })
}

func plainInGeneric[T any]() runtime.Handler { return runtime.Consume(onOrder) }

func passedOn[T any](fn func(context.Context, T) error) runtime.Handler { return runtime.Consume(fn) }

func byReflection() func(context.Context, order) error {
	fn := reflect.TypeFor[func(context.Context, order) error]()
	return reflect.MakeFunc(fn, func([]reflect.Value) []reflect.Value {
		return []reflect.Value{reflect.Zero(reflect.TypeFor[error]())}
	}).Interface().(func(context.Context, order) error)
}

// The same table holds for the names that asyncapigen reads from the source.
func TestHandlerName(t *testing.T) {
	type localHandler interface {
		OnValue(context.Context, order) error
	}
	type localStruct struct{ service }
	local := onOrder

	tests := []struct {
		rule    string
		want    string
		handler runtime.Handler
	}{
		{"declared function", "onOrder", runtime.Consume(onOrder)},
		{"declared function of Respond", "quoteOrder", runtime.Respond(quoteOrder)},
		{"declared function with a letter outside of ASCII", "überweisung", runtime.Consume(überweisung)},
		{"declared function that is named as a literal's symbol", "func1", runtime.Consume(func1)},
		{"declared function whose body is inlined", "small", runtime.Consume(small)},
		{"local variable of a function", "onOrder", runtime.Consume(local)},
		{"package variable of a function", "onOrder", runtime.Consume(variable)},
		{"result of a factory that returns a function", "onOrder", runtime.Consume(factoryOfFunction())},
		{"conversion of a function", "onOrder", runtime.Consume(function(onOrder))},

		{"method value, value receiver", "OnValue", runtime.Consume(service{}.OnValue)},
		{"method value, value receiver by a pointer", "OnValue", runtime.Consume((&service{}).OnValue)},
		{"method value, pointer receiver", "OnPointer", runtime.Consume((&service{}).OnPointer)},
		{"method value of an interface", "OnValue", runtime.Consume(valueHandler(service{}).OnValue)},
		{"method value of a local interface", "OnValue", runtime.Consume(localHandler(service{}).OnValue)},
		{"method value of an interface literal", "OnValue", runtime.Consume(interface {
			OnValue(context.Context, order) error
		}(service{}).OnValue)},
		{"method value by embedding", "OnValue", runtime.Consume(embedding{}.OnValue)},
		{"method value by embedding a pointer", "OnPointer", runtime.Consume(pointerEmbedding{&service{}}.OnPointer)},
		{"method value by embedding an interface", "OnValue", runtime.Consume(ifaceEmbedding{service{}}.OnValue)},
		{"method value of a local type", "OnValue", runtime.Consume(localStruct{}.OnValue)},
		{"method value of a struct literal", "OnValue", runtime.Consume(struct{ service }{}.OnValue)},
		{"method value of a named scalar", "OnNamed", runtime.Consume(named(1).OnNamed)},
		{"method value of a named function", "OnFunction", runtime.Consume(function(onOrder).OnFunction)},
		{"method value of a generic type", "OnItem", runtime.Consume(store[order]{}.OnItem)},
		{"method value of a generic type, pointer receiver", "OnStored", runtime.Consume((&store[order]{}).OnStored)},
		{"method value of a generic type of a struct literal", "OnItem", runtime.Consume(store[struct{ A, B int }]{}.OnItem)},

		{"generic function, instantiated", "onAny", runtime.Consume(onAny[order])},
		{"generic function, type argument inferred", "onAny", runtime.Consume[order](onAny)},
		{"generic function, instantiated by a generic type", "onAny", runtime.Consume(onAny[store[order]])},
		{"generic function of Respond", "answerAny", runtime.Respond(answerAny[order, quote])},

		{"function literal", "", runtime.Consume(func(context.Context, order) error { return nil })},
		{"package variable of a literal", "", runtime.Consume(literalVariable)},
		{"result of a factory that returns a literal", "", runtime.Consume(factoryOfLiteral(1))},
		{"result of a factory that returns a variable's literal", "", runtime.Consume(factory())},
		{"result of a method that returns a literal", "", runtime.Consume((&service{}).literal())},
		{"result of package reflect", "", runtime.Consume(byReflection())},

		{"declared function in generic code", "onOrder", plainInGeneric[int]()},
		{"argument of generic code", "onOrder", passedOn(onOrder)},
		{"generic function, instantiated in generic code", "", inGeneric[order]()},
		{"method value of a generic type in generic code", "", methodInGeneric[order]()},
		{"function literal in generic code", "", literalInGeneric[order]()},

		{"decorated handler", "", runtime.Consume(onOrder).With(passThrough)},
		{"handler decorated by nothing", "", runtime.Consume(onOrder).With()},
		{"nil function", "", runtime.Consume[order](nil)},
		{"zero handler", "", runtime.Handler{}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			require.Equal(t, test.want, test.handler.Name())
		})
	}
}

func passThrough(next runtime.HandlerFunc) runtime.HandlerFunc { return next }

func TestUse_KeepsTheHandlersName(t *testing.T) {
	var router runtime.Router
	router.Use(passThrough)
	router.MustRegister(runtime.Route{Queue: runtime.Queue{Name: "q"}, Handler: runtime.Consume(onOrder)})

	require.Equal(t, "onOrder", router.Routes()[0].Handler.Name())
}
