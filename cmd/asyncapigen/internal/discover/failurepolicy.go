package discover

import (
	"reflect"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/model"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/runtime"
)

// onFailureCall notes the policy of a router. It holds for routes that were
// registered before, too, so it is looked at in the end. Once a broker consumes them it
// changes nothing, or is too late for some.
func onFailureCall(f *finder, call *model.Call) (value.Value, bool) {
	result := value.Nil{Type: call.Fn.Obj.Signature().Results().At(0).Type()}
	router, known := call.Fn.Recv.(value.Pointer)
	if !known || len(call.Args) != 1 || f.ev.Uncertain() != nil && f.namesRouters() {
		f.policies.lost = true
		mayFail(call)
		return result, true
	}
	f.noteFilled(call)
	refused, mayBe := f.refusesPolicy(call, router.To)
	switch {
	case refused:
		return errorOf(call), true
	case mayBe:
		mayFail(call)
	}
	if f.policies.of == nil {
		f.policies.of = make(map[*value.Cell]*value.Cell)
	}
	policy := f.policies.of[router.To]
	if policy == nil {
		policy = value.Beside(router.To, call.Zero(call.Fn.Obj.Signature().Params().At(0).Type()))
		f.policies.of[router.To] = policy
	}
	set := f.ev.Copied(call.Args[0])
	if f.isConsumed(router.To) {
		set = value.UnknownResult(call.At)
	}
	call.Set(policy, set)
	return result, true
}

// policies are the failure policies of routers.
type policies struct {
	of   map[*value.Cell]*value.Cell // by router
	lost bool                        // one is set of a router that isn't known, or may be copied then
}

// policyOf returns the policy that a router has now, nil where it isn't known.
func (f *finder) policyOf(router any) *runtime.FailurePolicy {
	cell, known := router.(*value.Cell)
	set := f.policies.of[cell]
	switch {
	case f.policies.lost || !known && len(f.policies.of) > 0:
		return nil
	case set == nil:
		return new(runtime.FailurePolicy)
	}
	policy, _ := readPolicy(set.Load())
	return policy
}

// applyPolicies gives the routes without a policy that of their router: the one that it has
// in the end, and wherever a broker gets it.
func (f *finder) applyPolicies() {
	for i := range f.found {
		route := &f.found[i]
		if route.Failure != nil || route.FailureUnknown {
			continue
		}
		policy := f.policyOf(route.Router)
		for _, s := range f.servings {
			if s.router == route.Router && !isSamePolicy(s.policy, policy) {
				policy = nil
			}
		}
		route.Failure, route.FailureUnknown = policy, policy == nil
	}
}

func isSamePolicy(a, b *runtime.FailurePolicy) bool {
	return a != nil && b != nil && reflect.DeepEqual(a, b)
}

// failure reads the route's own policy, nil where it has none. The contract doesn't
// show it, so one that isn't known is noted only.
func (r *reader) failure() (policy *runtime.FailurePolicy, unknown bool) {
	v := fieldOf(r.route, "Failure")
	if value.IsNil(v) {
		return nil, false
	}
	if p, ok := v.(value.Pointer); ok {
		v = p.Load()
	}
	policy, read := readPolicy(v)
	return policy, !read
}

// order reports whether the route has an Order, which needs other queues, and whether it
// is that of all its messages. One that isn't known is noted, as a policy is.
func (r *reader) order() (ordered, strict bool) {
	switch v := fieldOf(r.route, "Order").(type) {
	case *order:
		return true, v.strict
	case *value.Struct:
		if !value.IsUnknown(firstUnknown(v)) {
			return false, false
		}
	}
	r.missing, r.unset = append(r.missing, registered.TheOrder), append(r.unset, "order")
	return false, false
}

// ackMode returns when the route acknowledges. One that isn't known is noted.
func (r *reader) ackMode() runtime.AckMode {
	mode, known := integer(fieldOf(r.route, "AckMode"))
	if !known {
		r.missing, r.unset = append(r.missing, registered.TheAckMode), append(r.unset, "acknowledges")
		return runtime.AckOnSuccess
	}
	return runtime.AckMode(mode)
}

// readPolicy returns what brokers declare queues by, false where that isn't known.
func readPolicy(v value.Value) (*runtime.FailurePolicy, bool) {
	s, ok := v.(*value.Struct)
	if !ok {
		return nil, false
	}
	known := true
	field := func(name string) any {
		c, ok := fieldOf(s, name).(value.Const)
		if !ok {
			known = false
			return nil
		}
		v, ok := value.GoValue(c)
		known = known && ok
		return v
	}
	number := func(name string) int64 {
		switch n := field(name).(type) {
		case int:
			return int64(n)
		case int64:
			return n
		case time.Duration:
			return int64(n)
		default:
			known = false
			return 0
		}
	}
	policy := &runtime.FailurePolicy{
		Attempts: int(number("Attempts")),
		Delay:    time.Duration(number("Delay")),
		MaxDelay: time.Duration(number("MaxDelay")),
	}
	policy.DeadLetters, _ = field("DeadLetters").(string)
	policy.Endless, _ = field("Endless").(bool)
	if !known {
		return nil, false
	}
	return policy, true
}
