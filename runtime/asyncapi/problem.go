package asyncapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// A Problem is something that a document can't say about a route, or that the
// tools which read documents will refuse. [schema.Problem] has the severity and
// the texts; the path and the type are empty where the problem isn't a type's.
type Problem struct {
	Route string // the route's name; its queue's where it has none
	schema.Problem
}

// The codes of problems that aren't a type's.
const (
	SharedQueue        schema.Code = "shared-queue"        // two routes consume it (warning)
	ChannelName        schema.Code = "channel-name"        // tools refuse it (warning)
	ExchangeType       schema.Code = "exchange-type"       // the AMQP binding doesn't list it (warning)
	RepeatedTag        schema.Code = "repeated-tag"        // a route has it twice (warning)
	MissingName        schema.Code = "missing-name"        // of a route or a queue
	DuplicateOperation schema.Code = "duplicate-operation" // two operations have one id
)

// String returns the problem in one line, without its position.
func (p Problem) String() string {
	if p.Remedy == "" {
		return p.Summary()
	}
	return p.Summary() + ": " + p.Remedy
}

// Summary says which route has the problem and what it is, without the remedy.
func (p Problem) Summary() string {
	p.Problem.Remedy = ""
	text := p.Problem.String()
	if p.Path == "" {
		text = strings.TrimPrefix(text, ": ")
	}
	return fmt.Sprintf("route %q: %s", p.Route, text)
}

// A ProblemError is returned in place of a document that would be wrong.
type ProblemError struct {
	Problems []Problem // all of them errors; at least one
}

// Error has a line for each problem.
func (e *ProblemError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	return "generate the AsyncAPI document: " + strings.Join(lines, "\n")
}

// asError returns a *ProblemError of the problems that are errors, nil where
// none is.
func asError(problems []Problem) error {
	warning := func(p Problem) bool { return p.Severity == schema.Warning }
	faults := slices.DeleteFunc(slices.Clone(problems), warning)
	if len(faults) == 0 {
		return nil
	}
	return &ProblemError{Problems: faults}
}

// about ties a problem to a route.
func about(o Operation, p schema.Problem) Problem {
	if !p.Position.IsValid() {
		p.Position = o.Position
	}
	name := o.Name
	if name == "" {
		name = o.Queue.Name
	}
	return Problem{Route: name, Problem: p}
}

func replaced(earlier, later Operation) Problem {
	message := fmt.Sprintf("it replaces route %q in the document, because both consume queue %q", earlier.Name, later.Queue.Name)
	if earlier.Position.IsValid() {
		message += fmt.Sprintf(" (%s)", earlier.Position)
	}
	return warning(later, SharedQueue, message, "give each route a queue of its own")
}

func warning(o Operation, code schema.Code, message, remedy string) Problem {
	return about(o, schema.Problem{Code: code, Severity: schema.Warning, Message: message, Remedy: remedy})
}

func fault(o Operation, code schema.Code, message, remedy string) Problem {
	return about(o, schema.Problem{Code: code, Severity: schema.Error, Message: message, Remedy: remedy})
}

// checkOperations finds what makes a document invalid, and warns of what tools
// refuse though RabbitMQ takes it.
func checkOperations(operations []Operation) []Problem {
	var problems []Problem
	taken := map[string]bool{}
	for _, o := range operations {
		problems = append(problems, checkNames(o)...)
		problems = append(problems, checkTags(o)...)
		for _, id := range o.ids() {
			if taken[id] {
				problems = append(problems, fault(o, DuplicateOperation,
					fmt.Sprintf("the operation id %q is taken by another route", id), "name the route otherwise"))
			}
			taken[id] = true
		}
	}
	return problems
}

func checkNames(o Operation) []Problem {
	var problems []Problem
	if o.Name == "" {
		problems = append(problems, fault(o, MissingName, "it has no name", "name the route"))
	}
	if o.Queue.Name == "" {
		problems = append(problems, fault(o, MissingName, "its queue has no name", "name the queue"))
	}
	if reason := channelNameFault(o.Queue.Name); reason != "" {
		problems = append(problems, warning(o, ChannelName,
			fmt.Sprintf("AsyncAPI tools refuse the channel %q: %s", o.Queue.Name, reason), "name the queue otherwise"))
	}
	if o.Exchange != nil && !slices.Contains(bindingExchangeTypes, o.Exchange.Type) {
		problems = append(problems, warning(o, ExchangeType,
			fmt.Sprintf("the AMQP binding of AsyncAPI doesn't know the type %q of exchange %q", o.Exchange.Type, o.Exchange.Name),
			"nothing, if the consumers of the document know it"))
	}
	return problems
}

// bindingExchangeTypes are those of the AMQP channel binding, version 0.3.0.
var bindingExchangeTypes = []string{"topic", "direct", "fanout", "default", "headers"}

func checkTags(o Operation) []Problem {
	var problems []Problem
	names := slices.Sorted(slices.Values(o.Tags))
	for i, name := range names {
		if i > 0 && name == names[i-1] && (i == 1 || name != names[i-2]) {
			problems = append(problems, warning(o, RepeatedTag, fmt.Sprintf("it has the tag %q more than once", name), "remove the repeats"))
		}
	}
	return problems
}

// ids are the operation ids of o, which must be unique in a document.
func (o Operation) ids() []string {
	switch {
	case o.Name == "":
		return nil
	case o.Reply == nil:
		return []string{o.Name}
	default:
		return []string{o.Name, o.replyID()}
	}
}
