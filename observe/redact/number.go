package redact

import (
	"math"
	"strings"
)

// nextCard finds card numbers, in one run of digits or in groups that one
// separator parts. Of several in a row each is found.
func nextCard(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		if !isDigit(s[i]) || joinsNumber(before(s, i)) {
			continue
		}
		if end := cardEnd(s, i); end > 0 {
			return i, end
		}
	}
	return -1, -1
}

// joinsNumber reports whether a number that follows c is a part of something
// longer: of a name, a hash, a UUID, a version, an amount.
func joinsNumber(c byte) bool { return isAlnum(c) || c == '-' || c == '_' || c == '.' || c >= 0x80 }

// cardEnd returns where the card that begins at start ends, 0 for none.
func cardEnd(s string, start int) int {
	var digits [19]byte
	n := 0
	separator := byte(0)
	for i := start; i < len(s); i++ {
		c := s[i]
		if !isDigit(c) {
			parts := (c == ' ' || c == '-') && isDigit(after(s, i+1)) && (separator == 0 || c == separator) && n >= 4
			if !parts {
				return 0
			}
			separator = c
			continue
		}
		if n == len(digits) {
			return 0
		}
		digits[n] = c - '0'
		n++
		next := after(s, i+1)
		if isDigit(next) || n < 13 {
			continue
		}
		ends := !isAlnum(next) && next != '_' && (next != '-' || separator == '-' || !isAlnum(after(s, i+2))) &&
			(next != '.' || !isDigit(after(s, i+2)))
		if ends && isCard(digits[:n]) {
			return i + 1
		}
	}
	return 0
}

// isCard reports whether the digits are of an issuer's range, as long as it
// gives, with a right Luhn sum (ISO/IEC 7812).
func isCard(digits []byte) bool { return issuerHas(digits) && luhn(digits) }

// An issuerRange is the first four digits that an issuer's numbers have, and how
// long these are: a bit for each number of digits.
type issuerRange struct {
	first, last int
	lengths     uint32
}

const (
	digits13     = 1 << 13
	digits14     = 1 << 14
	digits15     = 1 << 15
	digits16     = 1 << 16
	digits19     = 1 << 19
	digits16to19 = 1<<16 | 1<<17 | 1<<18 | 1<<19
)

// issuerRanges is a closed list, in no order. No two ranges overlap.
var issuerRanges = [...]issuerRange{
	{4000, 4999, digits13 | digits16 | digits19}, // Visa
	{5100, 5599, digits16},                       // Mastercard
	{2221, 2720, digits16},
	{3400, 3499, digits15}, // American Express
	{3700, 3799, digits15},
	{3000, 3059, digits14 | digits16}, // Diners Club
	{3600, 3699, digits14 | digits16},
	{3800, 3999, digits14 | digits16},
	{6011, 6011, digits16to19}, // Discover
	{6440, 6599, digits16to19},
	{3528, 3589, digits16to19}, // JCB
	{6200, 6299, digits16to19}, // UnionPay
	{5000, 5099, digits16},     // Maestro; 12 digits and 18 are other things too often
	{5600, 5899, digits16},
	{6300, 6399, digits16},
	{6700, 6799, digits16},
}

// issuerHas reports whether the digits, four at least, are as many as an issuer
// gives to numbers that begin so.
func issuerHas(digits []byte) bool {
	first := int(digits[0])*1000 + int(digits[1])*100 + int(digits[2])*10 + int(digits[3])
	for _, r := range issuerRanges {
		if r.first <= first && first <= r.last {
			return r.lengths>>len(digits)&1 == 1
		}
	}
	return false
}

func luhn(digits []byte) bool {
	sum := 0
	for i, d := range digits {
		v := int(d)
		if (len(digits)-i)%2 == 0 {
			v *= 2
			if v > 9 {
				v -= 9
			}
		}
		sum += v
	}
	return sum%10 == 0
}

// Number reports whether an integer is a card number. Other numbers have no
// form of their own.
func (r *Redactor) Number(n uint64) bool {
	if r == nil || n < 1e12 || r.off[Card] {
		return false
	}
	var digits [20]byte
	i := len(digits)
	for ; n > 0; n /= 10 {
		i--
		digits[i] = byte(n % 10)
	}
	return isCard(digits[i:])
}

// Float reports whether a number is a card number, as those are that JSON was
// read into.
func (r *Redactor) Float(f float64) bool {
	return f >= 1e12 && f < 1e19 && f == math.Trunc(f) && r.Number(uint64(f))
}

