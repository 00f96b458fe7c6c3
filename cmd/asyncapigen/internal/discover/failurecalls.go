package discover

import (
	"reflect"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/runtime"
)

// A program may ask a route where its dead letters go, and consume them. A real route that is
// known answers.

func deadLettersCall(f *finder, call *model.Call) (value.Value, bool) {
	return f.answer(call, func(r runtime.Route) any { return r.DeadLetters() })
}

func failureQueuesCall(f *finder, call *model.Call) (value.Value, bool) {
	return f.answer(call, func(r runtime.Route) any { return r.FailureQueues() })
}

func addressText(_ *finder, call *model.Call) (value.Value, bool) {
	s, isStruct := call.Fn.Recv.(*value.Struct)
	if !isStruct {
		return nil, false
	}
	exchange, isKnown := value.TextOf(fieldOf(s, "Exchange"))
	key, alsoKnown := value.TextOf(fieldOf(s, "RoutingKey"))
	if !isKnown || !alsoKnown {
		return nil, false
	}
	return call.Answer(reflect.ValueOf(runtime.Address{Exchange: exchange, RoutingKey: key}.String()), resultType(call)), true
}

// answer asks the receiver of a call, where it is a route that is known whole.
func (f *finder) answer(call *model.Call, ask func(runtime.Route) any) (value.Value, bool) {
	s, isStruct := call.Fn.Recv.(*value.Struct)
	if !isStruct {
		return nil, false
	}
	r := f.quietReader(call, s)
	route := r.read()
	if !r.isWhole() || route.FailureUnknown {
		return nil, false
	}
	return call.Answer(reflect.ValueOf(ask(route.Ordering())), resultType(call)), true
}
