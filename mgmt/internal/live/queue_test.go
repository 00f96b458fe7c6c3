package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"iter"
	"net"
	"strconv"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/internal/conformance"
	"github.com/warrenmq/warren/mgmt/passive"
)

// cases are the tests of the methods, by name.
var cases = map[string]func(*testing.T, *broker){
	"DeclareQueue": declareQueue,
	"Queue":        readQueue,
	"Queues":       listQueues,
	"QueuesSeq":    func(t *testing.T, b *broker) { queuesSeq(t, b) },
	"DeleteQueue":  deleteQueue,
	"PurgeQueue":   purgeQueue,
	"RebalanceQueues": func(t *testing.T, b *broker) {
		require.NoError(t, b.open(t).RebalanceQueues(t.Context()))
	},
	"DeclareExchange":      declareExchange,
	"Exchange":             readExchange,
	"Exchanges":            listExchanges,
	"ExchangesSeq":         listExchanges,
	"DeleteExchange":       deleteExchange,
	"BindQueue":            bindQueue,
	"BindExchange":         bindExchange,
	"UnbindQueue":          unbindQueue,
	"UnbindExchange":       bindExchange,
	"QueueBindings":        queueBindings,
	"QueueBindingsFrom":    bindingsBetween,
	"ExchangeBindingsFrom": bindingsBetween,
	"QueuesPage":           listPages,
	"ExchangesPage":        listPages,
	"BindingsFrom":         bindExchange,
	"BindingsTo":           bindExchange,
	"Bindings":             listBindings,
	"BindingsSeq":          listBindings,
	"GetMessages":          getMessages,
	"PublishMessage":       publishMessage,
}

