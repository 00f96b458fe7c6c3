package slo

import "encoding/json"

// Dashboard returns the JSON of a Grafana dashboard (schema 39, Grafana 10 and
// later) on the rules of [Tracker.Rules] and the metrics of
// [Tracker.Collector]. It asks for its data source, by a variable.
func (t *Tracker) Dashboard() []byte {
	y := ruleWriter{tracker: t}
	selector := y.selector()
	byWindow := "{{window}}"
	d := dashboard{
		Title: "SLO: " + t.title("/"), SchemaVersion: 39, Refresh: "1m", Tags: []string{"slo"}, Editable: true,
		Time:       map[string]string{"from": "now-24h", "to": "now"},
		Templating: templating{List: []variable{{Name: "datasource", Type: "datasource", Query: "prometheus", Label: "Data source"}}},
	}
	d.add("stat", "SLI", "percentunit", 6, target{Expr: "slo_sli" + selector, Legend: byWindow})
	d.add("stat", "Objective", "percentunit", 6, target{Expr: "slo_objective" + selector, Legend: "objective"})
	d.add("gauge", "Error budget left", "percentunit", 12, target{Expr: "slo_budget_remaining" + selector, Legend: byWindow})
	d.add("timeseries", "Burn rate", "none", 12, target{Expr: "slo_burn_rate" + selector, Legend: byWindow})
	d.add("timeseries", "Ratio of errors", "percentunit", 12,
		target{Expr: y.recorded("5m"), Legend: "5m"}, target{Expr: y.recorded("1h"), Legend: "1h"}, target{Expr: y.recorded("1d"), Legend: "1d"})
	d.add("timeseries", "Events", "reqps", 12, target{Expr: "sum(rate(slo_requests_total" + selector + "[5m]))", Legend: "events"})
	d.add("timeseries", "Failures", "reqps", 12, target{Expr: "sum by (error_type) (rate(slo_failures_total" + selector + "[5m]))", Legend: "{{error_type}}"})
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		panic(err) // strings and numbers only
	}
	return append(text, '\n')
}

type dashboard struct {
	Title         string            `json:"title"`
	SchemaVersion int               `json:"schemaVersion"`
	Refresh       string            `json:"refresh"`
	Tags          []string          `json:"tags"`
	Editable      bool              `json:"editable"`
	Time          map[string]string `json:"time"`
	Templating    templating        `json:"templating"`
	Panels        []panel           `json:"panels"`
}

type templating struct {
	List []variable `json:"list"`
}

type variable struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Query string `json:"query"`
	Label string `json:"label"`
}

type panel struct {
	ID          int               `json:"id"`
	Type        string            `json:"type"`
	Title       string            `json:"title"`
	Datasource  map[string]string `json:"datasource"`
	GridPos     gridPos           `json:"gridPos"`
	FieldConfig fieldConfig       `json:"fieldConfig"`
	Targets     []target          `json:"targets"`
}

type gridPos struct {
	H int `json:"h"`
	W int `json:"w"`
	X int `json:"x"`
	Y int `json:"y"`
}

type fieldConfig struct {
	Defaults  fieldDefaults `json:"defaults"`
	Overrides []struct{}    `json:"overrides"`
}

type fieldDefaults struct {
	Unit string `json:"unit"`
}

type target struct {
	RefID  string `json:"refId"`
	Expr   string `json:"expr"`
	Legend string `json:"legendFormat"`
}

const (
	gridWidth   = 24
	panelHeight = 8
)

// add puts a panel behind the last one, or into the next row.
func (d *dashboard) add(kind, title, unit string, width int, targets ...target) {
	at := gridPos{H: panelHeight, W: width}
	if n := len(d.Panels); n > 0 {
		last := d.Panels[n-1].GridPos
		at.X, at.Y = last.X+last.W, last.Y
		if at.X+width > gridWidth {
			at.X, at.Y = 0, last.Y+panelHeight
		}
	}
	for i := range targets {
		targets[i].RefID = string(rune('A' + i))
	}
	d.Panels = append(d.Panels, panel{
		ID: len(d.Panels) + 1, Type: kind, Title: title, Datasource: map[string]string{"type": "prometheus", "uid": "${datasource}"},
		GridPos: at, FieldConfig: fieldConfig{Defaults: fieldDefaults{Unit: unit}, Overrides: []struct{}{}}, Targets: targets,
	})
}
