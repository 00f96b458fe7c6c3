package landscape

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
)

// A joining makes the flows and the findings of services.
type joining struct {
	m        *Map
	services []*service
	network  *network
	noCase   []Finding
}

// flows finds which queues each message gets to.
func (j *joining) flows() {
	for _, from := range j.services {
		for _, s := range from.sends {
			ways := j.network.ways(s.to)
			for _, to := range j.services {
				for _, r := range to.receives {
					surely, perhaps, undecided := s.to.reaches(ways, r)
					if len(surely) > 0 {
						j.flow(from, s, to, r, surely, "")
					}
					if len(perhaps) > 0 {
						j.flow(from, s, to, r, perhaps, undecided)
					}
				}
			}
		}
	}
}

// flow adds that of a sender to a handler, and that of the reply.
func (j *joining) flow(from *service, s *sender, to *service, r *receiver, keys []string, undecided string) {
	f := Flow{
		Kind: s.kind, From: End{from.Name, s.name}, To: End{to.Name, r.name}, Messages: []string{},
		Exchange: s.to.exchange, Queue: r.queue, Undecided: undecided,
	}
	if s.to.exchange != "" {
		f.Keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { return key == "" })
	}
	var all []difference.Message // of the handler's that are meant
	for _, sent := range s.messages {
		meant, unsure := s.to.meant(sent, keys, r)
		if len(meant) == 0 && s.kind != DeadLetter {
			j.withoutCase(f, sent)
			continue
		}
		f.Messages = append(f.Messages, sent.Name)
		all = append(all, meant...)
		if s.kind == DeadLetter {
			continue // for people, whatever the handler makes of them
		}
		f.Undecided = cmp.Or(f.Undecided, unsure)
		if unsure == "" {
			for _, m := range meant {
				f.Disagreements = append(f.Disagreements, disagreements(sent, m)...)
			}
		}
	}
	if len(f.Messages) == 0 {
		return
	}
	j.m.Flows = append(j.m.Flows, f)
	if s.reply != nil && r.answers != nil {
		j.answer(f, s, r, all)
	}
}

// answer adds the flow of replies to whoever asked.
func (j *joining) answer(f Flow, s *sender, r *receiver, asked []difference.Message) {
	back := Flow{Kind: Replied, From: f.To, To: f.From, Messages: []string{}, Undecided: f.Undecided}
	replies := r.answers.Messages
	if len(replies) > 1 {
		replies = slices.DeleteFunc(slices.Clone(replies), func(reply difference.Message) bool {
			return !slices.ContainsFunc(asked, func(m difference.Message) bool { return reply.Name == m.Name+".response" })
		})
	}
	for _, reply := range replies {
		back.Messages = append(back.Messages, reply.Name)
		if len(s.reply.Messages) == 1 {
			back.Disagreements = append(back.Disagreements, disagreements(reply, s.reply.Messages[0])...)
		}
	}
	j.m.Flows = append(j.m.Flows, back)
}

// withoutCase notes that a handler hasn't the case of a message.
func (j *joining) withoutCase(f Flow, sent difference.Message) {
	j.noCase = append(j.noCase, Finding{
		ID: NotHandled, Undecided: true, At: f.From, Peer: &f.To,
		What: fmt.Sprintf("the handler %s of %s has no case for %s, unless it has one for all others, which isn't in documents", f.To.Operation, f.To.Service, sent.Name),
	})
}

func disagreements(sent, accepted difference.Message) []Disagreement {
	var all []Disagreement
	for _, c := range difference.Disagreements(sent, accepted) {
		all = append(all, Disagreement{
			ID: c.ID, Severity: string(c.Severity), What: c.What, Example: c.Example,
			Sender: c.Old.String(), Receiver: c.New.String(),
		})
	}
	return all
}

// findings adds what isn't as it should be.
func (j *joining) findings() {
	for _, from := range j.services {
		for _, s := range from.sends {
			j.handled(from, s)
			j.answered(from, s)
		}
	}
	j.m.Findings = append(j.m.Findings, j.noCase...)
	for _, to := range j.services {
		for _, r := range to.receives {
			j.sentTo(to, r)
		}
	}
	for _, f := range j.m.Flows {
		if f.Undecided != "" {
			continue // where nothing flows nobody disagrees
		}
		for _, d := range f.Disagreements {
			j.m.Findings = append(j.m.Findings, Finding{
				ID: Disagreeing, Undecided: d.Severity == string(difference.Undecided), At: f.From, Peer: &f.To,
				What: fmt.Sprintf("from what is sent to what %s of %s accepts: %s", f.To.Operation, f.To.Service, d.What), Example: d.Example,
			})
		}
	}
	j.servers()
}

