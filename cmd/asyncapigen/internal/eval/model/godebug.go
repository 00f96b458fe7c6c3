package model

import (
	"go/constant"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// newSetting is the model of making a setting of GODEBUG.
func newSetting(c *Call) (value.Value, bool) {
	t := c.Fn.Obj.Signature().Results().At(0).Type()
	setting := c.Zero(value.Pointee(t))
	if name := fieldNamed(setting.(*value.Struct), "name"); name != nil {
		c.Set(name, c.Args[0])
	}
	return value.Pointer{Type: t, To: value.NewCell(setting)}, true
}

// settingValue is the model of reading a setting of GODEBUG: the contract is that of a program
// whose environment sets none, unless the program itself does.
func settingValue(c *Call) (value.Value, bool) {
	if setting := pointedStruct(c.Fn.Recv); setting != nil {
		if name, known := value.TextOf(fieldNamed(setting, "name").Load()); known {
			if is, known := c.Setting(strings.TrimPrefix(name, "#")); known {
				return value.NewConst(constant.MakeString(is), stringType), true
			}
		}
	}
	return value.UnknownAt(c.At.Pos(), "a setting of GODEBUG"), true
}

// SetsSettings reports whether the evaluated program may have set GODEBUG itself, whose settings
// it has from then on.
func SetsSettings(m Machine) bool {
	all := m.Variable(setVariables).Load()
	return value.IsUnknown(all) || value.IsUnknown(m.Variable(EnvironmentChanges).Load()) ||
		!value.IsNil(all) && !value.IsNil(m.Variable(setVariable+"GODEBUG").Load())
}
