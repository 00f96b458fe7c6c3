package schema

import (
	"strings"
)

// A rule is one that a tag states of a value.
type rule struct {
	name, param string
}

// validateRules reads a tag of github.com/go-playground/validator. Alternatives
// (a|b) are left out: what one of them demands need not hold.
func validateRules(tag string) []rule {
	var rules []rule
	for part := range strings.SplitSeq(tag, ",") {
		name, param, _ := strings.Cut(part, "=")
		if strings.Contains(part, "|") {
			continue
		}
		// The package's own escapes for what separates rules.
		param = strings.NewReplacer("0x2C", ",", "0x7C", "|").Replace(param)
		rules = append(rules, rule{strings.TrimSpace(name), param})
	}
	return rules
}

// jsonschemaRules reads a tag of github.com/invopop/jsonschema, in which a
// backslash takes away a comma's meaning.
func jsonschemaRules(tag string) []rule {
	var rules []rule
	const comma = "\x00"
	for part := range strings.SplitSeq(strings.ReplaceAll(tag, `\,`, comma), ",") {
		name, param, _ := strings.Cut(strings.ReplaceAll(part, comma, ","), "=")
		rules = append(rules, rule{strings.TrimSpace(name), param})
	}
	return rules
}

// cutRules divides the rules at the one called name.
func cutRules(rules []rule, name string) (before, after []rule, found bool) {
	for i, r := range rules {
		if r.name == name {
			return rules[:i], rules[i+1:], true
		}
	}
	return rules, nil, false
}

func hasRule(rules []rule, name string) bool {
	_, _, found := cutRules(rules, name)
	return found
}
