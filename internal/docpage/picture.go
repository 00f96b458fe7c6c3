package docpage

import (
	"fmt"
	"strings"
)

// drawRoute draws where the messages of a route go.
func drawRoute(to *route) *picture {
	if to.Sends {
		return drawSending(to)
	}
	if to.Queue == nil {
		return nil
	}
	p := &picture{Label: inWords(to), Wide: wideRoute(to)}
	narrow := narrowRoute(to)
	p.Narrow = &narrow
	return p
}

// inWords says what the picture of a route shows.
func inWords(to *route) string {
	var b strings.Builder
	for _, from := range inflows(to) {
		fmt.Fprintf(&b, "%s, %s, ", from.box.Full, from.label)
	}
	fmt.Fprintf(&b, "to queue %s, handled by %s", to.Queue.Name, to.Name)
	if to.Reply != nil {
		fmt.Fprintf(&b, ", replies to %s", replyTarget(to))
	}
	if to.Failure != nil && to.Failure.DeadLetters != "" {
		fmt.Fprintf(&b, ", failed messages to %s", to.Failure.DeadLetters)
	}
	return b.String()
}

// An inflow is an exchange that fills the queue.
type inflow struct {
	box   box
	label string
}

func inflows(to *route) []inflow {
	if len(to.Bindings) == 0 {
		return []inflow{{newBox(anExchange, "default exchange", ""), "queue's name"}}
	}
	var all []inflow
	for i, b := range to.Bindings {
		kind := ""
		if i == 0 && to.Exchange != nil {
			kind = to.Exchange.Type
		}
		all = append(all, inflow{newBox(anExchange, b.Exchange, kind), keyLabel(b)})
	}
	return all
}

const maxLabel = 22

func keyLabel(b binding) string {
	label := ""
	switch {
	case len(b.Keys) == 1:
		label = b.Keys[0]
	case len(b.Keys) > 1:
		label = fmt.Sprintf("%s +%d", clipped(b.Keys[0], maxLabel-4), len(b.Keys)-1)
	case len(b.Arguments) > 0:
		label = "by headers"
	}
	return clipped(label, maxLabel)
}

func replyTarget(to *route) string {
	if to.Reply.To == "" {
		return "its reply address"
	}
	return to.Reply.To
}

func replyBox(to *route) box {
	target := to.Reply.To
	if strings.HasPrefix(target, "whoever asked") {
		target = "whoever asked"
	}
	return newBox(aReply, "reply", target)
}

func attemptsLabel(f *failure) string {
	switch {
	case f.Endless:
		return "until it succeeds"
	case f.Attempts == "1":
		return "no second attempt"
	}
	label := f.Attempts + " attempts"
	var delays []string
	for _, r := range f.Retries {
		delays = append(delays, r.Delay)
	}
	if len(delays) > 4 {
		delays = append(delays[:3], "…")
	}
	if len(delays) > 0 {
		label += ", after " + strings.Join(delays, ", ")
	}
	return label
}

const (
	margin = 2
	gap    = 44 // between boxes with a plain arrow between them
	below  = 34 // between boxes one below the other
)

// wideRoute draws a route from left to right.
func wideRoute(to *route) drawing {
	var d drawing
	from := inflows(to)
	wide, label := 0, 0
	for _, f := range from {
		wide, label = max(wide, f.box.W), max(label, widthOf(f.label, labelWidth))
	}
	for i := range from {
		from[i].box.W, from[i].box.X, from[i].box.Y = wide, margin, margin+i*(boxHeight+12)
	}
	queue := newBox(aQueue, to.Queue.Name, "queue")
	queue.X, queue.Y = margin+wide+max(gap, label+44), margin
	handler := newBox(aHandler, to.Name, "handler")
	handler.X, handler.Y = queue.right()+gap, margin
	for _, f := range from {
		d.Boxes = append(d.Boxes, f.box)
		d.Arrows = append(d.Arrows, inflowArrow(f, queue))
	}
	d.Boxes = append(d.Boxes, queue, handler)
	d.Arrows = append(d.Arrows, rightward(aQueue, queue, handler, ""))
	if to.Reply != nil {
		answer := replyBox(to)
		answer.X, answer.Y = handler.right()+gap, margin
		d.Boxes = append(d.Boxes, answer)
		d.Arrows = append(d.Arrows, rightward(aReply, handler, answer, ""))
	}
	d.wideFailure(to, queue, handler)
	d.fit()
	return d
}

// inflowArrow puts the key above the line, where the line is that of its exchange
// alone.
func inflowArrow(f inflow, queue box) arrow {
	a := rightward(anExchange, f.box, queue, f.label)
	a.Anchor, a.LX, a.LY = "start", f.box.right()+10, f.box.middle()-7
	if f.box.middle() != queue.middle() {
		turn := queue.X - 20
		a.Path = fmt.Sprintf("M%d %dH%dV%dH%d", f.box.right(), f.box.middle(), turn, queue.middle(), queue.X) + "m-5 -5l5 5l-5 5"
	}
	return a
}

