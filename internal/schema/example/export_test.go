package example

import "github.com/warrenmq/warren/internal/schema"

// Judge returns what the Maker knows of a schema and a value.
func (m *Maker) Judge(s *schema.Schema, text string) (string, error) {
	value, err := parse([]byte(text))
	if err != nil {
		return "", err
	}
	m.steps = 0
	return map[verdict]string{no: "no", unsure: "unsure", yes: "yes"}[m.judge(s, value)], nil
}
