package model

import (
	"go/constant"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// godebugUnset is the model of reading a GODEBUG setting: the contract is that of
// a program which runs with the defaults of its Go version.
func godebugUnset(*Call) (value.Value, bool) {
	return value.NewConst(constant.MakeString(""), stringType), true
}
