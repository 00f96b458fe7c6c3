package scan

import (
	"go/token"
	"path/filepath"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
)

// What scan -json prints. docs/scan.md describes it.
type (
	jsonResult struct {
		Version   int            `json:"version"`
		Consumers []jsonConsumer `json:"consumers"`
		Problems  []jsonGap      `json:"problems"`
	}
	jsonConsumer struct {
		Client    string        `json:"client"`
		Position  *jsonPosition `json:"position"`
		Queue     jsonQueue     `json:"queue"`
		Bindings  []jsonBinding `json:"bindings"`
		Prefetch  int           `json:"prefetch"`
		AutoAck   bool          `json:"autoAck"`
		Settles   bool          `json:"settles"`
		Bodies    []jsonBody    `json:"bodies"`
		Replies   bool          `json:"replies"`
		Reply     string        `json:"reply"`
		ChangedBy []string      `json:"changedBy"`
		Unknown   []jsonGap     `json:"unknown"`
	}
	jsonText struct {
		Value string `json:"value"`
		Known bool   `json:"known"`
		Env   string `json:"env"`
		Flag  string `json:"flag"`
	}
	jsonQueue struct {
		Name       jsonText       `json:"name"`
		ByBroker   bool           `json:"namedByBroker"`
		Declared   bool           `json:"declared"`
		Durable    bool           `json:"durable"`
		AutoDelete bool           `json:"autoDelete"`
		Exclusive  bool           `json:"exclusive"`
		Arguments  map[string]any `json:"arguments"`
	}
	jsonBinding struct {
		Exchange  jsonText       `json:"exchange"`
		Type      string         `json:"type"`
		Durable   bool           `json:"durable"`
		Key       jsonText       `json:"key"`
		Arguments map[string]any `json:"arguments"`
	}
	jsonBody struct {
		Type     string        `json:"type"`
		By       string        `json:"by"`
		Position *jsonPosition `json:"position"`
	}
	jsonGap struct {
		What     string        `json:"what"`
		Why      string        `json:"why"`
		Position *jsonPosition `json:"position"`
	}
	jsonPosition struct {
		File   string `json:"file"`
		Line   int    `json:"line"`
		Column int    `json:"column"`
	}
)

// JSON returns the result for encoding/json.
func (r Result) JSON() any {
	out := jsonResult{Version: 1, Consumers: []jsonConsumer{}, Problems: []jsonGap{}}
	for _, c := range r.Consumers {
		out.Consumers = append(out.Consumers, c.json())
	}
	for _, p := range r.Problems {
		out.Problems = append(out.Problems, jsonGap{What: p.Text, Position: jsonOf(p.Pos)})
	}
	return out
}

func (c *Consumer) json() jsonConsumer {
	out := jsonConsumer{
		Client: c.Client, Position: jsonOf(c.Pos), Bindings: []jsonBinding{}, Prefetch: c.Prefetch, AutoAck: c.AutoAck, Settles: c.Settles,
		Bodies: []jsonBody{}, Replies: c.Replies, ChangedBy: append([]string{}, c.ChangedBy...), Unknown: []jsonGap{},
		Queue: jsonQueue{
			Name: c.Queue.Name.json(), ByBroker: c.Queue.Server, Declared: c.Queue.Declared, Durable: c.Queue.Durable,
			AutoDelete: c.Queue.AutoDelete, Exclusive: c.Queue.Exclusive, Arguments: tableOrEmpty(c.Queue.Arguments),
		},
	}
	if c.Reply != nil {
		out.Reply = registered.TypeName(c.Reply)
	}
	for _, b := range c.Bindings {
		out.Bindings = append(out.Bindings, jsonBinding{b.Exchange.Name.json(), b.Exchange.kind(), b.Exchange.Durable, b.Key.json(), tableOrEmpty(b.Arguments)})
	}
	for _, b := range c.Bodies {
		out.Bodies = append(out.Bodies, jsonBody{registered.TypeName(b.Type), b.Format, jsonOf(b.Pos)})
	}
	for _, g := range c.gaps() {
		out.Unknown = append(out.Unknown, jsonGap{g.What, g.Why, jsonOf(g.Pos)})
	}
	return out
}

func tableOrEmpty(table map[string]any) map[string]any {
	if table == nil {
		return map[string]any{}
	}
	return table
}

func (t Text) json() jsonText { return jsonText{t.Value, t.Known(), t.Env, t.Flag} }

func jsonOf(pos token.Position) *jsonPosition {
	if !pos.IsValid() {
		return nil
	}
	return &jsonPosition{filepath.ToSlash(pos.Filename), pos.Line, pos.Column}
}
