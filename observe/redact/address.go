package redact

import (
	"net/netip"
	"strings"
	"unicode"
	"unicode/utf8"
)

// nextEmail finds addresses with a domain that has a dot. The sign may be escaped,
// as in the query of a URL.
func nextEmail(s string, from int) (start, end int) {
	first := from // where a local part may begin: behind the sign before
	for i := from; i < len(s); i++ {
		if s[i] != '@' && !strings.HasPrefix(s[i:], "%40") {
			continue
		}
		domain := i + 1
		if s[i] == '%' {
			domain = i + 3
		}
		start, end := localStart(s, first, i), domainEnd(s, domain)
		if start < i && end > 0 && s[i-1] != '.' && !isNoMailbox(s[start:i], s[domain:end], s[end:]) {
			return start, end
		}
		first = domain
	}
	return -1, -1
}

// localStart returns where the local part that ends at i begins.
func localStart(s string, first, i int) int {
	start := i
	for start > first {
		r, size := utf8.DecodeLastRuneInString(s[first:start])
		if !isLabel(r) && !strings.ContainsRune("._%+-'!#$&*?^`{|}~", r) {
			break
		}
		start -= size
	}
	for start < i && (s[start] == '.' || s[start] == '\'' || s[start] == '-') {
		start++
	}
	return start
}

// isLabel reports whether a host's name may have r.
func isLabel(r rune) bool {
	if r < utf8.RuneSelf {
		return isAlnum(byte(r))
	}
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r)
}

// domainEnd returns where the domain that begins at start ends, 0 where there is
// none: labels with dots between, the last one of letters. A dot after it ends
// the sentence.
func domainEnd(s string, start int) int {
	end := 0
	for label := start; ; {
		stop := labelEnd(s, label)
		if stop == label {
			return end
		}
		next := after(s, stop)
		if label > start {
			switch n := topLevel(s[label:stop]); {
			case n == stop-label:
				end = stop
			case n > 0:
				return label + n
			case next != '.':
				return 0
			}
		}
		if next == '_' {
			return 0
		}
		if next != '.' {
			return end
		}
		label = stop + 1
	}
}

func labelEnd(s string, start int) int {
	for i, r := range s[start:] {
		if !isLabel(r) && (r != '-' || i == 0) {
			return start + i
		}
	}
	return len(s)
}

// topLevel returns the length of the top level domain that the label is, 0 for
// none. One in Latin letters ends where another script begins: a sentence may go
// on without a space.
func topLevel(label string) int {
	if len(label) > 4 && strings.EqualFold(label[:4], "xn--") {
		return len(label)
	}
	first, _ := utf8.DecodeRuneInString(label)
	latin := unicode.Is(unicode.Latin, first)
	for i, r := range label {
		if r < utf8.RuneSelf && !unicode.IsLetter(r) {
			return 0
		}
		if latin && unicode.IsLetter(r) && !unicode.Is(unicode.Latin, r) {
			label = label[:i]
			break
		}
	}
	if utf8.RuneCountInString(label) < 2 {
		return 0
	}
	return len(label)
}

// isNoMailbox reports whether the parts are of something that is written like an
// address: an Erlang node, a git remote, a picture for dense screens.
func isNoMailbox(local, domain, rest string) bool {
	if name := strings.TrimRight(local, "0123456789-"); name == "rabbit" {
		return true
	}
	if local == "git" && strings.HasPrefix(rest, ":") || local == "git" && strings.HasPrefix(rest, "/") {
		return true
	}
	return strings.HasPrefix(domain, "2x.") || strings.HasPrefix(domain, "3x.")
}

// nextIPv4 finds addresses of four numbers, other than in versions.
func nextIPv4(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		if !isDigit(s[i]) || joinsAddress(before(s, i)) {
			continue
		}
		end := i
		for end < len(s) && (isDigit(s[end]) || s[end] == '.') {
			end++
		}
		run := strings.TrimRight(s[i:end], ".")
		next := after(s, i+len(run))
		joined := joinsWord(next) || next == '-' && isVersionTail(s[i+len(run)+1:])
		if !joined && isIPv4(run) && !isVersion(s[:i]) {
			return i, i + len(run)
		}
	}
	return -1, -1
}

func isIPv4(run string) bool {
	if len(run) > len("255.255.255.255") {
		return false
	}
	addr, err := netip.ParseAddr(run)
	return err == nil && identifies(addr)
}

func joinsAddress(c byte) bool { return joinsWord(c) || c == '.' || c == '-' || c == '+' }

// isVersionTail reports whether what follows a dash makes a version of it:
// 1.2.3.4-rc1. A second address after the dash is a range.
func isVersionTail(s string) bool { return s != "" && !isDigit(s[0]) && isAlnum(s[0]) }

// isVersion reports whether what comes next is a version by what stands before
// it: "Chrome/", "version ", "release=". A slash of a path is none of these.
func isVersion(head string) bool {
	head = head[max(len(head)-64, 0):]
	if product, ok := strings.CutSuffix(head, "/"); ok {
		product = product[strings.LastIndexAny(product, " \t\"'(,;=")+1:]
		return product != "" && isAlnum(product[len(product)-1]) && !strings.Contains(product, "/")
	}
	head = strings.TrimRight(head, " =:\"'")
	for _, word := range [...]string{"version", "release", "ver", "build"} {
		at := len(head) - len(word)
		if at < 0 || !strings.EqualFold(head[at:], word) {
			continue
		}
		if c := before(head, at); !isAlnum(c) || isUpper(head[at]) && !isUpper(c) {
			return true // the word, or appVersion, but not server
		}
	}
	return false
}

// identifies reports whether the address may be that of a person's machine.
func identifies(addr netip.Addr) bool {
	if addr.IsLoopback() || addr.IsUnspecified() || addr.IsMulticast() {
		return false
	}
	if addr.Is4() {
		first := addr.As4()[0]
		return first != 0 && first != 255 // this network, and masks
	}
	return true
}

// nextIPv6 finds addresses by parsing runs of what they consist of.
func nextIPv6(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		if !isHex(s[i]) && s[i] != ':' || joinsWord(before(s, i)) || before(s, i) == ':' {
			continue
		}
		end := i
		for end < len(s) && (isHex(s[end]) || s[end] == ':' || s[end] == '.') {
			end++
		}
		run := strings.TrimRight(s[i:end], ".")
		if strings.HasSuffix(run, ":") && !strings.HasSuffix(run, "::") {
			run = run[:len(run)-1]
		}
		if !joinsWord(after(s, i+len(run))) && isIPv6(run) {
			return i, i + len(run)
		}
		i = end
	}
	return -1, -1
}

// isIPv6 doesn't take names with two colons, as Cafe::Bad, for addresses, nor
// fingerprints of eight bytes.
func isIPv6(run string) bool {
	if strings.Count(run, ":") < 2 || !strings.ContainsAny(run, "0123456789") {
		return false
	}
	addr, err := netip.ParseAddr(run)
	if err != nil || !identifies(addr) || addr.Is4In6() && !identifies(addr.Unmap()) {
		return false
	}
	for group := range strings.SplitSeq(run, ":") {
		if len(group) != 2 {
			return true
		}
	}
	return false
}
