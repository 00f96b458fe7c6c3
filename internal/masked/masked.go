// Package masked writes values that hold credentials as their String, which
// leaves the credentials out. A type has its String, and calls the functions in
// the methods by which package fmt, log/slog and encoding/json would otherwise
// read its fields:
//
//	func (c Config) GoString() string             { return c.String() }
//	func (c Config) Format(f fmt.State, _ rune)   { masked.Format(f, c) }
//	func (c Config) LogValue() slog.Value         { return masked.LogValue(c) }
//	func (c Config) MarshalJSON() ([]byte, error) { return masked.MarshalJSON(c) }
//
// They are functions because a type that is embedded for its methods would not
// see the fields of the type around it, and would be one of them.
package masked

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
)

// Format writes s.String() to f, whatever the verb, the flags and the width.
func Format(f fmt.State, s fmt.Stringer) { _, _ = io.WriteString(f, s.String()) }

// LogValue returns s.String() as a value of package slog.
func LogValue(s fmt.Stringer) slog.Value { return slog.StringValue(s.String()) }

// MarshalJSON returns s.String() as a JSON string.
func MarshalJSON(s fmt.Stringer) ([]byte, error) { return json.Marshal(s.String()) }
