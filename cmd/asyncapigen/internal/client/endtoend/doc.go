// Package endtoend has the tests of generated clients that need RabbitMQ: what each
// method sends is held against what the route gets.
package endtoend