func declareQueue(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	t.Run("durable, in the default vhost", func(t *testing.T) {
		require.NoError(t, client.DeclareQueue(ctx, "", "declare", mgmt.QueueSettings{}))
		queue, err := b.client.Queue(ctx, "/", "declare")
		require.NoError(t, err)
		require.Equal(t, mgmt.Some(true), queue.Durable)
		require.NoError(t, client.DeclareQueue(ctx, "/", "declare", mgmt.QueueSettings{}), "an equal one is no error")
	})
	t.Run("with arguments", func(t *testing.T) {
		arguments := mgmt.Table{"x-max-length": int64(1 << 40), "x-message-ttl": 60000, "x-dead-letter-exchange": "amq.fanout"}
		require.NoError(t, client.DeclareQueue(ctx, "", "declare.arguments", mgmt.QueueSettings{Arguments: arguments, AutoDelete: true}))
		queue, err := b.client.Queue(ctx, "/", "declare.arguments")
		require.NoError(t, err)
		require.EqualValues(t, int64(1<<40), queue.Arguments["x-max-length"])
		require.Equal(t, mgmt.Some(true), queue.AutoDelete)
	})
	for _, kind := range []string{"classic", "quorum", "stream"} {
		t.Run(kind, func(t *testing.T) {
			require.NoError(t, client.DeclareQueue(ctx, "", "declare."+kind, mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": kind}}))
			queue, err := b.client.Queue(ctx, "/", "declare."+kind)
			require.NoError(t, err)
			require.Equal(t, kind, queue.Type)
		})
	}
	t.Run("inequivalent", func(t *testing.T) {
		require.ErrorIs(t, client.DeclareQueue(ctx, "", "declare", mgmt.QueueSettings{Arguments: mgmt.Table{"x-max-length": 1}}), mgmt.ErrInequivalent)
		require.ErrorIs(t, client.DeclareQueue(ctx, "", "declare", mgmt.QueueSettings{AutoDelete: true}), mgmt.ErrInequivalent)
	})
	t.Run("missing vhost", func(t *testing.T) {
		require.ErrorIs(t, client.DeclareQueue(ctx, "nope", "q", mgmt.QueueSettings{}), mgmt.ErrNotFound)
	})
	t.Run("reserved name", func(t *testing.T) {
		require.ErrorIs(t, client.DeclareQueue(ctx, "", "amq.q", mgmt.QueueSettings{}), mgmt.ErrForbidden)
	})
	for _, name := range []string{"a/b c+d%2F?#;\\ünï", "%2E%2E", "...", "..%2F..%2Foverview", "{}", "a\x00b", strings.Repeat("q", 255)} {
		t.Run("name", func(t *testing.T) {
			require.NoError(t, client.DeclareQueue(ctx, "", name, mgmt.QueueSettings{}))
			queue, err := client.Queue(ctx, "", name)
			require.NoError(t, err)
			require.Equal(t, name, queue.Name)
			require.NoError(t, client.DeleteQueue(ctx, "", name))
		})
	}
}

func readQueue(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "read", nil, 3)
	eventually(t, "the count comes late", func() bool {
		queue, err := client.Queue(ctx, "", "read")
		require.NoError(t, err)
		return queue.Messages.Or(-1) == 3
	})
	_, err := client.Queue(ctx, "", "nope")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

func listQueues(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for _, name := range []string{"list.a", "list.b", "list.c"} {
		b.queue(t, name, nil, 0)
	}
	every, err := client.Queues(ctx, mgmt.AllVHosts())
	require.NoError(t, err)
	inVHost, err := client.Queues(ctx, mgmt.In(""))
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(every), len(inVHost))
	for name, options := range map[string][]mgmt.ListOption{
		"pages":      {mgmt.NameContains("list."), mgmt.PageSize(2)},
		"expression": {mgmt.NameMatches(`^list\.[abc]$`)},
		"sorted":     {mgmt.NameContains("list."), mgmt.SortBy("name"), mgmt.Columns("name")},
	} {
		t.Run(name, func(t *testing.T) {
			queues, err := client.Queues(ctx, mgmt.In(""), options...)
			require.NoError(t, err)
			require.ElementsMatch(t, []string{"list.a", "list.b", "list.c"}, names(queues))
		})
	}
	t.Run("descending", func(t *testing.T) {
		queues, err := client.Queues(ctx, mgmt.In(""), mgmt.NameContains("list."), mgmt.SortBy("name"), mgmt.Descending())
		require.NoError(t, err)
		require.Equal(t, []string{"list.c", "list.b", "list.a"}, names(queues))
	})
	t.Run("without figures", func(t *testing.T) {
		queues, err := client.Queues(ctx, mgmt.In(""), mgmt.WithoutStats())
		require.NoError(t, err)
		require.Len(t, queues, len(inVHost))
	})
	t.Run("unknown columns", func(t *testing.T) {
		queues, err := client.Queues(ctx, mgmt.In(""), mgmt.Columns("zzz"))
		require.NoError(t, err)
		require.Len(t, queues, len(inVHost))
	})
}

func names(queues []mgmt.QueueInfo) []string {
	var names []string
	for _, queue := range queues {
		names = append(names, queue.Name)
	}
	return names
}

func collect[T any](t *testing.T, all iter.Seq2[T, error]) []T {
	t.Helper()
	var collected []T
	for element, err := range all {
		require.NoError(t, err)
		collected = append(collected, element)
	}
	return collected
}

func queuesSeq(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "seq", nil, 0)
	list, err := client.Queues(ctx, mgmt.In(""))
	require.NoError(t, err)
	for _, scope := range []mgmt.Scope{mgmt.In("/"), mgmt.AllVHosts()} {
		require.Subset(t, names(collect(t, client.QueuesSeq(ctx, scope))), names(list))
		require.Subset(t, names(collect(t, client.QueuesSeq(ctx, scope, mgmt.PageSize(2)))), names(list))
	}
}

func deleteQueue(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "delete", nil, 1)
	require.ErrorIs(t, client.DeleteQueue(ctx, "", "delete", mgmt.IfEmpty), mgmt.ErrInUse)
	require.NoError(t, client.DeleteQueue(ctx, "", "delete"))
	require.ErrorIs(t, client.DeleteQueue(ctx, "", "delete"), mgmt.ErrNotFound)
	require.ErrorIs(t, client.DeleteQueue(ctx, "nope", "delete"), mgmt.ErrNotFound, "a wrong vhost isn't a success")

	b.queue(t, "delete.used", nil, 0)
	consume(t, b, "delete.used")
	require.ErrorIs(t, client.DeleteQueue(ctx, "", "delete.used", mgmt.IfUnused), mgmt.ErrInUse)
}

