package specschema

import (
	"fmt"
	"regexp"
)

// The grammar of RFC 6570, section 2: literals without space, quotes, < > \ ^ `
// and |, percent-encoded bytes, and expressions in braces.
const (
	percentEncoded = `%[0-9A-Fa-f]{2}`
	literal        = "[^\\x00-\\x20\\x7F\"'%<>\\\\^`{|}]"
	varName        = `(?:[A-Za-z0-9_]|` + percentEncoded + `)+(?:\.(?:[A-Za-z0-9_]|` + percentEncoded + `)+)*`
	varSpec        = varName + `(?::[1-9][0-9]{0,3}|\*)?`
	expression     = `\{[+#./;?&=,!@|]?` + varSpec + `(?:,` + varSpec + `)*\}`
)

// uriTemplate is the JSON Schema format of channel names. A value that is no
// string has no format.
func uriTemplate(value any) error {
	text, isString := value.(string)
	if !isString {
		return nil
	}
	template := regexp.MustCompile(`^(?:` + literal + `|` + percentEncoded + `|` + expression + `)*$`)
	if !template.MatchString(text) {
		return fmt.Errorf("%q isn't a URI template of RFC 6570", text)
	}
	return nil
}
