package topology

import (
	"context"
	"slices"

	"github.com/warrenmq/warren/mgmt"
)

// limitsOf returns the limits that a queue of these arguments has, or would have,
// with the policies of its virtual host. The API says which policy a queue has 5
// seconds late, and of a queue that was deleted before what that one had.
func (m *migration) limitsOf(ctx context.Context, name string, arguments map[string]any) (limits, error) {
	all := mergeLimits(arguments, nil)
	for _, list := range []func(context.Context, mgmt.Scope) ([]mgmt.PolicyInfo, error){m.client.Policies, m.client.OperatorPolicies} {
		policies, err := list(ctx, mgmt.In(m.vhost))
		if err != nil {
			return nil, err
		}
		for _, policy := range applying(policies, kindOf(arguments), name) {
			all = all.merge(policy.Definition)
		}
	}
	return all, nil
}

// kindOf returns what a policy calls queues of these arguments.
func kindOf(arguments map[string]any) string {
	switch plain(arguments[queueType]) {
	case "classic":
		return mgmt.ApplyToClassicQueues
	case "quorum":
		return mgmt.ApplyToQuorumQueues
	case "stream":
		return mgmt.ApplyToStreams
	}
	return mgmt.ApplyToQueues // the virtual host decides
}

// applying returns the policies that may apply to a queue: of those that match it
// surely the ones of the highest priority, and those that may match and aren't
// lower.
func applying(policies []mgmt.PolicyInfo, kind, name string) []mgmt.PolicyInfo {
	var may []mgmt.PolicyInfo
	var highest *mgmt.PolicyInfo
	for _, policy := range policies {
		matches, err := policy.Matches(kind, name)
		switch {
		case err != nil:
		case !matches:
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
