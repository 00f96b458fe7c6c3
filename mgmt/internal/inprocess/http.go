package inprocess

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
)

// ServeHTTP serves the management API.
func (b *Broker) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	for _, route := range b.routes {
		values, ok := match(route.pattern, r)
		if !ok {
			continue
		}
		c := &call{w, r, values, values["name"]}
		v := b.vhosts[values["vhost"]]
		if v == nil && !route.makesVHost {
			c.missing()
			return
		}
		route.serve(v, c)
		return
	}
	http.NotFound(w, r)
}

// A route serves what a pattern matches, a verb and a path in which parts in
// braces stand for one segment each. The mux of package http takes no "%2F" for a
// segment.
type route struct {
	pattern    string
	serve      func(*vhost, *call)
	makesVHost bool // it is served where there is no virtual host of the name
}

// match returns the values of the parts in braces.
func match(pattern string, r *http.Request) (values map[string]string, ok bool) {
	verb, path, _ := strings.Cut(pattern, " ")
	want, have := strings.Split(path, "/"), strings.Split(r.URL.EscapedPath(), "/")
	if verb != r.Method || len(want) != len(have) {
		return nil, false
	}
	values = make(map[string]string)
	for i, segment := range want {
		text, err := url.PathUnescape(have[i])
		switch {
		case err != nil:
			return nil, false
		case strings.HasPrefix(segment, "{"):
			values[strings.Trim(segment, "{}")] = text
		case segment != text:
			return nil, false
		}
	}
	return values, true
}

func (b *Broker) newRoutes() []route {
	return []route{
		{"PUT /api/vhosts/{vhost}", b.putVHost, true},
		{"DELETE /api/vhosts/{vhost}", b.deleteVHost, false},
		{"PUT /api/permissions/{vhost}/{user}", func(_ *vhost, c *call) { c.done() }, false},
		{"GET /api/vhosts/{vhost}", getVHost, false},
		{"GET /api/exchanges/{vhost}", getExchanges, false},
		{"PUT /api/exchanges/{vhost}/{name}", putExchange, false},
		{"DELETE /api/exchanges/{vhost}/{name}", deleteExchange, false},
		{"GET /api/exchanges/{vhost}/{name}/bindings/destination", getBindings, false},
		{"GET /api/queues/{vhost}", b.getQueues, false},
		{"GET /api/queues/{vhost}/{name}", b.getQueue, false},
		{"PUT /api/queues/{vhost}/{name}", b.putQueue, false},
		{"DELETE /api/queues/{vhost}/{name}", deleteQueue, false},
		{"DELETE /api/queues/{vhost}/{name}/contents", purgeQueue, false},
		{"GET /api/queues/{vhost}/{name}/bindings", getBindings, false},
		{"POST /api/bindings/{vhost}/e/{source}/{type}/{name}", postBinding, false},
		{"DELETE /api/bindings/{vhost}/e/{source}/{type}/{name}/{properties}", deleteBinding, false},
		{"GET /api/policies/{vhost}", getPolicies, false},
		{"GET /api/operator-policies/{vhost}", getPolicies, false},
		{"PUT /api/policies/{vhost}/{name}", b.putPolicy, false},
		{"PUT /api/operator-policies/{vhost}/{name}", b.putPolicy, false},
		{"DELETE /api/policies/{vhost}/{name}", deletePolicy, false},
		{"DELETE /api/operator-policies/{vhost}/{name}", deletePolicy, false},
		{"GET /api/parameters/shovel/{vhost}", getShovels, false},
		{"GET /api/parameters/shovel/{vhost}/{name}", getShovel, false},
		{"PUT /api/parameters/shovel/{vhost}/{name}", b.putShovel, false},
		{"DELETE /api/parameters/shovel/{vhost}/{name}", deleteShovel, false},
	}
}

// A call is a request that is being answered.
type call struct {
	w    http.ResponseWriter
	r    *http.Request
	path map[string]string
	name string // in its path
}

func (c *call) answer(value any) { json.NewEncoder(c.w).Encode(value) }

func (c *call) done() { c.w.WriteHeader(http.StatusNoContent) }

func (c *call) refuse(status int, code, reason string) {
	c.w.WriteHeader(status)
	c.answer(map[string]string{"error": code, "reason": reason})
}

func (c *call) missing() { c.refuse(http.StatusNotFound, "Object Not Found", "Not Found") }

// read reads the body, and answers where it can't.
func (c *call) read(into any) bool {
	if err := json.NewDecoder(c.r.Body).Decode(into); err != nil {
		c.refuse(http.StatusBadRequest, "bad_request", err.Error())
		return false
	}
	return true
}

// only reports whether a condition was given.
func (c *call) only(condition string) bool { return c.r.URL.Query().Get(condition) == "true" }

func (b *Broker) putVHost(_ *vhost, c *call) {
	var body struct {
		DefaultQueueType string `json:"default_queue_type"`
	}
	if !c.read(&body) {
		return
	}
	if !b.is4 {
		body.DefaultQueueType = "" // which it ignores
	}
	b.vhosts[c.path["vhost"]] = newVHost(cmp.Or(body.DefaultQueueType, "classic"))
	c.done()
}

func (b *Broker) deleteVHost(_ *vhost, c *call) {
	delete(b.vhosts, c.path["vhost"])
	c.done()
}

func getVHost(v *vhost, c *call) {
	c.answer(map[string]any{"name": c.path["vhost"], "default_queue_type": v.defaultType})
}

func getExchanges(v *vhost, c *call) { c.answer(slices.Collect(maps.Values(v.exchanges))) }

