package client

import (
	"go/types"
	"strconv"

	"github.com/warrenmq/warren/internal/schema"
)

// promotes reports whether the fields of the struct that field holds are fields
// of the object around it.
func promotes(field *types.Var, tag schema.JSONTag) bool {
	switch {
	case tag.Name != "" || tag.Unknown:
		return false
	case tag.Inline:
		return true
	}
	return field.Embedded()
}

// tagLiteral quotes a whole struct tag as gofmt's readers expect it.
func tagLiteral(text string) string {
	if strconv.CanBackquote(text) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}
