package redact

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// nextUserinfo finds the user and the password of a URL. A password with a slash
// that should have been escaped is found too: what shows it is that no port
// stands after the colon.
func nextUserinfo(s string, from int) (start, end int) {
	for {
		i := strings.Index(s[from:], "://")
		if i < 0 {
			return -1, -1
		}
		start := from + i + len("://")
		if end := userinfoEnd(s, start); end > 0 {
			return start, end
		}
		from = start
	}
}

func userinfoEnd(s string, start int) int {
	rest := s[start:]
	if i := strings.IndexAny(rest, " \t\r\n\"'<>`"); i >= 0 {
		rest = rest[:i]
	}
	colon := strings.IndexByte(rest, ':')
	if colon < 0 || strings.IndexByte(rest[:colon], '/') >= 0 {
		return 0
	}
	authority := rest
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		authority = rest[:i]
	}
	if i := strings.LastIndexByte(authority, '@'); i > colon {
		return start + i
	}
	port := authority[min(colon+1, len(authority)):]
	if i := strings.LastIndexByte(rest, '@'); i > colon && !isNumber(port) {
		return start + i
	}
	return 0
}

func isNumber(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// secretParameters are the last words of names whose values are credentials
// where they stand in a text or a URL as name=value.
var secretParameters = [...]string{
	"password", "passwd", "pwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "accountkey",
	"signature", "x-amz-credential",
}

// nextParameter finds the values of secret parameters.
func nextParameter(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		if s[i] != '=' || !endsInSecret(s[:i]) {
			continue
		}
		start, end := valueBounds(s, i+1)
		if end-start >= 4 && !isPlaceholder(s[start:end]) {
			return start, end
		}
	}
	return -1, -1
}

func endsInSecret(head string) bool {
	for _, name := range secretParameters {
		at := len(head) - len(name)
		if at < 0 || !strings.EqualFold(head[at:], name) {
			continue
		}
		if c := before(head, at); !isAlnum(c) || isUpper(head[at]) {
			return true
		}
	}
	return false
}

// valueBounds returns the value that begins at i, without its quotes.
func valueBounds(s string, i int) (start, end int) {
	if quote := after(s, i); quote == '"' || quote == '\'' {
		if n := strings.IndexByte(s[i+1:], quote); n >= 0 {
			return i + 1, i + 1 + n
		}
	}
	if n := strings.IndexAny(s[i:], " \t\r\n&;,\"')}]"); n >= 0 {
		return i, i + n
	}
	return i, len(s)
}

// isPlaceholder knows what stands for a value in statements and templates, and
// what is no secret.
func isPlaceholder(value string) bool {
	switch value {
	case "true", "false", "null", "none", "nil", Mask:
		return true
	}
	return strings.IndexByte("$?:@%{<*=[(", value[0]) >= 0 || isNumber(value) && len(value) < 6
}

// nextJWT finds tokens of RFC 7519: two parts that begin as a JSON object does,
// and a signature that may be empty.
func nextJWT(s string, from int) (start, end int) {
	for {
		i := strings.Index(s[from:], "eyJ")
		if i < 0 {
			return -1, -1
		}
		start := from + i
		header := tokenEnd(s, start)
		if !joinsWord(before(s, start)) && header-start >= 8 && after(s, header) == '.' && strings.HasPrefix(s[header+1:], "ey") {
			claims := tokenEnd(s, header+1)
			if after(s, claims) == '.' {
				claims = tokenEnd(s, claims+1)
			}
			return start, claims
		}
		from = max(header, start+1)
	}
}

// tokenEnd returns where the base64url text that begins at i ends.
func tokenEnd(s string, i int) int {
	for i < len(s) && (isAlnum(s[i]) || s[i] == '-' || s[i] == '_') {
		i++
	}
	return i
}

