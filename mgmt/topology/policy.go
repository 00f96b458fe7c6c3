package topology

import (
	"context"
	"regexp"
	"slices"

	"github.com/warrenmq/warren/mgmt"
)

// limitsOf returns the limits that a queue of these arguments has, or would have,
// with the policies of its virtual host. The API says which policy a queue has 5
// seconds late, and of a queue that was deleted before what that one had.
func (m *migration) limitsOf(ctx context.Context, name string, arguments map[string]any) (limits, error) {
	all := mergeLimits(arguments, nil)
	for _, list := range []func(context.Context, string) ([]mgmt.PolicyInfo, error){m.client.Policies, m.client.OperatorPolicies} {
		policies, err := list(ctx, m.vhost)
		if err != nil {
			return nil, err
		}
		for _, policy := range applying(policies, name) {
			all = all.merge(policy.Definition)
		}
	}
	return all, nil
}

// applying returns the policies that may apply to a queue: of those whose pattern
// matches its name the one of the highest priority, and those that aren't surely
// lower.
func applying(policies []mgmt.PolicyInfo, name string) []mgmt.PolicyInfo {
	var may []mgmt.PolicyInfo
	var highest *mgmt.PolicyInfo
	for _, policy := range policies {
		if policy.ApplyTo == mgmt.ApplyToExchanges {
			continue
		}
		pattern, err := regexp.Compile(policy.Pattern)
		switch {
		case err != nil: // the broker's patterns can do more, such as look ahead
		case !pattern.MatchString(name):
			continue
		case highest == nil || policy.Priority.Or(0) > highest.Priority.Or(0):
			highest = &policy
		}
		may = append(may, policy)
	}
	return slices.DeleteFunc(may, func(policy mgmt.PolicyInfo) bool {
		return highest != nil && policy.Priority.Or(0) < highest.Priority.Or(0)
	})
}
