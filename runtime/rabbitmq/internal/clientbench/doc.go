// Package clientbench has the benchmark of package rabbitmq beside other clients of
// RabbitMQ. It is a module of its own, so that the library doesn't depend on those:
//
//	cd runtime/rabbitmq/internal/clientbench && go test -bench .
package clientbench
