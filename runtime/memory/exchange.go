package memory

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/warrenmq/warren/internal/fieldtable"
	"github.com/warrenmq/warren/internal/headermatch"
	"github.com/warrenmq/warren/internal/topic"
	"github.com/warrenmq/warren/runtime"
)

// delayedMessage is the exchange type of RabbitMQ's delayed message plugin. It
// holds a message for the milliseconds of its header x-delay and then routes it
// as the exchange's argument x-delayed-type says.
const delayedMessage runtime.ExchangeType = "x-delayed-message"

// An exchange decides which queues get a message.
type exchange struct {
	spec     runtime.Exchange
	routing  runtime.ExchangeType // direct, fanout, topic or headers
	delays   bool
	internal bool // only the server publishes to it
	bindings []binding
}

type binding struct {
	key       string
	arguments map[string]any
	queue     *queue
	exchange  *exchange // in place of queue
}

// bind adds b once: binding alike again changes nothing (AMQP 0-9-1, queue.bind).
func (x *exchange) bind(b binding) {
	same := func(other binding) bool {
		return other.queue == b.queue && other.exchange == b.exchange && other.key == b.key && reflect.DeepEqual(other.arguments, b.arguments)
	}
	if !slices.ContainsFunc(x.bindings, same) {
		x.bindings = append(x.bindings, b)
	}
}

// unbind removes bindings and reports whether there were any.
func (x *exchange) unbind(isTo func(binding) bool) bool {
	before := len(x.bindings)
	x.bindings = slices.DeleteFunc(x.bindings, isTo)
	return len(x.bindings) < before
}

// takes reports whether b routes m by one of its keys.
func (x *exchange) takes(b binding, m *message) bool {
	switch x.routing {
	case runtime.Direct:
		return slices.Contains(m.keys, b.key)
	case runtime.Topic:
		return slices.ContainsFunc(m.keys, func(key string) bool { return topic.Match(b.key, key) })
	case runtime.Headers:
		return matchHeaders(b.arguments, m.Headers)
	default:
		return true
	}
}

// route returns the queues for m, each of them once: those that m's exchange
// finds, or else the alternate exchange (RabbitMQ, alternate exchanges).
func (s *Server) route(m *message) []*queue {
	if m.exchange == "" {
		var queues []*queue
		for _, key := range m.keys {
			if q := s.queues[key]; q != nil && !slices.Contains(queues, q) {
				queues = append(queues, q)
			}
		}
		return queues
	}
	r := routing{server: s, message: m, seen: make(map[*exchange]bool)}
	r.through(s.exchanges[m.exchange])
	return r.queues
}

// A routing is the way of one message through exchanges, of which each has it once.
type routing struct {
	server  *Server
	message *message
	seen    map[*exchange]bool
	queues  []*queue
}

// through adds the queues that x finds. Where x has no binding for the message, its
// alternate exchange gets it.
func (r *routing) through(x *exchange) {
	if x == nil || r.seen[x] {
		return
	}
	r.seen[x] = true
	taken := false
	for _, b := range x.bindings {
		if !x.takes(b, r.message) {
			continue
		}
		taken = true
		if b.exchange != nil {
			r.through(b.exchange)
		} else if !slices.Contains(r.queues, b.queue) {
			r.queues = append(r.queues, b.queue)
		}
	}
	if alternate, _ := x.spec.Arguments["alternate-exchange"].(string); !taken {
		r.through(r.server.exchanges[alternate])
	}
}

// delay takes m where its exchange delays it, and reports whether it has. As with
// the plugin, the sender has its confirm before m is routed, and whoever gets m sees
// the delay negated.
func (s *Server) delay(m *message) bool {
	x := s.exchanges[m.exchange]
	if x == nil || !x.delays {
		return false
	}
	milliseconds := delayOf(m.Headers["x-delay"])
	if milliseconds <= 0 || milliseconds > math.MaxUint32 {
		return false
	}
	m.Headers["x-delay"] = int32(-milliseconds) // the message is the server's own: see newMessage
	s.delayed++
	time.AfterFunc(time.Duration(milliseconds)*time.Millisecond, func() {
		s.mu.Lock()
		defer s.unlock()
		s.delayed--
		if s.exchanges[m.exchange] == x {
			_ = s.deliver(m)
		}
	})
	return true
}

// delayOf reads the header x-delay, in milliseconds, as the plugin does: a fraction is
// cut, and text is read. What isn't a number is 0.
func delayOf(value any) int64 {
	switch value := value.(type) {
	case float32:
		return int64(value)
	case float64:
		return int64(value)
	case string:
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return 0
		}
		return n
	default:
		n, _ := fieldtable.Integer(value)
		return n
	}
}

// matchHeaders compares a message's headers with a binding's arguments as
// RabbitMQ 3.10 does.
func matchHeaders(arguments, headers map[string]any) bool {
	mode := headermatch.Of(arguments)
	for name, want := range arguments {
		if !mode.Compares(name) {
			continue
		}
		have, present := headers[name]
		matched := present && sameField(have, want)
		if matched && mode.IsAny {
			return true
		}
		if !matched && !mode.IsAny {
			return false
		}
	}
	return !mode.IsAny
}

// sameField compares as the server does, which knows integers, floats and binaries
// rather than their types. A time in a message equals nothing, as from RabbitMQ 4.0 on;
// 3.10 also compares times, and integers with floats. A nil in the binding asks for the
// header's presence only.
func sameField(have, want any) bool {
	if _, isTime := have.(time.Time); isTime && want != nil {
		return false
	}
	return want == nil || reflect.DeepEqual(asServer(have), asServer(want))
}

func asServer(value any) any {
	switch value := value.(type) {
	case float32:
		return float64(value)
	case time.Time:
		return value.Unix()
	case []byte:
		return string(value)
	default:
		return byValue(value)
	}
}

// checkMatch refuses a mode of a headers exchange that the server refuses.
func checkMatch(arguments map[string]any) error {
	mode, given := arguments["x-match"]
	if !given {
		return nil
	}
	switch mode {
	case "all", "any", "all-with-x", "any-with-x":
		return nil
	default:
		return fmt.Errorf("x-match is %v: it has to be all, any, all-with-x or any-with-x", mode)
	}
}
