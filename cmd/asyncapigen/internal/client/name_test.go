package client

import (
	"go/token"
	"go/types"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExported(t *testing.T) {
	for name, want := range map[string]string{
		"order": "Order", "Order": "Order", "_order": "Order", "订单": "T订单", "äpfel": "Äpfel", "_": "T", "_1": "T1",
	} {
		require.Equal(t, want, exported(name), name)
		require.True(t, token.IsExported(exported(name)), name)
	}
}

func TestScope_TakesFirstFreeName(t *testing.T) {
	s := newScope("Client")
	require.Equal(t, "MainClient", s.take("Client", "MainClient"))
	require.Equal(t, "MainClient2", s.take("Client", "MainClient"))
	require.Equal(t, "MainClient3", s.take("Client", "MainClient"))
	require.Equal(t, "Other", s.take("Other", "MainOther"))
}

// The go command's rule, from "go help internal".
func TestMayImport(t *testing.T) {
	for _, test := range []struct {
		importer, imported string
		may                bool
	}{
		{"shop/client", "shop/events", true},
		{"shop/client", "shop/internal/events", true},
		{"shop", "shop/internal", true},
		{"shopping", "shop/internal", false},
		{"shop/client", "shop/orders/internal/events", false},
		{"shop/orders/client", "shop/orders/internal/events", true},
		{"shop/client", "other/internal", false},
		{"shop/internal/client", "shop/internal/a/internal/b", false},
		{"shop/internal/a/client", "shop/internal/a/internal/b", true},
		{"shop/client", "internal/abi", false},
		{"shop/client", "vendor/golang.org/x/net/dns", false},
		{"shop/client", "shop/internals", true},
	} {
		require.Equal(t, test.may, mayImport(test.importer, test.imported), "%s imports %s", test.importer, test.imported)
	}
}

func TestAliases(t *testing.T) {
	require.Equal(t, []string{"events", "ordersevents", "shopordersevents"}, aliases("shop/orders/events", "events"))
	require.Equal(t, []string{"things", "pthings"}, aliases("p/things/v2", "things"))
	require.Equal(t, []string{"pany"}, aliases("p/any", "any"), "any would hide Go's own")
	require.Equal(t, []string{"errpkg"}, aliases("err", "err"))
	require.Equal(t, []string{"pkg", "a0pkg", "mz9ba0pkg"}, aliases("mz9.b~é/a0/pkg", "pkg"), "letters and digits are kept")
	require.Equal(t, []string{"odd", "oneodd"}, aliases("1/one/go-odd", "odd"), "no alias begins with a digit")
}

// A package has the name of its folder by convention, or of the one above a version's.
func TestAssumedName(t *testing.T) {
	for path, want := range map[string]string{
		"example.com/orders": "orders", "example.com/orders/v2": "orders", "math/rand/v2": "rand", "v2": "v2",
		"example.com/orders/2024": "2024", "example.com/orders/v": "v", "example.com/orders/v2beta": "v2beta", "example.com/orders/version": "version",
	} {
		require.Equal(t, want, assumedName(path), path)
	}
}

func TestUnexported_MakesWordsOfCapitalsSmall(t *testing.T) {
	for name, want := range map[string]string{
		"by": "by", "By": "by", "userID": "userID", "UserID": "userID", "ID": "id", "A": "a", "AB": "ab", "Ab": "ab", "HTTPCode": "httpCode", "ACode": "aCode",
	} {
		require.Equal(t, want, unexported(name), name)
	}
}

func TestNeverEmpty_IsOfStructsAndArraysWithElements(t *testing.T) {
	number := types.Typ[types.Int]
	require.True(t, neverEmpty(types.NewStruct(nil, nil)))
	require.True(t, neverEmpty(types.NewArray(number, 1)))
	require.False(t, neverEmpty(types.NewArray(number, 0)))
	require.False(t, neverEmpty(types.NewSlice(number)))
	require.False(t, neverEmpty(number))
}