// consume consumes from a queue until the test ends, without acknowledging.
func consume(t *testing.T, b *broker, queue string) *amqp.Channel {
	t.Helper()
	channel := b.dial(t)
	_, err := channel.Consume(queue, "tag-"+queue, false, false, false, false, nil)
	require.NoError(t, err)
	return channel
}

func purgeQueue(t *testing.T, b *broker) {
	b.queue(t, "purge", nil, 2)
	require.NoError(t, b.open(t).PurgeQueue(t.Context(), "", "purge"))
	require.Zero(t, b.ready(t, "purge"))
}

func declareExchange(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for _, kind := range []string{"", mgmt.Direct, mgmt.Fanout, mgmt.Topic, mgmt.Headers} {
		name := "declare." + kind
		require.NoError(t, client.DeclareExchange(ctx, "", name, mgmt.ExchangeSettings{Type: kind, Arguments: mgmt.Table{"alternate-exchange": "amq.fanout"}}))
		require.NoError(t, client.DeclareExchange(ctx, "", name, mgmt.ExchangeSettings{Type: kind, Arguments: mgmt.Table{"alternate-exchange": "amq.fanout"}}))
		require.ErrorIs(t, client.DeclareExchange(ctx, "", name, mgmt.ExchangeSettings{Type: kind, Transient: true}), mgmt.ErrInequivalent)
	}
}

func readExchange(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	exchange, err := client.Exchange(ctx, "", "")
	require.NoError(t, err)
	require.Equal(t, mgmt.Direct, exchange.Type, "the default one")
	_, err = client.Exchange(ctx, "", "nope")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

func listExchanges(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		list, err := client.Exchanges(ctx, scope)
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(list), 7)
		require.Len(t, collect(t, client.ExchangesSeq(ctx, scope, mgmt.PageSize(3))), len(list))
	}
}

func deleteExchange(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, b.client.DeclareExchange(ctx, "", "delete", mgmt.ExchangeSettings{}))
	b.queue(t, "delete.bound", nil, 0)
	require.NoError(t, b.client.BindQueue(ctx, "", "delete.bound", "delete", mgmt.BindingSettings{}))
	require.ErrorIs(t, client.DeleteExchange(ctx, "", "delete", mgmt.IfUnused), mgmt.ErrInUse)
	require.NoError(t, client.DeleteExchange(ctx, "", "delete"))
	require.ErrorIs(t, client.DeleteExchange(ctx, "", "delete"), mgmt.ErrNotFound)
}

func bindQueue(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "bind", nil, 0)
	settings := mgmt.BindingSettings{RoutingKey: "a.#", Arguments: mgmt.Table{"x": 1}}
	for range 2 {
		require.NoError(t, client.BindQueue(ctx, "", "bind", "amq.topic", settings), "an equal one is no error")
	}
	bindings, err := b.client.QueueBindings(ctx, "", "bind")
	require.NoError(t, err)
	require.Len(t, bindings, 2, "with that of the default exchange")
	require.Equal(t, "a.#", bindings[1].RoutingKey)
	require.Equal(t, mgmt.Table{"x": int64(1)}, bindings[1].Arguments)

	require.ErrorIs(t, client.BindQueue(ctx, "", "nope", "amq.topic", settings), mgmt.ErrNotFound)
	err = client.BindQueue(ctx, "", "bind", "nope", settings)
	require.ErrorIs(t, err, mgmt.ErrNotFound)
	require.ErrorContains(t, err, "no exchange 'nope'")
	require.ErrorIs(t, client.BindQueue(ctx, "", "bind", "amq.default", settings), mgmt.ErrForbidden)
	require.NoError(t, client.BindQueue(ctx, "", "bind", "amq.fanout", mgmt.BindingSettings{}), "no arguments aren't null")
}

