package redact

import (
	"net/netip"
	"strings"
	"unicode/utf8"
)

// nextEmail finds addresses with a domain that has a dot.
func nextEmail(s string, from int) (start, end int) {
	for i := from; i < len(s); i++ {
		if s[i] != '@' {
			continue
		}
		start := i
		for start > from && isLocalPart(s[start-1]) {
			start--
		}
		for start < i && (s[start] == '.' || s[start] == '\'' || s[start] == '-') {
			start++
		}
		end := domainEnd(s, i+1)
		if start < i && end > 0 && s[i-1] != '.' && !isNoMailbox(s[start:i], s[i+1:end], s[end:]) {
			return start, end
		}
	}
	return -1, -1
}

func isLocalPart(c byte) bool {
	return isAlnum(c) || c >= 0x80 || strings.IndexByte("._%+-'!#$&*?^`{|}~", c) >= 0
}

// domainEnd returns where the domain that begins at start ends, 0 where there is
// none: labels with dots between, the last one of letters. A dot after it ends
// the sentence.
func domainEnd(s string, start int) int {
	end, labels, label := 0, 0, start
	for i := start; ; i++ {
		c := after(s, i)
		if c != 0 && (isAlnum(c) || c >= 0x80 || c == '-' && i > label) {
			continue
		}
		if i == label {
			break
		}
		labels++
		if labels > 1 && isTopLevel(s[label:i]) {
			end = i
		}
		if c != '.' {
			if c == '_' || labels > 1 && end != i {
				return 0
			}
			break
		}
		label = i + 1
	}
	return end
}

func isTopLevel(label string) bool {
	if strings.HasPrefix(strings.ToLower(label), "xn--") {
		return true
	}
	if utf8.RuneCountInString(label) < 2 {
		return false
	}
	for i := range len(label) {
		if c := label[i]; !isUpper(c) && !isLower(c) && c < 0x80 {
			return false
		}
	}
	return true
}

// isNoMailbox knows what is written like an address and has no person behind it:
// Erlang nodes, git remotes, pictures for dense screens.
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
		after := after(s, i+len(run))
		if joinsWord(after) || after == '-' && isVersionTail(s[i+len(run)+1:]) || isVersion(s[:i]) {
			i = end
			continue
		}
		if addr, err := netip.ParseAddr(run); err == nil && identifies(addr) {
			return i, i + len(run)
		}
		i = end
	}
	return -1, -1
}

func joinsAddress(c byte) bool { return joinsWord(c) || c == '.' || c == '-' || c == '+' }

// isVersionTail reports whether what follows a dash makes a version of it:
// 1.2.3.4-rc1. A second address after the dash is a range.
func isVersionTail(s string) bool { return s != "" && !isDigit(s[0]) && isAlnum(s[0]) }

// isVersion reports whether what comes next is a version by what stands before
// it: "Chrome/", "version ", "release=".
func isVersion(head string) bool {
	if strings.HasSuffix(head, "/") {
		return !strings.HasSuffix(head, "//") && len(head) > 1 && isAlnum(head[len(head)-2])
	}
	head = strings.ToLower(strings.TrimRight(head, " =:\"'"))
	for _, word := range [...]string{"version", "release", "ver", "build"} {
		if strings.HasSuffix(head, word) {
			return true
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
