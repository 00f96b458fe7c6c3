//go:build goexperiment.jsonv2

package schema

// newEngine says that encoding/json runs on the engine of encoding/json/v2.
const newEngine = true