// handled reports what is sent to nobody.
func (j *joining) handled(from *service, s *sender) {
	if s.kind == DeadLetter {
		return // people look at those
	}
	at := End{from.Name, s.name}
	for _, key := range s.to.keys {
		undecided, isCertain := "", false
		for _, f := range j.m.Flows {
			reaches := s.to.exchange == "" || key == "" || slices.Contains(f.Keys, key)
			if f.From == at && f.Kind == s.kind && f.Exchange == s.to.exchange && f.Queue+f.Exchange != "" && reaches {
				undecided, isCertain = f.Undecided, isCertain || f.Undecided == ""
			}
		}
		isReported := slices.ContainsFunc(j.noCase, func(f Finding) bool { return f.At == at }) // that a handler has no case
		if isCertain || isReported {
			continue
		}
		if undecided == "" && s.to.exchange != "" {
			undecided = j.network.unknown // a binding that leads to a handler
		}
		what := fmt.Sprintf("no handler of these services takes what is sent to %s", placeOf(s.to.exchange, key))
		if undecided != "" {
			what += ", or it isn't known: " + undecided
		}
		j.m.Findings = append(j.m.Findings, Finding{ID: NotHandled, Undecided: undecided != "", At: at, What: what})
	}
}

// answered reports handlers that don't answer those who wait for it.
func (j *joining) answered(from *service, s *sender) {
	if s.reply == nil {
		return
	}
	at := End{from.Name, s.name}
	for _, f := range j.m.Flows {
		isAnswered := slices.ContainsFunc(j.m.Flows, func(back Flow) bool { return back.Kind == Replied && back.From == f.To && back.To == at })
		if f.From == at && f.Kind == Sent && !isAnswered {
			j.m.Findings = append(j.m.Findings, Finding{
				ID: NotAnswered, Undecided: f.Undecided != "", At: at, Peer: &f.To,
				What: fmt.Sprintf("it waits for a reply, and %s of %s sends none to whoever asked", f.To.Operation, f.To.Service),
			})
		}
	}
}

// sentTo reports a handler to which nobody sends.
func (j *joining) sentTo(to *service, r *receiver) {
	undecided := ""
	for _, f := range j.m.Flows {
		if f.To == (End{to.Name, r.name}) {
			if f.Undecided == "" {
				return
			}
			undecided = f.Undecided
		}
	}
	for _, f := range j.noCase {
		if undecided == "" && *f.Peer == (End{to.Name, r.name}) {
			undecided = f.What
		}
	}
	undecided = cmp.Or(undecided, j.network.unknown)
	var hiding, failing []string
	for _, s := range j.services {
		if s.HidesSends {
			hiding = append(hiding, s.Name)
		}
		if s.hidesDeadLetters {
			failing = append(failing, s.Name)
		}
	}
	if undecided == "" && failing != nil {
		undecided = "what becomes of all messages that " + strings.Join(failing, " or ") + " can't handle"
	}
	what := "no service of these sends to it"
	switch {
	case undecided != "":
		what += ", or it isn't known: " + undecided
	case len(hiding) > 0:
		what += fmt.Sprintf(", or it isn't known: AsyncAPI 2.6.0 has no place for what %s sends", strings.Join(hiding, " or "))
	}
	j.m.Findings = append(j.m.Findings, Finding{
		ID: NotSent, Undecided: undecided != "" || len(hiding) > 0, At: End{to.Name, r.name}, What: what,
	})
}

// servers reports services that are joined by messages and name different brokers.
func (j *joining) servers() {
	servers := make(map[string]string)
	for _, s := range j.services {
		_, server, ok := strings.Cut(s.Server, "://")
		if !ok {
			server = s.Server
		}
		servers[s.Name] = strings.TrimSuffix(server, "/")
	}
	seen := make(map[[2]string]bool)
	for _, f := range j.m.Flows {
		from, to := servers[f.From.Service], servers[f.To.Service]
		pair := [2]string{min(f.From.Service, f.To.Service), max(f.From.Service, f.To.Service)}
		if from == "" || to == "" || from == to || seen[pair] {
			continue
		}
		seen[pair] = true
		j.m.Findings = append(j.m.Findings, Finding{
			ID: DifferentServer, Undecided: true, At: f.From, Peer: &f.To,
			What: fmt.Sprintf("%s is at the broker %s and %s at %s: messages get there only if these are one", f.From.Service, from, f.To.Service, to),
		})
	}
}

// placeOf says in words where messages are sent.
func placeOf(exchange, key string) string {
	switch {
	case exchange == "":
		return "the queue " + key
	case key == "":
		return "the exchange " + exchange
	}
	return fmt.Sprintf("the exchange %s with the key %s", exchange, key)
}
