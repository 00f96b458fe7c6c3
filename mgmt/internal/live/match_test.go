package live

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// patterns holds what Matches says to what the broker does: an exchange has the
// policy, or hasn't. Where Matches can't say it, the error says so.
func patterns(t *testing.T, b *broker) {
	ctx, client := t.Context(), b.open(t)
	names := []string{"orders", "orders.new", "ORDERS", "a{b", "o", "ü", "Ä", "x{2}", "orders 1"}
	for _, name := range names {
		require.NoError(t, client.DeclareExchange(ctx, "", name, mgmt.ExchangeSettings{}))
		t.Cleanup(func() { require.NoError(t, b.client.DeleteExchange(context.Background(), "", name)) })
	}
	decided := 0
	for _, pattern := range []string{
		"", "orders", "^orders$", "^o", "s$", "^.$", "^..$", "[^o]", "(?i)^orders$", `^\w+$`, `\.new\z`, "^ü$", "[ü]", `^\S+$`, "o{1}rders", "^[[:upper:]]+$", "a|o",
		`a\{b`, "a{b", "x{2}", "x{,2}", `x\{2\}`, "^(?!orders)", "(?=orders)", `(o)\1`, "^(?:a|or)ders", "o++", `\Qa{\E`, `^\x6f`, `\bnew\b`, `\pL`, `\Aorders$`, `[\w.]+\d$`,
	} {
		policy := mgmt.PolicySettings{Pattern: pattern, ApplyTo: mgmt.ApplyToExchanges, Definition: mgmt.Table{"alternate-exchange": "amq.fanout"}}
		require.NoError(t, client.PutPolicy(ctx, "", "pattern", policy), pattern)
		info, err := client.Policy(ctx, "", "pattern")
		require.NoError(t, err)
		for _, name := range names {
			matches, err := info.Matches(mgmt.ApplyToExchanges, name)
			if err != nil {
				require.ErrorIs(t, err, mgmt.ErrUndecided)
				continue
			}
			decided++
			exchange, err := client.Exchange(ctx, "", name)
			require.NoError(t, err)
			require.Equal(t, exchange.Policy == "pattern", matches, "%q with %q", pattern, name)
		}
	}
	require.NoError(t, client.DeletePolicy(ctx, "", "pattern"))
	require.Greater(t, decided, 150, "of 297")
}
