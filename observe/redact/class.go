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

// contents is what a string consists of.
type contents struct {
	length, digits, uppers, dots, colons, dashes, slashes int

	at, underscore, equal, plus, space, percent, quote bool
}

// candidates returns the detectors that may find something, a bit each.
func (c *contents) candidates() uint {
	set := c.marked()
	if c.digits >= 4 {
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
func (c *contents) numbers() uint {
	return when(c.digits >= 13, card) |
		when(c.uppers >= 2 && c.digits >= 8 && c.length >= 15, iban) |
		when(c.digits >= 9, ssn) |
		when(c.digits >= 10 || c.plus && c.digits >= 8, phone) |
		when(c.dots >= 3, ipv4)
}

// marked are detectors of what a sign gives away.
func (c *contents) marked() uint {
	return when(c.colons >= 2 && c.digits > 0, ipv6) |
		when(c.at && c.slashes >= 2 && c.colons > 0, userinfo) |
		when((c.at || c.percent) && c.dots > 0, email) |
		when((c.equal || c.quote && c.colons > 0) && c.length >= 8, parameter) |
		when(c.space && c.length >= 12 && (c.digits > 0 || c.uppers > 0), bearer)
}

// tokens are detectors of what is long.
func (c *contents) tokens() uint {
	return when(c.dots >= 2 && c.uppers > 0, jwt) |
		when(c.underscore || c.dashes > 0 || c.uppers >= 4, cloudToken) |
		when(c.dashes >= 10, privateKey)
}

// Counts of a string's bytes share one word, which a table adds up: 12 bits for
// digits and upper case letters, 10 for the others.
const (
	digitShift = 0
	upperShift = 12
	dotShift   = 24
	colonShift = 34
	dashShift  = 44
	slashShift = 54

	chunk = 1<<10 - 1 // bytes until a count of 10 bits could run over
)

// Bytes of which it matters only that they are there.
const (
	hasAt = 1 << iota
	hasUnderscore
	hasEqual
	hasPlus
	hasSpace
	hasPercent
	hasQuote
)

type classTable struct {
	counts [256]uint64
	flags  [256]uint8
}

var classOf = func() (t classTable) {
	for c := '0'; c <= '9'; c++ {
		t.counts[c] = 1 << digitShift
	}
	for c := 'A'; c <= 'Z'; c++ {
		t.counts[c] = 1 << upperShift
	}
	t.counts['.'], t.counts[':'] = 1<<dotShift, 1<<colonShift
	t.counts['-'], t.counts['/'] = 1<<dashShift, 1<<slashShift
	t.flags['@'], t.flags['_'], t.flags['='] = hasAt, hasUnderscore, hasEqual
	t.flags['+'], t.flags[' '], t.flags['%'], t.flags['"'] = hasPlus, hasSpace, hasPercent, hasQuote
	return t
}()

func examine(s string) contents {
	c := contents{length: len(s)}
	var flags uint8
	for len(s) > 0 {
		part := s[:min(len(s), chunk)]
		s = s[len(part):]
		var counts uint64
		for i := range len(part) {
			counts += classOf.counts[part[i]]
			flags |= classOf.flags[part[i]]
		}
		c.digits += int(counts >> digitShift & (1<<12 - 1))
		c.uppers += int(counts >> upperShift & (1<<12 - 1))
		c.dots += int(counts >> dotShift & chunk)
		c.colons += int(counts >> colonShift & chunk)
		c.dashes += int(counts >> dashShift & chunk)
		c.slashes += int(counts >> slashShift & chunk)
	}
	c.at, c.underscore, c.equal = flags&hasAt != 0, flags&hasUnderscore != 0, flags&hasEqual != 0
	c.plus, c.space = flags&hasPlus != 0, flags&hasSpace != 0
	c.percent, c.quote = flags&hasPercent != 0, flags&hasQuote != 0
	return c
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