func putExchange(v *vhost, c *call) {
	want := exchange{Name: c.name}
	if !c.read(&want) {
		return
	}
	have := v.exchanges[c.name]
	switch {
	case have == nil && strings.HasPrefix(c.name, "amq."):
		c.refuse(http.StatusUnauthorized, "not_authorised", "Access refused.")
	case have != nil && !reflect.DeepEqual(*have, want):
		c.refuse(http.StatusBadRequest, "bad_request", "inequivalent arg 'type' for exchange '"+c.name+"'")
	default:
		v.exchanges[c.name] = &want
		c.done()
	}
}

func deleteExchange(v *vhost, c *call) {
	isBound := func(b binding) bool { return b.Source == c.name }
	switch {
	case v.exchanges[c.name] == nil:
		c.missing()
	case c.only("if-unused") && slices.ContainsFunc(v.bindings, isBound):
		c.refuse(http.StatusBadRequest, "bad_request", "exchange '"+c.name+"' in vhost '/' in use")
	default:
		delete(v.exchanges, c.name)
		v.bindings = slices.DeleteFunc(v.bindings, isBound)
		c.done()
	}
}

// getBindings lists the bindings of a destination. A queue has one of the default
// exchange, also one that doesn't exist.
func getBindings(v *vhost, c *call) {
	kind, all := "exchange", []binding{}
	if strings.HasPrefix(c.r.URL.Path, "/api/queues/") {
		kind = "queue"
		all = append(all, binding{Destination: c.name, DestinationType: kind, RoutingKey: c.name, PropertiesKey: c.name})
	}
	for _, b := range v.bindings {
		if b.DestinationType == kind && b.Destination == c.name {
			all = append(all, b)
		}
	}
	c.answer(all)
}

// pathBinding is the binding that a path names, without its properties.
func pathBinding(c *call) binding {
	kind := map[string]string{"q": "queue", "e": "exchange"}[c.path["type"]]
	return binding{Source: c.path["source"], VHost: c.path["vhost"], Destination: c.name, DestinationType: kind}
}

func postBinding(v *vhost, c *call) {
	b := pathBinding(c)
	if !c.read(&b) {
		return
	}
	if v.exchanges[b.Source] == nil || b.DestinationType == "queue" && v.queues[b.Destination] == nil || b.DestinationType == "exchange" && v.exchanges[b.Destination] == nil {
		c.refuse(http.StatusNotFound, "not_found", "no exchange or queue")
		return
	}
	b.PropertiesKey = b.RoutingKey
	if len(b.Arguments) > 0 {
		hash, _ := json.Marshal(b.Arguments)
		b.PropertiesKey = fmt.Sprintf("%s~%x", b.RoutingKey, hash)
	} else if b.RoutingKey == "" {
		b.PropertiesKey = "~"
	}
	if !slices.ContainsFunc(v.bindings, func(other binding) bool { return reflect.DeepEqual(b, other) }) {
		v.bindings = append(v.bindings, b)
	}
	c.w.WriteHeader(http.StatusCreated)
}

func deleteBinding(v *vhost, c *call) {
	b, key, n := pathBinding(c), c.path["properties"], len(v.bindings)
	v.bindings = slices.DeleteFunc(v.bindings, func(other binding) bool {
		return other.PropertiesKey == key && other.Source == b.Source && other.Destination == b.Destination && other.DestinationType == b.DestinationType
	})
	if len(v.bindings) == n {
		c.missing()
		return
	}
	c.done()
}

// policyKey is a policy's, or an operator policy's.
func policyKey(c *call, name string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(c.r.URL.Path, "/api/"), "/")
	return kind + "/" + name
}

func getPolicies(v *vhost, c *call) {
	all := []policy{}
	for key, policy := range v.policies {
		if key == policyKey(c, policy.Name) {
			all = append(all, policy)
		}
	}
	c.answer(all)
}

func (b *Broker) putPolicy(v *vhost, c *call) {
	p := policy{Name: c.name, VHost: c.path["vhost"]}
	if !c.read(&p) {
		return
	}
	if !b.is4 && !slices.Contains([]string{"all", "queues", "exchanges"}, p.ApplyTo) {
		c.refuse(http.StatusBadRequest, "bad_request", "apply-to '"+p.ApplyTo+"' unrecognised; should be 'queues', 'exchanges' or 'all'")
		return
	}
	v.policies[policyKey(c, c.name)] = p
	c.done()
}

func deletePolicy(v *vhost, c *call) {
	if _, ok := v.policies[policyKey(c, c.name)]; !ok {
		c.missing()
		return
	}
	delete(v.policies, policyKey(c, c.name))
	c.done()
}

func getShovels(v *vhost, c *call) {
	all := []any{}
	for name, value := range v.shovels {
		all = append(all, map[string]any{"component": "shovel", "name": name, "value": value})
	}
	c.answer(all)
}

func getShovel(v *vhost, c *call) {
	value, ok := v.shovels[c.name]
	if !ok {
		c.missing()
		return
	}
	c.answer(map[string]any{"component": "shovel", "name": c.name, "value": value})
}

// putShovel moves the messages before it answers.
func (b *Broker) putShovel(v *vhost, c *call) {
	var body struct{ Value map[string]any }
	if !c.read(&body) {
		return
	}
	if body.Value["src-delete-after"] != "queue-length" {
		v.shovels[c.name] = body.Value
	}
	from, _ := body.Value["src-queue"].(string)
	to, _ := body.Value["dest-queue"].(string)
	b.move(v, from, to)
	c.w.WriteHeader(http.StatusCreated)
}

func deleteShovel(v *vhost, c *call) {
	if _, ok := v.shovels[c.name]; !ok {
		c.missing()
		return
	}
	delete(v.shovels, c.name)
	c.done()
}