// nextIBAN finds account numbers of ISO 13616, in one run or in groups.
func nextIBAN(s string, from int) (start, end int) {
	for i := from; i+15 <= len(s); i++ {
		if !isUpper(s[i]) || !isUpper(s[i+1]) || !isDigit(s[i+2]) || !isDigit(s[i+3]) || joinsWord(before(s, i)) {
			continue
		}
		if end := ibanEnd(s, i); end > 0 {
			return i, end
		}
	}
	return -1, -1
}

func joinsWord(c byte) bool { return isAlnum(c) || c == '_' || c >= 0x80 }

func ibanEnd(s string, start int) int {
	length := ibanLengths[s[start:start+2]]
	if length == 0 {
		return 0
	}
	n, sum := 0, 0
	head := [4]byte{s[start], s[start+1], s[start+2], s[start+3]}
	i := start
	for ; i < len(s) && n < length; i++ {
		c := s[i]
		if (c == ' ' || c == '-') && n >= 4 && before(s, i) != c {
			continue
		}
		if !isDigit(c) && !isUpper(c) {
			return 0
		}
		if n >= len(head) {
			sum = addIBAN(sum, c)
		}
		n++
	}
	if n < length || joinsWord(after(s, i)) {
		return 0
	}
	for _, c := range head {
		sum = addIBAN(sum, c)
	}
	if sum != 1 {
		return 0
	}
	return i
}

// addIBAN goes on with the number's remainder: letters are two digits, A is 10.
func addIBAN(sum int, c byte) int {
	if isDigit(c) {
		return (sum*10 + int(c-'0')) % 97
	}
	return (sum*100 + int(c-'A') + 10) % 97
}

// ibanLengths are the lengths of the countries' numbers (SWIFT IBAN registry).
var ibanLengths = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BI": 27, "BR": 29, "BY": 28,
	"CH": 21, "CR": 22, "CY": 28, "CZ": 24, "DE": 22, "DJ": 27, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18,
	"FK": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28, "HN": 28, "HR": 21, "HU": 28,
	"IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20,
	"LU": 20, "LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MN": 20, "MR": 27, "MT": 31, "MU": 30, "NI": 28,
	"NL": 18, "NO": 15, "OM": 23, "PK": 24, "PL": 28, "PS": 29, "PT": 25, "QA": 29, "RO": 24, "RS": 22, "RU": 33, "SA": 24,
	"SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "SO": 23, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20, "YE": 30,
}

// nextSSN finds numbers written 123-45-6789. Those with spaces, dots or nothing
// between are found where the text beside them says what they are.
func nextSSN(s string, from int) (start, end int) {
	for i := from; i+9 <= len(s); i++ {
		if !isDigit(s[i]) || joinsNumber(before(s, i)) {
			continue
		}
		if end := ssnEnd(s, i); end > 0 && (s[i+3] == '-' || saysSSN(beside(s, i, end))) {
			return i, end
		}
		for i+1 < len(s) && isDigit(s[i+1]) {
			i++
		}
	}
	return -1, -1
}

// beside returns the text around s[start:end] in which a word is looked for that
// says what it is.
func beside(s string, start, end int) string {
	const reach = 40
	return s[max(start-reach, 0):min(end+reach, len(s))]
}

func saysSSN(s string) bool {
	for i := range len(s) - len("ssn") + 1 {
		if !strings.EqualFold(s[i:i+len("ssn")], "ssn") || isLower(after(s, i+len("ssn"))) {
			continue
		}
		if c := before(s, i); !isAlnum(c) || isUpper(s[i]) && !isUpper(c) {
			return true // the word, or userSSN, but not className
		}
	}
	return strings.Contains(strings.ToLower(s), "social sec")
}

func ssnEnd(s string, start int) int {
	separator := after(s, start+3)
	digits := s[start:]
	switch {
	case isSeparator(separator):
		if len(digits) < 11 || digits[6] != separator {
			return 0
		}
		digits = digits[:3] + digits[4:6] + digits[7:11]
		start += 11
	case isDigit(separator):
		digits = digits[:9]
		start += 9
	default:
		return 0
	}
	for i := range len(digits) {
		if !isDigit(digits[i]) {
			return 0
		}
	}
	area, group, serial := digits[:3], digits[3:5], digits[5:]
	if area == "000" || area == "666" || area[0] == '9' || group == "00" || serial == "0000" {
		return 0 // never issued (Social Security Administration)
	}
	if next := after(s, start); joinsWord(next) || next == '-' && isAlnum(after(s, start+1)) {
		return 0
	}
	return start
}
