package main

import (
	"go/token"
	"io"
	"path/filepath"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/runtime"
)

// What -format json prints. docs/reference/output.schema.json describes it, and
// docs/reference/command.md says what stays as it is.
type (
	jsonOutput struct {
		Version     int              `json:"version"`
		Command     string           `json:"command"`
		Services    []jsonService    `json:"services"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"` // of the directives
	}
	jsonService struct {
		Directive   *jsonPosition    `json:"directive"`
		Module      string           `json:"module"` // its folder, seen from the working directory
		Status      int              `json:"status"`
		Unchanged   bool             `json:"unchanged"`
		Error       string           `json:"error"`
		Diagnostics []jsonDiagnostic `json:"diagnostics"`
		Routes      []jsonRoute      `json:"routes"`
		Files       []jsonFile       `json:"files"`
		Sends       []jsonSend       `json:"sends,omitempty"`
		Declared    []jsonTopology   `json:"declared,omitempty"` // by Router.Declare
	}
	jsonPosition struct {
		File   string `json:"file"` // from the module's root, with slashes
		Line   int    `json:"line"`
		Column int    `json:"column"` // 0 where it isn't known
	}
	jsonDiagnostic struct {
		Code     string        `json:"code"`
		Severity string        `json:"severity"`
		Position *jsonPosition `json:"position"`
		Route    string        `json:"route"`
		Path     string        `json:"path"`
		Type     string        `json:"type"`
		What     string        `json:"what"`
		Why      string        `json:"why"`
		Remedy   string        `json:"remedy"`
	}
	jsonFile struct {
		Path  string `json:"path"`
		State string `json:"state"`
		Diff  string `json:"diff"`
	}
	jsonRoute struct {
		Name        string        `json:"name"`
		Description string        `json:"description"`
		Tags        []string      `json:"tags"`
		Queue       jsonQueue     `json:"queue"`
		Exchange    *jsonExchange `json:"exchange"`
		Sources     []jsonSource  `json:"sources,omitempty"`
		Consumer    *jsonConsumer `json:"consumer,omitempty"`
		RoutingKeys []string      `json:"routingKeys"`
		Handler     string        `json:"handler"`
		Body        string        `json:"body"`
		Messages    []jsonMessage `json:"messages"`
		Result      string        `json:"result"`
		Reply       *jsonAddress  `json:"reply"`
		Position    *jsonPosition `json:"position"`
		Values      []jsonValue   `json:"values"`
		Unknown     []string      `json:"unknown,omitempty"`
	}
	jsonSend struct {
		Route       string         `json:"route"`
		Exchange    string         `json:"exchange"`
		RoutingKey  string         `json:"routingKey"`
		RoutingKeys []string       `json:"routingKeys"`
		Type        string         `json:"type"`
		Headers     map[string]any `json:"headers"`
		Unknown     []string       `json:"unknown,omitempty"`
		Body        string         `json:"body"`
		Result      string         `json:"result"`
		Position    *jsonPosition  `json:"position"`
	}
	jsonMessage struct {
		Name   string `json:"name"`
		By     string `json:"by"`
		Body   string `json:"body"`
		Result string `json:"result"`
	}
	jsonQueue struct {
		Name       string         `json:"name"`
		Durable    bool           `json:"durable"`
		Exclusive  bool           `json:"exclusive"`
		AutoDelete bool           `json:"autoDelete"`
		Arguments  map[string]any `json:"arguments"`

		PerInstance bool `json:"perInstance,omitempty"`
	}
	jsonSource struct {
		Exchange    jsonExchange   `json:"exchange"`
		RoutingKeys []string       `json:"routingKeys"`
		Arguments   map[string]any `json:"arguments"`
	}
	jsonConsumer struct {
		Priority  int            `json:"priority"`
		Arguments map[string]any `json:"arguments"`
	}
	jsonTopology struct {
		Queues           []jsonQueue           `json:"queues"`
		Exchanges        []jsonExchange        `json:"exchanges"`
		Bindings         []jsonBinding         `json:"bindings"`
		ExchangeBindings []jsonExchangeBinding `json:"exchangeBindings"`
		Unknown          bool                  `json:"unknown,omitempty"` // there may be more
	}
	jsonBinding struct {
		Exchange   string         `json:"exchange"`
		Queue      string         `json:"queue"`
		RoutingKey string         `json:"routingKey"`
		Arguments  map[string]any `json:"arguments"`
	}
	jsonExchangeBinding struct {
		Source      string         `json:"source"`
		Destination string         `json:"destination"`
		RoutingKey  string         `json:"routingKey"`
		Arguments   map[string]any `json:"arguments"`
	}
	jsonExchange struct {
		Name       string         `json:"name"`
		Type       string         `json:"type"`
		Durable    bool           `json:"durable"`
		AutoDelete bool           `json:"autoDelete"`
		Arguments  map[string]any `json:"arguments"`
	}
	jsonAddress struct {
		Exchange   string `json:"exchange"`
		RoutingKey string `json:"routingKey"`
	}
	jsonValue struct {
		Field  string     `json:"field"`
		Value  string     `json:"value"`
		Origin jsonOrigin `json:"origin"`
	}
	jsonOrigin struct {
		Text     string        `json:"text"`
		Position *jsonPosition `json:"position"`
		From     []jsonOrigin  `json:"from"`
	}
)

