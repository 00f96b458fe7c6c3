// Package protobuf is the codec of routes whose bodies are protocol buffers.
//
//	runtime.Route{
//		Name:    "order.created",
//		Queue:   runtime.Queue{Name: "orders", Durable: true},
//		Codec:   protobuf.Codec{},
//		Handler: runtime.Consume(svc.OrderCreated), // func(context.Context, *orderpb.OrderCreated) error
//	}
//
// The generated client sends such messages. By hand it is
// runtime.NewPublisher[*orderpb.OrderCreated] with an Endpoint that has the codec, too.
//
// It is a package of its own, so that a user of package runtime compiles no protocol
// buffers.
package protobuf

import (
	"errors"
	"fmt"
	"reflect"

	"google.golang.org/protobuf/proto"
)

// Codec writes and reads protocol buffers. Messages have the content type
// "application/x-protobuf"; "application/protobuf" and
// "application/vnd.google.protobuf" are read as well. The bytes of a message may differ
// from one version of the library to another.
type Codec struct{}

var contentTypes = []string{"application/x-protobuf", "application/protobuf", "application/vnd.google.protobuf"}

// ContentTypes returns those that are read, the one that is written first.
func (Codec) ContentTypes() []string { return contentTypes }

// Takes refuses what isn't a pointer to a generated message.
func (Codec) Takes(t reflect.Type) error {
	if t.Kind() != reflect.Pointer || !t.Implements(reflect.TypeFor[proto.Message]()) {
		return errors.New("it has to be a pointer to a message that protoc-gen-go has generated")
	}
	return nil
}

// Marshal returns the wire format of a [proto.Message]. It fails where required fields
// are missing.
func (Codec) Marshal(value any) ([]byte, error) {
	m, ok := value.(proto.Message)
	if !ok {
		return nil, notMessage(value)
	}
	return proto.Marshal(m)
}

// Unmarshal reads the wire format into what to, a pointer to a *T that is a
// [proto.Message], points to.
func (c Codec) Unmarshal(body []byte, to any) error {
	v := reflect.ValueOf(to)
	if v.Kind() != reflect.Pointer || c.Takes(v.Type().Elem()) != nil {
		return notMessage(to)
	}
	m := reflect.New(v.Type().Elem().Elem())
	if err := proto.Unmarshal(body, m.Interface().(proto.Message)); err != nil {
		return err
	}
	v.Elem().Set(m)
	return nil
}

func notMessage(value any) error {
	return fmt.Errorf("a %T isn't a message of protocol buffers", value)
}
