package docpage

import (
	"fmt"
	"slices"
	"strings"
)

// A Map is what is shown of many services.
type Map struct {
	Title, Summary string
	Services       []MapService
	Flows          []MapFlow
	Findings       []Finding
}

// A MapService is one of them.
type MapService struct {
	Name, Version, Description, Document, Server string

	Operations []MapOperation
}

// A MapOperation is something that a service does, with what it is joined to.
type MapOperation struct {
	Name            string
	Sends           bool
	Queue, Exchange string
	Keys            []string
	Messages        []string
	To, From        []MapEnd
	Findings        []string
}

// A MapEnd is an operation of a service to which messages go, or from which they come.
type MapEnd struct {
	Service, Operation string
	By                 string
	Undecided          string // why it isn't known whether they do, "" where it is
}

// A MapFlow joins two services.
type MapFlow struct {
	From, To           string
	Messages           []string
	IsReply, IsFailure bool
}

// A service is one on a map, with its element.
type service struct {
	MapService
	ID         string
	Operations []*serviceOperation
}

type serviceOperation struct {
	MapOperation
	ID       string
	To, From []linkedEnd
}

type linkedEnd struct {
	MapEnd
	ID string
}

// RenderMap returns the page of a map.
func RenderMap(m Map) ([]byte, error) {
	p := &page{Title: m.Title, Specification: m.Summary, FindingsTitle: "Findings", Findings: m.Findings}
	known := newIDs()
	operationID := func(service, name string) string { return known.of("operation", service+"\x00"+name, service+"-"+name) }
	for _, s := range m.Services {
		of := &service{MapService: s, ID: known.of("service", s.Name, s.Name)}
		for _, o := range s.Operations {
			of.Operations = append(of.Operations, &serviceOperation{
				MapOperation: o, ID: operationID(s.Name, o.Name), To: linked(o.To, operationID), From: linked(o.From, operationID),
			})
		}
		p.Services = append(p.Services, of)
	}
	p.Overview = drawMap(m, func(name string) string { return known.of("service", name, name) })
	return p.render(Options{})
}

// linked adds to ends where they are on the page.
func linked(ends []MapEnd, id func(service, operation string) string) []linkedEnd {
	all := make([]linkedEnd, len(ends))
	for i, end := range ends {
		all[i] = linkedEnd{end, id(end.Service, end.Operation)}
	}
	return all
}

// drawMap draws who sends to whom; nil where there is nothing to draw, or too much to
// see anything.
func drawMap(m Map, id func(service string) string) *picture {
	rows := mapRows(m.Flows)
	if len(rows) == 0 || len(rows) > maxOverview {
		return nil
	}
	var d drawing
	from, to, label := 0, 0, 0
	for _, r := range rows {
		from, to = max(from, newBox(aHandler, r.from, "").W), max(to, newBox(aQueue, r.to, "").W)
		label = max(label, widthOf(r.label, labelWidth))
	}
	y := margin
	for i := 0; i < len(rows); {
		n := i
		for n < len(rows) && rows[n].from == rows[i].from {
			n++
		}
		sender := newBox(aHandler, rows[i].from, "")
		sender.X, sender.Y, sender.W, sender.Link = margin, y+(n-i-1)*rowHeight/2, from, id(rows[i].from)
		d.Boxes = append(d.Boxes, sender)
		for ; i < n; i++ {
			receiver := newBox(aQueue, rows[i].to, "")
			receiver.X, receiver.Y, receiver.W, receiver.Link = margin+from+max(gap, label+54), y, to, id(rows[i].to)
			d.Boxes = append(d.Boxes, receiver)
			d.Arrows = append(d.Arrows, rightward(rows[i].kind, sender, receiver, rows[i].label))
			y += rowHeight
		}
		y += 10
	}
	d.fit()
	return &picture{Label: "Which service sends to which", Wide: d}
}

// A mapRow is all that goes from one service to another in one way.
type mapRow struct {
	from, to, kind string
	messages       []string
	label          string
}

func mapRows(flows []MapFlow) []*mapRow {
	var senders []string
	rows := make(map[string][]*mapRow)
	for _, f := range flows {
		kind := anExchange
		switch {
		case f.IsReply:
			kind = aReply
		case f.IsFailure:
			kind = aFailure
		}
		if rows[f.From] == nil {
			senders = append(senders, f.From)
		}
		i := slices.IndexFunc(rows[f.From], func(r *mapRow) bool { return r.to == f.To && r.kind == kind })
		if i < 0 {
			i = len(rows[f.From])
			rows[f.From] = append(rows[f.From], &mapRow{from: f.From, to: f.To, kind: kind})
		}
		for _, name := range f.Messages {
			if row := rows[f.From][i]; !slices.Contains(row.messages, name) {
				row.messages = append(row.messages, name)
			}
		}
	}
	var all []*mapRow
	for _, name := range senders {
		for _, row := range rows[name] {
			row.label = clipped(strings.Join(row.messages[:min(1, len(row.messages))], ""), maxLabel-4)
			if n := len(row.messages); n > 1 {
				row.label += fmt.Sprintf(" +%d", n-1)
			}
			all = append(all, row)
		}
	}
	return all
}
