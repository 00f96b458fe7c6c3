package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
)

// MarshalObject writes a JSON object with the members in their order, without
// escaping <, > and &. It is for the MarshalJSON of ordered maps.
func MarshalObject(members iter.Seq2[string, any]) ([]byte, error) {
	text := []byte{'{'}
	for name, value := range members {
		if len(text) > 1 {
			text = append(text, ',')
		}
		key, err := marshal(name)
		if err != nil {
			return nil, err
		}
		text = append(append(text, key...), ':')
		written, err := marshalMember(value)
		if err != nil {
			return nil, err
		}
		text = append(text, written...)
	}
	return append(text, '}'), nil
}

// marshalMember is marshal without a look at the text of a Schema, which is
// written by marshal and may be large.
func marshalMember(value any) ([]byte, error) {
	if s, ok := value.(*Schema); ok && s != nil {
		return s.MarshalJSON()
	}
	return marshal(value)
}

// UnmarshalObject reads a JSON object and calls member for each of its members
// in their order; null has none. Member decodes the value, and must do so once.
// The first error ends the reading and is returned as it is.
func UnmarshalObject(text []byte, member func(name string, decode func(any) error) error) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber() // arguments and headers may be beyond what a float64 has
	open, err := decoder.Token()
	switch {
	case err != nil:
		return err
	case open == nil:
		return nil
	case open != json.Delim('{'):
		return errors.New("want a JSON object")
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		if err := member(name.(string), decoder.Decode); err != nil {
			return err
		}
	}
	_, err = decoder.Token() // the end
	return err
}

// marshal is json.Marshal without the escaping of <, > and &.
func marshal(v any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n")), nil
}
