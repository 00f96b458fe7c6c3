// Package nearest finds what a misspelled word was meant to be.
package nearest

import "strings"

// Of returns the one of names that a word was most likely meant to be, ""
// where none is near: one that differs in a third of its letters, or begins with
// the word.
func Of(word string, names []string) string {
	best, least := "", len(word)
	for _, name := range names {
		if len(word) > 2 && strings.HasPrefix(name, word) {
			return name
		}
		if d := distance(word, name); d < least && d <= max(1, len(name)/3) && d < len(name) {
			best, least = name, d
		}
	}
	return best
}

// distance counts the letters to add, remove, replace, or swap with the next one
// to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(replaced, rows[i-1][j]+1, rows[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
