package redact

import "strings"

// nextPhone finds international numbers after a plus, or after 00 where a separator
// shows the country code, and those of North America where separators show that they
// are numbers to dial.
func nextPhone(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		c := s[i]
		if c != '+' && c != '(' && !isDigit(c) || joinsNumber(before(s, i)) || before(s, i) == '+' || before(s, i) == '/' {
			continue
		}
		end := 0
		switch {
		case c == '+':
			end = internationalEnd(s, i)
		case hasCountryCode(s, i):
			end = internationalEnd(s, i+1)
		default:
			end = nationalEnd(s, i)
		}
		if end > 0 {
			return i, end
		}
		for isDigit(c) && i+1 < len(s) && isDigit(s[i+1]) {
			i++
		}
	}
	return -1, -1
}

// hasCountryCode reports whether "00" begins at i, a code of one to three digits, and
// a separator.
func hasCountryCode(s string, i int) bool {
	if after(s, i) != '0' || after(s, i+1) != '0' {
		return false
	}
	code := i + 2
	for code < len(s) && code < i+5 && isDigit(s[code]) {
		code++
	}
	return code > i+2 && s[i+2] != '0' && strings.IndexByte(" -./(", after(s, code)) >= 0
}

// internationalEnd is for E.164, behind a plus or the second zero at start: a country code and 15 digits at most. Without
// separators fewer than 10 digits are taken for a number with a sign.
func internationalEnd(s string, start int) int {
	if c := after(s, start+1); c < '1' || c > '9' {
		return 0
	}
	end, digits, grouped := 0, 0, false
	for i := start + 1; i < len(s) && digits < 16; i++ {
		c := s[i]
		if !isDigit(c) {
			previous := s[i-1]
			if strings.IndexByte(" -.()/", c) < 0 || !isDigit(previous) && previous != ')' && c != '(' {
				break
			}
			grouped = true
			continue
		}
		digits++
		next := after(s, i+1)
		if joinsWord(next) && !isDigit(next) {
			break
		}
		if !isDigit(next) && digits >= 8 && digits <= 15 && (grouped || digits >= 10) {
			end = i + 1
		}
	}
	return end
}

// nationalEnd is for numbers of North America: (212) 555-0123, 212-555-0123,
// 1.212.555.0123.
func nationalEnd(s string, start int) int {
	i, separator := areaEnd(s, start)
	if i == 0 {
		return 0
	}
	end := subscriberEnd(s, i, separator)
	if end == 0 || goesOn(s, end, separator) {
		return 0
	}
	if separator == ' ' && !saysPhone(beside(s, start, end)) {
		return 0 // three numbers, as of sizes
	}
	return end
}

// areaEnd returns where the area code that begins at i ends, with what stands
// before and behind it, and the separator, 0 behind brackets. The end is 0 where
// there is no area code.
func areaEnd(s string, i int) (end int, separator byte) {
	if after(s, i) == '1' && isSeparator(after(s, i+1)) {
		i += 2
	}
	bracket := after(s, i) == '('
	if bracket {
		i++
	}
	if !isExchangeCode(s, i) {
		return 0, 0
	}
	i += 3
	next := after(s, i)
	switch {
	case bracket && next != ')' || !bracket && !isSeparator(next):
		return 0, 0
	case !bracket:
		return i + 1, next
	case after(s, i+1) == ' ':
		return i + 2, 0
	default:
		return i + 1, 0
	}
}

// subscriberEnd returns where the number of seven digits that begins at i ends, 0
// for none. Its separator is that of the area code, if that has one.
func subscriberEnd(s string, i int, separator byte) int {
	if !isExchangeCode(s, i) {
		return 0
	}
	i += 3
	if c := after(s, i); !isSeparator(c) || separator != 0 && c != separator {
		return 0
	}
	i++
	if !threeDigits(s, i) || !isDigit(after(s, i+3)) {
		return 0
	}
	return i + 4
}

// goesOn reports whether the number that ends at i is a part of something longer.
func goesOn(s string, i int, separator byte) bool {
	next := after(s, i)
	if joinsWord(next) {
		return true
	}
	return (next == '.' || next == '-' || next == ' ' && separator == ' ') && isDigit(after(s, i+1))
}

// isExchangeCode reports whether an area or exchange code begins at i: three
// digits from 200 on.
func isExchangeCode(s string, i int) bool { return threeDigits(s, i) && s[i] >= '2' }

func saysPhone(s string) bool {
	s = strings.ToLower(s)
	for _, word := range [...]string{"phone", "tel", "call", "mobile", "cell", "fax", "dial"} {
		if strings.Contains(s, word) {
			return true
		}
	}
	return false
}

func isSeparator(c byte) bool { return c == ' ' || c == '-' || c == '.' }

func threeDigits(s string, i int) bool {
	return i+3 <= len(s) && isDigit(s[i]) && isDigit(s[i+1]) && isDigit(s[i+2])
}
