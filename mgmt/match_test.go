package mgmt_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// TestLive/*/patterns_of_policies holds Matches to the broker.

func TestMatches_GoesByWhatThePolicyAppliesTo(t *testing.T) {
	const matches, differs, undecided = "matches", "differs", "undecided"
	for applyTo, kinds := range map[string]map[string]string{
		mgmt.ApplyToAll:           {mgmt.ApplyToAll: matches, mgmt.ApplyToExchanges: matches, mgmt.ApplyToQueues: matches, mgmt.ApplyToStreams: matches},
		"":                        {mgmt.ApplyToExchanges: matches, mgmt.ApplyToQueues: matches},
		mgmt.ApplyToExchanges:     {mgmt.ApplyToAll: undecided, mgmt.ApplyToExchanges: matches, mgmt.ApplyToQueues: differs, mgmt.ApplyToQuorumQueues: differs},
		mgmt.ApplyToQueues:        {mgmt.ApplyToAll: undecided, mgmt.ApplyToExchanges: differs, mgmt.ApplyToQueues: matches, mgmt.ApplyToClassicQueues: matches},
		mgmt.ApplyToClassicQueues: {mgmt.ApplyToAll: undecided, mgmt.ApplyToExchanges: differs, mgmt.ApplyToQueues: undecided, mgmt.ApplyToClassicQueues: matches, mgmt.ApplyToQuorumQueues: differs},
		mgmt.ApplyToQuorumQueues:  {mgmt.ApplyToQueues: undecided, mgmt.ApplyToQuorumQueues: matches, mgmt.ApplyToStreams: differs},
		mgmt.ApplyToStreams:       {mgmt.ApplyToQueues: undecided, mgmt.ApplyToStreams: matches, mgmt.ApplyToClassicQueues: differs},
	} {
		for kind, want := range kinds {
			got, err := mgmt.PolicyInfo{ApplyTo: applyTo, Pattern: "^o"}.Matches(kind, "orders")
			require.Equal(t, want == undecided, err != nil, "%q on %q: %v", applyTo, kind, err)
			require.Equal(t, want == matches, got, "%q on %q", applyTo, kind)
			other, err := mgmt.PolicyInfo{ApplyTo: applyTo, Pattern: "^x"}.Matches(kind, "orders")
			require.NoError(t, err, "another pattern decides it")
			require.False(t, other)
		}
	}
}

func TestMatches_LeavesToTheBrokerWhatMayDiffer(t *testing.T) {
	for _, test := range []struct{ pattern, name string }{
		{"(?=a)", "a"},
		{`(a)\1`, "aa"},
		{`\0`, "a"},
		{`\pL`, "a"},
		{`\PL`, "a"},
		{`\v`, "a"},
		{`\C`, "a"},
		{"a{,2}", "a"},
		{"a{", "a{"},
		{"a{1, 2}", "a"},
		{"a++", "a"},
		{`\w`, "ü"},
		{"(?i)a", "ü"},
		{"[[:alpha:]]", "ü"},
		{"ü|\\w", "a"},
		{"a", "a\n"},
		{"a", "\x7f"},
		{"(", "a"},
	} {
		_, err := mgmt.PolicyInfo{Name: "p", Pattern: test.pattern}.Matches(mgmt.ApplyToQueues, test.name)
		require.ErrorIs(t, err, mgmt.ErrUndecided, "%q with %q", test.pattern, test.name)
		require.ErrorContains(t, err, `policy "p"`)
	}
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "a", true},
		{"^.$", "ü", false},
		{"^..$", "ü", true},
		{"ü", "über ü", true},
		{`^\w+$`, "a_1", true},
		{`a{2}`, "aa", true},
		{`^a{1,}$`, "aa", true},
		{`^a{3,4}$`, "aa", false},
		{`a\{`, "a{", true},
		{`[~ ]`, "~", true},
		{"(?i)A", "a", true},
		{"^~$", "~", true},
		{`^\w$`, "~", false},
	} {
		got, err := mgmt.PolicyInfo{Pattern: test.pattern}.Matches(mgmt.ApplyToQueues, test.name)
		require.NoError(t, err)
		require.Equal(t, test.want, got, "%q with %q", test.pattern, test.name)
	}
}
