// Cloud bills what it stores: its messages are types of two large clients, that
// of Stripe and that of AWS.
package main

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	dynamodbtypes "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/stripe/stripe-go/v82"

	"github.com/warrenmq/warren/runtime"
)

type biller struct {
	tables  *dynamodb.Client
	objects *s3.Client
}

func (b *biller) invoice(context.Context, stripe.Invoice) error { return nil }

func (b *biller) table(context.Context, dynamodbtypes.TableDescription) error { return nil }

func main() {
	account, err := config.LoadDefaultConfig(context.Background())
	if err != nil {
		panic(err)
	}
	b := &biller{dynamodb.NewFromConfig(account), s3.NewFromConfig(account)}
	router := runtime.NewRouter()
	router.MustRegister(
		runtime.Route{Name: "invoices", Queue: runtime.Queue{Name: "billing.invoices", Durable: true}, Handler: runtime.Consume(b.invoice)},
		runtime.Route{Name: "tables", Queue: runtime.Queue{Name: "storage.tables", Durable: true}, Handler: runtime.Consume(b.table)},
	)
}