func unbindQueue(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "unbind", nil, 0)
	for _, settings := range []mgmt.BindingSettings{
		{},
		{RoutingKey: "a/b %2F~"},
		{RoutingKey: "k", Arguments: mgmt.Table{"a": 1}},
		{RoutingKey: strings.Repeat("ä", 127)},
		{RoutingKey: "."},
		{RoutingKey: ".."},
	} {
		require.NoError(t, b.client.BindQueue(ctx, "", "unbind", "amq.topic", settings))
	}
	bindings, err := b.client.QueueBindings(ctx, "", "unbind")
	require.NoError(t, err)
	require.Len(t, bindings, 7)
	for _, binding := range bindings {
		if binding.Source != "" {
			require.NoError(t, client.UnbindQueue(ctx, "", "unbind", binding.Source, binding.PropertiesKey), binding.PropertiesKey)
		}
	}
	bindings, err = b.client.QueueBindings(ctx, "", "unbind")
	require.NoError(t, err)
	require.Len(t, bindings, 1)
	require.ErrorIs(t, client.UnbindQueue(ctx, "", "unbind", "amq.topic", "~"), mgmt.ErrNotFound)
}

func bindExchange(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for _, name := range []string{"bind.from", "bind.to"} {
		require.NoError(t, b.client.DeclareExchange(ctx, "", name, mgmt.ExchangeSettings{}))
	}
	require.NoError(t, client.BindExchange(ctx, "", "bind.to", "bind.from", mgmt.BindingSettings{RoutingKey: "k"}))
	from, err := client.BindingsFrom(ctx, "", "bind.from")
	require.NoError(t, err)
	require.Len(t, from, 1)
	require.Equal(t, "exchange", from[0].DestinationType)
	require.Equal(t, "bind.to", from[0].Destination)
	to, err := client.BindingsTo(ctx, "", "bind.to")
	require.NoError(t, err)
	require.Equal(t, from, to)
	require.NoError(t, client.UnbindExchange(ctx, "", "bind.to", "bind.from", from[0].PropertiesKey))
	from, err = client.BindingsFrom(ctx, "", "bind.from")
	require.NoError(t, err)
	require.Empty(t, from)
	_, err = client.BindingsFrom(ctx, "", "")
	require.NoError(t, err, "of the default exchange")
}

func queueBindings(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	bindings, err := client.QueueBindings(ctx, "", "nope")
	require.NoError(t, err)
	require.Len(t, bindings, 1, "as documented: the broker invents one")
	bindings, err = client.QueueBindings(ctx, "nope", "q")
	require.NoError(t, err)
	require.Empty(t, bindings)
}

func listBindings(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "bindings", nil, 0)
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		list, err := client.Bindings(ctx, scope)
		require.NoError(t, err)
		require.NotEmpty(t, list)
		require.Len(t, collect(t, client.BindingsSeq(ctx, scope)), len(list))
	}
}

func getMessages(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "get", nil, 0)
	binary := []byte{0, 1, 0xff}
	for _, payload := range [][]byte{[]byte("text ä"), binary, nil} {
		_, err := b.client.PublishMessage(ctx, "", "", mgmt.PublishSettings{RoutingKey: "get", Payload: payload, Properties: mgmt.Table{"headers": mgmt.Table{"n": 5}, "delivery_mode": 2}})
		require.NoError(t, err)
	}
	messages, err := client.GetMessages(ctx, "", "get", mgmt.GetSettings{Count: 5})
	require.NoError(t, err)
	require.Len(t, messages, 3)
	require.Equal(t, "text ä", string(messages[0].Payload))
	require.Equal(t, binary, messages[1].Payload)
	require.Empty(t, messages[2].Payload)
	require.Equal(t, map[string]any{"n": int64(5)}, messages[0].Properties["headers"])
	require.Equal(t, mgmt.Some[int64](2), messages[0].Left)
	eventually(t, "they are put back", func() bool { return b.ready(t, "get") == 3 })
	messages, err = client.GetMessages(ctx, "", "get", mgmt.GetSettings{Mode: mgmt.Acknowledge, Truncate: 2})
	require.NoError(t, err)
	require.Equal(t, "te", string(messages[0].Payload))
	require.Equal(t, mgmt.Some(true), messages[0].Redelivered)
	require.Equal(t, 2, b.ready(t, "get"))
}

