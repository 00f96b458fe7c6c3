package topology

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"

	"github.com/warrenmq/warren/mgmt"
)

// A Field is a property that differs.
type Field struct {
	Name       string
	Want, Have any // nil if there is none
}

func (f Field) String() string {
	want, have := shown(f.Want), shown(f.Have)
	if want == have { // as of the text "1" and the number 1
		want, have = fmt.Sprintf("%#v", f.Want), fmt.Sprintf("%#v", f.Have)
	}
	return fmt.Sprintf("%s: want %s, have %s", f.Name, want, have)
}

func shown(value any) string {
	if value == nil {
		return "none"
	}
	return fmt.Sprint(value)
}

const queueType = "x-queue-type"

// compareQueue returns what differs. otherwise is the type of a queue without
// the argument, which the virtual host decides; 4.x writes it into the
// arguments, 3.10 doesn't. A queue that can only be a classic one is classic,
// whatever the virtual host says (measured on 4.0 and 4.3).
func compareQueue(want Queue, have mgmt.QueueInfo, otherwise string) []Field {
	if !want.Durable || want.AutoDelete {
		otherwise = "classic"
	}
	var fields []Field
	fields = compareBool(fields, "durable", want.Durable, have.Durable)
	fields = compareBool(fields, "auto-delete", want.AutoDelete, have.AutoDelete)
	wanted, had := typed(want.Arguments, otherwise), typed(have.Arguments, cmp.Or(have.Type, otherwise))
	return append(fields, compareArguments(wanted, had)...)
}

// typed returns arguments with a type of queue: their own, or otherwise.
func typed(arguments map[string]any, otherwise string) map[string]any {
	if _, ok := arguments[queueType]; ok {
		return arguments
	}
	all := map[string]any{queueType: otherwise}
	maps.Copy(all, arguments)
	return all
}

func compareExchange(want Exchange, have mgmt.ExchangeInfo) []Field {
	var fields []Field
	if kind := cmp.Or(want.Type, mgmt.Direct); kind != have.Type {
		fields = append(fields, Field{"type", kind, have.Type})
	}
	fields = compareBool(fields, "durable", want.Durable, have.Durable)
	fields = compareBool(fields, "auto-delete", want.AutoDelete, have.AutoDelete)
	fields = compareBool(fields, "internal", want.Internal, have.Internal)
	return append(fields, compareArguments(want.Arguments, have.Arguments)...)
}

func compareBool(fields []Field, name string, want bool, have mgmt.Opt[bool]) []Field {
	if have := have.Or(want); want != have {
		return append(fields, Field{name, want, have})
	}
	return fields
}

func compareArguments(want, have map[string]any) []Field {
	names := slices.AppendSeq(slices.Collect(maps.Keys(want)), maps.Keys(have))
	slices.Sort(names)
	var fields []Field
	for _, name := range slices.Compact(names) {
		if !reflect.DeepEqual(plain(want[name]), plain(have[name])) {
			fields = append(fields, Field{name, want[name], have[name]})
		}
	}
	return fields
}

// plain returns a value in the form of the broker's answer, so that an int32 of
// the program equals the same number there.
func plain(value any) any {
	v := reflect.ValueOf(value)
	switch {
	case !v.IsValid():
		return nil
	case v.CanInt():
		return v.Int()
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		return int64(v.Uint())
	case v.CanUint():
		return v.Uint() // as no broker has
	case v.Kind() == reflect.Bool:
		return v.Bool()
	case v.CanFloat():
		if whole := int64(v.Float()); float64(whole) == v.Float() {
			return whole
		}
		return v.Float()
	case v.Kind() == reflect.String:
		return v.String()
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8:
		return string(v.Bytes())
	case v.Kind() == reflect.Slice:
		all := make([]any, v.Len())
		for i := range all {
			all[i] = plain(v.Index(i).Interface())
		}
		return all
	case v.Kind() == reflect.Map && v.Type().Key().Kind() == reflect.String:
		all := make(map[string]any, v.Len())
		for entries := v.MapRange(); entries.Next(); {
			all[entries.Key().String()] = plain(entries.Value().Interface())
		}
		return all
	}
	return value
}

func isSame(want Binding, have mgmt.BindingInfo) bool {
	return want.Exchange == have.Source && want.RoutingKey == have.RoutingKey &&
		len(compareArguments(want.Arguments, have.Arguments)) == 0
}
