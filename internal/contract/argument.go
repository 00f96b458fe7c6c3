package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Tables of a route's arguments, by the paths of their fields: what isn't known of one is
// named by it in UnknownArguments.
const (
	QueueArguments    = "Queue.Arguments"
	ExchangeArguments = "Exchange.Arguments"
	BindingArguments  = "BindingArguments"
)

// SourceArguments is the table of the bindings of a route's source.
func SourceArguments(i int) string { return fmt.Sprintf("Sources[%d].Arguments", i) }

// SourceExchangeArguments is the table of the exchange of a route's source.
func SourceExchangeArguments(i int) string { return fmt.Sprintf("Sources[%d].Exchange.Arguments", i) }

// ArgumentName names one argument of a table.
func ArgumentName(table, key string) string { return table + " " + strconv.Quote(key) }

// mayBeAbsent ends the name of an argument that may not be there.
const mayBeAbsent = " (may be absent)"

// PossibleArgumentName names one argument of a table that may not be there.
func PossibleArgumentName(table, key string) string { return ArgumentName(table, key) + mayBeAbsent }

// IsUnknownArgument reports whether an argument of a table is among those that aren't
// known: by its own name, or because not all keys of the table are known.
func IsUnknownArgument(unknown []string, table, key string) bool {
	return slices.Contains(unknown, table) || slices.Contains(unknown, ArgumentName(table, key)) ||
		slices.Contains(unknown, PossibleArgumentName(table, key))
}

// IsOfBinding reports whether the name is that of an argument of a binding, by which a
// headers exchange routes, or of a table of them.
func IsOfBinding(name string) bool {
	isOfSource := strings.HasPrefix(name, "Sources[") && !strings.Contains(name, "]."+ExchangeArguments)
	return isOfSource || strings.HasPrefix(name, BindingArguments)
}

// MayBeOfExchange reports whether the name may be that of an argument with the key of any exchange.
func MayBeOfExchange(name, key string) bool {
	i := strings.Index(name, ExchangeArguments)
	return i >= 0 && IsUnknownArgument([]string{name[i:]}, ExchangeArguments, key)
}

// HidesKeys reports whether it isn't known which arguments a table has.
func HidesKeys(unknown []string, table string) bool {
	return slices.ContainsFunc(UnknownOf(unknown, table, ""), func(name string) bool { return name == "" || strings.HasSuffix(name, mayBeAbsent) })
}

// UnknownKeys returns the keys that a table surely has, and whose values aren't known.
func UnknownKeys(unknown []string, table string) []string {
	var keys []string
	for _, name := range unknown {
		if quoted, of := strings.CutPrefix(name, table+" "); of {
			if key, err := strconv.Unquote(quoted); err == nil {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// UnknownOf returns what isn't known of a table, by the names that another table would have.
func UnknownOf(unknown []string, table, as string) []string {
	var names []string
	for _, name := range unknown {
		if rest, of := strings.CutPrefix(name, table); of && (rest == "" || rest[0] == ' ') {
			names = append(names, as+rest)
		}
	}
	return names
}
