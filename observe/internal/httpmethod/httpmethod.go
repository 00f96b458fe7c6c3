// Package httpmethod bounds the methods of HTTP in labels of metrics and names of
// spans.
package httpmethod

// Other is what OpenTelemetry's conventions write for an unknown method.
const Other = "_OTHER"

// Known returns the method, or [Other] for one that no standard defines (RFC 9110,
// RFC 5789). Methods are case-sensitive.
func Known(method string) string {
	switch method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "QUERY":
		return method
	default:
		return Other
	}
}
