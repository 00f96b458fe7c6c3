//go:build !goexperiment.jsonv2

package schema

// newEngine says that encoding/json runs on the engine of encoding/json/v2, which
// reads tags otherwise (rule 47). Asyncapigen goes by its own build: go tool
// builds it with the GOEXPERIMENT that the service is built with.
const newEngine = false
