package redact

import (
	"unicode"
	"unicode/utf8"
)

// A Kind is a form of personal data, or of credentials.
type Kind int

// The kinds that are looked for.
const (
	Credentials Kind = iota // user and password in a URL of any scheme, amqp:// among them, and secret parameters
	Email
	Card       // 13 to 19 digits of a known issuer, with a right Luhn sum
	IBAN       // of the length of its country, with a right sum
	SSN        // a social security number of the USA
	Phone      // an international number after + or 00, or one of North America
	IP         // an address that isn't loopback or unspecified
	JWT        // encrypted ones too
	Bearer     // Authorization: Bearer and Basic
	CloudToken // AWS, GitHub, GitLab, Google, Slack, Stripe, npm, SendGrid, OpenAI, Anthropic, Hugging Face
	PrivateKey // in PEM
	Custom     // found by a pattern of the configuration
	Unsearched // what lies beyond [Config].MaxLength

	kinds = Unsearched + 1
)

var kindNames = [kinds]string{
	"credentials", "email", "card", "iban", "ssn", "phone", "ip", "jwt", "bearer", "cloud token", "private key", "custom", "unsearched",
}

// String returns the kind's name, as "email".
func (k Kind) String() string {
	if k < 0 || k >= kinds {
		return "unknown"
	}
	return kindNames[k]
}

// minLength is the shortest string that can hold anything: an IPv6 address of
// four characters, as 1::2.
const minLength = 4

// A detector finds one kind. See docs/decisions/0030.
type detector struct {
	kind Kind

	// next returns the bounds of the first find that begins at from or later,
	// -1 for none.
	next func(s string, from int) (start, end int)
}

// The detectors, in the order in which they run; see [contents.candidates].
const (
	privateKey = iota
	userinfo
	parameter
	email
	card
	iban
	ssn
	phone
	ipv4
	ipv6
	jwt
	bearer
	cloudToken
	numDetectors
)

var detectors = [numDetectors]detector{
	privateKey: {PrivateKey, nextPrivateKey},
	userinfo:   {Credentials, nextUserinfo},
	parameter:  {Credentials, nextParameter},
	email:      {Email, nextEmail},
	card:       {Card, nextCard},
	iban:       {IBAN, nextIBAN},
	ssn:        {SSN, nextSSN},
	phone:      {Phone, nextPhone},
	ipv4:       {IP, nextIPv4},
	ipv6:       {IP, nextIPv6},
	jwt:        {JWT, nextJWT},
	bearer:     {Bearer, nextBearer},
	cloudToken: {CloudToken, nextCloudToken},
}

// contents is what a string consists of: how many bytes there are of some kinds, exact up
// to enough, and which signs.
type contents struct {
	length int
	counts uint64
	signs  uint8
}

// candidates returns the detectors that may find something, a bit each.
func (c contents) candidates() (set uint) {
	if c.signs != 0 || c.count(nColons) >= 2 {
		set = c.marked()
	}
	if c.count(nDigits) >= 4 {
		set |= c.numbers()
	}
	if c.length >= 20 {
		set |= c.tokens()
	}
	return set
}

// when returns the bit of the detector if it may find something.
func when(may bool, detector int) uint {
	if may {
		return 1 << detector
	}
	return 0
}

// numbers are detectors of what consists of digits.
func (c contents) numbers() uint {
	n := c.count(nDigits)
	return when(n >= 13, card) |
		when(c.count(nUppers) >= 2 && n >= 8 && c.length >= 15, iban) |
		when(n >= 9, ssn) |
		when(n >= 10 || c.has(plusSign) && n >= 8, phone) |
		when(c.count(nDots) >= 3, ipv4)
}

