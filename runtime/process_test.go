package runtime_test

import (
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

// A sent is what a recorder was asked to send.
type sent struct {
	To      runtime.Address
	Message runtime.Message
	Call    bool
}

// A recorder is a transport that keeps what it is asked to send, and answers with
// err and reply.
type recorder struct {
	err   error
	reply *runtime.Message
	sent  []sent
}

func (r *recorder) Publish(_ context.Context, to runtime.Address, msg *runtime.Message) error {
	r.sent = append(r.sent, sent{to, *msg, false})
	return r.err
}

func (r *recorder) Call(_ context.Context, to runtime.Address, msg *runtime.Message) (*runtime.Message, error) {
	r.sent = append(r.sent, sent{to, *msg, true})
	return r.reply, r.err
}

var errFailed = errors.New("the warehouse is closed")

func failing(err error) runtime.Handler {
	return runtime.Consume(func(context.Context, order) error { return err })
}

func failingRequest(err error) runtime.Handler {
	return runtime.Respond(func(context.Context, order) (quote, error) { return quote{}, err })
}

func panicking() runtime.Handler {
	return runtime.Respond(func(context.Context, order) (quote, error) { panic("password123") })
}

var (
	toCaller  = &runtime.Address{}
	toQueue   = &runtime.Address{RoutingKey: "prices"}
	toTheShop = &runtime.Address{Exchange: "shop", RoutingKey: "quoted"}

	deadLetters = map[string]any{"x-dead-letter-exchange": ""}

	priced  = runtime.Message{Body: []byte(`{"price":7}`), ContentType: "application/json", CorrelationID: "c1"}
	refusal = runtime.Message{Headers: map[string]any{"warren-error": "internal error", "warren-error-code": "internal"}, CorrelationID: "c1"}
)

// process runs body, a request with the reply_to "caller", through the route
// named "r" of the queue "q".
func process(route runtime.Route, body string, transport runtime.Transport) (runtime.Settlement, error) {
	route.Name, route.Queue.Name = "r", "q"
	d := delivery(body)
	d.ReplyTo, d.CorrelationID, d.MessageID = "caller", "c1", "m1"
	outcome := runtime.Process(context.Background(), &route, d, transport)
	return outcome.Settlement, outcome.Err
}

func TestProcess_Settles(t *testing.T) {
	rejected := runtime.Reject(errFailed)
	tests := []struct {
		rule      string
		handler   runtime.Handler
		reply     *runtime.Address
		arguments map[string]any
		body      string
		sendErr   error

		want    runtime.Settlement
		wantErr string
		sent    []sent
	}{
		{
			rule: "a handled message is acknowledged", handler: runtime.Consume(onOrder),
			want: runtime.Ack,
		},
		{
			rule: "a failed message goes back", handler: failing(errFailed), arguments: deadLetters,
			want: runtime.Requeue, wantErr: `route "r", queue "q": the warehouse is closed`,
		},
		{
			rule: "a panic is a failure", handler: panicking(), reply: toQueue, arguments: deadLetters,
			want: runtime.Requeue, wantErr: `route "r", queue "q": the handler panicked: password123`,
		},
		{
			rule: "a rejected message is dead-lettered", handler: failing(rejected), arguments: deadLetters,
			want: runtime.Refuse, wantErr: `route "r", queue "q": the warehouse is closed`,
		},
		{
			rule: "a rejection may be wrapped", handler: failing(fmt.Errorf("reserve: %w", rejected)), arguments: deadLetters,
			want: runtime.Refuse, wantErr: `route "r", queue "q": reserve: the warehouse is closed`,
		},
		{
			rule: "a rejection may be joined", handler: failing(errors.Join(errFailed, rejected)), arguments: deadLetters,
			want: runtime.Refuse, wantErr: "route \"r\", queue \"q\": the warehouse is closed\nthe warehouse is closed",
		},
		{
			rule: "a rejected message without a dead-letter exchange is refused all the same", handler: failing(rejected),
			want: runtime.Refuse, wantErr: `route "r", queue "q": the warehouse is closed` + dropped,
		},
		{
			rule: "a dead-letter key alone is no dead-letter exchange", handler: failing(rejected),
			arguments: map[string]any{"x-dead-letter-routing-key": "dead"},
			want:      runtime.Refuse, wantErr: `route "r", queue "q": the warehouse is closed` + dropped,
		},
		{
			rule: "a stream takes no refusal", handler: failing(rejected), arguments: map[string]any{"x-queue-type": "stream"},
			want: runtime.Discard, wantErr: `route "r", queue "q": the warehouse is closed`,
		},
		{
			rule: "an undecodable message is dead-lettered", handler: runtime.Consume(onOrder), body: "{", arguments: deadLetters,
			want: runtime.Refuse, wantErr: `route "r", queue "q": decode the body as runtime_test.order: unexpected end of JSON input`,
		},
		{
			rule: "an undecodable message without a dead-letter exchange is refused all the same", handler: runtime.Consume(onOrder), body: "{",
			want: runtime.Refuse, wantErr: `route "r", queue "q": decode the body as runtime_test.order: unexpected end of JSON input` + dropped,
		},
		{
			rule:      "another service's undecodable reply is no fault of the message",
			handler:   failing(&runtime.SendError{Route: "price", Stage: "decode the reply", Err: &runtime.DecodeError{Err: errFailed}}),
			arguments: deadLetters,
			want:      runtime.Requeue,
			wantErr:   `route "r", queue "q": route "price": decode the reply: decode the body: the warehouse is closed`,
		},
		{
			rule: "a route without a handler handles nothing", arguments: deadLetters,
			want: runtime.Refuse, wantErr: `route "r", queue "q": route "r" has no handler: make one by Consume or Respond`,
		},

		{
			rule: "a result goes to the caller", handler: runtime.Respond(quoteOrder), reply: toCaller,
			want: runtime.Ack, sent: []sent{{To: runtime.Address{RoutingKey: "caller"}, Message: priced}},
		},
		{
			rule: "a result goes to the fixed address", handler: runtime.Respond(quoteOrder), reply: toTheShop,
			want: runtime.Ack, sent: []sent{{To: *toTheShop, Message: priced}},
		},
		{
			rule: "a caller that has gone is no reason to repeat", handler: runtime.Respond(quoteOrder), reply: toCaller, sendErr: runtime.ErrUnroutable,
			want: runtime.Ack, wantErr: `route "r", queue "q": publish the reply to queue "caller": no queue is bound for the message`,
			sent: []sent{{To: runtime.Address{RoutingKey: "caller"}, Message: priced}},
		},
		{
			rule: "a result without a queue is not lost", handler: runtime.Respond(quoteOrder), reply: toTheShop, sendErr: runtime.ErrUnroutable,
			want: runtime.Requeue, wantErr: `route "r", queue "q": publish the reply to exchange "shop" with key "quoted": no queue is bound for the message`,
			sent: []sent{{To: *toTheShop, Message: priced}},
		},
		{
			rule: "a result that may be lost is sent again", handler: runtime.Respond(quoteOrder), reply: toCaller, sendErr: runtime.ErrUnknown,
			want: runtime.Requeue, wantErr: `route "r", queue "q": publish the reply to queue "caller": the broker may or may not have the message`,
			sent: []sent{{To: runtime.Address{RoutingKey: "caller"}, Message: priced}},
		},
		{
			rule: "a result that the broker refused is sent again", handler: runtime.Respond(quoteOrder), reply: toQueue, sendErr: runtime.ErrNacked,
			want: runtime.Requeue, wantErr: `route "r", queue "q": publish the reply to queue "prices": the broker refused the message`,
			sent: []sent{{To: *toQueue, Message: priced}},
		},

		{
			rule: "a caller gets the error of a failure", handler: failingRequest(errFailed), reply: toCaller,
			want: runtime.Ack, wantErr: `route "r", queue "q": the warehouse is closed`,
			sent: []sent{{To: runtime.Address{RoutingKey: "caller"}, Message: refusal}},
		},
		{
			rule: "a caller gets the error of a rejection, and there is no dead letter", handler: failingRequest(rejected), reply: toCaller, arguments: deadLetters,
			want: runtime.Ack, wantErr: `route "r", queue "q": the warehouse is closed`,
			sent: []sent{{To: runtime.Address{RoutingKey: "caller"}, Message: refusal}},
		},
		{
			rule: "a caller that has gone needs no error", handler: failingRequest(errFailed), reply: toCaller, sendErr: runtime.ErrUnroutable,
			want:    runtime.Ack,
			wantErr: "route \"r\", queue \"q\": the warehouse is closed\nroute \"r\", queue \"q\": publish the reply to queue \"caller\": no queue is bound for the message",
			sent:    []sent{{To: runtime.Address{RoutingKey: "caller"}, Message: refusal}},
		},
		{
			rule: "a caller that cannot be reached keeps its request", handler: failingRequest(rejected), reply: toCaller, arguments: deadLetters, sendErr: runtime.ErrUnknown,
			want:    runtime.Requeue,
			wantErr: "route \"r\", queue \"q\": the warehouse is closed\nroute \"r\", queue \"q\": publish the reply to queue \"caller\": the broker may or may not have the message",
			sent:    []sent{{To: runtime.Address{RoutingKey: "caller"}, Message: refusal}},
		},
		{
			rule: "a caller does not get the value of a panic", handler: panicking(), reply: toCaller,
			want: runtime.Ack, wantErr: `route "r", queue "q": the handler panicked: password123`,
			sent: []sent{{
				To:      runtime.Address{RoutingKey: "caller"},
				Message: refusal,
			}},
		},
		{
			rule: "a failure has no fixed address", handler: failingRequest(errFailed), reply: toQueue, arguments: deadLetters,
			want: runtime.Requeue, wantErr: `route "r", queue "q": the warehouse is closed`,
		},
		{
			rule: "a result without JSON is permanent", handler: result((*quote)(nil)), reply: toQueue, arguments: deadLetters,
			want: runtime.Refuse, wantErr: `route "r", queue "q": encode the reply: the message is a nil *runtime_test.quote`,
		},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if test.body == "" {
				test.body = "{}"
			}
			transport := &recorder{err: test.sendErr}
			route := runtime.Route{Handler: test.handler, Reply: test.reply, Queue: runtime.Queue{Arguments: test.arguments}}

			settlement, err := process(route, test.body, transport)

			require.Equal(t, test.want.String(), settlement.String())
			require.Equal(t, test.wantErr, text(err))
			require.Equal(t, test.sent, transport.sent)
		})
	}
}

