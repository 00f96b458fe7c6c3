package contract_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/contract"
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
		"orders.created", "заказы.создан", "注文", "/leading", "a:b@c", "a,b;c", "a+b=c", "a[b]", "(a)!", "~0~1", "amq.gen-x", "100%25",
		"{tenant}.orders", "${x}", "{a,b}", "{+a.b%20,c*,d:12}", "a-{x}-{y}",
	} {
		warnings, valid := warned(t, name)
		require.Zero(t, warnings, name)
		require.True(t, valid, name)
	}
	for _, name := range []string{
		"a b", `a"b`, "a'b", "a<b", "a>b", "a|b", `a\b`, "a^b", "a`b", "100%", "%2", "%zz", "a{b", "a}b", "{}", "{a b}", "a\x7f",
		"{a:0}", "{a:12345}", "{a:}", "{a.}", "{,}", "{a*b}", "{a-b}", "{{a}}",
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
