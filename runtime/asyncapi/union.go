package asyncapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/warrenmq/warren/internal/schema"
)

// A Union is an interface type and all the types that messages hold in it, each
// an object that names itself by one of its members, the discriminator:
//
//	type Payment interface{ pay() }
//
//	type Card struct {
//		Type   string `json:"type"` // "card"
//		Number string `json:"number"`
//	}
//
//	var Payments = asyncapi.NewUnion("type", map[string]Payment{
//		"card": Card{},
//		"bank": &BankTransfer{},
//	})
//
// A document then has "oneOf" for the interface. Asyncapigen finds the unions
// that variables of packages are set to; [Generate] takes them as options.
// encoding/json writes such a field by itself; to read it, the struct that has
// it needs an UnmarshalJSON, which calls [Union.Decode].
//
// A Union is immutable and safe for concurrent use. It is made by [NewUnion]; the
// zero Union can't be used.
type Union[I any] struct {
	discriminator string
	variants      map[string]reflect.Type
}

// NewUnion returns the union of the types of the variants. The keys are the
// discriminator's values; of each variant only the type counts, which is also what
// [Union.Decode] returns: a struct, or a pointer to one. It panics if I isn't an
// interface, the discriminator is empty, there is no variant, or a variant is nil:
// unions are variables of packages. See docs/decisions/0014.
func NewUnion[I any](discriminator string, variants map[string]I) *Union[I] {
	u := &Union[I]{discriminator: discriminator, variants: map[string]reflect.Type{}}
	if discriminator == "" || len(variants) == 0 || reflect.TypeFor[I]().Kind() != reflect.Interface {
		panic(fmt.Sprintf("asyncapi: union of %v: it needs an interface, a discriminator and a variant", reflect.TypeFor[I]()))
	}
	for value, variant := range variants {
		u.variants[value] = reflect.TypeOf(variant)
		if u.variants[value] == nil {
			panic(fmt.Sprintf("asyncapi: union of %v: the variant %q is nil: give a value of its type", reflect.TypeFor[I](), value))
		}
	}
	return u
}

// Decode reads the variant that the JSON object names by its discriminator. null
// is the nil interface. The error names what the object lacks, or is that of
// json.Unmarshal.
func (u *Union[I]) Decode(text []byte) (I, error) {
	var none I
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil {
		return none, fmt.Errorf("decode a %v: %w", reflect.TypeFor[I](), err)
	}
	if members == nil {
		return none, nil
	}
	var name string
	if err := json.Unmarshal(members[u.discriminator], &name); err != nil {
		return none, fmt.Errorf("decode a %v: its member %q, which says the variant, is missing or no string", reflect.TypeFor[I](), u.discriminator)
	}
	t, ok := u.variants[name]
	if !ok {
		return none, fmt.Errorf("decode a %v: its member %q is %q: want %s", reflect.TypeFor[I](), u.discriminator, name, u.names())
	}
	value := reflect.New(t)
	if err := json.Unmarshal(text, value.Interface()); err != nil {
		return none, fmt.Errorf("decode a %v: %w", reflect.TypeFor[I](), err)
	}
	return value.Elem().Interface().(I), nil
}

func (u *Union[I]) names() string {
	return strings.Join(slices.Sorted(maps.Keys(u.variants)), " or ")
}

func (u *Union[I]) apply(o *options) {
	union := schema.Union{Interface: schema.Reflect(reflect.TypeFor[I]()), Discriminator: u.discriminator}
	for _, value := range slices.Sorted(maps.Keys(u.variants)) {
		union.Variants = append(union.Variants, schema.Variant{Value: value, Type: schema.Reflect(u.variants[value])})
	}
	o.schemas.Unions = append(o.schemas.Unions, union)
}
