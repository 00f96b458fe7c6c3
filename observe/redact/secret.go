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
		rest, _, _ := strings.Cut(s[start:], "://")
		if n := userinfoEnd(rest); n > 0 {
			return start, start + n
		}
		from = start
	}
}

// userinfoEnd returns the length of the user and the password with which rest,
// what follows the scheme of a URL, begins; 0 for none.
func userinfoEnd(rest string) int {
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
		return i
	}
	port := authority[min(colon+1, len(authority)):]
	if i := strings.LastIndexByte(rest, '@'); i > colon && !isNumber(port) {
		return i
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
// where they stand in a text or a URL as name=value, or as "name":"value".
var secretParameters = [...]string{
	"password", "passwd", "pwd", "passphrase", "secret", "token", "api_key", "apikey", "api-key", "access_key", "accesskey", "accountkey",
	"signature", "x-amz-credential",
}

// nextParameter finds the values of secret parameters.
func nextParameter(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		if s[i] != '=' && s[i] != ':' {
			continue
		}
		head := withoutSpaces(s[:i])
		if s[i] == ':' {
			name, quoted := strings.CutSuffix(head, `"`)
			if !quoted || !strings.HasPrefix(strings.TrimLeft(s[i+1:min(i+4, len(s))], ` \`), `"`) {
				continue // not a member of JSON
			}
			head = strings.TrimSuffix(name, `\`)
		}
		if !endsInSecret(head) {
			continue
		}
		start, end := valueBounds(s, i+1)
		if end-start >= 4 && !isPlaceholder(s[start:end]) {
			return start, end
		}
	}
	return -1, -1
}

// withoutSpaces leaves a space or two at the end out.
func withoutSpaces(head string) string {
	return strings.TrimSuffix(strings.TrimSuffix(head, " "), " ")
}

func endsInSecret(head string) bool {
	for _, name := range secretParameters {
		at := len(head) - len(name)
		if at < 0 || !strings.EqualFold(head[at:], name) || name == "token" && endsInPageWord(head[:at]) {
			continue
		}
		if c := before(head, at); !isAlnum(c) || isUpper(head[at]) {
			return true
		}
	}
	return false
}

// endsInPageWord reports whether what stands before "token" makes it the name of a
// place in a list, see [pageWords].
func endsInPageWord(head string) bool {
	head = strings.TrimRight(head, "_-.")
	start := len(head)
	for start > 0 && isAlnum(head[start-1]) && len(head)-start < len("continuation") {
		start--
	}
	words := appendWords(nil, head[start:])
	return len(words) > 0 && pageWords[words[len(words)-1]]
}

// valueBounds returns the value that begins at i, without spaces before it and
// without its quotes, which may be escaped. One that begins as a placeholder is
// empty.
func valueBounds(s string, i int) (start, end int) {
	for n := 0; n < 2 && after(s, i) == ' '; n++ {
		i++
	}
	if strings.HasPrefix(s[i:], `\"`) {
		if n := strings.Index(s[i+2:], `\"`); n >= 0 {
			return i + 2, i + 2 + n
		}
		return i + 2, len(s) // the text was cut
	}
	if quote := after(s, i); quote == '"' || quote == '\'' {
		if n := quoteEnd(s[i+1:], quote); n >= 0 {
			return i + 1, i + 1 + n
		}
		return i + 1, len(s)
	}
	if i == len(s) || beginsPlaceholder(s[i:]) {
		return i, i
	}
	if n := strings.IndexAny(s[i:], " \t\r\n&;,\"')}]"); n >= 0 {
		return i, i + n
	}
	return i, len(s)
}

// quoteEnd returns where the quote is that isn't escaped, -1 for none.
func quoteEnd(s string, quote byte) int {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case quote:
			return i
		}
	}
	return -1
}

// beginsPlaceholder reports whether the value begins as a placeholder of statements
// and templates does. A percent sign before two digits is a character of a URL.
func beginsPlaceholder(value string) bool {
	if value[0] == '%' {
		return len(value) < 3 || !isHex(value[1]) || !isHex(value[2])
	}
	return strings.IndexByte("$?:@{<*=[(", value[0]) >= 0
}

// isPlaceholder reports whether the value is no secret: a placeholder, a constant,
// a short number.
func isPlaceholder(value string) bool {
	for _, word := range [...]string{"true", "false", "null", "none", "nil", Mask} {
		if strings.EqualFold(value, word) {
			return true
		}
	}
	return beginsPlaceholder(value) || isNumber(value) && len(value) < 6
}

// nextJWT finds tokens of RFC 7519: two parts that begin as a JSON object does,
// and a signature that may be empty. It finds those that are encrypted (RFC 7516),
// also where they were cut.
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
		if !joinsWord(before(s, start)) && after(s, header) == '.' && isEncrypted(s[start:header]) {
			return start, encryptedEnd(s, header)
		}
		from = max(header, start+1)
	}
}

// isEncrypted reports whether part is the header of an encrypted token, which names
// an algorithm for its content.
func isEncrypted(part string) bool {
	decoded, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && bytes.Contains(decoded, []byte(`"enc"`))
}

// encryptedEnd returns where the four parts behind the header end, of which all may
// be empty.
func encryptedEnd(s string, header int) int {
	end := header
	for parts := 0; parts < 4 && after(s, end) == '.'; parts++ {
		end = tokenEnd(s, end+1)
	}
	return end
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
	{prefix: "hf_", length: 30},
	{prefix: "sk-ant-", length: 20},
	{prefix: "sk-proj-", length: 20},
}

// nextCloudToken finds the tokens of services that give them a prefix.
func nextCloudToken(s string, from int) (start, end int) {
	for i := from; i+19 < len(s); i++ {
		c := s[i]
		if c != 'A' && c != 'g' && c != 'x' && c != 's' && c != 'r' && c != 'w' && c != 'n' && c != 'S' && c != 'h' || joinsWord(before(s, i)) {
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
	for end < len(s) && f.has(s[end]) {
		end++
		if f.exactly && end-start > f.length {
			return 0
		}
	}
	if end-start < f.length || f.upper && joinsWord(after(s, end)) {
		return 0
	}
	return end
}

// has reports whether c may be in the token, behind its prefix.
func (f *tokenForm) has(c byte) bool {
	if f.upper {
		return isUpper(c) || isDigit(c)
	}
	return isAlnum(c) || c == '-' || c == '_' || c == '.' && f.prefix == "SG."
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
