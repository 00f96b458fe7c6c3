// Package sample has types of every sort that encoding/json treats in its own
// way. Tests compile it in and read its source, and compare what they see.
package sample

//lint:file-ignore SA5008,U1000 the tags and fields show what encoding/json makes of such ones

import (
	"encoding"
	"encoding/json"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"time"
	"unsafe"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/gotype/internal/sample/other"
)

// Payloads has a field for each type to compare.
type Payloads struct {
	Scalars    Scalars
	Pointer    *Scalars
	Bytes      []byte
	Alias      AliasOfPage
	Order      Order
	Other      other.Order
	Tree       *Tree
	Containers Containers
	Methods    Methods
	Known      Known
	Embedding  Embedding
	Promoted   Promoted
	Cancelled  Cancelled
	Omitted    Omitted
	Problems   Problems
	Page       Page[Order]
	Foreign    Page[other.Order]
	Generics   Generics
	Letters    Größe
	Any        any
	Anonymous  struct {
		A int `json:"a"`
		B struct{ C []Status }
	}
}

// Scalars has one field of each scalar kind.
type Scalars struct {
	// B is true or false.
	B   bool
	I   int
	I8  int8
	I16 int16
	I32 rune
	I64 int64
	U   uint
	U8  byte
	U16 uint16
	U32 uint32
	U64 uint64
	UP  uintptr
	F32 float32
	F64 float64
	S   string
	Q   int    `json:"q,string"`
	QS  Status `json:",string"`
}

// Status is where an order stands.
type Status string

// An Order is what a customer wants.
//
// It has more than one paragraph.
type Order struct {
	ID string `json:"id"` // ID is unique.

	// Lines are in the order of the cart.
	Lines  []Line  `json:"lines"`
	Parent *Order  `json:"parent"`
	Status *Status `json:"status,omitempty"`
}

// Line is one article of an [Order].
type Line struct {
	Article string
	Price   *big.Rat
}

// AliasOfPage is another name.
type AliasOfPage = Page[AliasOfStatus]

// AliasOfStatus is another name.
type AliasOfStatus = Status

// Page is part of a list.
type Page[T any] struct {
	// Items are what the page has.
	Items []T
	Next  *Page[T] `json:",omitempty"`
}

// Pair is generic twice.
type Pair[K comparable, V any] struct {
	Key    K
	Values map[K]V
}

// Generics are instances with arguments of every sort.
type Generics struct {
	A Pair[string, Page[int]]
	B Pair[Status, []*Order]
	C Pair[int8, map[string][3]other.Order]
	D Page[any]
	E Page[struct {
		X int `json:"x],"`
	}]
	F Page[struct{ Y *Line }]
	G Page[byte]
	H Page[*time.Time]
	I Page[Page[AliasOfStatus]]
}

// Tree refers to itself.
type Tree struct {
	Left, Right *Tree
	Leaves      Leaves
	Named       Branch
}

// Leaves may be null.
type Leaves []*Tree

// Branch is a pointer with a name.
type Branch *Tree

// Containers are slices, arrays and maps.
type Containers struct {
	Bytes      []byte
	Named      []MyByte
	Texts      []TextByte
	Array      [4]byte
	Matrix     [2][]float32
	Strings    map[string]*int
	Ints       map[int]Line
	Uints      map[uint16]Leaves
	Texted     map[Key]bool
	Statuses   map[Status]any
	Interfaces []any
}

// MyByte is a byte.
type MyByte byte

// TextByte writes itself.
type TextByte byte

// MarshalText implements encoding.TextMarshaler.
func (TextByte) MarshalText() ([]byte, error) { return nil, nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (*TextByte) UnmarshalText([]byte) error { return nil }

// Key is the key of a map.
type Key struct{ a, b int }

// MarshalText implements encoding.TextMarshaler.
func (Key) MarshalText() ([]byte, error) { return nil, nil }

// Methods are types that write themselves.
type Methods struct {
	JSON      WithJSON
	Pointer   WithPointer
	Text      Key
	ReadOnly  ReadOnly
	NotReally NotReally
	Variadic  Variadic
	Map       map[string]WithPointer
}

// WithJSON writes JSON.
type WithJSON struct{}

// MarshalJSON implements json.Marshaler.
func (WithJSON) MarshalJSON() ([]byte, error) { return nil, nil }

// WithPointer writes text where it has an address.
type WithPointer struct{ A int }

// MarshalText implements encoding.TextMarshaler.
func (*WithPointer) MarshalText() ([]byte, error) { return nil, nil }

// ReadOnly reads itself.
type ReadOnly struct{ A int }

// UnmarshalJSON implements json.Unmarshaler.
func (*ReadOnly) UnmarshalJSON([]byte) error { return nil }

// NotReally has methods of other signatures.
type NotReally struct{ A int }

// MarshalText has no error.
func (NotReally) MarshalText() []byte { return nil }

// UnmarshalText has no result.
func (NotReally) UnmarshalText([]byte) {}

// Variadic has a method that only looks right.
type Variadic struct{ A int }

// UnmarshalText is variadic.
func (*Variadic) UnmarshalText(...byte) error { return nil }

// Wait has a doc comment on a well-known type.
type Wait struct{ For time.Duration }

// Known are types of the standard library.
type Known struct {
	Time     time.Time
	Ago      *time.Time
	Duration time.Duration
	Month    time.Month
	Raw      json.RawMessage
	Number   json.Number
	Big      big.Int
	IP       net.IP
	Net      net.IPNet
	Addr     netip.Addr
	URL      *url.URL
}

// Embedding has fields of many depths.
type Embedding struct {
	Base
	*Optional
	inner
	Status
	hidden
	Tagged `json:"tagged"`
	Line   `json:"-"`
	Local  int `json:"a'b"`
}

// Base is embedded.
type Base struct {
	Both, Local int
	deeper
}

type inner struct{ Both int }

type deeper struct{ Deep bool }

type hidden int

// Optional is embedded by pointer.
type Optional struct{ Maybe int }

// Tagged is embedded with a name.
type Tagged struct{ A int }

// Promoted is the text that Key is.
type Promoted struct {
	Key
	Extra int
}

// Cancelled embeds two of one depth.
type Cancelled struct {
	Key
	TextByte
	Extra int
}

// Omitted may leave things out.
type Omitted struct {
	Slice  []int      `json:",omitempty"`
	Struct Line       `json:",omitempty"`
	Zero   Line       `json:",omitzero"`
	Ptr    *int       `json:",omitempty"`
	Array  [1]int     `json:",omitempty"`
	Order  *Order     `json:"order,omitempty"`
	Time   *time.Time `json:",omitzero"`
}

// Problems can't be described.
type Problems struct {
	C chan int
	F func(int) error
	X complex64
	U unsafe.Pointer
	E error
	I encoding.TextMarshaler
	M map[float64]int
	N time.Location
	*inner
}

// Größe is no ASCII.
type Größe int

// First has a type of its own.
func First() any {
	type Local struct{ A int }
	return Page[Local]{}
}

// Second has another type of the same name.
func Second() any {
	type Local struct{ B int }
	return Page[Local]{}
}
