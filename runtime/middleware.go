package runtime

// A Middleware adds logic to the handling of deliveries: tracing, metrics, limits,
// checks, unpacking. It is installed by [Router.Use] for all routes, or by
// [Handler.With] for one handler.
//
// It gets the next step and returns a function that is called in its place, with
// the delivery as it came, not decoded. That function may call next with another
// context, or with a copy of the delivery that has another body or other headers.
// It may set [Delivery.ReplyHeaders], register functions by [Delivery.OnSettled],
// change the reply, and answer in the handler's place without calling next. An
// error that it returns counts as the handler's, see [Process] and [Reject].
//
// The function is called by as many goroutines at the same time as there are
// handlers running, and must be safe for that. A panic of the handler passes
// through it; its own panics are recovered with the handler's, as a [*PanicError].
//
// The Middleware itself is called once for each handler: by With at once, and for
// Use at each call of [Router.Routes], which is when a broker starts. It must
// neither be nil nor return nil.
type Middleware func(next HandlerFunc) HandlerFunc

// With returns a Handler that runs h inside the middleware, the first one
// outermost; h itself stays as it is. The body and reply types stay. The name is
// lost, because at run time the function behind the decoration can't be told from
// another: name the route.
func (h Handler) With(middleware ...Middleware) Handler {
	h = h.wrap(middleware)
	h.name = ""
	return h
}

func (h Handler) wrap(middleware []Middleware) Handler {
	if h.run == nil {
		return h
	}
	for i := len(middleware) - 1; i >= 0; i-- {
		h.run = middleware[i](h.run)
	}
	return h
}