// dropped is what the errors say of messages that are lost.
const dropped = "; the route has no dead letters and its queue declares no x-dead-letter-exchange, " +
	"so the message is dropped unless a policy of the server has one"

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestProcess_RefusesRequestsWithoutReplyTo(t *testing.T) {
	tests := []struct {
		rule      string
		arguments map[string]any
		wantEnd   string // of the error
	}{
		{"with a dead-letter exchange", deadLetters, ""},
		{"without", nil, dropped},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			transport := new(recorder)
			called := false
			var seen error
			router := runtime.NewRouter()
			router.Use(func(next runtime.HandlerFunc) runtime.HandlerFunc {
				return func(ctx context.Context, d *runtime.Delivery) (reply *runtime.Message, err error) {
					reply, seen = next(ctx, d)
					return reply, seen
				}
			})
			router.MustRegister(runtime.Route{
				Name:    "r",
				Queue:   runtime.Queue{Name: "q", Arguments: test.arguments},
				Failure: &runtime.FailurePolicy{Endless: true},
				Handler: runtime.Respond(func(context.Context, order) (quote, error) {
					called = true
					return quote{}, nil
				}),
				Reply: toCaller,
			})
			route := router.Routes()[0]

			outcome := runtime.Process(context.Background(), &route, delivery(`{}`), transport)
			settlement, err := outcome.Settlement, outcome.Err

			require.Equal(t, runtime.Refuse.String(), settlement.String())
			require.EqualError(t, err, `route "r", queue "q": the request has no property reply_to, so it can't be answered: `+
				`send it by a runtime.Caller, or set the property`+test.wantEnd)
			require.ErrorContains(t, seen, "reply_to", "middleware sees it")
			require.False(t, called)
			require.Empty(t, transport.sent)
		})
	}
}

