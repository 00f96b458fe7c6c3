package runtime

import (
	"fmt"
	"slices"
	"sync"
)

// A Router collects the routes of a service, with the middleware and interceptors
// around them. A broker reads it once, when it starts: what is added later doesn't
// reach that broker. The zero value is an empty router. A Router is safe for
// concurrent use, and must not be copied after its first use.
type Router struct {
	mu         sync.RWMutex
	table      routeTable
	middleware []Middleware
	failure    FailurePolicy

	interceptors []Interceptor
}

// NewRouter returns an empty router.
func NewRouter() *Router { return new(Router) }

// Register adds routes. Either all of them are added or none: the first fault
// is returned as a [*RouteError], which names the route and the field. The routes
// are copied deeply, so the caller may change its own afterwards. What they leave
// out is as [Route.WithDefaults] says: Reply with Respond is the zero Address, for one.
//
// Refused are: a route without a handler, a queue name or a route name; a name
// that is taken, or that clashes with the reply of another route ("x.reply");
// Consume with Reply; keys or binding arguments without an exchange; an exchange without a name or a type; a name or key of
// more than 255 bytes or in invalid UTF-8; one queue or exchange declared
// in two ways; and two routes that consume one queue, since each message goes to
// either of them, unless one of their handlers takes []byte, json.RawMessage or any.
func (r *Router) Register(routes ...Route) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.table.routes)
	for _, route := range routes {
		route = route.clone().WithDefaults()
		if err := check(&route, r.failure, &r.table); err != nil {
			r.table.truncate(before)
			return err
		}
		r.table.add(route)
	}
	return nil
}

// MustRegister is [Router.Register] for main and for tests, where a faulty route is
// a bug: it panics on an error.
func (r *Router) MustRegister(routes ...Route) {
	if err := r.Register(routes...); err != nil {
		panic(err)
	}
}

// Use adds middleware around the handlers of all routes, those registered
// before and after the call. The middleware added first is outermost, and
// outside of what [Handler.With] put around one handler. None of it may be nil.
func (r *Router) Use(middleware ...Middleware) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.middleware = append(r.middleware, middleware...)
}

// Intercept adds interceptors around the sending of the replies of all routes, as
// [WithInterceptors] does for what a client sends: the results of [Respond]
// handlers, and the errors that go to callers in their place. The first one is
// outermost. None of them may be nil.
func (r *Router) Intercept(interceptors ...Interceptor) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.interceptors = append(r.interceptors, interceptors...)
}

// OnFailure sets the policy of the routes that have none of their own, those
// registered before and after the call. The default is the zero policy. An error
// says which field isn't valid, or is a [*RouteError] about a route that the policy
// doesn't fit; nothing is changed then.
func (r *Router) OnFailure(policy FailurePolicy) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if field, fault := policy.check(); fault != "" {
		return fmt.Errorf("set the failure policy of a router: %s %s", field, fault)
	}
	for i := range r.table.routes {
		if field, fault := checkUnderPolicy(&r.table.routes[i], policy); fault != "" {
			return refuse(&r.table.routes[i], field, fault)
		}
	}
	r.failure = policy
	return nil
}

// Routes returns the routes in the order of their registration, with what the
// router adds to them: its middleware around the handlers, and its failure policy
// where they have none of their own. The slice and all that it refers to are the
// caller's. It is for brokers and for whatever describes the routes.
func (r *Router) Routes() []Route {
	held := r.registered()
	queues := make(map[string]bool, len(held.routes))
	for i := range held.routes {
		queues[held.routes[i].Queue.Name] = true
	}
	for _, queue := range held.queues {
		queues[queue.Name] = true
	}
	routes := make([]Route, len(held.routes))
	for i := range held.routes {
		route := held.routes[i].clone()
		if route.Failure == nil {
			route.Failure = &held.failure
		}
		failure := route.Failure.withDefaults()
		route.Failure = &failure
		route.declaredByOthers = queues[route.deadLetterQueue(failure)]
		if route.answersCallers() {
			route.Handler = route.Handler.answering()
		}
		route.Handler = route.Handler.wrap(held.middleware).collecting()
		route.interceptors = held.interceptors
		routes[i] = route
	}
	return routes
}

// What a router holds at one time.
type held struct {
	routes       []Route
	queues       []Queue // of Declare
	middleware   []Middleware
	interceptors []Interceptor
	failure      FailurePolicy
}

// registered returns what the router holds. Its caller may run middleware, which
// is the user's code, without the lock.
func (r *Router) registered() held {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return held{slices.Clone(r.table.routes), slices.Clone(r.table.declared.Queues), slices.Clone(r.middleware), slices.Clone(r.interceptors), r.failure}
}
