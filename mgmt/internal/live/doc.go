// Package live tests package mgmt against real brokers: every method, and that
// what it sends is what its comment says. MGMT_VERSIONS lists the versions:
// "installed" by default, which is the RabbitMQ of the system, and "4.0" and
// "4.3", which scripts/rabbitmq4 gets.
package live
