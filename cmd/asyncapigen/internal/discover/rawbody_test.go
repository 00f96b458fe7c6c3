package discover_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/onefile"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// rawBodies is a program whose handler is yet to be written.
const rawBodies = `package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"

	"github.com/warrenmq/warren/runtime"
)

type A struct{ N int }

type B struct{ M int }

type decoder struct{ n int }

func (decoder) Decode(any) error { return nil }

func other(b []byte) []byte { return nil }

func assembled(ctx context.Context, b []byte) error

func assembledInto(b []byte, v any) error

func into(b []byte, v any) error { return json.Unmarshal(b, v) }

func swapped(v any, b []byte) error { return json.Unmarshal(b, v) }

func typed[T any](b []byte) (v T, err error) { return v, json.Unmarshal(b, &v) }

func second[S, T any](s S, b []byte) (v T, err error) { return v, json.Unmarshal(b, &v) }

func ofReader(r io.Reader, v any) error { return json.NewDecoder(r).Decode(v) }

func one(b []byte) error   { return two(b) }
func two(b []byte) error   { return three(b) }
func three(b []byte) error { var a A; return json.Unmarshal(b, &a) }
func zero(b []byte) error  { return one(b) }

type service struct{}

func (service) decode(b []byte, v any) error { return json.Unmarshal(b, v) }

var (
	_ = bytes.NewReader
	_ = errors.New
	_ io.Reader
)

func main() {
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{Name: "raw", Queue: runtime.Queue{Name: "raw"}, Handler: HANDLER})
}
`

func TestRoutes_NameWhatHandlersDecodeThemselves(t *testing.T) {
	program := onefile.New(t, strings.Replace(rawBodies, "HANDLER", "runtime.Handler{}", 1))
	consume := func(body string) string {
		return "runtime.Consume(func(_ context.Context, b []byte) error { " + body + " })"
	}
	for name, test := range map[string]struct{ handler, message string }{
		"by Unmarshal":                      {consume(`var a A; return json.Unmarshal(b, &a)`), "main.A"},
		"by Unmarshal of a part":            {consume(`var a A; return json.Unmarshal(b[1:], &a)`), "main.A"},
		"by Unmarshal to a list":            {consume(`var a []A; return json.Unmarshal(b, &a)`), "[]main.A"},
		"by Unmarshal of something else":    {consume(`var a A; return json.Unmarshal(other(nil), &a)`), ""},
		"by a Decoder":                      {consume(`var a A; return json.NewDecoder(bytes.NewReader(b)).Decode(&a)`), "main.A"},
		"by a Decoder of something else":    {consume(`var a A; return json.NewDecoder(bytes.NewReader(nil)).Decode(&a)`), ""},
		"by another Decoder":                {consume(`var a A; return decoder{len(b)}.Decode(&a)`), ""},
		"twice to one type":                 {consume(`var a A; return errors.Join(json.Unmarshal(b, &a), json.Unmarshal(b, &a))`), "main.A"},
		"to two types":                      {consume(`var a A; var c B; return errors.Join(json.Unmarshal(b, &a), json.Unmarshal(b, &c))`), ""},
		"to anything":                       {consume(`var a any; return json.Unmarshal(b, &a)`), ""},
		"to anything by a pointer":          {consume(`return json.Unmarshal(b, new(A))`), "main.A"},
		"by a function with the target":     {consume(`var a A; return into(b, &a)`), "main.A"},
		"by one that gets the target first": {consume(`var a A; return swapped(&a, b)`), "main.A"},
		"by a function of something else":   {consume(`var a A; return into(other(b), &a)`), ""},
		"by a function of its conversion":   {consume(`var a A; return into([]byte(string(b)), &a)`), "main.A"},
		"by a function literal":             {consume(`return func(b []byte) error { var a A; return json.Unmarshal(b, &a) }(b)`), ""},
		"by a method":                       {consume(`var a A; return service{}.decode(b, &a)`), "main.A"},
		"by a function with a type":         {consume(`_, err := typed[A](b); return err`), "main.A"},
		"by a function with two types":      {consume(`_, err := second[B, A](B{}, b); return err`), "main.A"},
		"by a function of a reader":         {consume(`var a A; return ofReader(bytes.NewReader(b), &a)`), ""},
		"by three functions":                {consume(`return one(b)`), "main.A"},
		"by a function in assembly":         {consume(`var a A; return assembledInto(b, &a)`), ""},
		"in assembly":                       {"runtime.Consume(assembled)", ""},
		"by more functions than three":      {consume(`return zero(b)`), ""},
		"by a function that is named":       {"runtime.Consume(func(_ context.Context, b []byte) error { return three(b) })", "main.A"},
		"of a type that isn't raw":          {"runtime.Consume(func(_ context.Context, b A) error { var a B; return json.Unmarshal(nil, &a) })", ""},
		"of a message without a name":       {"runtime.Consume(func(context.Context, []byte) error { var a A; return json.Unmarshal(nil, &a) })", ""},
		"before a reply":                    {"runtime.Respond(func(_ context.Context, b []byte) (B, error) { var a A; return B{}, json.Unmarshal(b, &a) })", "main.A"},
	} {
		t.Run(name, func(t *testing.T) {
			result := foundOf(t, program, strings.Replace(rawBodies, "HANDLER", test.handler, 1))
			require.Len(t, result.Routes, 1)
			if test.message == "" {
				require.Empty(t, result.Diagnostics)
				return
			}
			require.Len(t, result.Diagnostics, 1)
			d := result.Diagnostics[0]
			require.Equal(t, []string{string(diagnostic.RawBody), "raw", test.message}, []string{string(d.Code), d.Route, d.Type})
			write := "write runtime.Consume[" + test.message + "] of a func(context.Context, " + test.message + ") error"
			if strings.Contains(test.handler, "Respond") {
				write = "write runtime.Respond[main.A, main.B] of a func(context.Context, main.A) (main.B, error)"
			}
			require.Equal(t, write, d.Remedy)
		})
	}
}
