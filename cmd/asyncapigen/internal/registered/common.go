package registered

import (
	"go/types"
	"reflect"
	"slices"
)

// Equal reports whether the contract has the same for two routes, each with its router.
func (r Route) Equal(other Route) bool {
	return r.CodecType == other.CodecType && types.Identical(r.Body, other.Body) && types.Identical(r.Result, other.Result) &&
		slices.EqualFunc(r.Cases, other.Cases, isSameCase) && reflect.DeepEqual(withoutTypes(r), withoutTypes(other))
}

func isSameCase(a, b Case) bool {
	return a.Name == b.Name && a.Otherwise == b.Otherwise && types.Identical(a.Body, b.Body) && types.Identical(a.Result, b.Result)
}

// withoutTypes leaves out what is compared otherwise, or isn't of the contract.
func withoutTypes(r Route) Route {
	r.Body, r.Result, r.CodecType, r.Cases, r.Router, r.Origins = nil, nil, nil, nil, nil, nil
	return r
}

// Common returns what is certain where the program registers one or the other. Of how they
// are consumed that isn't known which differs, as where branches join; it is false where
// anything else of the contract does. The place is that of r, and batches are in no document.
func (r Route) Common(other Route) (Route, bool) {
	r.UnknownArguments = with(r.UnknownArguments, other.UnknownArguments...)
	r.UnknownSettings = with(r.UnknownSettings, other.UnknownSettings...)
	settle(&r, "prefetch", &r.Prefetch, &other.Prefetch)
	settle(&r, "prefetchBytes", &r.PrefetchBytes, &other.PrefetchBytes)
	settle(&r, "concurrency", &r.Concurrency, &other.Concurrency)
	settle(&r, "timeout", &r.Timeout, &other.Timeout)
	settle(&r, "arguments", &r.ConsumerArguments, &other.ConsumerArguments)
	if r.Ordered != other.Ordered || r.Strict != other.Strict {
		r.UnknownArguments, r.UnknownSettings = with(r.UnknownArguments, TheOrder), with(r.UnknownSettings, "order")
		r.Ordered, r.Strict = false, false
	}
	if settle(&r, "acknowledges", &r.AckMode, &other.AckMode) {
		r.UnknownArguments = with(r.UnknownArguments, TheAckMode)
	}
	if r.HandledBy.Name != other.HandledBy.Name || r.HandledBy.Pos != other.HandledBy.Pos {
		r.HandledBy = Handler{Made: r.HandledBy.Made}
	}
	other.UnknownArguments, other.UnknownSettings = r.UnknownArguments, r.UnknownSettings
	other.Ordered, other.Strict = r.Ordered, r.Strict
	other.HandledBy, other.Pos, other.Batch = r.HandledBy, r.Pos, r.Batch
	return r, r.Equal(other)
}

// settle makes a setting that differs unknown in r, and reports whether it does.
func settle[T any](r *Route, name string, own, other *T) (differs bool) {
	if reflect.DeepEqual(*own, *other) {
		return false
	}
	*own, *other = *new(T), *new(T)
	r.UnknownSettings = with(r.UnknownSettings, name)
	return true
}

// with returns the names and those of more that aren't among them.
func with(names []string, more ...string) []string {
	names = slices.Clip(names)
	for _, name := range more {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
