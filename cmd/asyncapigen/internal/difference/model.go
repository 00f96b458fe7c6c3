package difference

import "fmt"

// A Severity says what a change asks of those who rely on the contract.
type Severity string

// The severities, from the least to the most. Undecided counts as Breaking where
// somebody asks whether there is a breaking change.
const (
	Documentation Severity = "documentation" // no side notices
	Compatible    Severity = "compatible"    // a side may do more, and all that worked works
	Undecided     Severity = "undecided"     // it can't be told
	Breaking      Severity = "breaking"      // what a side does fails
)

var severities = []Severity{Documentation, Compatible, Undecided, Breaking}

// An effect is what a change does to one side that stays as it is.
type effect int

const (
	unaffected effect = iota
	free              // may do more, or meets less
	unknown           // can't be told
	broken            // what it does fails
)

// A side is an effect, and the reason in words.
type side struct {
	effect effect
	why    string
}

// A judgement is what a change does to both sides: those who publish messages of
// an operation and those who consume them. One of them is the service itself.
type judgement struct{ publisher, consumer side }

// severity derives the severity. There is no other place that knows one.
// See docs/decisions/0053.
func (j judgement) severity() Severity {
	return [...]Severity{unaffected: Documentation, free: Compatible, unknown: Undecided, broken: Breaking}[max(j.publisher.effect, j.consumer.effect)]
}

// A role is what the service is in an operation.
type role int

const (
	either    role = iota // it isn't known, so that both have to hold
	receiving             // it consumes, others publish
	sending               // it publishes, others consume
)

// A relation is how both sides use an element of the contract.
type relation int

const (
	// text is read by people and tools, never when a message is sent.
	text relation = iota
	// code gives names to generated code, and is not on the wire.
	code
	// offer is used by others where it is there.
	offer
	// agreed has to have one value on both sides, or at the broker, which compares.
	agreed
	// message is one of those that go through an operation.
	message
	// foreign is of no known meaning.
	foreign
	// payload is compared by what its schema accepts and sends.
	payload
)

// A form is how an element differs.
type form string

const (
	added   form = "added"
	removed form = "removed"
	changed form = "changed"
)

// judge says what a change of an element does, from how the sides use it.
func (r relation) judge(f form, of role, what string) judgement {
	same := side{unaffected, "notices nothing"}
	switch r {
	case code:
		return judgement{
			side{free, "sends the same bytes; code that is generated anew has another name"},
			side{free, "gets the same bytes; code that is generated anew has another name"},
		}
	case offer:
		return judgeOffer(f, of, what)
	case agreed:
		return judgeAgreed(f, what)
	case message:
		return judgeMessage(f, of)
	case foreign:
		return judgement{side{unknown, "may act on it: its meaning isn't known"}, side{unknown, "may act on it: its meaning isn't known"}}
	}
	return judgement{same, same}
}

func judgeOffer(f form, of role, what string) judgement {
	same := side{unaffected, "goes on as before"}
	switch {
	case f == added:
		return judgement{side{free, "may use the new " + what}, same}
	case f == removed && of == sending:
		return judgement{same, side{broken, "waits for messages that no longer come"}}
	}
	return judgement{side{broken, fmt.Sprintf("uses the %s, which is no longer there", what)}, same}
}

// judgeAgreed is about values of which another document may say nothing.
func judgeAgreed(f form, what string) judgement {
	if f == changed {
		return judgement{
			side{broken, fmt.Sprintf("keeps to the old %s", what)},
			side{broken, fmt.Sprintf("keeps to the old %s", what)},
		}
	}
	where := map[form]string{added: "old", removed: "new"}[f]
	say := side{unknown, fmt.Sprintf("relies on the %s, of which the %s document says nothing", what, where)}
	return judgement{say, say}
}

// judgeMessage is about the kinds of messages that the receiver tells apart.
func judgeMessage(f form, of role) judgement {
	fewerReceived := side{broken, "sends a message that the service no longer takes"}
	moreSent := side{broken, "gets a message that it doesn't know"}
	same := side{unaffected, "goes on as before"}
	switch {
	case of == receiving && f == removed:
		return judgement{fewerReceived, same}
	case of == receiving:
		return judgement{side{free, "may send one more message"}, same}
	case of == sending && f == added:
		return judgement{same, moreSent}
	case of == sending:
		return judgement{same, side{free, "gets one message less"}}
	case f == removed:
		return judgement{fewerReceived, same}
	}
	return judgement{same, moreSent}
}