func publishMessage(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "publish", nil, 0)
	for key, want := range map[string]bool{"publish": true, "nope": false} {
		routed, err := client.PublishMessage(ctx, "", "", mgmt.PublishSettings{RoutingKey: key, Payload: []byte("x")})
		require.NoError(t, err)
		require.Equal(t, want, routed)
	}
	_, err := client.PublishMessage(ctx, "", "nope", mgmt.PublishSettings{})
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

// behaviours are the tests of more than one method, in this order.
var behaviours = []struct {
	name string
	test func(*testing.T, *broker)
}{
	{"SafeDeleteQueue", safeDeleteQueue},
	{"SafeMigrateQueue", safeMigrateQueue},
	{"inspector", inspect},
	{"inspector closes its connection", inspectAndClose},
	{"topology", func(t *testing.T, b *broker) { conformance.Run(t, conforming{b}, 9) }},
	{"a tilde in a routing key", tilde},
	{"rights", rights},
	{"a vhost named detailed", vhostNamedDetailed},
	{"a write on a connection that the broker has closed", writeAfterClose},
	{"patterns of policies", patterns},
	{"the health of an ill broker", alarms},
	{"without plugins", withoutPlugins},
}

func safeDeleteQueue(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for _, kind := range []string{"classic", "quorum", "stream"} {
		t.Run(kind, func(t *testing.T) {
			name := "safe." + kind
			b.queue(t, name, mgmt.Table{"x-queue-type": kind}, 1)
			// The API doesn't know of the message yet.
			err := mgmt.SafeDeleteQueue(ctx, client, "", name, b.inspector())
			require.ErrorIs(t, err, mgmt.ErrInUse)
			if kind == "stream" {
				return // which can't be emptied
			}
			require.NoError(t, client.PurgeQueue(ctx, "", name))
			consumer := consume(t, b, name)
			require.ErrorIs(t, mgmt.SafeDeleteQueue(ctx, client, "", name, b.inspector()), mgmt.ErrInUse)
			require.NoError(t, consumer.Close())
			if kind == "quorum" {
				require.ErrorIs(t, mgmt.SafeDeleteQueue(ctx, client, "", name, nil), mgmt.ErrNoInspector)
			}
			eventually(t, "the consumer is gone", func() bool {
				err := mgmt.SafeDeleteQueue(ctx, client, "", name, b.inspector())
				if !errors.Is(err, mgmt.ErrInUse) {
					require.NoError(t, err)
				}
				return err == nil
			})
			require.ErrorIs(t, mgmt.SafeDeleteQueue(ctx, client, "", name, nil), mgmt.ErrNotFound)
		})
	}
}

