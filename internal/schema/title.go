package schema

import (
	"strings"
	"unicode"
)

// titleEnums gives titles to the enumerations that members of components have of
// their own: code generators make a type of each, and would find no name for it.
func (b *builder) titleEnums() {
	taken := map[string]bool{}
	for _, c := range b.components {
		taken[c.key] = true
	}
	for _, c := range b.components {
		for _, p := range c.schema.Properties {
			target := p.Schema
			if target.Items != nil && len(target.Enum) == 0 {
				target = target.Items
			}
			if len(target.Enum) == 0 || target.Title != "" {
				continue
			}
			title := c.key + camelCase(p.Name)
			for taken[title] {
				title += "Value"
			}
			taken[title] = true
			target.Title = title
		}
	}
}

// camelCase makes words of a member's name: PaymentType of payment_type.
func camelCase(name string) string {
	var words strings.Builder
	upper := true
	for _, r := range name {
		switch {
		case r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			upper = true
		case upper:
			words.WriteRune(unicode.ToUpper(r))
			upper = false
		default:
			words.WriteRune(r)
		}
	}
	return words.String()
}
