package docpage

import "fmt"

// maxOverview is how many routes are drawn in one picture.
const maxOverview = 60

const rowHeight = boxHeight + 14

// drawOverview draws the whole service; nil where there is nothing to draw, or too
// much to see anything.
func drawOverview(p *page) *picture {
	var receiving, sending []*route
	for _, to := range p.Routes {
		switch {
		case to.Picture == nil:
		case to.Sends:
			sending = append(sending, to)
		default:
			receiving = append(receiving, to)
		}
	}
	if n := len(receiving) + len(sending); n < 2 || n > maxOverview {
		return nil
	}
	d := overviewOf(receiving)
	d.addSending(sending)
	d.fit()
	return &picture{Label: fmt.Sprintf("The exchanges, queues and handlers of %s", p.Title), Wide: d}
}

// columns are the boxes of an overview, which are aligned by their kinds.
type columns struct {
	groups []group
	widths [4]int // exchange, label, queue, handler
}

// A group has the routes of an exchange.
type group struct {
	exchange box
	routes   []*route
}

func overviewOf(routes []*route) drawing {
	c := grouped(routes)
	for _, g := range c.groups {
		c.widths[0] = max(c.widths[0], g.exchange.W)
		for _, to := range g.routes {
			c.widths[1] = max(c.widths[1], widthOf(inflows(to)[0].label, labelWidth))
			c.widths[2] = max(c.widths[2], newBox(aQueue, to.Queue.Name, deadText(to)).W)
			c.widths[3] = max(c.widths[3], newBox(aHandler, to.Name, "").W)
		}
	}
	var d drawing
	y := margin
	for _, g := range c.groups {
		e := g.exchange
		e.X, e.Y, e.W = margin, y+(len(g.routes)-1)*rowHeight/2, c.widths[0]
		d.Boxes = append(d.Boxes, e)
		for _, to := range g.routes {
			d.row(c, e, to, y)
			y += rowHeight
		}
		y += 10
	}
	return d
}

// grouped puts routes of one exchange together.
func grouped(routes []*route) columns {
	var c columns
	at := make(map[string]int)
	for _, to := range routes {
		name, exchange := "", inflows(to)[0].box
		if to.Exchange != nil {
			name = "exchange " + to.Exchange.Name
		}
		i, ok := at[name]
		if !ok {
			i = len(c.groups)
			at[name] = i
			c.groups = append(c.groups, group{exchange: exchange})
		}
		c.groups[i].routes = append(c.groups[i].routes, to)
	}
	return c
}

func deadText(to *route) string {
	if to.Failure == nil || to.Failure.DeadLetters == "" {
		return ""
	}
	return "✕ " + deadName(to.Failure)
}

// row draws a route beside its exchange.
func (d *drawing) row(c columns, exchange box, to *route, y int) {
	from := inflows(to)[0]
	queue := newBox(aQueue, to.Queue.Name, deadText(to))
	queue.X, queue.Y, queue.W = margin+c.widths[0]+max(gap, c.widths[1]+54), y, c.widths[2]
	handler := newBox(aHandler, to.Name, "")
	handler.X, handler.Y, handler.W, handler.Link = queue.right()+gap, y, c.widths[3], to.ID
	a := rightward(anExchange, exchange, queue, from.label)
	d.Boxes = append(d.Boxes, queue, handler)
	d.Arrows = append(d.Arrows, a, rightward(aQueue, queue, handler, ""))
	if to.Reply != nil {
		answer := replyBox(to)
		answer.X, answer.Y = handler.right()+gap, y
		d.Boxes = append(d.Boxes, answer)
		d.Arrows = append(d.Arrows, rightward(aReply, handler, answer, ""))
	}
}

// addSending draws below what the service sends.
func (d *drawing) addSending(routes []*route) {
	if len(routes) == 0 {
		return
	}
	y, wide, label := margin, 0, 0
	for _, b := range d.Boxes {
		y = max(y, b.bottom()+24)
	}
	for _, to := range routes {
		drawn := to.Picture.Wide
		wide, label = max(wide, drawn.Boxes[0].W), max(label, widthOf(drawn.Arrows[0].Label, labelWidth))
	}
	for _, to := range routes {
		drawn := to.Picture.Wide
		from, target := drawn.Boxes[0], drawn.Boxes[1]
		from.Y, from.W, from.Link = y, wide, to.ID
		target.X, target.Y = from.right()+max(gap, label+44), y
		d.Boxes = append(d.Boxes, from, target)
		d.Arrows = append(d.Arrows, rightward(aHandler, from, target, drawn.Arrows[0].Label))
		y += rowHeight
	}
}