func safeMigrateQueue(t *testing.T, b *broker) {
	client := b.open(t)
	const messages = 500
	for from, to := range map[string]string{"classic": "quorum", "quorum": "classic"} {
		t.Run(from+" to "+to, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			source, target := "migrate."+from, "migrated."+to
			b.queue(t, source, mgmt.Table{"x-queue-type": from}, messages)
			b.queue(t, target, mgmt.Table{"x-queue-type": to}, 0)
			require.NoError(t, b.client.BindQueue(ctx, "", source, "amq.topic", mgmt.BindingSettings{RoutingKey: "m.#", Arguments: mgmt.Table{"n": 1}}))
			require.NoError(t, mgmt.SafeMigrateQueue(ctx, client, "", source, target, b.inspector()))
			require.Equal(t, messages, b.ready(t, target))
			_, err := client.Queue(ctx, "", source)
			require.ErrorIs(t, err, mgmt.ErrNotFound)
			bindings, err := client.QueueBindings(ctx, "", target)
			require.NoError(t, err)
			require.Len(t, bindings, 2)
			require.Equal(t, "m.#", bindings[1].RoutingKey)
		})
	}
	t.Run("waits for consumers", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		b.queue(t, "migrate.used", nil, 0)
		b.queue(t, "migrated.used", nil, 0)
		consume(t, b, "migrate.used")
		err := mgmt.SafeMigrateQueue(ctx, client, "", "migrate.used", "migrated.used", b.inspector())
		require.ErrorIs(t, err, context.DeadlineExceeded)
		_, err = client.Queue(t.Context(), "", "migrate.used")
		require.NoError(t, err, "it is left")
		shovels, err := client.Parameters(t.Context(), "shovel", mgmt.In(""))
		require.NoError(t, err)
		require.Empty(t, shovels, "no shovel is left")
	})
	t.Run("missing queues", func(t *testing.T) {
		require.ErrorIs(t, mgmt.SafeMigrateQueue(t.Context(), client, "", "nope", "migrated.used", nil), mgmt.ErrNotFound)
		require.ErrorIs(t, mgmt.SafeMigrateQueue(t.Context(), client, "", "migrate.used", "nope", nil), mgmt.ErrNotFound)
		require.Error(t, mgmt.SafeMigrateQueue(t.Context(), client, "", "migrate.used", "migrate.used", nil))
	})
	t.Run("refuses what the shovel would delete, or not empty", func(t *testing.T) {
		require.NoError(t, b.client.DeclareQueue(t.Context(), "", "migrate.auto", mgmt.QueueSettings{AutoDelete: true}))
		b.queue(t, "migrate.stream", mgmt.Table{"x-queue-type": "stream"}, 1)
		for _, from := range []string{"migrate.auto", "migrate.stream"} {
			require.ErrorContains(t, mgmt.SafeMigrateQueue(t.Context(), client, "", from, "migrated.used", b.inspector()), "migrate queue")
			_, err := b.client.Queue(t.Context(), "", from)
			require.NoError(t, err)
		}
	})
}

func inspect(t *testing.T, b *broker) {
	b.queue(t, "inspect", nil, 3)
	consume(t, b, "inspect")
	ready, consumers, err := b.inspector().InspectQueue(t.Context(), "/", "inspect")
	require.NoError(t, err)
	require.Equal(t, 1, consumers)
	require.LessOrEqual(t, ready, 3)
	for vhost, queue := range map[string]string{"/": "nope", "nope": "inspect"} {
		_, _, err = b.inspector().InspectQueue(t.Context(), vhost, queue)
		require.ErrorIs(t, err, mgmt.ErrNotFound)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = b.inspector().InspectQueue(ctx, "/", "inspect")
	require.ErrorIs(t, err, context.Canceled)
}

// A connection that ends without AMQP's connection.close is a warning in the server's log.
func inspectAndClose(t *testing.T, b *broker) {
	b.queue(t, "inspect.close", nil, 0)
	uri, err := amqp.ParseURI(b.node.URL())
	require.NoError(t, err)
	server := net.JoinHostPort(uri.Host, strconv.Itoa(uri.Port))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	sent := make(chan []byte, 1)
	go func() { sent <- relay(listener, server) }()
	uri.Host, uri.Port = "127.0.0.1", listener.Addr().(*net.TCPAddr).Port
	_, _, err = passive.New(uri.String()).InspectQueue(t.Context(), "/", "inspect.close")
	require.NoError(t, err)
	require.Contains(t, string(<-sent), "\x00\x0a\x00\x32", "the class and the method of connection.close")
}

// relay connects one client with the server, and returns what the client has sent.
func relay(listener net.Listener, server string) []byte {
	client, err := listener.Accept()
	if err != nil {
		return nil
	}
	defer client.Close()
	conn, err := net.Dial("tcp", server)
	if err != nil {
		return nil
	}
	defer conn.Close()
	go func() {
		io.Copy(client, conn)
		client.Close()
	}()
	var sent bytes.Buffer
	io.Copy(io.MultiWriter(&sent, conn), client)
	return sent.Bytes()
}
