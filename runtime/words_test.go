package runtime_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/topic"
	"github.com/warrenmq/warren/runtime"
)

func TestPublishWords(t *testing.T) {
	tests := []struct {
		rule, pattern string
		words         runtime.Words
		key, wantErr  string
	}{
		{"a word", "order.cancelled.*", runtime.Words{{"customer"}}, "order.cancelled.customer", ""},
		{"a word at the beginning", "*.created", runtime.Words{{"order"}}, "order.created", ""},
		{"several words", "order.*.by.*", runtime.Words{{"cancelled"}, {"shop"}}, "order.cancelled.by.shop", ""},
		{"no word for #", "order.#", runtime.Words{nil}, "order", ""},
		{"several words for #", "order.#", runtime.Words{{"a", "b"}}, "order.a.b", ""},
		{"no word at all", "#", runtime.Words{nil}, "", ""},
		{"words around #", "#.error.*", runtime.Words{{"a"}, {"b"}}, "a.error.b", ""},
		{"an empty word of the pattern", ".*", runtime.Words{{"a"}}, ".a", ""},
		{"a star of the key", "order.*", runtime.Words{{"*"}}, "order.*", ""},
		{"a dot", "order.*", runtime.Words{{"a.b"}}, "", `"a.b" can't be a word of the routing key for the pattern "order.*": a word isn't empty, and has no dot`},
		{"a dot for #", "order.#", runtime.Words{{"a.b"}}, "", `"a.b" can't be a word of the routing key for the pattern "order.#": a word isn't empty, and has no dot`},
		{"an empty word", "order.*", runtime.Words{{""}}, "", `"" can't be a word of the routing key for the pattern "order.*": a word isn't empty, and has no dot`},
		{"two words for *", "order.*", runtime.Words{{"a", "b"}}, "", `* in the pattern "order.*" stands for one word, and 2 are given`},
		{"no word for *", "order.*", runtime.Words{nil}, "", `* in the pattern "order.*" stands for one word, and 0 are given`},
		{"too few words", "*.*", runtime.Words{{"a"}}, "", `the pattern "*.*" has more wildcards than there are words for, which are 1`},
		{"too many words", "a.*", runtime.Words{{"a"}, {"b"}}, "", `the pattern "a.*" has 1 wildcards, and there are words for 2`},
		{"a key that AMQP has no form for", "#.", runtime.Words{nil}, "", `the words make no key of the pattern "#."`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			transport := &recorder{reply: &runtime.Message{Body: []byte(`{}`)}}
			endpoint := runtime.Endpoint{Route: "any", To: runtime.Address{Exchange: "shop"}, Patterns: []string{test.pattern}}

			published := runtime.NewPublisher[order](transport, endpoint).PublishWords(context.Background(), test.words, order{})
			_, called := runtime.NewCaller[order, quote](transport, endpoint).CallWords(context.Background(), test.words, order{})

			if test.wantErr != "" {
				require.EqualError(t, published, `route "any": choose the key: `+test.wantErr)
				require.Equal(t, published, called)
				require.Empty(t, transport.sent)
				return
			}
			require.NoError(t, published)
			require.NoError(t, called)
			to := runtime.Address{Exchange: "shop", RoutingKey: test.key}
			require.Equal(t, []runtime.Address{to, to}, []runtime.Address{transport.sent[0].To, transport.sent[1].To})
		})
	}
}

func TestPublishWords_NeedsOnePattern(t *testing.T) {
	for _, endpoint := range []runtime.Endpoint{shop, keyed, literal, {Keys: []string{"a"}, Patterns: []string{"b.*"}}} {
		err := runtime.NewPublisher[order](new(recorder), endpoint).PublishWords(context.Background(), runtime.Words{{"a"}}, order{})
		require.ErrorContains(t, err, "the endpoint hasn't exactly one of Patterns")
	}
}

// A key never has another meaning than its words.
func FuzzPublishWords(f *testing.F) {
	f.Add("order.*.#", "eu", "de by")
	f.Add("#.*.a..#", "", "x.y")
	f.Add(".#.", "a", "")
	f.Fuzz(func(t *testing.T, pattern, first, rest string) {
		words := runtime.Words{{first}, strings.Fields(rest)}
		transport := new(recorder)
		endpoint := runtime.Endpoint{To: runtime.Address{Exchange: "x"}, Patterns: []string{pattern}}
		if runtime.NewPublisher[order](transport, endpoint).PublishWords(context.Background(), words, order{}) != nil {
			return
		}
		key := transport.sent[0].To.RoutingKey
		require.True(t, topic.Match(pattern, key))
		if key != "" {
			const wildcards = 2
			want := strings.Count(pattern, ".") + 1 - wildcards + len(words[0]) + len(words[1])
			require.Equal(t, want, strings.Count(key, ".")+1)
		}
	})
}