// A jsonReporter prints one JSON object at the end.
type jsonReporter struct {
	stdout io.Writer
	out    jsonOutput
}

func newJSONReporter(m service.Mode, warnings diagnostic.List, stdout io.Writer) *jsonReporter {
	return &jsonReporter{stdout, jsonOutput{Version: 1, Command: m.Name(), Services: []jsonService{}, Diagnostics: jsonDiagnostics(warnings)}}
}

func (r *jsonReporter) end() { printJSON(r.stdout, r.out) }

func (r *jsonReporter) service(o service.Outcome) {
	s := jsonService{
		Module:      filepath.ToSlash(o.Service.Seen),
		Status:      statusOf(o),
		Unchanged:   o.Unchanged,
		Diagnostics: jsonDiagnostics(o.Found),
		Routes:      []jsonRoute{},
		Files:       []jsonFile{},
	}
	if module := service.ModuleOf(o.Service.Dir); module != "" {
		if within, err := filepath.Rel(o.Service.Dir, module); err == nil {
			s.Module = filepath.ToSlash(filepath.Join(o.Service.Seen, within))
		}
	}
	s.Directive = jsonPositionOf(o.Service.At)
	if o.Fault != nil {
		s.Error = o.Fault.Error()
	}
	for _, f := range o.Files {
		s.Files = append(s.Files, jsonFile{inModule(f.Path), f.State, f.Diff})
	}
	if o.Service.Mode == service.List || o.Service.Mode == service.Explain {
		for _, route := range o.Routes {
			s.Routes = append(s.Routes, jsonRouteOf(route))
		}
		s.Sends = jsonSends(o.Sends)
		s.Declared = jsonTopologies(o.Declared)
	}
	r.out.Services = append(r.out.Services, s)
}

func jsonDiagnostics(found diagnostic.List) []jsonDiagnostic {
	all := []jsonDiagnostic{}
	for _, d := range found.Sorted() {
		all = append(all, jsonDiagnostic{
			string(d.Code), d.Severity.String(), jsonPositionOf(d.Pos), d.Route, d.Path, d.Type, d.What, d.Why, d.Remedy,
		})
	}
	return all
}

// jsonPositionOf returns nil for a position that isn't valid.
func jsonPositionOf(pos token.Position) *jsonPosition {
	if !pos.IsValid() {
		return nil
	}
	return &jsonPosition{inModule(pos.Filename), pos.Line, pos.Column}
}

// inModule names a file from the root of its module.
func inModule(name string) string {
	absolute, err := filepath.Abs(name)
	if err != nil {
		return filepath.ToSlash(name)
	}
	if within, err := filepath.Rel(service.ModuleOf(filepath.Dir(absolute)), absolute); err == nil {
		return filepath.ToSlash(within)
	}
	return filepath.ToSlash(name)
}

