// Package endtoend has the tests of observe that need a Prometheus server: what
// the service exposes is scraped, and the rules are evaluated.
package endtoend
