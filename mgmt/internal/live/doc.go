// Package live tests package mgmt against real brokers: every method, and that
// what it sends is what its comment says. RABBITMQ_VERSIONS lists the versions,
// see [rabbitnode.Versions].
package live
