package runtime

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// A Codec writes and reads bodies that aren't JSON. It is set by [Route.Codec], and for
// the route's clients by [Endpoint]. Package protobuf has one. Its methods are called
// by many goroutines at a time.
//
// A route with a codec has no schema in the AsyncAPI document, since that describes what
// encoding/json writes. asyncapigen knows a codec by its type, and writes it into the
// client: make it an exported type without fields, such as
//
//	type Codec struct{}
//
// See docs/decisions/0056.
type Codec interface {
	// ContentTypes returns the media types that the codec reads, such as
	// "application/x-protobuf", in lower case and without parameters. The first is what
	// it writes. Messages without a content type are read, too.
	ContentTypes() []string

	// Takes returns why the codec can't write and read values of a type, nil where it
	// can. [Router.Register] asks about the types of the handler, other than []byte.
	Takes(t reflect.Type) error

	// Marshal returns the body of a message.
	Marshal(value any) ([]byte, error)

	// Unmarshal reads a body into the value that to points to. It doesn't keep the
	// body.
	Unmarshal(body []byte, to any) error
}

// contentTypeJSON is the content type of every body that isn't []byte.
const contentTypeJSON = "application/json"

// checkContentType returns ErrContentType where a body of contentType isn't for codec,
// nil being JSON. JSON is tried for whatever it may be in, since many senders don't say
// so, save for the envelope of a CloudEvent, which would be read as an empty message.
func checkContentType(codec Codec, contentType string) error {
	if contentType == "" || codec == nil && contentType == contentTypeJSON {
		return nil
	}
	media, _, _ := strings.Cut(contentType, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	switch {
	case codec == nil && strings.HasPrefix(media, "application/cloudevents"):
		return fmt.Errorf("%w: the content type is %q: package cloudevents has a middleware that takes the message out of it", ErrContentType, contentType)
	case codec != nil && !slices.Contains(codec.ContentTypes(), media):
		return fmt.Errorf("%w: it is %q, and %s is wanted", ErrContentType, contentType, strings.Join(codec.ContentTypes(), " or "))
	}
	return nil
}

// decodeWith reads the body of m by codec, nil for JSON. It fails with a *DecodeError.
func decodeWith[T any](codec Codec, m *Message) (T, error) {
	if codec == nil {
		return decodeJSON[T](m)
	}
	var value T
	if raw, ok := any(&value).(*[]byte); ok {
		*raw = m.Body
		return value, nil
	}
	err := checkContentType(codec, m.ContentType)
	if err == nil {
		err = codec.Unmarshal(m.Body, &value)
	}
	if err == nil && isNilPointer(value) {
		err = errors.New("the body is null")
	}
	if err != nil {
		return value, &DecodeError{Type: reflect.TypeFor[T](), Err: explainEncoding(m, err)}
	}
	return value, nil
}

// encodeWith is encode with a codec, nil for JSON.
func encodeWith[T any](codec Codec, value T) (body []byte, contentType string, err error) {
	if codec == nil || reflect.TypeFor[T]() == reflect.TypeFor[[]byte]() {
		return encode(value)
	}
	if isNilPointer(value) {
		return nil, "", fmt.Errorf("the message is a nil %T", value)
	}
	if body, err = codec.Marshal(value); err != nil {
		return nil, "", err
	}
	return body, codec.ContentTypes()[0], nil
}

// explainEncoding adds to err, of a body that can't be read, that it is packed.
func explainEncoding(m *Message, err error) error {
	switch m.ContentEncoding {
	case "", "identity", "utf-8", "UTF-8":
		return err
	}
	return fmt.Errorf("%w (the content encoding is %q: package compression has a middleware that unpacks it)", err, m.ContentEncoding)
}

// types returns what h takes and returns, of all of its cases.
func (h Handler) types() []reflect.Type {
	types := []reflect.Type{h.body, h.reply}
	if h.dispatcher == nil {
		return types
	}
	for _, c := range h.dispatcher.cases {
		types = append(types, c.handler.types()...)
	}
	return append(types, h.dispatcher.otherwise.types()...)
}

// checkCodec returns why the route's codec isn't valid, or isn't for its handler.
func checkCodec(route *Route) (field, fault string) {
	if route.Codec == nil {
		return "", ""
	}
	if len(route.Codec.ContentTypes()) == 0 {
		return "Codec", fmt.Sprintf("%T has no content type", route.Codec)
	}
	for _, t := range route.Handler.types() {
		if t == nil || t == reflect.TypeFor[[]byte]() {
			continue
		}
		if err := route.Codec.Takes(t); err != nil {
			return "Codec", fmt.Sprintf("%T doesn't take %v: %v", route.Codec, t, err)
		}
	}
	return "", ""
}
