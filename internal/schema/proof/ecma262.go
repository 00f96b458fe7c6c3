package proof

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/dlclark/regexp2"
)

const ecma262 = regexp2.ECMAScript | regexp2.Unicode

// checkPattern reports why a pattern is no regular expression of ECMA 262 with
// the flag u, by which validators compile them. The engine knows the grammar, but
// takes the syntax of other languages as well.
func checkPattern(pattern string) error {
	inClass := false
	for rest := pattern; rest != ""; {
		size := 1
		switch {
		case rest[0] == '\\':
			escape := escapes.FindString(rest)
			if escape == "" || escape == `\-` && !inClass {
				return fmt.Errorf("%.2s is no escape", rest)
			}
			size = len(escape)
		case inClass:
			inClass = rest[0] != ']'
		case rest[0] == '[':
			inClass = true
		case rest[0] == ']', rest[0] == '}':
			return fmt.Errorf("%.1s closes nothing", rest)
		case rest[0] == '{':
			counted := counts.FindString(rest)
			if counted == "" {
				return errors.New("{ begins no count")
			}
			size = len(counted)
		case strings.HasPrefix(rest, "(?"):
			group := groups.FindString(rest)
			if group == "" {
				return fmt.Errorf("%.3s begins no group", rest)
			}
			size = len(group)
		}
		rest = rest[size:]
	}
	_, err := regexp2.Compile(pattern, ecma262)
	return err
}

var (
	escapes = regexp.MustCompile(`^\\([\^$\\.*+?()\[\]{}|/dDwWsSbBtnvfr0-9-]|c[a-zA-Z]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}|k<\w+>|[pP]\{[\w=]+\})`)
	groups  = regexp.MustCompile(`^\(\?(:|=|!|<=|<!|<[A-Za-z_$][\w$]*>)`)
	counts  = regexp.MustCompile(`^\{[0-9]+(,[0-9]*)?\}`)
)

type ecmaRegexp struct{ *regexp2.Regexp }

func (r ecmaRegexp) MatchString(text string) bool {
	matched, err := r.Regexp.MatchString(text)
	return matched && err == nil
}
