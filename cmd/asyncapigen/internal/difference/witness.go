package difference

import (
	"fmt"
	"slices"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion"
)

// keyword reports the change of a keyword, with what it alone does.
func (p *payloads) keyword(v *visit, change keywordChange, harmless bool) {
	relation := inclusion.Relation{Answer: inclusion.Included}
	if !harmless {
		relation = p.alone(v, change)
		v.failed = v.failed || relation.Answer != inclusion.Included
	}
	p.finding(v, change.id, fmt.Sprintf("%s: %s", v.where(), change.what), relation, change.path...)
}

// alone decides what a change does without the others: whether what is sent is
// accepted by a schema that differs in this alone. That it isn't holds only with a
// message that the old contract allows and the new one doesn't.
func (p *payloads) alone(v *visit, change keywordChange) inclusion.Relation {
	sends, accepts := v.sides()
	hybrid := *sends
	change.take(&hybrid, accepts)
	if p.prover.Includes(sends, &hybrid) {
		return inclusion.Relation{Answer: inclusion.Included}
	}
	var parts []any
	if part, ok := p.prover.Refute(sends, &hybrid); ok {
		parts = append(parts, part)
	}
	if message, ok := p.message(v, parts); ok {
		return inclusion.Relation{Answer: inclusion.Excluded, Witness: message}
	}
	whole, beside := v.value()
	parts = p.prover.Candidates(append([]*inclusion.Schema{whole}, beside...), []*inclusion.Schema{accepts}, &hybrid)
	if message, ok := p.message(v, parts[:min(len(parts), maxParts)]); ok {
		return inclusion.Relation{Answer: inclusion.Excluded, Witness: message}
	}
	return inclusion.Relation{Answer: inclusion.Undecided}
}

// maxParts is how many values are tried as parts of a message.
const maxParts = 20

// maxSteps is how deep a part may lie in a message that is made.
const maxSteps = 30

// message makes a message around one of the parts that is sent, and not accepted.
func (p *payloads) message(v *visit, parts []any) (any, bool) {
	var steps []inclusion.Step
	top := v
	for ; top.parent != nil; top = top.parent {
		if top.step != nil {
			steps = append(steps, *top.step)
		}
	}
	if len(steps) > maxSteps {
		return nil, false
	}
	slices.Reverse(steps)
	sends, accepts := top.sides()
	for _, part := range parts {
		message, ok := p.prover.Embed(steps, part)
		if ok && p.prover.Refuses(accepts, message) && p.prover.Sends(sends, message) {
			return message, true
		}
	}
	return nil, false
}

// unexplained reports that a schema isn't included in another though no change of
// a keyword alone does it.
func (p *payloads) unexplained(v *visit) {
	sends, accepts := v.sides()
	relation := p.prover.Compare(sends, accepts)
	if relation.Answer == inclusion.Included {
		return
	}
	p.finding(v, payloadNarrowed, v.where()+": the changes together", relation)
}

// finding reports what is found of a pair of schemas. Both flows of a message may
// find the same.
func (p *payloads) finding(v *visit, id, what string, relation inclusion.Relation, path ...string) {
	judged := v.flow.judge(relation.Answer)
	example := ""
	if relation.Answer == inclusion.Excluded {
		example = jsonText(relation.Witness)
	}
	change := Change{
		ID: id, Severity: judged.severity(), What: what, Subject: v.root.element.subject, Example: example,
		Publisher: judged.publisher.why, Consumer: judged.consumer.why, Old: p.at(v, 0, path...), New: p.at(v, 1, path...),
	}
	key := findingKey{id, change.Old.Pointer, change.New.Pointer, what}
	if i, ok := p.found[key]; ok {
		if slices.Index(severities, change.Severity) > slices.Index(severities, p.report.Changes[i].Severity) && p.policy[id] == "" {
			p.report.Changes[i] = change
		}
		return
	}
	p.found[key] = len(p.report.Changes)
	p.add(change)
}

// judge says what a change of a schema does to both sides, from whether all that is
// sent is accepted.
func (f flow) judge(answer inclusion.Answer) judgement {
	if f == toService {
		switch answer {
		case inclusion.Included:
			return judgement{side{free, "all that it sends is accepted"}, side{unaffected, "gets what it accepts"}}
		case inclusion.Excluded:
			return judgement{side{broken, "may send what the service no longer accepts"}, side{unaffected, "refuses it"}}
		}
		return judgement{side{unknown, "may send what the service no longer accepts: it is neither proved nor refuted"}, side{unaffected, "gets what it accepts"}}
	}
	switch answer {
	case inclusion.Included:
		return judgement{side{unaffected, "sends by the new contract"}, side{free, "accepts all that comes"}}
	case inclusion.Excluded:
		return judgement{side{unaffected, "sends by the new contract"}, side{broken, "may get what it doesn't accept"}}
	}
	return judgement{side{unaffected, "sends by the new contract"}, side{unknown, "may get what it doesn't accept: it is neither proved nor refuted"}}
}

// lonely reports a schema that only one of the documents has. Without one,
// anything goes.
func (c *comparison) lonely(e *element, f form) {
	any := &element{base: e.base, name: e.name, role: e.role, subject: e.subject, schema: &inclusion.Schema{}, at: place{pointer: e.at.pointer}}
	pair := &rootPair{element: e, old: any, new: e}
	if f == removed {
		pair.old, pair.new = e, any
	}
	c.roots = append(c.roots, pair)
}
