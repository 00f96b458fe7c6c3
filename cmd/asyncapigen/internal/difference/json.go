package difference

import (
	"encoding/json"
	"io"
)

// What JSON prints. docs/reference/diff.schema.json describes it.
type (
	jsonReport struct {
		Version  int          `json:"version"` // of this form
		Breaking bool         `json:"breaking"`
		Contract jsonVersion  `json:"contract"`
		Changes  []jsonChange `json:"changes"`
		Silent   []string     `json:"silent"`
	}
	jsonVersion struct {
		Old    string `json:"old"`
		New    string `json:"new"`
		Next   string `json:"next"`
		TooLow bool   `json:"tooLow"`
	}
	jsonChange struct {
		ID        string          `json:"id"`
		Severity  Severity        `json:"severity"`
		What      string          `json:"what"`
		Subject   string          `json:"subject"`
		Publisher string          `json:"publisher"`
		Consumer  string          `json:"consumer"`
		Example   json.RawMessage `json:"example,omitempty"`
		Old       *jsonPosition   `json:"old"`
		New       *jsonPosition   `json:"new"`
	}
	jsonPosition struct {
		File    string `json:"file"`
		Pointer string `json:"pointer"`
		Line    int    `json:"line"`
		Column  int    `json:"column"`
	}
)

// JSON prints a report for programs.
func (r *Report) JSON(w io.Writer) {
	out := jsonReport{
		Version: 1, Breaking: r.HasBreaking(), Contract: jsonVersion(r.Version), Changes: []jsonChange{}, Silent: []string{},
	}
	out.Silent = append(out.Silent, r.Silent...)
	for _, c := range r.Changes {
		out.Changes = append(out.Changes, jsonChange{
			c.ID, c.Severity, c.What, c.Subject, c.Publisher, c.Consumer, json.RawMessage(c.Example), jsonPositionOf(c.Old), jsonPositionOf(c.New),
		})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	// What is encoded can be, and errors of the writer can't be reported anywhere.
	_ = encoder.Encode(out)
}

func jsonPositionOf(p Position) *jsonPosition {
	if !p.IsValid() {
		return nil
	}
	return &jsonPosition{p.File, p.Pointer, p.Line, p.Column}
}
