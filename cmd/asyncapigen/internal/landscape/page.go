package landscape

import "github.com/warrenmq/warren/internal/docpage"

// Page returns the page of a map.
func (m *Map) Page(title string) ([]byte, error) {
	shown := docpage.Map{Title: title, Summary: m.summary()}
	for _, s := range m.Services {
		shown.Services = append(shown.Services, m.shown(s))
	}
	for _, f := range m.Flows {
		shown.Flows = append(shown.Flows, docpage.MapFlow{
			From: f.From.Service, To: f.To.Service, Messages: f.Messages, IsReply: f.Kind == Replied, IsFailure: f.Kind == DeadLetter,
		})
	}
	for _, f := range m.Findings {
		severity := "error"
		if f.Undecided {
			severity = "undecided"
		}
		text := f.What
		if f.Example != "" {
			text += ", for example " + f.Example
		}
		shown.Findings = append(shown.Findings, docpage.Finding{Severity: severity, Position: f.At.Service + ": " + f.At.Operation, Text: text})
	}
	return docpage.RenderMap(shown)
}

// shown returns a service with what its operations are joined to.
func (m *Map) shown(s Service) docpage.MapService {
	of := docpage.MapService{Name: s.Name, Version: s.Version, Description: s.Description, Document: s.Document, Server: s.Server}
	for _, o := range s.Operations {
		operation := docpage.MapOperation{Name: o.Name, Sends: o.Action == "send", Messages: o.Messages, Queue: o.Queue, Exchange: o.Exchange, Keys: o.Keys}
		at := End{s.Name, o.Name}
		for _, f := range m.Flows {
			switch at {
			case f.From:
				operation.To = append(operation.To, docpage.MapEnd{Service: f.To.Service, Operation: f.To.Operation, By: f.by(), Undecided: f.Undecided})
			case f.To:
				operation.From = append(operation.From, docpage.MapEnd{Service: f.From.Service, Operation: f.From.Operation, By: f.by(), Undecided: f.Undecided})
			}
		}
		for _, f := range m.Findings {
			if f.At == at || f.Peer != nil && *f.Peer == at {
				operation.Findings = append(operation.Findings, f.sentence())
			}
		}
		of.Operations = append(of.Operations, operation)
	}
	return of
}
