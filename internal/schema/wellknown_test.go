package schema_test

import (
	"database/sql"
	"log/slog"
	"net"
	"net/netip"
	"net/url"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/internal/schema"
)

func TestRule36_TypesThatShowNothingAreAWarning(t *testing.T) {
	for name, got := range map[string][]string{
		"location": problems(build[struct{ F *time.Location }]()),
		"builder":  problems(build[struct{ F *strings.Builder }]()),
		"mutex":    problems(build[struct{ F *sync.Mutex }]()),
	} {
		require.Len(t, got, 1, name)
		require.Contains(t, got[0], "it has no exported field, so it is always {}", name)
	}
}

func TestRule37To39_WellKnownValuesValidate(t *testing.T) {
	mask := net.IPNet{IP: net.IPv4(10, 0, 0, 0), Mask: net.CIDRMask(8, 32)}
	t.Run("net", writes(mask, net.IPNet{}))
	t.Run("hardware address", writes(net.HardwareAddr{1, 2}))
	t.Run("address and port", writes(netip.AddrPortFrom(netip.IPv6Loopback(), 80)))
	t.Run("url", writes(url.URL{Scheme: "https", User: url.UserPassword("a", "b")}))
	t.Run("regexp", writes(struct{ R *regexp.Regexp }{regexp.MustCompile("^a+$")}))
	t.Run("level", writes(slog.LevelWarn+1))
	t.Run("null string", writes(sql.NullString{String: "a", Valid: true}))
	t.Run("null time", writes(sql.NullTime{Time: time.Now(), Valid: true}))
	t.Run("null", writes(sql.Null[int8]{V: 3, Valid: true}))
	t.Run("raw bytes", writes(sql.RawBytes("abc")))
}

func TestRule39_NullStringsAreObjects(t *testing.T) {
	require.Equal(t, `{"title":"NullString","type":"object","properties":{"String":{"type":"string"},"Valid":{"type":"boolean"}},"required":["String","Valid"]}`,
		text(t, component(t, build[sql.NullString](), "NullString")))
}

// message stands for a type that protoc-gen-go has made.
type message struct {
	schema.Type
	described string
}

func (message) Method(m schema.Method) schema.Receiver {
	if m == schema.ProtoReflect {
		return schema.PointerReceiver
	}
	return schema.NoReceiver
}

func (m message) JSONSchema() (string, error) { return m.described, nil }

func TestRule40_ProtobufMessagesAreRefused(t *testing.T) {
	set := schema.Build([]schema.Type{message{Type: schema.Reflect(reflect.TypeFor[Order]())}})
	require.Len(t, set.Problems, 1)
	require.Equal(t, diagnostic.ProtobufType, set.Problems[0].Code)
	require.Equal(t, diagnostic.Error, set.Problems[0].Severity)

	set = schema.Build([]schema.Type{message{schema.Reflect(reflect.TypeFor[Order]()), `{"type":"object"}`}})
	require.Empty(t, set.Problems, "unless described")
}

type (
	reflectsText  struct{ A int }
	reflectsOther struct{ A int }
	reflectsOf    struct{ A int }
	reflectsTwo   struct{ A int }
	Message       struct{}
)

func (reflectsText) ProtoReflect() string                                { return "" }
func (reflectsOther) ProtoReflect() Message                              { return Message{} }
func (reflectsOf) ProtoReflect(int) protoreflect.Message                 { return nil }
func (reflectsTwo) ProtoReflect() (m protoreflect.Message, isKnown bool) { return nil, false }

func TestRule40_ProtobufMessagesAreThoseWithItsMethod(t *testing.T) {
	type holder struct {
		ByPointer *durationpb.Duration
	}
	for _, refused := range []reflect.Type{reflect.TypeFor[holder](), reflect.TypeFor[*durationpb.Duration]()} {
		set := schema.Build([]schema.Type{schema.Reflect(refused)})
		require.Len(t, set.Problems, 1)
		require.Equal(t, diagnostic.ProtobufType, set.Problems[0].Code)
	}
	for _, taken := range []reflect.Type{
		reflect.TypeFor[reflectsText](), reflect.TypeFor[reflectsOther](), reflect.TypeFor[reflectsOf](), reflect.TypeFor[reflectsTwo](),
	} {
		require.Empty(t, schema.Build([]schema.Type{schema.Reflect(taken)}).Problems, taken)
	}
}
