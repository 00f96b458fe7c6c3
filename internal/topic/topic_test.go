package topic_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/topic"
)

func TestMatch(t *testing.T) {
	tests := []struct {
		rule, pattern, key string
		want               bool
	}{
		{"words are compared", "order.created", "order.created", true},
		{"another word", "order.created", "order.deleted", false},
		{"letters have a case", "order", "Order", false},
		{"a word too few", "order.created", "order", false},
		{"a word too many", "order", "order.created", false},

		{"* is one word", "order.*", "order.created", true},
		{"* is not no word", "order.*", "order", false},
		{"* is not two words", "order.*", "order.created.de", false},
		{"* in the middle", "a.*.c", "a.b.c", true},
		{"* is an empty word too", "a.*.c", "a..c", true},
		{"* is a word of its own", "a*", "ab", false},
		{"* within a word is a letter", "a*", "a*", true},

		{"# is no word", "order.#", "order", true},
		{"# is one word", "order.#", "order.created", true},
		{"# is several words", "order.#", "order.created.de.by", true},
		{"# is everything", "#", "a.b.c", true},
		{"# at the beginning", "#.c", "a.b.c", true},
		{"# at the beginning is no word", "#.c", "c", true},
		{"# in the middle", "a.#.z", "a.b.c.z", true},
		{"# in the middle is no word", "a.#.z", "a.z", true},
		{"# ends at the last possible word", "#.z", "a.z.b.z", true},
		{"# before another word", "#.z", "a.z.b", false},
		{"# within a word is a letter", "a#", "ab", false},
		{"# and # are one", "#.#", "", true},
		{"# and * are at least one", "#.*", "", false},
		{"* and # are at least one", "*.#", "a", true},
		{"several #", "#.b.#.d", "a.b.c.b.d", true},
		{"several # in another order", "#.d.#.b", "a.b.c.d", false},
		{"a later # may take what an earlier one left", "a.#.b.*.#.c", "a.b.b.x.c", true},

		{"the empty key has no words", "", "", true},
		{"the empty key for *", "*", "", false},
		{"the empty key for #", "#", "", true},
		{"the empty pattern", "", "a", false},
		{"a dot makes two empty words", "*.*", ".", true},
		{"an empty word in the middle is a word", "a.b", "a..b", false},
		{"an empty word in the middle is compared", "a..b", "a..b", true},
		{"an empty word at the end is a word", "a", "a.", false},
		{"wildcards in the key are letters", "a.b", "a.*", false},
		{"# in the key is a letter", "a.b", "#", false},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			require.Equal(t, test.want, topic.Match(test.pattern, test.key), "pattern %q, key %q", test.pattern, test.key)
		})
	}
}

func TestHasWildcard_LooksAtWholeWords(t *testing.T) {
	tests := map[string]bool{
		"":          false,
		"a.b":       false,
		"a*.#b":     false,
		"**":        false,
		"*":         true,
		"#":         true,
		"a.*":       true,
		"a.#.b":     true,
		"..#":       true,
		"a.b.c d.*": true,
	}
	for pattern, want := range tests {
		require.Equal(t, want, topic.HasWildcard(pattern), "pattern %q", pattern)
	}
}

// Every pattern against every key of up to four words, which is enough for all
// ways in which two wildcards can meet.
func TestMatch_FollowsTheDefinition(t *testing.T) {
	keys := sequences([]string{"a", "b", ""}, 4)
	for _, pattern := range sequences([]string{"a", "", "*", "#"}, 4) {
		for _, key := range keys {
			if want := matches(split(pattern), split(key)); topic.Match(pattern, key) != want {
				require.Equal(t, want, !want, "pattern %q, key %q", pattern, key)
			}
		}
	}
}

// A long key must not cost exponential time, whatever the pattern.
func TestMatch_TakesNoExponentialTime(t *testing.T) {
	pattern := strings.Repeat("#.a.", 60) + "b"
	key := strings.Repeat("a.", 120) + "a"

	require.False(t, topic.Match(pattern, key))
}

func FuzzMatch(f *testing.F) {
	f.Add("order.*", "order.created")
	f.Add("a.#.b.*.#.c", "a.b.b.x.c")
	f.Add("#.#", "")
	f.Add("", ".")
	f.Fuzz(func(t *testing.T, pattern, key string) {
		if len(pattern) > 24 || len(key) > 24 {
			return // the definition takes exponential time
		}
		got := topic.Match(pattern, key)
		require.Equal(t, matches(split(pattern), split(key)), got, "pattern %q, key %q", pattern, key)
		if !topic.HasWildcard(pattern) {
			require.Equal(t, pattern == key, got, "pattern %q, key %q", pattern, key)
		}
	})
}

// matches is the definition, word by word.
func matches(pattern, key []string) bool {
	switch {
	case len(pattern) == 0:
		return len(key) == 0
	case pattern[0] == "#":
		return matches(pattern[1:], key) || len(key) > 0 && matches(pattern, key[1:])
	case len(key) == 0:
		return false
	default:
		return (pattern[0] == "*" || pattern[0] == key[0]) && matches(pattern[1:], key[1:])
	}
}

func split(key string) []string {
	if key == "" {
		return nil
	}
	return strings.Split(key, ".")
}

// sequences returns the keys of up to n words.
func sequences(words []string, n int) []string {
	all := []string{""}
	longest := words
	for range n {
		all = append(all, longest...)
		var longer []string
		for _, key := range longest {
			for _, word := range words {
				longer = append(longer, key+"."+word)
			}
		}
		longest = longer
	}
	return all
}

// Two patterns meet if a key matches both, of all keys that are long enough to tell.
func TestMeet_IsAKeyOfBoth(t *testing.T) {
	var patterns, keys []string
	var add func(all *[]string, alphabet []string, most int, at ...string)
	add = func(all *[]string, alphabet []string, most int, at ...string) {
		*all = append(*all, strings.Join(at, "."))
		if len(at) == most {
			return
		}
		for _, word := range alphabet {
			add(all, alphabet, most, append(at[:len(at):len(at)], word)...)
		}
	}
	add(&patterns, []string{"a", "b", "*", "#"}, 3)
	add(&keys, []string{"a", "b"}, 6)
	for _, a := range patterns {
		for _, b := range patterns {
			want := slices.ContainsFunc(keys, func(key string) bool { return topic.Match(a, key) && topic.Match(b, key) })
			require.Equal(t, want, topic.Meet(a, b), "%q and %q", a, b)
		}
	}
	many := strings.Repeat("#.", 100)
	require.False(t, topic.Meet(many+"a", many+"b"), "it doesn't try all combinations")
}