// wideFailure draws the retries and the dead letters below the handler.
func (d *drawing) wideFailure(to *route, queue, handler box) {
	f := to.Failure
	if f == nil {
		return
	}
	low := handler.bottom() + 22
	if f.Endless || f.Attempts != "1" {
		d.Arrows = append(d.Arrows, arrow{
			Kind: aFailure, Label: attemptsLabel(f), Anchor: "end", LX: handler.X + 14, LY: low + 15,
			Path: fmt.Sprintf("M%d %dV%dH%dV%d", handler.X+20, handler.bottom(), low, queue.centre(), queue.bottom()) + "m-5 5l5 -5l5 5",
		})
	}
	if f.DeadLetters == "" {
		return
	}
	dead := newBox(aFailure, deadName(f), "dead letters")
	dead.X, dead.Y = handler.right()-min(handler.W/2, 60)+gap, handler.bottom()+below
	x := handler.right() - min(handler.W/2, 60)
	d.Boxes = append(d.Boxes, dead)
	d.Arrows = append(d.Arrows, arrow{
		Kind: aFailure, Path: fmt.Sprintf("M%d %dV%dH%d", x, handler.bottom(), dead.middle(), dead.X) + "m-5 -5l5 5l-5 5",
	})
}

func deadName(f *failure) string {
	return strings.TrimPrefix(strings.TrimPrefix(f.DeadLetters, "queue "), "exchange ")
}

// narrowRoute draws a route from above to below.
func narrowRoute(to *route) drawing {
	var d drawing
	y := margin
	place := func(b box) box {
		b.X, b.Y = margin, y
		b.W = maxBox
		y += b.H + below
		d.Boxes = append(d.Boxes, b)
		return b
	}
	from := inflows(to)
	var last box
	for i, f := range from {
		if i > 0 { // they stand close together, and lead to the queue as one
			y -= below - 6
		}
		last = place(f.box)
	}
	queue := place(newBox(aQueue, to.Queue.Name, "queue"))
	label := from[0].label
	if len(from) > 1 {
		label = ""
	}
	d.Arrows = append(d.Arrows, downward(anExchange, last, queue, label))
	handler := place(newBox(aHandler, to.Name, "handler"))
	d.Arrows = append(d.Arrows, downward(aQueue, queue, handler, ""))
	last = handler
	if to.Reply != nil {
		answer := place(replyBox(to))
		d.Arrows = append(d.Arrows, downward(aReply, handler, answer, ""))
		last = answer
	}
	d.narrowFailure(to, queue, handler, last, place)
	d.fit()
	return d
}

// narrowFailure draws the retries and the dead letters beside and below.
func (d *drawing) narrowFailure(to *route, queue, handler, last box, place func(box) box) {
	f := to.Failure
	if f == nil {
		return
	}
	x := handler.right() + 18
	if f.Endless || f.Attempts != "1" {
		label := "retried"
		if !f.Endless {
			label = f.Attempts + "×"
		}
		d.Arrows = append(d.Arrows, arrow{
			Kind: aFailure, Label: label, Anchor: "start", LX: x + 6, LY: (queue.bottom()+handler.Y)/2 + 4,
			Path: fmt.Sprintf("M%d %dH%dV%dH%d", handler.right(), handler.middle()-6, x, queue.middle(), queue.right()) + "m5 -5l-5 5l5 5",
		})
	}
	if f.DeadLetters == "" {
		return
	}
	dead := place(newBox(aFailure, deadName(f), "dead letters"))
	if last.Y == handler.Y {
		d.Arrows = append(d.Arrows, downward(aFailure, handler, dead, ""))
		return
	}
	d.Arrows = append(d.Arrows, arrow{
		Kind: aFailure,
		Path: fmt.Sprintf("M%d %dH%dV%dH%d", handler.right(), handler.middle()+6, x, dead.middle(), dead.right()) + "m5 -5l-5 5l5 5",
	})
}

// drawSending draws where the service sends.
func drawSending(to *route) *picture {
	target := newBox(aQueue, "", "")
	label := ""
	switch {
	case to.Exchange != nil:
		target = newBox(anExchange, to.Exchange.Name, to.Exchange.Type)
		if len(to.Bindings) > 0 {
			label = keyLabel(to.Bindings[0])
		}
	case to.Queue != nil:
		target = newBox(aQueue, to.Queue.Name, "queue")
	default:
		return nil
	}
	from := newBox(aHandler, to.Name, "this service")
	from.X, from.Y = margin, margin
	target.X, target.Y = from.right()+max(gap, widthOf(label, labelWidth)+44), margin
	a := rightward(aHandler, from, target, label)
	a.Anchor, a.LX = "start", from.right()+10
	d := drawing{Boxes: []box{from, target}, Arrows: []arrow{a}}
	d.fit()
	return &picture{Label: fmt.Sprintf("%s sends to %s", to.Name, target.Full), Wide: d}
}

// fit makes a drawing as large as what is in it.
func (d *drawing) fit() {
	left := 0
	for _, a := range d.Arrows {
		if a.Anchor == "end" {
			left = min(left, a.LX-widthOf(a.Label, labelWidth))
		}
		if a.Anchor == "start" {
			d.Width = max(d.Width, a.LX+widthOf(a.Label, labelWidth))
		}
		if a.Label != "" {
			d.Height = max(d.Height, a.LY+6)
		}
	}
	for _, b := range d.Boxes {
		d.Width, d.Height = max(d.Width, b.right()), max(d.Height, b.bottom())
	}
	d.Left = left
	d.Width += margin - left
	d.Height += margin
}