func TestProcess_NeedsNoReplyToForFixedAddresses(t *testing.T) {
	transport := new(recorder)
	route := runtime.Route{Handler: runtime.Respond(quoteOrder), Reply: toQueue}

	outcome := runtime.Process(context.Background(), &route, delivery(`{}`), transport)
	settlement, err := outcome.Settlement, outcome.Err

	require.NoError(t, err)
	require.Equal(t, runtime.Ack, settlement)
	require.Len(t, transport.sent, 1)
}

// A handler that fails because the service ends hasn't failed: another instance
// takes the request.
func TestProcess_KeepsRequestsThatShutdownCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	transport := new(recorder)
	route := runtime.Route{
		Handler: runtime.Respond(func(ctx context.Context, _ order) (quote, error) {
			cancel()
			return quote{}, ctx.Err()
		}),
		Reply: toCaller,
	}
	d := delivery(`{}`)
	d.ReplyTo = "caller"

	outcome := runtime.Process(ctx, &route, d, transport)
	settlement, err := outcome.Settlement, outcome.Err

	require.Equal(t, runtime.Requeue, settlement)
	require.ErrorIs(t, err, context.Canceled)
	require.Empty(t, transport.sent)
}

func TestProcess_RepliesWithTheMessageIDWhereThereIsNoCorrelationID(t *testing.T) {
	transport := new(recorder)
	route := runtime.Route{Handler: runtime.Respond(quoteOrder), Reply: toCaller}
	d := delivery(`{}`)
	d.ReplyTo, d.MessageID = "caller", "m1"

	err := runtime.Process(context.Background(), &route, d, transport).Err

	require.NoError(t, err)
	require.Equal(t, "m1", transport.sent[0].Message.CorrelationID)
}

