package jsonlog

import (
	"context"
	"log/slog"
	"slices"
)

type fieldsKey struct{}

// ContextWithFields returns a context whose records have the fields, at the top level.
// They come besides those that ctx has already.
func ContextWithFields(ctx context.Context, fields ...slog.Attr) context.Context {
	if len(fields) == 0 {
		return ctx
	}
	return context.WithValue(ctx, fieldsKey{}, slices.Concat(FieldsFrom(ctx), fields))
}

// FieldsFrom returns the fields of the context. They aren't the caller's to change.
func FieldsFrom(ctx context.Context) []slog.Attr {
	if ctx == nil {
		return nil
	}
	fields, _ := ctx.Value(fieldsKey{}).([]slog.Attr)
	return fields
}
