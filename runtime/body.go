package runtime

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// decodeJSON fails with a *DecodeError.
func decodeJSON[T any](m *Message) (T, error) {
	var value T
	if raw, ok := any(&value).(*[]byte); ok {
		*raw = m.Body
		return value, nil
	}
	err := checkContentType(nil, m.ContentType)
	if err == nil {
		err = json.Unmarshal(m.Body, &value)
	}
	if err == nil && isNilPointer(value) {
		err = errors.New("the body is null")
	}
	if err != nil {
		return value, &DecodeError{Type: reflect.TypeFor[T](), Err: explainEncoding(m, err)}
	}
	return value, nil
}

// decodeDelivery also fails where the delivery isn't complete.
func decodeDelivery[T any](d *Delivery) (T, error) {
	if d.Unreadable != nil {
		var none T
		return none, d.Unreadable
	}
	return decodeWith[T](d.codec, &d.Message)
}

// encode goes by the type T, as decode does: a []byte in an interface is JSON.
func encode[T any](value T) (body []byte, contentType string, err error) {
	if reflect.TypeFor[T]() == reflect.TypeFor[[]byte]() {
		return any(value).([]byte), "", nil
	}
	if isNilPointer(value) {
		return nil, "", fmt.Errorf("the message is a nil %T", value)
	}
	if reflect.TypeFor[T]().Kind() == reflect.Pointer {
		body, err = json.Marshal(value)
	} else {
		body, err = marshalAddressed(value)
	}
	if err != nil {
		return nil, "", err
	}
	return body, contentTypeJSON, nil
}

// marshalAddressed encodes value by its address, so that marshal methods of pointer
// receivers are called, as schemas say (docs/reference/json-rules.md, rule 32).
func marshalAddressed[T any](value T) ([]byte, error) { return json.Marshal(&value) }

// isNilPointer reports what never is a message: the schema of a *T body is that
// of T, which doesn't allow null.
func isNilPointer(value any) bool {
	v := reflect.ValueOf(value)
	return v.Kind() == reflect.Pointer && v.IsNil()
}