// nextBearer finds what is sent in an Authorization header.
func nextBearer(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		if s[i] != ' ' {
			continue
		}
		start := i + 1
		end := start
		for end < len(s) && (isAlnum(s[end]) || strings.IndexByte("-._~+/=", s[end]) >= 0) {
			end++
		}
		value := s[start:end]
		if isScheme(s[:i], "bearer") && len(value) >= 8 && strings.ContainsAny(value, "0123456789") ||
			isScheme(s[:i], "basic") && isBasic(value) {
			return start, end
		}
	}
	return -1, -1
}

func isScheme(head, scheme string) bool {
	at := len(head) - len(scheme)
	return at >= 0 && strings.EqualFold(head[at:], scheme) && !isAlnum(before(head, at))
}

// isBasic reports whether value is a user and a password (RFC 7617).
func isBasic(value string) bool {
	decoded, err := base64.StdEncoding.DecodeString(value)
	return err == nil && bytes.IndexByte(decoded, ':') > 0
}

// A tokenForm is how a service's tokens begin, and the least that follows.
type tokenForm struct {
	prefix  string
	length  int  // of what follows
	exactly bool // it has that length
	upper   bool // it is of upper case letters and digits
}

var tokenForms = [...]tokenForm{
	{prefix: "AKIA", length: 16, exactly: true, upper: true},
	{prefix: "ASIA", length: 16, exactly: true, upper: true},
	{prefix: "AIza", length: 35, exactly: true},
	{prefix: "ghp_", length: 20},
	{prefix: "gho_", length: 20},
	{prefix: "ghu_", length: 20},
	{prefix: "ghs_", length: 20},
	{prefix: "ghr_", length: 20},
	{prefix: "github_pat_", length: 20},
	{prefix: "glpat-", length: 16},
	{prefix: "xoxa-", length: 10},
	{prefix: "xoxb-", length: 10},
	{prefix: "xoxp-", length: 10},
	{prefix: "xoxr-", length: 10},
	{prefix: "xoxs-", length: 10},
	{prefix: "sk_live_", length: 10},
	{prefix: "sk_test_", length: 10},
	{prefix: "rk_live_", length: 10},
	{prefix: "rk_test_", length: 10},
	{prefix: "whsec_", length: 16},
	{prefix: "npm_", length: 30},
	{prefix: "SG.", length: 40},
	{prefix: "sk-ant-", length: 20},
	{prefix: "sk-proj-", length: 20},
}

// nextCloudToken finds the tokens of services that give them a prefix.
func nextCloudToken(s string, from int) (start, end int) {
	for i := from; i+19 < len(s); i++ {
		c := s[i]
		if c != 'A' && c != 'g' && c != 'x' && c != 's' && c != 'r' && c != 'w' && c != 'n' && c != 'S' || joinsWord(before(s, i)) {
			continue
		}
		for f := range tokenForms {
			if end := tokenForms[f].end(s, i); end > 0 {
				return i, end
			}
		}
	}
	return -1, -1
}

// end returns where the token of this form that begins at i ends, 0 for none.
func (f *tokenForm) end(s string, i int) int {
	if !strings.HasPrefix(s[i:], f.prefix) {
		return 0
	}
	start := i + len(f.prefix)
	end := start
	for end < len(s) && (isAlnum(s[end]) && (!f.upper || isUpper(s[end]) || isDigit(s[end])) ||
		!f.upper && (s[end] == '-' || s[end] == '_' || f.prefix == "SG." && s[end] == '.')) {
		end++
	}
	if n := end - start; n < f.length || f.exactly && n != f.length || joinsWord(after(s, end)) {
		return 0
	}
	return end
}

// nextPrivateKey finds private keys in PEM (RFC 7468), cut ones too.
func nextPrivateKey(s string, from int) (start, end int) {
	const begin, finish = "-----BEGIN ", "-----END "
	for {
		i := strings.Index(s[from:], begin)
		if i < 0 {
			return -1, -1
		}
		start := from + i
		label, _, found := strings.Cut(s[start+len(begin):], "-----")
		if found && strings.Contains(label, "PRIVATE KEY") {
			end := strings.Index(s[start:], finish+label+"-----")
			if end < 0 {
				return start, len(s)
			}
			return start, start + end + len(finish) + len(label) + len("-----")
		}
		from = start + len(begin)
	}
}
