package contract_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
	"github.com/warrenmq/warren/internal/specschema"
	"github.com/warrenmq/warren/runtime/asyncapi"
)

// The names are those that the official parser was run on, and some more; the
// official schema has the same opinion of all but the last group.
func TestNew_WarnsOfChannelNamesThatToolsRefuse(t *testing.T) {
	warned := func(t *testing.T, name string) (warnings int, valid bool) {
		t.Helper()
		c, problems := contract.New([]contract.Operation{on("a", name)}, schema.Options{})
		require.NotNil(t, c)
		text, err := asyncapi.FromContract(c, nil).JSON(-1)
		require.NoError(t, err)
		return len(problems), specschema.Validate(text) == nil
	}
	for _, name := range []string{
		"orders.created", "заказы.создан", "注文", "/leading", "a:b@c", "a,b;c", "a+b=c", "a[b]", "(a)!", "~0~1", "amq.gen-x", "100%25", "%00%99", "%aa%ff", "%AA%FF",
		"{tenant}.orders", "${x}", "{a,b}", "{A}", "{z}", "{Z_0}", "{+a.b%20,c*,d:12}", "{d:9999}", "a-{x}-{y}",
	} {
		warnings, valid := warned(t, name)
		require.Zero(t, warnings, name)
		require.True(t, valid, name)
	}
	for _, name := range []string{
		"a b", `a"b`, "a'b", "a<b", "a>b", "a|b", `a\b`, "a^b", "a`b", "100%", "%2", "%zz", "%g0", "%G0", "%0`", "%0@", "%:0", "%/0", "a{b", "a}b", "{}", "{a b}", "a\x7f",
		"{a:0}", "{a:12345}", "{a:}", "{a.}", "{,}", "{a*b}", "{a-b}", "{{a}}", "{@}", "{[}", "{`}", "{~}",
	} {
		warnings, valid := warned(t, name)
		require.Equal(t, 1, warnings, name)
		require.False(t, valid, name)
	}
	for _, name := range []string{"a#b", "a?b", "{?a}", "trailing/"} {
		warnings, valid := warned(t, name)
		require.Equal(t, 1, warnings, name)
		require.True(t, valid, name)
	}
}

func TestNew_GivesAllReasonsOfAChannelName(t *testing.T) {
	_, problems := contract.New([]contract.Operation{on("a", "a {b\x00#1/")}, schema.Options{})
	require.Len(t, problems, 1)
	require.Equal(t, "route \"a\": AsyncAPI tools refuse the channel \"a {b\\x00#1/\": it contains # or ?, which begin a fragment or a query, "+
		"and it contains ' ', and its { doesn't begin a parameter, such as {tenant}, and it contains '\\x00', and it ends with a slash: "+
		"name the queue otherwise, or have the name encoded by -encode-channels", problems[0].Text())
}

// The encoded names are those that the official parser takes, once decoded where the
// channel has references.
func TestEncodedChannelName_IsTaken(t *testing.T) {
	for name, want := range map[string]string{
		"orders": "orders", "{tenant}.x": "{tenant}.x", "100%25": "100%25", "a b": "a%20b", "100%": "100%25", "a#b?": "a%23b%3F",
		"a/b c/": "a/b%20c%2F", "{}": "%7B%7D", "a\x00b": "a%00b", "é b": "é%20b", "a%20 b": "a%2520%20b",
		`a"b`: "a%22b", "a\x7fb": "a%7Fb", "a~b c": "a~b%20c",
	} {
		require.Equal(t, want, contract.EncodedChannelName(name, false))
		_, problems := contract.New([]contract.Operation{on("a", contract.EncodedChannelName(name, false))}, schema.Options{})
		require.Empty(t, problems, name)
	}
	require.Equal(t, "a%2520b", contract.EncodedChannelName("a b", true))
	require.Equal(t, "100%252525", contract.EncodedChannelName("100%25", true), "the parser decodes it once before it judges it")
	require.Equal(t, "orders", contract.EncodedChannelName("orders", true))
}

func TestNew_WarnsOfNamesThatTheParserDecodes(t *testing.T) {
	of := func(payload reflect.Type) contract.Operation {
		operation := on("a", "orders%20eu")
		operation.Payload = schema.Reflect(payload)
		return operation
	}
	c, problems := contract.New([]contract.Operation{of(reflect.TypeFor[int]())}, schema.Options{})
	require.Empty(t, problems)
	require.False(t, c.Channels[0].HasReferences())
	c, problems = contract.New([]contract.Operation{of(reflect.TypeFor[diagnostic.List]())}, schema.Options{})
	require.Len(t, problems, 1)
	require.Equal(t, diagnostic.ChannelName, problems[0].Code)
	require.True(t, c.Channels[0].HasReferences())
	require.Equal(t, "orders%20eu", asyncapi.FromContract(c, nil).Channels[0].Name)
	require.Equal(t, "orders%252520eu", asyncapi.FromContract(c, &asyncapi.Config{EncodeChannels: true}).Channels[0].Name)
}
