package otlptest

import "testing"

// The end of a test may come before the receiver begins to serve.
func TestGRPC_EndsBeforeItServes(t *testing.T) {
	for range 100 {
		t.Run("", func(t *testing.T) { GRPC(t) })
	}
}
