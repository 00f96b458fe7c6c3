package methodname_test

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/internal/methodname"
)

func TestOf(t *testing.T) {
	for name, want := range map[string]string{
		"order.created":      "OrderCreated",
		"order-created.v1":   "OrderCreatedV1",
		"OnOrderCreated":     "OnOrderCreated",
		"onOrder_created":    "OnOrderCreated",
		"user id":            "UserID",
		"userId":             "UserID",
		"httpUrl.to-json":    "HTTPURLToJSON",
		"HTTPServer":         "HTTPServer",
		"HTTPUrl":            "HTTPUrl",
		"aId":                "AID",
		"identity":           "Identity",
		"orders/{id}":        "OrdersID",
		"2fa.sent":           "2faSent",
		"type":               "Type",
		"заказ.создан":       "ЗаказСоздан",
		"订单.创建":              "订单创建",
		"straße":             "Straße",
		"e\u0301te":          "ETe",
		"***":                "",
		"":                   "",
		"\xff.bad":           "Bad",
		"a.b":                "AB",
		"xId":                "XID",
		"XId":                "XId",
		"already_API-client": "AlreadyAPIClient",
	} {
		t.Run(name, func(t *testing.T) {
			ident := methodname.Of(name)
			require.Equal(t, want, ident)
			require.True(t, token.IsIdentifier("Publish"+ident))
		})
	}
}
