package difference

import (
	"fmt"
	"slices"

	"github.com/warrenmq/warren/internal/jsontree"
)

// A Policy has the severities of kinds of changes, by their ids, that somebody
// wants otherwise.
type Policy map[string]Severity

// ReadPolicy reads one, as a JSON or YAML object of ids and severities.
func ReadPolicy(name string, content []byte) (Policy, error) {
	root, err := jsontree.Parse(name, content)
	if err != nil {
		return nil, fmt.Errorf("read the severities in %s: %w", name, err)
	}
	if root.Kind != jsontree.Object {
		return nil, fmt.Errorf("read the severities in %s: it is of the kind %s, and an object of ids and severities is wanted", name, root.Kind)
	}
	policy := make(Policy)
	for _, m := range root.Members {
		severity := Severity(m.Value.Str())
		if !slices.Contains(Kinds(), m.Name) {
			return nil, fmt.Errorf("read the severities in %s: line %d: there is no kind of change %q: asyncapigen help changes lists them", name, m.Value.Line, m.Name)
		}
		if !slices.Contains(severities, severity) {
			return nil, fmt.Errorf("read the severities in %s: line %d: %s is none: use breaking, undecided, compatible or documentation", name, m.Value.Line, shown(m.Value))
		}
		policy[m.Name] = severity
	}
	return policy, nil
}

// ParseSeverity reads a severity.
func ParseSeverity(text string) (Severity, error) {
	if !slices.Contains(severities, Severity(text)) {
		return "", fmt.Errorf("it is breaking, compatible or documentation")
	}
	return Severity(text), nil
}
