package contract

import (
	"fmt"
	"slices"
	"strings"
)

// channelNameFaults says why tools refuse name as a channel's key, nothing where they
// don't. The key is a URI template (RFC 6570, section 2); measured with the official
// parser, which also refuses # and ?, and warns of a slash at the end. Each reason is
// given once.
func channelNameFaults(name string) []string {
	var faults []string
	add := func(fault string) {
		if fault != "" && !slices.Contains(faults, fault) {
			faults = append(faults, fault)
		}
	}
	if strings.ContainsAny(name, "#?") {
		add("it contains # or ?, which begin a fragment or a query")
	}
	for rest := name; rest != ""; {
		size, fault := templatePart(rest)
		add(fault)
		rest = rest[size:]
	}
	if strings.HasSuffix(name, "/") {
		add("it ends with a slash")
	}
	return faults
}

// EncodedChannelName returns the key of a channel that tools take for a queue of any
// name: the name itself where they take that, else the name with all bytes encoded
// that could be the reason, such as %20 for a space. The official parser decodes the
// keys of channels that have references once before it judges them, so that these are
// encoded twice, as %2520, and names with a % of their own are refused.
func EncodedChannelName(name string, hasReferences bool) string {
	if len(channelNameFaults(name)) == 0 && !(hasReferences && strings.Contains(name, "%")) {
		return name
	}
	var encoded strings.Builder
	for i := range len(name) {
		c := name[i]
		if c <= ' ' || c == 0x7f || strings.IndexByte("\"'<>\\^`|{}%#?", c) >= 0 || c == '/' && i == len(name)-1 {
			fmt.Fprintf(&encoded, "%%%02X", c)
		} else {
			encoded.WriteByte(c)
		}
	}
	if hasReferences {
		return strings.ReplaceAll(encoded.String(), "%", "%25")
	}
	return encoded.String()
}

// templatePart returns the length of the literal, the percent-encoded byte or
// the expression that text begins with; of a byte that is none of them 1, and why.
func templatePart(text string) (size int, fault string) {
	switch c := text[0]; {
	case c == '%':
		if !isPercentEncoded(text) {
			return 1, "its % doesn't begin a percent-encoded byte, such as %20"
		}
		return len("%20"), ""
	case c == '{':
		expression, _, closed := strings.Cut(text[1:], "}")
		if !closed || !isExpression(expression) {
			return 1, "its { doesn't begin a parameter, such as {tenant}"
		}
		return len(expression) + len("{}"), ""
	case c <= ' ' || c == 0x7f || strings.IndexByte("\"'<>\\^`|}", c) >= 0:
		return 1, fmt.Sprintf("it contains %q", c)
	default:
		return 1, ""
	}
}

func isPercentEncoded(text string) bool {
	return len(text) >= 3 && text[0] == '%' && isHex(text[1]) && isHex(text[2])
}

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// isExpression reports whether text is an operator, or none, and variables.
func isExpression(text string) bool {
	if text != "" && strings.IndexByte("+#./;?&=,!@|", text[0]) >= 0 {
		text = text[1:]
	}
	for variable := range strings.SplitSeq(text, ",") {
		if !isVariable(variable) {
			return false
		}
	}
	return true
}

// isVariable reports whether text is a name, perhaps followed by * or by a
// length from :1 to :9999.
func isVariable(text string) bool {
	name, length, limited := strings.Cut(text, ":")
	if limited && !isLength(length) {
		return false
	}
	if !limited {
		name = strings.TrimSuffix(name, "*")
	}
	for part := range strings.SplitSeq(name, ".") {
		if !isVariableName(part) {
			return false
		}
	}
	return true
}

func isLength(text string) bool {
	if text == "" || len(text) > 4 || text[0] == '0' {
		return false
	}
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

func isVariableName(text string) bool {
	if text == "" {
		return false
	}
	for text != "" {
		c := text[0]
		switch {
		case isPercentEncoded(text):
			text = text[len("%20"):]
		case c == '_' || isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z':
			text = text[1:]
		default:
			return false
		}
	}
	return true
}
