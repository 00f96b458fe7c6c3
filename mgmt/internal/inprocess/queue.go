package inprocess

import (
	"cmp"
	"maps"
	"net/http"
	"reflect"
)

// shown is a queue as the API shows it. The numbers are those of two calls before:
// the real ones are up to 5 seconds old, and absent of a new queue.
func (b *Broker) shown(v *vhost, name, vhost string) map[string]any {
	q := v.queues[name]
	arguments := map[string]any{}
	maps.Copy(arguments, q.arguments)
	if b.is4 {
		arguments["x-queue-type"] = q.kind
	}
	all := map[string]any{
		"name": name, "vhost": vhost, "type": q.kind, "durable": q.durable, "auto_delete": q.autoDelete, "exclusive": false, "arguments": arguments,
	}
	if n := q.counted[0]; n >= 0 {
		all["messages"], all["messages_ready"], all["messages_unacknowledged"], all["message_bytes"] = n, n, 0, n
	}
	q.counted = [2]int{q.counted[1], len(q.messages)}
	return all
}

func (b *Broker) getQueues(v *vhost, c *call) {
	all := []map[string]any{}
	for name := range v.queues {
		all = append(all, b.shown(v, name, c.path["vhost"]))
	}
	c.answer(all)
}

func (b *Broker) getQueue(v *vhost, c *call) {
	if v.queues[c.name] == nil {
		c.missing()
		return
	}
	c.answer(b.shown(v, c.name, c.path["vhost"]))
}

func (b *Broker) putQueue(v *vhost, c *call) {
	var body struct {
		Durable    bool
		AutoDelete bool `json:"auto_delete"`
		Arguments  map[string]any
	}
	if !c.read(&body) {
		return
	}
	kind, _ := body.Arguments["x-queue-type"].(string)
	otherwise := "classic"
	if body.Durable && !body.AutoDelete {
		otherwise = v.defaultType
	}
	want := &queue{durable: body.Durable, autoDelete: body.AutoDelete, kind: cmp.Or(kind, otherwise), arguments: body.Arguments, counted: [2]int{-1, -1}}
	if reason := b.refusal(c.name, want, v.queues[c.name]); reason != "" {
		c.refuse(http.StatusBadRequest, "bad_request", reason)
		return
	}
	if v.queues[c.name] == nil {
		v.queues[c.name] = want
	}
	c.w.WriteHeader(http.StatusCreated)
}

// refusal returns why a queue can't be declared.
func (b *Broker) refusal(name string, want, have *queue) string {
	if limit, ok := want.arguments["x-delivery-limit"].(float64); ok && limit < 0 && !b.is4 {
		return "invalid arg 'x-delivery-limit' for queue '" + name + "': {value_negative,-1}"
	}
	if want.kind != "classic" && !want.durable {
		return "invalid property 'non-durable' for queue '" + name + "'"
	}
	untyped := func(q *queue) map[string]any {
		all := map[string]any{}
		maps.Copy(all, q.arguments)
		delete(all, "x-queue-type")
		return all
	}
	if have != nil && (want.kind != have.kind || want.durable != have.durable || want.autoDelete != have.autoDelete || !reflect.DeepEqual(untyped(want), untyped(have))) {
		return "inequivalent arg for queue '" + name + "' in vhost '/': received none but current is other"
	}
	return ""
}

func deleteQueue(v *vhost, c *call) {
	q := v.queues[c.name]
	reason := ""
	switch {
	case q == nil:
		c.missing()
		return
	case (c.only("if-empty") || c.only("if-unused")) && q.kind != "classic":
		reason = "540 NOT_IMPLEMENTED"
	case c.only("if-empty") && len(q.messages) > 0:
		reason = "queue '" + c.name + "' in vhost '/' not empty"
	case c.only("if-unused") && q.consumers > 0:
		reason = "queue '" + c.name + "' in vhost '/' in use"
	}
	if reason != "" {
		c.refuse(http.StatusBadRequest, "bad_request", reason)
		return
	}
	delete(v.queues, c.name)
	kept := v.bindings[:0]
	for _, b := range v.bindings {
		if b.DestinationType != "queue" || b.Destination != c.name {
			kept = append(kept, b)
		}
	}
	v.bindings = kept
	c.done()
}

func purgeQueue(v *vhost, c *call) {
	if v.queues[c.name] == nil {
		c.missing()
		return
	}
	v.queues[c.name].messages = nil
	c.done()
}
