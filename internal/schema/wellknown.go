package schema

// wellKnown describes the types of other packages that stand for one scalar, nil
// for other types. They are written out wherever they are used, not as
// components: they are no part of the user's vocabulary, and code generators map
// a string with a format to a type of their language, but a component to a new
// one. Whatever else a package declares is described as the user's own types are.
func wellKnown(name Name) *Schema {
	switch name.qualified() {
	case "time.Time": // rule 36
		return &Schema{Type: Types{"string"}, Format: "date-time"}
	case "time.Duration": // rule 6
		return &Schema{Description: "A duration in nanoseconds.", Type: Types{"integer"}, Format: "int64"}
	case "encoding/json.RawMessage", "encoding/json/jsontext.Value": // rule 39
		return &Schema{}
	case "encoding/json.Number": // rule 5
		return &Schema{Type: Types{"number"}}
	case "math/big.Int": // rule 38
		return &Schema{Type: Types{"integer"}}
	case "math/big.Float", "math/big.Rat":
		return &Schema{Type: Types{"string"}, Sample: "1.5"}
	case "net.IP", "net/netip.Addr": // rule 37
		return &Schema{Type: Types{"string"}, Sample: "192.0.2.1"}
	case "net/netip.AddrPort":
		return &Schema{Type: Types{"string"}, Sample: "192.0.2.1:5672"}
	case "net/netip.Prefix":
		return &Schema{Type: Types{"string"}, Sample: "192.0.2.0/24"}
	case "regexp.Regexp":
		return &Schema{Type: Types{"string"}, Sample: "^a+$"}
	case "log/slog.Level":
		return &Schema{Type: Types{"string"}, Sample: "INFO"}
	case "github.com/google/uuid.UUID", "github.com/gofrs/uuid.UUID", "github.com/gofrs/uuid/v5.UUID": // rule 40
		return &Schema{Type: Types{"string"}, Format: "uuid"}
	case "github.com/shopspring/decimal.Decimal": // a string, or a number if the program asks for it
		return &Schema{Type: Types{"string", "number"}, Sample: "1.5"}
	default:
		return nil
	}
}

// wellKnown describes those types in the builder's direction.
func (b *builder) wellKnown(name Name) *Schema {
	s := wellKnown(name)
	if s == nil || b.Direction == Encode {
		return s
	}
	switch {
	case isJSONNumber(name): // a numeric string is read, too
		s.Type, s.Pattern = Types{"number", "string"}, numberPattern
	case s.Format == "uuid": // without hyphens, in braces or with a prefix as well
		s.Format = ""
	}
	return s
}

func isJSONNumber(name Name) bool { return name.qualified() == "encoding/json.Number" }

// readsNoNull reports whether the type's UnmarshalJSON refuses null.
func readsNoNull(name Name) bool { return name.qualified() == "log/slog.Level" }

// qualified is the name with its import path, without type arguments.
func (n Name) qualified() string { return n.PkgPath + "." + n.Ident }
