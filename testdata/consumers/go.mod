module github.com/warrenmq/warren/testdata/consumers

go 1.26.0

replace github.com/warrenmq/warren => ../..

require (
	github.com/ThreeDotsLabs/watermill v1.5.1
	github.com/ThreeDotsLabs/watermill-amqp/v3 v3.1.0
	github.com/rabbitmq/amqp091-go v1.16.0
	github.com/streadway/amqp v1.1.0
	github.com/wagslane/go-rabbitmq v0.15.0
	github.com/warrenmq/warren v0.0.0-00010101000000-000000000000
)

require (
	github.com/cenkalti/backoff/v3 v3.2.2 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/hashicorp/errwrap v1.1.0 // indirect
	github.com/hashicorp/go-multierror v1.1.1 // indirect
	github.com/lithammer/shortuuid/v3 v3.0.7 // indirect
	github.com/oklog/ulid v1.3.1 // indirect
	github.com/pkg/errors v0.9.1 // indirect
)