// marked are detectors of what a sign gives away, or two colons.
func (c contents) marked() uint {
	return when(c.count(nColons) >= 2 && c.count(nDigits) > 0, ipv6) |
		when(c.has(atSign) && c.count(nSlashes) >= 2 && c.count(nColons) > 0, userinfo) |
		when(c.has(atSign|percentSign) && c.count(nDots) > 0, email) |
		when((c.has(equalSign) || c.has(quoteMark) && c.count(nColons) > 0) && c.length >= 8, parameter) |
		when(c.has(space) && c.length >= 12 && (c.count(nDigits) > 0 || c.count(nUppers) > 0), bearer)
}

// tokens are detectors of what is long.
func (c contents) tokens() uint {
	return when(c.count(nDots) >= 2 && c.count(nUppers) > 0, jwt) |
		when(c.has(underscore) || c.count(nDashes) > 0 || c.count(nUppers) >= 4, cloudToken) |
		when(c.count(nDashes) >= 10, privateKey)
}

// What is counted. The counts share one word, which a table adds up: of each kind
// countBits, from the bit of its constant on.
const (
	nDigits = iota * countBits
	nUppers
	nDots
	nColons
	nDashes
	nSlashes

	countBits = 10
	maxCount  = 1<<countBits - 1
	enough    = 16                // more than any detector asks for
	maxPart   = maxCount - enough // bytes that can be counted beside those
)

// Signs, of which it matters only that they are there.
const (
	atSign = 1 << iota
	underscore
	equalSign
	plusSign
	space
	percentSign
	quoteMark
)

func (c contents) count(kind int) int { return int(c.counts >> kind & maxCount) }

func (c contents) has(signs uint8) bool { return c.signs&signs != 0 }

type classTable struct {
	counts [256]uint64
	signs  [256]uint8
}

var classOf = func() (t classTable) {
	for c := '0'; c <= '9'; c++ {
		t.counts[c] = 1 << nDigits
	}
	for c := 'A'; c <= 'Z'; c++ {
		t.counts[c] = 1 << nUppers
	}
	t.counts['.'], t.counts[':'], t.counts['-'], t.counts['/'] = 1<<nDots, 1<<nColons, 1<<nDashes, 1<<nSlashes
	t.signs['@'], t.signs['_'], t.signs['='], t.signs['+'] = atSign, underscore, equalSign, plusSign
	t.signs[' '], t.signs['%'], t.signs['"'] = space, percentSign, quoteMark
	return t
}()

func examine(s string) contents {
	c := contents{length: len(s)}
	for len(s) > maxPart {
		c.add(s[:maxPart])
		c.limit()
		s = s[maxPart:]
	}
	c.add(s)
	return c
}

// add adds the bytes of s, which are maxPart at most.
func (c *contents) add(s string) {
	counts, signs := c.counts, c.signs
	for i := range len(s) {
		counts += classOf.counts[s[i]]
		signs |= classOf.signs[s[i]]
	}
	c.counts, c.signs = counts, signs
}

// limit makes room in the counts.
func (c *contents) limit() {
	counts := uint64(0)
	for kind := nDigits; kind <= nSlashes; kind += countBits {
		counts |= uint64(min(c.count(kind), enough)) << kind
	}
	c.counts = counts
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isAlnum(c byte) bool { return isDigit(c) || isUpper(c) || isLower(c) }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }

// What before and after return for a character of several bytes.
const (
	otherLetter = 0x80 // of a script that parts words with spaces
	otherSign   = 0x01 // anything else: a bracket, a quote, an ideograph
)

// before returns the character that ends at i, 0 at the start.
func before(s string, i int) byte {
	if i == 0 {
		return 0
	}
	if c := s[i-1]; c < utf8.RuneSelf {
		return c
	}
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return other(r)
}

// after returns the character that begins at i, 0 at the end.
func after(s string, i int) byte {
	if i >= len(s) {
		return 0
	}
	if c := s[i]; c < utf8.RuneSelf {
		return c
	}
	r, _ := utf8.DecodeRuneInString(s[i:])
	return other(r)
}

func other(r rune) byte {
	if unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
		return otherLetter
	}
	return otherSign
}
