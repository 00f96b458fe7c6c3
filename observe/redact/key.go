package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxKeyWords is the number of words that the longest name has.
const maxKeyWords = 3

// defaultKeys are the names whose values are masked whatever they hold, in
// words.
var defaultKeys = [...]string{
	// credentials
	"password", "passwords", "passwd", "pwd", "passphrase", "pass phrase", "passcode", "secret", "secrets", "token", "api key", "apikey",
	"authorization", "cookie", "cookies", "private key", "privatekey", "access key", "accesskey", "secret key", "secretkey", "signing key", "encryption key",
	"credential", "credentials", "jwt", "bearer", "otp", "pin", "cvv", "cvc", "session key", "session id", "sessionid", "connection string",
	"ssh key", "sshkey", "auth header", "auth key",
	// persons
	"email", "e mail", "emails", "mail address", "emailaddress", "phonenumber", "phone", "phones", "telephone", "mobile", "msisdn", "ssn", "social security",
	"first name", "firstname", "last name", "lastname", "full name", "fullname", "surname", "family name", "given name",
	"maiden name", "middle name", "date of birth", "dob", "birth date", "birthdate", "birthday", "street", "home address",
	"postal address", "billing address", "shipping address", "mailing address", "address line", "passport", "driver license",
	"drivers license", "driving licence", "license plate", "national id", "tax id",
	// payment
	"iban", "bank account", "account number", "accountnumber", "card number", "cardnumber", "card no", "cardno", "pan number", "credit card", "creditcard", "debit card",
}

// lastKeys are such names at the end of a name alone: basic_auth, but not
// auth_method.
var lastKeys = map[string]bool{"auth": true, "pan": true}

// pageWords before "token" make the name of a place in a list, which is no secret.
var pageWords = map[string]bool{"next": true, "page": true, "continuation": true, "previous": true, "prev": true, "cursor": true}

// aboutWords end names that tell something about personal data without being
// it: token_count, email_verified, password_changed_at.
var aboutWords = map[string]bool{
	"count": true, "total": true, "length": true, "len": true, "size": true, "limit": true, "type": true, "kind": true,
	"expired": true, "expires": true, "expiry": true, "expiration": true, "ttl": true, "verified": true, "valid": true,
	"invalid": true, "changed": true, "enabled": true, "disabled": true, "required": true, "policy": true, "sent": true,
	"at": true, "present": true, "missing": true, "used": true, "usage": true, "attempts": true, "status": true, "version": true,
}

// A Verdict says how a field is written.
type Verdict struct {
	Name     string // the field's name, with personal data in it masked
	Mask     bool   // its value is masked, whatever it is
	Excepted bool   // its value is left, whatever it is
}

// What bounds the keys that are remembered: they are names in programs, and the
// keys of maps, of which there may be any number, of any length in bytes.
const (
	maxVerdicts   = 1024
	maxRemembered = 64
)

// Key reports whether the value of a field of this name is to be masked, whatever it
// is. Of other values, ask [Redactor.Value].
func (r *Redactor) Key(key string) bool { return r.Field(key).Mask }

// Field returns the verdict about a field by its name, and remembers it. That of a
// nil Redactor neither masks nor excepts.
func (r *Redactor) Field(key string) Verdict {
	if r == nil {
		return Verdict{Name: key}
	}
	if v, ok := r.verdicts.Get(key); ok {
		return v
	}
	if len(key) <= maxRemembered && !r.verdicts.Full() {
		if v, ok := r.verdicts.Add(strings.Clone(key), r.judge); ok {
			return v
		}
	}
	return r.judge(key)
}

func (r *Redactor) judge(key string) Verdict {
	words := appendWords(nil, key)
	if r.exceptKeys[strings.Join(words, " ")] {
		return Verdict{Excepted: true, Name: key}
	}
	return Verdict{Mask: r.sensitive(words), Name: r.Text(key)}
}

// sensitive looks for the names as runs of whole words, so that userEmail is
// found in email, and author isn't found in auth.
func (r *Redactor) sensitive(words []string) bool {
	for start := range words {
		for end := start + 1; end <= min(start+maxKeyWords, len(words)); end++ {
			isLast := end == len(words)
			if r.names(words[start:end]) && (isLast || !aboutWords[words[len(words)-1]]) && !isPageToken(words[:end]) {
				return true
			}
			if isLast && end == start+1 && lastKeys[words[start]] {
				return true
			}
		}
	}
	return false
}

// isPageToken reports whether words end in "token" of a place in a list.
func isPageToken(words []string) bool {
	last := words[len(words)-1]
	if last == "token" {
		return len(words) > 1 && pageWords[words[len(words)-2]]
	}
	before, found := strings.CutSuffix(last, "token")
	return found && pageWords[before]
}

// names reports whether the words are a name of a value that is masked: as they
// are, without a number at the end (addressLine2), and for some words at the end
// of one that nothing parts (dbpassword).
func (r *Redactor) names(words []string) bool {
	name := strings.Join(words, " ")
	if r.keys[name] || r.keys[strings.TrimRight(name, "0123456789")] {
		return true
	}
	if len(words) > 1 {
		return false
	}
	for _, end := range [...]string{"password", "passwd", "passphrase", "secret", "token", "apikey"} {
		if strings.HasSuffix(strings.TrimRight(name, "0123456789"), end) {
			return true
		}
	}
	return false
}

// appendWords splits a key at separators and at changes of case, in lower case:
// userEmail, user_email and User-Email are "user email", HTTPToken is "http
// token".
func appendWords(words []string, key string) []string {
	start := -1
	previous := rune(0)
	for i, c := range key {
		letter := unicode.IsLetter(c) || unicode.IsDigit(c)
		switch {
		case !letter:
			if start >= 0 {
				words = append(words, strings.ToLower(key[start:i]))
				start = -1
			}
		case start < 0:
			start = i
		case unicode.IsUpper(c) && (!unicode.IsUpper(previous) || startsWord(key[i:])):
			words = append(words, strings.ToLower(key[start:i]))
			start = i
		}
		previous = c
	}
	if start >= 0 {
		words = append(words, strings.ToLower(key[start:]))
	}
	return words
}

// startsWord reports whether s, after an upper case letter, begins a word: the T
// of HTTPToken does.
func startsWord(s string) bool {
	_, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	return unicode.IsLower(next)
}