func TestProcess_FillsInRouteAndQueue(t *testing.T) {
	var got runtime.Delivery
	route := runtime.Route{Handler: runtime.Consume(func(ctx context.Context, _ order) error {
		got = *runtime.DeliveryFrom(ctx)
		return nil
	})}

	_, err := process(route, `{}`, new(recorder))

	require.NoError(t, err)
	require.Equal(t, "r", got.Route)
	require.Equal(t, "q", got.Queue)
}

func TestProcess_KeepsTheCausesOfErrors(t *testing.T) {
	_, err := process(runtime.Route{Handler: failingRequest(errFailed), Reply: toCaller}, `{}`, &recorder{err: runtime.ErrBlocked})

	require.ErrorIs(t, err, errFailed)
	require.ErrorIs(t, err, runtime.ErrBlocked)
}

// Headers must fit into one frame: a longer one ends the connection.
func TestProcess_CutsLongErrorsForTheCaller(t *testing.T) {
	transport := new(recorder)
	long := errors.New("x" + strings.Repeat("ü", 1<<20))

	settlement, err := process(runtime.Route{Handler: failingRequest(runtime.Public(long, "y"+strings.Repeat("ü", 1<<10))), Reply: toCaller}, `{}`, transport)

	require.Equal(t, runtime.Ack, settlement)
	require.ErrorIs(t, err, long)
	text := transport.sent[0].Message.Headers["warren-error"].(string)
	require.Equal(t, "x"+strings.Repeat("ü", 2047), text)
	require.True(t, utf8.ValidString(text))
	require.Equal(t, "y"+strings.Repeat("ü", 127), transport.sent[0].Message.Headers["warren-error-code"])
}

func TestProcess_DropsRepliesOfMiddlewareWhereTheRouteHasNone(t *testing.T) {
	transport := new(recorder)
	handler := runtime.Consume(onOrder).With(func(runtime.HandlerFunc) runtime.HandlerFunc {
		return func(context.Context, *runtime.Delivery) (*runtime.Message, error) { return new(runtime.Message), nil }
	})

	settlement, err := process(runtime.Route{Handler: handler}, `{}`, transport)

	require.NoError(t, err)
	require.Equal(t, runtime.Ack, settlement)
	require.Empty(t, transport.sent)
}