func jsonRouteOf(route registered.Route) jsonRoute {
	q := route.Queue
	r := jsonRoute{
		Name: route.Name, Description: route.Description, Tags: orEmpty(route.Tags),
		Queue:       jsonQueueOf(q),
		RoutingKeys: orEmpty(route.RoutingKeys),
		Handler:     route.HandledBy.Name,
		Body:        route.BodyName(),
		Position:    jsonPositionOf(route.Pos),
		Values:      []jsonValue{},
		Messages:    jsonMessagesOf(route),
		Unknown:     route.Unknown(),
	}
	if route.Cases != nil {
		r.Body = ""
	}
	if e := route.Exchange; e != nil {
		exchange := jsonExchangeOf(*e)
		r.Exchange = &exchange
	}
	for _, source := range route.Sources {
		r.Sources = append(r.Sources, jsonSource{jsonExchangeOf(source.Exchange), orEmpty(source.RoutingKeys), orNone(source.Arguments)})
	}
	if route.ConsumerPriority != 0 || len(route.ConsumerArguments) > 0 {
		r.Consumer = &jsonConsumer{route.ConsumerPriority, orNone(route.ConsumerArguments)}
	}
	if route.Result != nil {
		r.Result = route.ResultName()
	}
	if route.Reply != nil {
		r.Reply = &jsonAddress{route.Reply.Exchange, route.Reply.RoutingKey}
	}
	for _, field := range route.Origins {
		r.Values = append(r.Values, jsonValue{field.Field, field.Value, jsonOriginOf(field.Origin)})
	}
	return r
}

func jsonMessagesOf(route registered.Route) []jsonMessage {
	messages := []jsonMessage{}
	for _, c := range route.Cases {
		if c.Otherwise {
			continue
		}
		m := jsonMessage{Name: c.Name, By: route.DispatchedBy.String(), Body: registered.TypeName(c.Body)}
		if c.Result != nil {
			m.Result = registered.TypeName(c.Result)
		}
		messages = append(messages, m)
	}
	return messages
}

func jsonQueueOf(q runtime.Queue) jsonQueue {
	return jsonQueue{q.Name, q.Durable, q.Exclusive, q.AutoDelete, orNone(q.Arguments), q.PerInstance}
}

func jsonExchangeOf(e runtime.Exchange) jsonExchange {
	return jsonExchange{e.Name, string(e.Type), e.Durable, e.AutoDelete, orNone(e.Arguments)}
}

// jsonTopologies returns what Router.Declare declares beside the routes.
func jsonTopologies(declared registered.Declared) []jsonTopology {
	if declared.IsEmpty() {
		return nil
	}
	t := declared.Topology
	j := jsonTopology{[]jsonQueue{}, []jsonExchange{}, []jsonBinding{}, []jsonExchangeBinding{}, declared.Unknown}
	for _, q := range t.Queues {
		j.Queues = append(j.Queues, jsonQueueOf(q))
	}
	for _, e := range t.Exchanges {
		j.Exchanges = append(j.Exchanges, jsonExchangeOf(e))
	}
	for _, b := range t.Bindings {
		j.Bindings = append(j.Bindings, jsonBinding{b.Exchange, b.Queue, b.RoutingKey, orNone(b.Arguments)})
	}
	for _, b := range t.ExchangeBindings {
		j.ExchangeBindings = append(j.ExchangeBindings, jsonExchangeBinding{b.Source, b.Destination, b.RoutingKey, orNone(b.Arguments)})
	}
	return []jsonTopology{j}
}

func jsonOriginOf(origin *diagnostic.Origin) jsonOrigin {
	o := jsonOrigin{origin.Text, jsonPositionOf(origin.Pos), []jsonOrigin{}}
	for _, from := range origin.From {
		o.From = append(o.From, jsonOriginOf(from))
	}
	return o
}

func orEmpty(texts []string) []string {
	if texts == nil {
		return []string{}
	}
	return texts
}

func orNone(table map[string]any) map[string]any {
	if table == nil {
		return map[string]any{}
	}
	return table
}
