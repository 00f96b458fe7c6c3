package contract

import (
	"fmt"
	"strings"
)

// channelNameFault says why tools refuse name as a channel's key, "" where they
// don't. The key is a URI template (RFC 6570, section 2); measured with the
// official parser, which also refuses # and ?, and a slash at the end.
func channelNameFault(name string) string {
	switch {
	case strings.ContainsAny(name, "#?"):
		return "it contains # or ?, which begin a fragment or a query"
	case strings.HasSuffix(name, "/"):
		return "it ends with a slash"
	}
	for rest := name; rest != ""; {
		size, fault := templatePart(rest)
		if fault != "" {
			return fault
		}
		rest = rest[size:]
	}
	return ""
}

// templatePart returns the length of the literal, the percent-encoded byte or
// the expression that text begins with.
func templatePart(text string) (size int, fault string) {
	switch c := text[0]; {
	case c == '%':
		if !isPercentEncoded(text) {
			return 0, "its % doesn't begin a percent-encoded byte, such as %20"
		}
		return len("%20"), ""
	case c == '{':
		expression, _, closed := strings.Cut(text[1:], "}")
		if !closed || !isExpression(expression) {
			return 0, "its { doesn't begin a parameter, such as {tenant}"
		}
		return len(expression) + len("{}"), ""
	case c <= ' ' || c == 0x7f || strings.IndexByte("\"'<>\\^`|}", c) >= 0:
		return 0, fmt.Sprintf("it contains %q", c)
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
