package conformance

import (
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

var declarationTests = []test{
	{"arguments that a queue can't have are refused", func(c *testCase) {
		for name, arguments := range map[string][]any{
			"expires at once":             {"x-expires", 0},
			"expires before":              {"x-expires", -1},
			"priority above a byte":       {"x-max-priority", 256},
			"negative priority":           {"x-max-priority", -1},
			"priority that is a text":     {"x-max-priority", "5"},
			"unknown overflow":            {"x-overflow", "nonsense"},
			"overflow of another type":    {"x-overflow", 1},
			"unknown type":                {"x-queue-type", "nonsense"},
			"type of another type":        {"x-queue-type", 5},
			"unknown version":             {"x-queue-version", 3},
			"key without an exchange":     {"x-dead-letter-routing-key", "k"},
			"exchange that isn't a name":  {"x-dead-letter-exchange", 5},
			"key that isn't a text":       {"x-dead-letter-exchange", "", "x-dead-letter-routing-key", 5},
			"time to live that is a text": {"x-message-ttl", "5"},
			"negative time to live":       {"x-message-ttl", -1},
			"time to live by fractions":   {"x-message-ttl", 1.5},
			"negative length":             {"x-max-length", -1},
			"length that is a text":       {"x-max-length", "5"},
			"bytes by a bool":             {"x-max-length-bytes", true},
			"active consumer by a text":   {"x-single-active-consumer", "yes"},
		} {
			c.refused(name, c.queue("q", arguments...))
		}
	}},
	{"arguments of another type of queue are refused", func(c *testCase) {
		for kind, arguments := range map[string]map[string]any{
			"classic": {
				"x-delivery-limit": 5, "x-dead-letter-strategy": "at-least-once", "x-quorum-initial-group-size": 3,
				"x-max-age": "1h", "x-stream-max-segment-size-bytes": 1 << 20, "x-max-in-memory-length": 5,
			},
			"quorum": {"x-max-priority": 5, "x-queue-mode": "lazy", "x-max-age": "1h", "x-stream-max-segment-size-bytes": 1 << 20},
			"stream": {
				"x-message-ttl": 1000, "x-expires": 60000, "x-max-length": 5, "x-max-priority": 5, "x-dead-letter-exchange": "",
				"x-delivery-limit": 5, "x-overflow": "reject-publish", "x-single-active-consumer": true, "x-queue-mode": "lazy",
			},
		} {
			for name, value := range arguments {
				c.refused(kind+" with "+name, c.queue("q", "x-queue-type", kind, name, value))
			}
		}
		c.refused("classic by default", c.queue("q", "x-delivery-limit", 5))
		c.refused("unknown strategy", c.queue("q", "x-queue-type", "quorum", "x-dead-letter-strategy", "nonsense"))
		c.refused("empty group", c.queue("q", "x-queue-type", "quorum", "x-quorum-initial-group-size", 0))
		c.refused("age by number", c.queue("q", "x-queue-type", "stream", "x-max-age", 5))
	}},
	{"quorum queues and streams are durable, shared and kept", func(c *testCase) {
		for _, kind := range []string{"quorum", "stream"} {
			q := c.queue("q", "x-queue-type", kind)
			transient, exclusive, autoDelete := q, q, q
			transient.Durable, exclusive.Exclusive, autoDelete.AutoDelete = false, true, true
			c.refused(kind+" that is transient", transient)
			c.refused(kind+" that is exclusive", exclusive)
			c.refused(kind+" that is deleted", autoDelete)
		}
	}},
	{"a queue is declared again alike", func(c *testCase) {
		for name, pair := range map[string][2][]any{
			"type by default":         {nil, {"x-queue-type", "classic"}},
			"type by default, before": {{"x-queue-type", "classic"}, nil},
			"int8":                    {{"x-max-length", int64(5)}, {"x-max-length", int8(5)}},
			"int16":                   {{"x-max-length", int64(5)}, {"x-max-length", int16(5)}},
			"int32":                   {{"x-max-length", int64(5)}, {"x-max-length", int32(5)}},
			"uint8":                   {{"x-max-length", int64(5)}, {"x-max-length", uint8(5)}},
			"uint16":                  {{"x-max-length", int64(5)}, {"x-max-length", uint16(5)}},
			"uint32":                  {{"x-max-length", int64(5)}, {"x-max-length", uint32(5)}},
			"unknown arguments":       {{"x-nonsense", 7}, {"x-nonsense", 5}},
			"delivery limit":          {{"x-queue-type", "quorum", "x-delivery-limit", 5}, {"x-delivery-limit", 5, "x-queue-type", "quorum"}},
		} {
			c.declared(c.queue(name, pair[0]...))
			c.declared(c.queue(name, pair[1]...))
		}
	}},
	{"a queue that is declared in another way is refused", func(c *testCase) {
		kind := func(kind string, arguments ...any) []any { return append([]any{"x-queue-type", kind}, arguments...) }
		for name, pair := range map[string][2][]any{
			"a type":                  {nil, kind("quorum")},
			"another type by default": {kind("quorum"), nil},
			"a delivery limit":        {kind("quorum"), kind("quorum", "x-delivery-limit", 5)},
			"another delivery limit":  {kind("quorum", "x-delivery-limit", 6), kind("quorum", "x-delivery-limit", 5)},
			"no delivery limit":       {kind("quorum", "x-delivery-limit", 6), kind("quorum")},
			"a strategy":              {kind("quorum"), kind("quorum", "x-dead-letter-strategy", "at-most-once")},
			"a group size":            {kind("quorum"), kind("quorum", "x-quorum-initial-group-size", 1)},
			"a length":                {nil, {"x-max-length", 5}},
			"no length":               {{"x-max-length", 5}, nil},
			"a mode":                  {nil, {"x-queue-mode", "lazy"}},
			"the mode by default":     {nil, {"x-queue-mode", "default"}},
			"a version":               {nil, {"x-queue-version", 2}},
			"the overflow by default": {nil, {"x-overflow", "drop-head"}},
			"no priority":             {nil, {"x-max-priority", 0}},
			"all active":              {nil, {"x-single-active-consumer", false}},
		} {
			c.declared(c.queue(name, pair[0]...))
			c.refused(name, c.queue(name, pair[1]...))
		}
	}},
	{"an alternate exchange that isn't a name is refused", func(c *testCase) {
		x := c.exchange("x", runtime.Topic)
		x.Arguments = map[string]any{"alternate-exchange": 5}
		err := c.open(Settings{}).Start(c.ctx(), c.router(runtime.Route{Name: "r", Queue: c.queue("q"), Exchange: x, Handler: newInbox().handler()}))
		require.ErrorContains(c, err, `declare exchange "`+x.Name+`" for route "r"`)
	}},
	{"an exchange that is there with another alternate exchange is refused", func(c *testCase) {
		q, x := c.queue("q"), c.exchange("x", runtime.Topic)
		x.Arguments = map[string]any{"alternate-exchange": "amq.fanout"}
		declare := func() error {
			return c.open(Settings{}).Start(c.ctx(), c.router(runtime.Route{Name: "r", Queue: q, Exchange: x, Handler: newInbox().handler()}))
		}
		require.NoError(c, declare())
		for _, other := range []map[string]any{{"alternate-exchange": "amq.direct"}, nil} {
			x.Arguments = other
			require.ErrorContains(c, declare(), `declare exchange "`+x.Name+`" for route "r"`, other)
		}
		x.Arguments = map[string]any{"alternate-exchange": "amq.fanout", "x-note": "isn't compared"}
		require.NoError(c, declare())
	}},
}

// refused has a broker declare q, which has to fail.
func (c *testCase) refused(name string, q runtime.Queue) {
	c.Helper()
	err := c.open(Settings{}).Start(c.ctx(), c.router(runtime.Route{Name: "r", Queue: q, Handler: newInbox().handler()}))
	require.ErrorContains(c, err, `declare queue "`+q.Name+`" for route "r"`, name)
}
