package runtime

import (
	"fmt"
	"strings"

	"github.com/warrenmq/warren/internal/topic"
)

// Words are what stands in the place of the wildcards of a topic exchange's pattern, in
// their order: one word for each *, and any number of them for each #. With
// "order.*.#" the Words {{"eu"}, {"de", "by"}} make the key "order.eu.de.by". A word
// isn't empty and has no dot, which would make two words of it.
// See docs/decisions/0069.
type Words [][]string

// key returns pattern with words in the place of its wildcards.
func (words Words) key(pattern string) (string, error) {
	var key strings.Builder
	key.Grow(len(pattern) + 16)
	separator := ""
	add := func(word string) {
		key.WriteString(separator)
		key.WriteString(word)
		separator = "."
	}
	used := 0
	for part := range strings.SplitSeq(pattern, ".") {
		if part != "*" && part != "#" {
			add(part)
			continue
		}
		if used == len(words) {
			return "", fmt.Errorf("the pattern %q has more wildcards than there are words for, which are %d", pattern, len(words))
		}
		chosen := words[used]
		used++
		if part == "*" && len(chosen) != 1 {
			return "", fmt.Errorf("* in the pattern %q stands for one word, and %d are given", pattern, len(chosen))
		}
		for _, word := range chosen {
			if word == "" || strings.Contains(word, ".") {
				return "", fmt.Errorf("%q can't be a word of the routing key for the pattern %q: a word isn't empty, and has no dot", word, pattern)
			}
			add(word)
		}
	}
	if used < len(words) {
		return "", fmt.Errorf("the pattern %q has %d wildcards, and there are words for %d", pattern, used, len(words))
	}
	if !topic.Match(pattern, key.String()) { // such as no words for the # of "#.", of whose one empty word there is no key
		return "", fmt.Errorf("the words make no key of the pattern %q", pattern)
	}
	return key.String(), nil
}
