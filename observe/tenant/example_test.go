package tenant_test

import (
	"context"
	"fmt"

	"github.com/warrenmq/warren/observe/tenant"
)

func ExampleNewContext() {
	ctx, err := tenant.NewContext(context.Background(), "acme")
	fmt.Println(tenant.FromContext(ctx), err)

	ctx, err = tenant.NewContext(context.Background(), "acme\nlevel=error")
	fmt.Printf("%q %v\n", tenant.FromContext(ctx), err)
	// Output:
	// acme <nil>
	// "" the tenant's identity isn't valid: it has 1 to 64 letters, digits and characters of ._:@-
}

func ExampleWithout() {
	ctx, err := tenant.NewContext(context.Background(), "acme")
	if err != nil {
		panic(err)
	}
	fmt.Printf("%q\n", tenant.FromContext(tenant.Without(ctx)))
	// Output: ""
}
