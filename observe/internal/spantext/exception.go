package spantext

import (
	"errors"
	"fmt"
	"reflect"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// maxStack bounds the stack of an exception, in bytes.
const maxStack = 16 << 10

// RecordError adds the event that OpenTelemetry's RecordError adds: the error's type in
// Go, its text, and the stack of the panic that it comes from, where it has one.
func RecordError(span trace.Span, err error) {
	recordException(span, typeName(err), Cut(Error(err)), stackOf(err))
}

// RecordPanic adds the event for a panic.
func RecordPanic(span trace.Span, value any, stack []byte) {
	recordException(span, typeName(value), Panic(value), string(stack))
}

func recordException(span trace.Span, kind, message, stack string) {
	attrs := append(make([]attribute.KeyValue, 0, 3),
		attribute.String("exception.type", kind), attribute.String("exception.message", message))
	if stack != "" {
		attrs = append(attrs, attribute.String("exception.stacktrace", cut(stack, maxStack)))
	}
	span.AddEvent("exception", trace.WithAttributes(attrs...))
}

// typeName is how the SDK names the type of an error.
func typeName(value any) string {
	t := reflect.TypeOf(value)
	if t == nil {
		return ""
	}
	if t.PkgPath() == "" && t.Name() == "" { // a pointer, most often
		return t.String()
	}
	if t.PkgPath() == "" {
		return t.Name()
	}
	return t.PkgPath() + "." + t.Name()
}

// stackOf returns the stack that an error in the chain has: a field Stack of bytes, as
// runtime.PanicError has it, or what %+v prints besides the text of an error with a
// method StackTrace. "" for none; methods of errors may panic.
func stackOf(err error) (stack string) {
	defer func() {
		if recover() != nil {
			stack = ""
		}
	}()
	for ; err != nil; err = errors.Unwrap(err) {
		v := reflect.ValueOf(err)
		if method := v.MethodByName("StackTrace"); method.IsValid() && method.Type().NumIn() == 0 && method.Type().NumOut() == 1 {
			return fmt.Sprintf("%+v", method.Call(nil)[0].Interface())
		}
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
			continue
		}
		if field := v.Elem().FieldByName("Stack"); field.IsValid() && field.Type() == reflect.TypeFor[[]byte]() {
			return string(field.Bytes())
		}
	}
	return ""
}