func TestReject_ReturnsNilForNil(t *testing.T) {
	require.NoError(t, runtime.Reject(nil))

	err := runtime.Reject(errFailed)
	require.EqualError(t, err, "the warehouse is closed")
	require.ErrorIs(t, err, errFailed)
}

func TestSettlement_HasATextForEveryValue(t *testing.T) {
	require.Equal(t, "ack", runtime.Ack.String())
	require.Equal(t, "requeue", runtime.Requeue.String())
	require.Equal(t, "refuse", runtime.Refuse.String())
	require.Equal(t, "retry", runtime.Retry.String())
	require.Equal(t, "dead-letter", runtime.DeadLetter.String())
	require.Equal(t, "discard", runtime.Discard.String())
	require.Equal(t, "Settlement(9)", runtime.Settlement(9).String())
}

func TestDelivery_ReplyHeadersAreOnRepliesAndErrors(t *testing.T) {
	mark := func(next runtime.HandlerFunc) runtime.HandlerFunc {
		return func(ctx context.Context, d *runtime.Delivery) (*runtime.Message, error) {
			d.ReplyHeaders = map[string]any{"trace": "1", "own": "theirs"}
			reply, err := next(ctx, d)
			if reply != nil {
				reply.Headers = map[string]any{"own": "mine"}
			}
			return reply, err
		}
	}
	for _, test := range []struct {
		handler runtime.Handler
		want    map[string]any
	}{
		{runtime.Respond(func(context.Context, order) (quote, error) { return quote{}, nil }), map[string]any{"trace": "1", "own": "mine"}},
		{failingRequest(errFailed), map[string]any{"trace": "1", "own": "theirs", "warren-error": "internal error", "warren-error-code": "internal"}},
	} {
		transport := new(recorder)
		_, _ = process(runtime.Route{Handler: test.handler.With(mark), Reply: toCaller}, `{}`, transport)
		require.Len(t, transport.sent, 1)
		require.Equal(t, test.want, transport.sent[0].Message.Headers)
	}
}

// An error whose methods panic is one of the program's, too.
type hostile struct{}

func (hostile) Error() string { panic("in Error") }

func TestProcess_RequeuesAfterAPanicOutsideOfTheHandler(t *testing.T) {
	answering := runtime.Respond(func(context.Context, order) (quote, error) { return quote{}, nil })
	breaking := func(runtime.SendFunc) runtime.SendFunc {
		return func(context.Context, *runtime.Sending) (*runtime.Message, error) { panic("in the interceptor") }
	}
	for name, test := range map[string]struct {
		handler   runtime.Handler
		intercept runtime.Interceptor
		want      string
	}{
		"an interceptor of the reply":   {answering, breaking, "in the interceptor"},
		"an interceptor of the failure": {failingRequest(errFailed), breaking, "in the interceptor"},
		"making an interceptor":         {answering, func(runtime.SendFunc) runtime.SendFunc { panic("in the making") }, "in the making"},
		"a method of the error":         {failingRequest(runtime.Public(hostile{}, "hostile")), func(next runtime.SendFunc) runtime.SendFunc { return next }, "in Error"},
	} {
		t.Run(name, func(t *testing.T) {
			router := runtime.NewRouter()
			router.MustRegister(runtime.Route{Name: "r", Queue: runtime.Queue{Name: "q"}, Handler: test.handler})
			router.Intercept(test.intercept)
			route, d := router.Routes()[0], delivery(`{}`)
			d.ReplyTo = "caller"
			outcome := runtime.Process(context.Background(), &route, d, new(recorder))
			settlement, err := outcome.Settlement, outcome.Err
			require.Equal(t, runtime.Requeue, settlement)
			require.EqualError(t, err, `route "r", queue "q": a panic outside of the handler: `+test.want)
			var panicked *runtime.PanicError
			require.ErrorAs(t, err, &panicked)
			require.Contains(t, string(panicked.Stack), "process_test.go")
		})
	}
}

