package rabbitmq_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
)

// A soakFault does harm, and returns when it is over or will end by itself.
type soakFault struct {
	name string
	do   func(*soak, context.Context, *rand.Rand)
}

// wireFaults are those of the network. They hurt one broker.
var wireFaults = []soakFault{
	{"cut at a random byte", func(s *soak, _ context.Context, random *rand.Rand) {
		s.anyProxy(random).obey(cutAfter(random.IntN(1<<(6+random.IntN(10))), random.IntN(2) == 0))
	}},
	{"cut at a method", func(s *soak, _ context.Context, random *rand.Rand) {
		method := cutMethods[random.IntN(len(cutMethods))]
		s.anyProxy(random).obey(once(cut, func(f *frame) bool { return f.kind == methodFrame && f.method == method }))
	}},
	{"an answer that is lost", func(s *soak, _ context.Context, random *rand.Rand) {
		method := answerMethods[random.IntN(len(answerMethods))]
		s.anyProxy(random).obey(once(drop, func(f *frame) bool { return f.kind == methodFrame && f.method == method }))
	}},
	{"connections reset", func(s *soak, _ context.Context, random *rand.Rand) { s.anyProxy(random).each((*wire).end) }},
	{"blackhole", func(s *soak, _ context.Context, random *rand.Rand) { s.anyProxy(random).freeze() }},
	{"connections refused", func(s *soak, ctx context.Context, random *rand.Rand) {
		p := s.anyProxy(random)
		p.refuse()
		p.each((*wire).end)
		pause(ctx, time.Duration(random.IntN(1000))*time.Millisecond)
		p.heal()
	}},
	{"slow network", func(s *soak, ctx context.Context, random *rand.Rand) {
		p := s.anyProxy(random)
		p.slow(20_000 + random.IntN(200_000))
		pause(ctx, time.Duration(random.IntN(2000))*time.Millisecond)
		p.heal()
	}},
}

// cutMethods are those at which a connection may end.
var cutMethods = [][2]int{
	{10, 11}, {10, 41}, {20, 11}, {40, 11}, {50, 11}, {50, 21}, {60, 11}, {60, 21}, {60, 40}, {60, 50}, {60, 60}, {60, 80}, {60, 120}, {85, 11},
}

// answerMethods are those that the client waits for.
var answerMethods = [][2]int{{20, 11}, {40, 11}, {50, 11}, {50, 21}, {60, 11}, {60, 21}, {85, 11}}

// serverFaults are those of the server and of operators. They hurt all brokers.
var serverFaults = []soakFault{
	{"server killed", func(s *soak, ctx context.Context, random *rand.Rand) {
		s.node.Kill()
		s.ledger.noteRestart()
		pause(ctx, time.Duration(random.IntN(3000))*time.Millisecond)
		s.must("restart the server", s.node.Restart(s.ctx))
	}},
	{"server stopped", func(s *soak, ctx context.Context, random *rand.Rand) {
		s.control("stop_app")
		s.ledger.noteRestart()
		pause(ctx, time.Duration(random.IntN(2000))*time.Millisecond)
		s.control("start_app")
	}},
	{"all connections closed", func(s *soak, _ context.Context, _ *rand.Rand) { s.control("close_all_connections", "by a test") }},
	{"memory alarm", func(s *soak, ctx context.Context, random *rand.Rand) {
		s.control("set_vm_memory_high_watermark", "absolute", "1")
		pause(ctx, time.Duration(1000+random.IntN(2000))*time.Millisecond)
		s.control("set_vm_memory_high_watermark", "absolute", "512MB")
	}},
	{"consumer timeout", func(s *soak, ctx context.Context, _ *rand.Rand) {
		s.consumerTimeout(1000)
		for _, service := range s.services { // the channels that there are have the old one
			service.proxy.each((*wire).end)
		}
		pause(ctx, 3*time.Second)
		s.consumerTimeout(1_800_000)
	}},
	{"queue deleted", func(s *soak, _ context.Context, random *rand.Rand) {
		names := []string{frail, frail, frail + ".dead", frail + ".retry.100ms", frail + ".retry.200ms", frail + ".retry.400ms"}
		name := names[random.IntN(len(names))]
		_ = s.onChannel(func(channel *amqp.Channel) error {
			_, err := channel.QueueDelete(name, false, false, false)
			return err
		})
		s.ledger.noteDeleted(frail)
	}},
	{"exchange deleted", func(s *soak, _ context.Context, _ *rand.Rand) {
		_ = s.onChannel(func(channel *amqp.Channel) error { return channel.ExchangeDelete(soakExchange, false, false) })
	}},
	{"permissions withdrawn", func(s *soak, ctx context.Context, _ *rand.Rand) {
		s.control("set_permissions", "guest", ".*", "", ".*")
		pause(ctx, time.Second)
		s.control("set_permissions", "guest", ".*", ".*", ".*")
	}},
	{"instance replaced", func(s *soak, ctx context.Context, random *rand.Rand) {
		service := s.services[random.IntN(len(s.services))]
		service.stop()
		s.must("start an instance", service.start(s.ctx))
	}},
	{"poison, twice the prefetch", func(s *soak, ctx context.Context, random *rand.Rand) {
		kinds, routes := []soakKind{fails, rejects, garbled, panics}, []string{frail, steady}
		kind, route := kinds[random.IntN(len(kinds))], routes[random.IntN(len(routes))]
		for range 100 {
			s.senders[0].send(ctx, kind, route, 0, time.Second)
		}
	}},
	{"hanging handlers", func(s *soak, ctx context.Context, random *rand.Rand) {
		for range 20 {
			s.senders[0].send(ctx, hangs, steady, 0, time.Second)
		}
	}},
}

func (s *soak) anyProxy(random *rand.Rand) *proxy {
	if i := random.IntN(len(s.services) + len(s.senders)); i < len(s.services) {
		return s.services[i].proxy
	} else {
		return s.senders[i-len(s.services)].proxy
	}
}

func (s *soak) consumerTimeout(milliseconds int) {
	s.control("eval", fmt.Sprintf(
		"application:set_env(rabbit, consumer_timeout, %d), application:set_env(rabbit, channel_tick_interval, 500).", milliseconds))
}

func (s *soak) control(args ...string) { s.must(args[0], s.node.Control(s.ctx, args...)) }

// must notes what the test itself couldn't do.
func (s *soak) must(what string, err error) {
	if err != nil && s.ctx.Err() == nil {
		s.ledger.noteStrange(fmt.Sprintf("the test failed: %s: %v", what, err))
	}
}

// onChannel calls do with a channel straight to the server.
func (s *soak) onChannel(do func(*amqp.Channel) error) error {
	conn, err := amqp.Dial(s.node.URL())
	if err != nil {
		return err
	}
	defer conn.Close()
	channel, err := conn.Channel()
	if err != nil {
		return err
	}
	return do(channel)
}
