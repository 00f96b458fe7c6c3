package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Validators of go-playground: they read what they are given. Functions of the program that are
// registered with one may do anything with it, and so may methods that tags name.

const validatorPackage = "github.com/go-playground/validator/v10"

var validatorFunctions = table("(*"+validatorPackage+".Validate).",
	unlessMentioned(validatorPackage, []string{
		"RegisterValidation", "RegisterValidationCtx", "RegisterStructValidation", "RegisterStructValidationCtx", "RegisterStructValidationMapRules",
		"RegisterCustomTypeFunc", "RegisterAlias",
	}, validates),
	"Struct", "StructCtx", "StructExcept", "StructExceptCtx", "StructFiltered", "StructFilteredCtx", "StructPartial", "StructPartialCtx",
	"Var", "VarCtx", "VarWithKey", "VarWithKeyCtx", "VarWithValue", "VarWithValueCtx")

// validates is the model of a method that says whether its arguments are valid, by an error that
// leads to them. It panics for tags that it doesn't know.
func validates(c *Call) (value.Value, bool) {
	if namesMethods(c.Args) {
		return nil, false
	}
	c.Giving(c.Args, func() { c.Lend(c.At, c.Args, value.UnknownResult(c.At)) })
	c.Risk(c.At)
	return leadingResults(c, c.Args), true
}

// namesMethods reports whether tags of what values lead to name methods to call.
func namesMethods(values []value.Value) bool {
	found, seen := false, make(map[types.Type]bool)
	w := value.Walk{Visit: func(_ *value.Cell, v value.Value) {
		if t := value.TypeOf(v); t != nil {
			found = found || hasTagWith(t, "validateFn", seen)
		}
	}}
	w.All(values)
	return found
}
