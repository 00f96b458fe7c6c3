package model

import (
	"go/types"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// Settings of spf13/viper. The package's functions are those of one store.

const (
	viperPackage = "github.com/spf13/viper"
	viperMethod  = "(*" + viperPackage + ".Viper)."
	viperRemedy  = "add RECEIVER.SetDefault(KEY, ...)"
)

var viperFunctions = merged(
	map[string]Function{viperPackage + ".New": viperNew, viperPackage + ".GetViper": viperGlobal},
	viperStoreFunctions(viperMethod, receiverOf),
	viperStoreFunctions(viperPackage+".", viperStore),
	table(viperPackage+".", viperTells, "AllSettings", "Get", "GetStringMap", "GetStringMapString", "GetStringMapStringSlice"),
	table(viperPackage+".", viperLost,
		"AddRemoteProvider", "AddSecureRemoteProvider", "ExperimentalBindStruct", "MergeConfig", "MergeConfigMap", "ReadConfig",
		"ReadRemoteConfig", "RegisterAlias", "Reset", "SetFs", "SetOptions", "SetTypeByDefaultValue", "Sub",
		"UnmarshalExact", "UnmarshalKey", "WatchRemoteConfig"),
)

// viperStoreFunctions returns the functions of a store, whose names follow prefix.
func viperStoreFunctions(prefix string, store func(*Call) value.Value) map[string]Function {
	return merged(
		map[string]Function{
			prefix + "SetDefault": viperSet(store, (*settings).with), prefix + "Set": viperSet(store, (*settings).withSet),
			prefix + "Unmarshal": viperUnmarshal(store),
		},
		table(prefix, viperBind(store), "BindEnv", "BindPFlag", "BindPFlags"),
		table(prefix, viperBindValues(store), "BindFlagValue", "BindFlagValues"),
		map[string]Function{prefix + "AutomaticEnv": viperAutomaticEnv(store)},
		table(prefix, viperReads(store), "MergeInConfig", "ReadInConfig"),
		table(prefix, getSetting(store, viperRemedy),
			"GetBool", "GetDuration", "GetInt", "GetInt32", "GetInt64", "GetString", "GetStringSlice",
			"GetUint", "GetUint16", "GetUint32", "GetUint64"),
		table(prefix, leavesReceiver,
			"AddConfigPath", "AllowEmptyEnv", "ConfigFileUsed", "IsSet", "OnConfigChange", "SetConfigFile", "SetConfigName",
			"SetConfigPermissions", "SetConfigType", "SetEnvKeyReplacer", "SetEnvPrefix", "WatchConfig"),
	)
}

func receiverOf(c *Call) value.Value { return c.Fn.Recv }

func viperNew(c *Call) (value.Value, bool) {
	return newSettings(c, c.Fn.Obj.Signature().Results().At(0).Type(), true), true
}

// viperStore returns the package's own store.
func viperStore(c *Call) value.Value {
	cell := c.Variable(viperPackage + ".v")
	if value.IsNil(cell.Load()) {
		t, ok := c.Fn.Obj.Pkg().Scope().Lookup("Viper").(*types.TypeName)
		if !ok {
			return value.UnknownResult(c.At)
		}
		c.Set(cell, newSettings(c, types.NewPointer(t.Type()), true))
	}
	return cell.Load()
}

func viperGlobal(c *Call) (value.Value, bool) { return viperStore(c), true }

// viperTells is the model of a function whose result may lead to what the package's store has.
func viperTells(c *Call) (value.Value, bool) {
	c.Expose(c.At, c.Args, value.UnknownResult(c.At))
	return leadingResults(c, []value.Value{viperStore(c)}), true
}

// viperLost is the model of a function that changes the package's store in a way
// that isn't followed.
func viperLost(c *Call) (value.Value, bool) {
	loseSettings(c, viperStore(c))
	return nil, false
}

// viperBindValues is the model of a method that binds keys to values of the program's own types, whose
// methods tell later what they are.
func viperBindValues(store func(*Call) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		loseSettings(c, store(c))
		return leavesReceiver(c)
	}
}

// loseSettings makes a store unknown.
func loseSettings(c *Call, store value.Value) {
	if p, ok := store.(value.Pointer); ok {
		c.Havoc(value.UnknownAt(c.At.Pos(), "a setting that "+c.name()+" may have changed"), p)
	}
}

// viperSet is the model of a method that gives a key a value.
func viperSet(store func(*Call) value.Value, with func(*settings, string, value.Value) *settings) Function {
	return func(c *Call) (value.Value, bool) {
		s, cell := settingsAt(store(c))
		key, known := value.TextOf(c.Args[0])
		if s == nil {
			return value.Tuple{}, true
		}
		if !known {
			c.Set(cell, c.because(c.Args[0]))
			return value.Tuple{}, true
		}
		c.Set(cell, with(s, key, c.Args[1]))
		return value.Tuple{}, true
	}
}

// viperBind is the model of a method that binds a key to an environment variable
// or a flag, which may hide the keys below it.
func viperBind(store func(*Call) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		if s, cell := settingsAt(store(c)); s != nil {
			key := c.Args[0]
			if names, ok := elements(key); ok && len(names) > 0 {
				key = names[0]
			}
			text, _ := value.TextOf(key) // "" hides whatever is below another key
			changed := *s
			changed.env = changed.env || c.Fn.Obj.Name() == "BindEnv"
			changed.flags = changed.flags || c.Fn.Obj.Name() != "BindEnv"
			changed.hidden = append(s.hidden[:len(s.hidden):len(s.hidden)], s.key(text))
			c.Set(cell, &changed)
		}
		return results(c), true
	}
}

// viperAutomaticEnv is the model of AutomaticEnv.
func viperAutomaticEnv(store func(*Call) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		if s, cell := settingsAt(store(c)); s != nil {
			changed := *s
			changed.env = true
			c.Set(cell, &changed)
		}
		return value.Tuple{}, true
	}
}

func viperReads(store func(*Call) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		s, _ := settingsAt(store(c))
		if s == nil {
			return results(c), true
		}
		return c.readsFile(s), true
	}
}

func viperUnmarshal(store func(*Call) value.Value) Function {
	return func(c *Call) (value.Value, bool) {
		if len(c.Args) != 2 || !value.IsNil(c.Args[1]) {
			return nil, false
		}
		return c.decodeSettings(store(c), "", c.Args[0], "mapstructure", viperRemedy)
	}
}
