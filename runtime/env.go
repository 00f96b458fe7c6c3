package runtime

import "os"

// Env returns the value of the environment variable name at the time of the call,
// or fallback where the variable is unset or empty.
//
// It is how a route says that deployments may change a value: the running
// program takes the environment's value, and the generated contract the
// fallback, which is therefore best a constant.
//
//	Queue: runtime.Queue{Name: runtime.Env("ORDERS_QUEUE", "orders")},
func Env(name, fallback string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return fallback
}
