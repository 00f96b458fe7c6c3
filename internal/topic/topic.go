// Package topic matches routing keys against the patterns of topic exchanges
// (AMQP 0-9-1, section 3.1.3.3): words are separated by dots, * stands for
// exactly one word and # for any number of them.
package topic

import "strings"

// Match reports whether key matches pattern.
func Match(pattern, key string) bool {
	return matchWords(words(pattern), words(key))
}

// HasWildcard reports whether pattern matches other keys than itself.
func HasWildcard(pattern string) bool { return CountWildcards(pattern) > 0 }

// CountWildcards returns how many words of pattern are wildcards.
func CountWildcards(pattern string) (count int) {
	for _, word := range words(pattern) {
		if word == "*" || word == "#" {
			count++
		}
	}
	return count
}

// words splits as RabbitMQ does: the empty key has no words at all, while
// "a..b" has an empty one.
func words(key string) []string {
	if key == "" {
		return nil
	}
	return strings.Split(key, ".")
}

// matchWords tries every length for a #, remembering only the last one: an
// earlier # never needs to take more once a later one has been reached.
func matchWords(pattern, key []string) bool {
	p, k := 0, 0
	hash := -1     // the last # so far
	var resume int // where it may take one word more
	for k < len(key) {
		switch {
		case p < len(pattern) && pattern[p] == "#":
			hash, resume = p, k
			p++
		case p < len(pattern) && (pattern[p] == "*" || pattern[p] == key[k]):
			p++
			k++
		case hash >= 0:
			resume++
			p, k = hash+1, resume
		default:
			return false
		}
	}
	for p < len(pattern) && pattern[p] == "#" {
		p++
	}
	return p == len(pattern)
}

// Meet reports whether two patterns match a key in common. It takes time in proportion
// to the product of their lengths.
func Meet(a, b string) bool {
	one, other := words(a), words(b)
	meets := make([]bool, len(other)+1) // of the rest of one, and that of other from each word
	for i := len(one); i >= 0; i-- {
		next := meets
		meets = make([]bool, len(other)+1)
		for k := len(other); k >= 0; k-- {
			switch {
			case i == len(one) && k == len(other):
				meets[k] = true
			case i < len(one) && one[i] == "#":
				meets[k] = next[k] || k < len(other) && meets[k+1]
			case k < len(other) && other[k] == "#":
				meets[k] = meets[k+1] || i < len(one) && next[k]
			case i < len(one) && k < len(other):
				meets[k] = next[k+1] && (one[i] == other[k] || one[i] == "*" || other[k] == "*")
			}
		}
	}
	return meets[0]
}
