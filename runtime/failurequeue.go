package runtime

import (
	"strings"
	"time"
)

// FailureQueues returns the queues that the route's failure policy needs beside
// its own: one for each delay, the shortest first, and the one for dead letters
// unless the route's queue declares a dead-letter exchange that gets them. They
// are the caller's. A route that answers its callers needs no delays, since they
// get the errors, nor does one with an [Order], which tries again in place.
//
// It is for brokers, which declare the queues with the route's own, and for
// whatever describes the routes, of [Router.Routes]. A route that isn't registered
// answers by what it says itself: it doesn't know the policy of a router, nor that
// another route has the queue for dead letters.
func (r Route) FailureQueues() []Queue {
	r = r.WithDefaults()
	policy := r.failure()
	if policy.Endless {
		return nil
	}
	var queues []Queue
	if !r.answersCallers() && r.Order.IsZero() {
		for _, delay := range policy.delays() {
			queues = append(queues, r.Queue.holding(delay))
		}
	}
	if name := r.deadLetterQueue(policy); name != "" && !r.declaredByOthers {
		queues = append(queues, r.Queue.forDeadLetters(name))
	}
	return queues
}

// AppliedFailure returns the failure policy as it applies to r, with its defaults:
// queues that end with their consumer are Endless, and of a [Stream] Attempts is 1. A
// route without a policy of its own is Endless, too: [Router.Routes] has that of the
// router in each. It is for whatever describes the routes.
func (r Route) AppliedFailure() FailurePolicy {
	r = r.WithDefaults()
	return r.failure()
}

// DeadLetters returns where messages of r go that failed for good, nil for nowhere.
// An empty RoutingKey behind an Exchange means that of each message. It is for whatever
// describes the routes.
func (r Route) DeadLetters() *Address {
	r = r.WithDefaults()
	policy := r.failure()
	_, declared := r.Queue.Arguments[argDeadLetterExchange].(string)
	if policy.Endless && !declared {
		return nil
	}
	if policy.Endless {
		policy.DeadLetters = ""
	}
	to := r.deadLetters(policy, "")
	return &to
}

// deadLetterQueue returns the name of the queue that gets the dead letters of r,
// "" where they go to the exchange that its queue declares.
func (r *Route) deadLetterQueue(policy FailurePolicy) string {
	if _, declared := r.Queue.Arguments[argDeadLetterExchange].(string); declared && policy.DeadLetters == "" {
		return ""
	}
	if policy.DeadLetters != "" {
		return policy.DeadLetters
	}
	return r.Queue.Name + ".dead"
}

// holding returns the queue in which messages of q wait for delay. It brings them
// back by the default exchange, which needs no binding. That of a quorum queue
// does so with confirmation. See docs/decisions/0081.
func (q Queue) holding(delay time.Duration) Queue {
	holding := Queue{Name: retryQueue(q.Name, delay), Durable: q.Durable, Arguments: map[string]any{
		argMessageTTL:         delay.Milliseconds(),
		argDeadLetterExchange: "",
		argDeadLetterKey:      q.Name,
	}}
	if q.isQuorum() {
		holding.Arguments[argQueueType] = "quorum"
		holding.Arguments[argDeadLetterStrategy] = "at-least-once"
		holding.Arguments[argOverflow] = "reject-publish" // which at-least-once wants
	}
	return holding
}

// forDeadLetters returns the queue name for dead letters of q.
func (q Queue) forDeadLetters(name string) Queue {
	dead := Queue{Name: name, Durable: true}
	if q.isQuorum() {
		dead.Arguments = map[string]any{argQueueType: "quorum"}
	}
	return dead
}

// retryPrefix is how the names of the queues begin in which messages of queue wait.
func retryPrefix(queue string) string { return queue + ".retry." }

// retryQueue names the queue in which messages of queue wait for delay.
func retryQueue(queue string, delay time.Duration) string {
	text := delay.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return retryPrefix(queue) + text
}
