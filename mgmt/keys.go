package mgmt

import (
	"encoding/json"
	"time"
)

// keys are those of a parameter's value that no field has taken yet. What has no
// form in a field stays, and is one of the others: so what was read can be put
// again, and is the same.
type keys Table

func keysOf(value json.RawMessage) keys { return keys(fieldsOf(value)) }

// take takes a key, if its value is a T and fits.
func take[T any](k keys, key string, fits func(T) bool) (taken T) {
	if value, ok := k[key].(T); ok && fits(value) {
		delete(k, key)
		return value
	}
	return taken
}

func (k keys) text(key string) string {
	return take(k, key, func(text string) bool { return text != "" })
}

func (k keys) positive(key string) int64 {
	return take(k, key, func(n int64) bool { return n > 0 })
}

// duration takes a whole number of units.
func (k keys) duration(key string, unit time.Duration) time.Duration {
	fits := func(n int64) bool { return n > 0 && n <= int64(1<<63-1)/int64(unit) }
	return time.Duration(take(k, key, fits)) * unit
}

// is takes a key that has the value.
func (k keys) is(key string, value any) bool {
	return take(k, key, func(have any) bool { return have == value }) != nil
}

// uris takes a text, or a list of texts.
func (k keys) uris(key string) URIs {
	if uri := k.text(key); uri != "" {
		return URIs{uri}
	}
	isText := func(list []any) bool {
		for _, each := range list {
			if _, ok := each.(string); !ok {
				return false
			}
		}
		return len(list) > 0
	}
	var all URIs
	for _, uri := range take(k, key, isText) {
		all = append(all, uri.(string))
	}
	return all
}

// others returns what is left, nil if that is nothing.
func (k keys) others() Table {
	if len(k) == 0 {
		return nil
	}
	return Table(k)
}

func convert[T, R any](all []T, one func(T) R) []R {
	if all == nil {
		return nil
	}
	converted := make([]R, len(all))
	for i, each := range all {
		converted[i] = one(each)
	}
	return converted
}
