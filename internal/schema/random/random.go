// Package random makes random values of any Go type, to be written by
// encoding/json and held against the type's schema.
//
//	source := random.Source{Rand: rand.New(rand.NewPCG(1, 2))}
//	value := source.Value(reflect.TypeFor[Order]()) // an addressable Order
//	text, err := json.Marshal(value.Addr().Interface())
//
// Values are extreme on purpose: zero values, nil at every depth, the bounds of
// integers, text that isn't UTF-8. Floating-point numbers are finite. Unexported
// fields stay zero; types of the standard library that have nothing else get a
// value by their functions. The package is for tests, and never looks at schemas.
package random

import (
	"encoding/json"
	"math"
	"math/big"
	"math/rand/v2"
	"net"
	"net/netip"
	"reflect"
	"time"
)

// A Source makes values. Equal Rands give equal values.
type Source struct {
	Rand *rand.Rand

	// Choose, if it isn't nil, returns the values of a type from which one is
	// taken: the constants of an enumeration, or the variants of an interface.
	// None means that any value will do.
	Choose func(reflect.Type) []reflect.Value

	// MaxDepth is how deep values lie in each other before pointers, slices and
	// maps are left nil, 6 if it is zero.
	MaxDepth int
}

// Value returns an addressable value of t.
func (s Source) Value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	s.fill(v, 0)
	return v
}

func (s Source) deep(depth int) bool {
	limit := s.MaxDepth
	if limit == 0 {
		limit = 6
	}
	return depth > limit
}