func TestOnSettled_SurvivesPanicsAndTheEndOfItsGoroutine(t *testing.T) {
	var log trail
	d := delivery(`{}`)
	d.OnSettled(func(runtime.Settlement, error) { panic("first") })
	d.OnSettled(func(runtime.Settlement, error) { log = append(log, "second") })
	d.OnSettled(func(runtime.Settlement, error) { goruntime.Goexit() })
	d.OnSettled(func(runtime.Settlement, error) { panic("fourth") })
	var sending sync.WaitGroup
	sending.Go(func() { d.Settled(runtime.Ack, nil) })
	sending.Wait()
	require.Equal(t, trail{"second"}, log)
	err := d.Settled(runtime.Ack, nil)
	require.EqualError(t, err, "a function of OnSettled panicked: fourth")
	var panicked *runtime.PanicError
	require.ErrorAs(t, err, &panicked)
	require.NoError(t, d.Settled(runtime.Ack, nil))
}

func TestOnSettled_CallsEachFunctionOnceInOrder(t *testing.T) {
	var log trail
	d := delivery(`{}`)
	d.OnSettled(func(s runtime.Settlement, err error) { log = append(log, "first "+s.String(), err.Error()) })
	d.OnSettled(func(runtime.Settlement, error) { log = append(log, "second") })

	d.Settled(runtime.Refuse, errFailed)
	d.Settled(runtime.Refuse, nil)

	require.Equal(t, trail{"first refuse", "the warehouse is closed", "second"}, log)
}

// An outcome that is concluded where it has to be stays on the stack.
func TestConclude_AllocatesNothingWhereNothingFails(t *testing.T) {
	transport := new(recorder)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		var outcome runtime.Outcome
		if outcome.Pending() {
			outcome.Conclude(t.Context(), transport)
		}
	}))
}

// picky refuses messages with a body, and those with a header "large".
type picky struct {
	recorder
	refusal error
}

func (p *picky) Publish(ctx context.Context, to runtime.Address, msg *runtime.Message) error {
	if len(msg.Body) > 0 || msg.Headers["large"] != nil {
		return fmt.Errorf("publish: %w", p.refusal)
	}
	return p.recorder.Publish(ctx, to, msg)
}

// To handle the request again would make the same reply again, without end.
func TestProcess_AnswersWithAnErrorWhereTheReplyIsTooLarge(t *testing.T) {
	withHeader := runtime.Respond(func(ctx context.Context, _ order) (quote, error) {
		runtime.DeliveryFrom(ctx).ReplyHeaders = map[string]any{"large": true}
		return quote{}, errFailed
	})
	for _, refused := range []error{runtime.ErrTooLarge, runtime.ErrHeadersTooLarge} {
		for name, handler := range map[string]runtime.Handler{
			"body": runtime.Respond(quoteOrder), "header of middleware": withHeader,
		} {
			transport := &picky{refusal: refused}
			settlement, err := process(runtime.Route{Handler: handler, Reply: toCaller}, `{"id":"7"}`, transport)
			require.Equal(t, runtime.Ack, settlement, name)
			require.ErrorIs(t, err, refused, name)
			require.Equal(t, []sent{{runtime.Address{RoutingKey: "caller"}, refusal, false}}, transport.sent, name)
		}
	}
}

func TestProcess_AcknowledgesTheRequestThatNoErrorCanAnswer(t *testing.T) {
	for sendErr, want := range map[error]runtime.Settlement{
		runtime.ErrTooLarge: runtime.Ack, runtime.ErrHeadersTooLarge: runtime.Ack, runtime.ErrUnroutable: runtime.Ack,
		runtime.ErrNacked: runtime.Requeue, // which another attempt may change
	} {
		transport := &picky{refusal: runtime.ErrTooLarge, recorder: recorder{err: sendErr}}
		settlement, err := process(runtime.Route{Handler: runtime.Respond(quoteOrder), Reply: toCaller}, `{"id":"7"}`, transport)
		require.Equal(t, want, settlement, sendErr)
		require.ErrorIs(t, err, runtime.ErrTooLarge)
		require.ErrorIs(t, err, sendErr)
		require.Len(t, transport.sent, 1)
	}
}