func (s Source) fill(v reflect.Value, depth int) {
	if !v.CanSet() {
		return
	}
	if s.Choose != nil {
		if values := s.Choose(v.Type()); len(values) > 0 {
			v.Set(values[s.Rand.IntN(len(values))].Convert(v.Type()))
			return
		}
	}
	if s.known(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(s.Rand.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(s.integer(v.Type().Bits()))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(s.unsigned(v.Type().Bits()))
	case reflect.Float32:
		v.SetFloat(float64(float32(s.float(math.MaxFloat32))))
	case reflect.Float64:
		v.SetFloat(s.float(math.MaxFloat64))
	case reflect.String:
		v.SetString(s.text())
	default:
		s.fillParts(v, depth+1)
	}
}

// fillParts fills a value that has parts.
func (s Source) fillParts(v reflect.Value, depth int) {
	switch v.Kind() {
	case reflect.Pointer:
		if !s.none(depth) {
			v.Set(reflect.New(v.Type().Elem()))
			s.fill(v.Elem(), depth)
		}
	case reflect.Slice:
		if !s.none(depth) {
			v.Set(reflect.MakeSlice(v.Type(), s.Rand.IntN(3), 3))
			s.fillElements(v, depth)
		}
	case reflect.Array:
		s.fillElements(v, depth)
	case reflect.Map:
		if !s.none(depth) {
			s.fillMap(v, depth)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			s.fillField(v, i, depth)
		}
	case reflect.Interface:
		if v.NumMethod() == 0 && s.Rand.IntN(3) > 0 {
			v.Set(reflect.ValueOf(s.anything()))
		}
	}
}

// fillField fills a field. An embedded pointer to an unexported type can't be
// set, but a struct of such a type has fields that can.
func (s Source) fillField(v reflect.Value, i, depth int) {
	field := v.Type().Field(i)
	if field.Anonymous && !field.IsExported() && field.Type.Kind() == reflect.Struct {
		for j := range v.Field(i).NumField() {
			s.fillField(v.Field(i), j, depth)
		}
		return
	}
	s.fill(v.Field(i), depth)
}

// none reports whether a pointer, a slice or a map stays nil.
func (s Source) none(depth int) bool { return s.deep(depth) || s.Rand.IntN(4) == 0 }

func (s Source) fillElements(v reflect.Value, depth int) {
	for i := range v.Len() {
		s.fill(v.Index(i), depth)
	}
}

func (s Source) fillMap(v reflect.Value, depth int) {
	v.Set(reflect.MakeMap(v.Type()))
	for range s.Rand.IntN(3) {
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		s.fill(key, depth)
		s.fill(value, depth)
		if key.Comparable() {
			v.SetMapIndex(key, value)
		}
	}
}

func (s Source) integer(bits int) int64 {
	low := int64(-1) << (bits - 1)
	switch s.Rand.IntN(5) {
	case 0:
		return 0
	case 1:
		return low
	case 2:
		return -(low + 1)
	default:
		return int64(s.Rand.Uint64()) >> (64 - bits)
	}
}

func (s Source) unsigned(bits int) uint64 {
	switch s.Rand.IntN(4) {
	case 0:
		return 0
	case 1:
		return math.MaxUint64 >> (64 - bits)
	default:
		return s.Rand.Uint64() >> (64 - bits)
	}
}

func (s Source) float(limit float64) float64 {
	switch s.Rand.IntN(6) {
	case 0:
		return 0
	case 1:
		return limit
	case 2:
		return -limit
	case 3:
		return 1e-7
	default:
		return s.Rand.NormFloat64() * 1e6
	}
}

var texts = []string{"", "a", "order", "null", "7", "-1", "1e3", "two words", `"quoted"`, "line\nbreak", "<&>\u2028", "ключ", "\xff\xfe", "😀", "true"}

func (s Source) text() string { return texts[s.Rand.IntN(len(texts))] }

// anything is what an empty interface holds.
func (s Source) anything() any {
	values := []any{true, 1.5, s.text(), []any{nil, 1}, map[string]any{"a": s.text()}, json.Number("1e400"), struct{ A *int }{}}
	return values[s.Rand.IntN(len(values))]
}

// known sets types whose values aren't those of their exported fields.
func (s Source) known(v reflect.Value) bool {
	switch target := v.Addr().Interface().(type) {
	case *time.Time:
		*target = s.time()
	case *json.Number:
		*target = []json.Number{"", "0", "-1.5E+10", "1e400", "123456789012345678901234567890"}[s.Rand.IntN(5)]
	case *json.RawMessage:
		*target = []json.RawMessage{nil, json.RawMessage(`{"a":[1]}`), json.RawMessage("null"), json.RawMessage(` "x" `)}[s.Rand.IntN(4)]
	case *big.Int:
		target.Lsh(big.NewInt(s.integer(64)), uint(s.Rand.IntN(100)))
	case *big.Float:
		target.SetFloat64(s.float(1e300))
	case *big.Rat:
		target.SetFrac64(s.integer(64), s.integer(32)|1)
	case *net.IP:
		*target = []net.IP{nil, net.IPv4(10, 0, 0, 1), net.IPv6loopback}[s.Rand.IntN(3)]
	case *netip.Addr:
		*target = s.addr()
	case *netip.AddrPort:
		*target = netip.AddrPortFrom(s.addr(), uint16(s.unsigned(16)))
	case *netip.Prefix:
		*target = netip.PrefixFrom(s.addr(), s.Rand.IntN(32))
	default:
		return false
	}
	return true
}

// time returns one of the years that RFC 3339 can write.
func (s Source) time() time.Time {
	zones := []*time.Location{time.UTC, time.FixedZone("", 7200), time.FixedZone("", -12600)}
	switch s.Rand.IntN(4) {
	case 0:
		return time.Time{}
	case 1:
		return time.Date(9999, 12, 31, 23, 59, 59, 999999999, time.UTC)
	default:
		return time.Unix(s.Rand.Int64N(4e9), s.Rand.Int64N(1e9)).In(zones[s.Rand.IntN(len(zones))])
	}
}

func (s Source) addr() netip.Addr {
	return []netip.Addr{{}, netip.MustParseAddr("10.1.2.3"), netip.IPv6Unspecified(), netip.MustParseAddr("fe80::1%eth0")}[s.Rand.IntN(4)]
}
