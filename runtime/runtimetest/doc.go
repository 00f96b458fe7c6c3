// Package runtimetest runs the routes of a service in memory, for its tests.
//
//	func TestOrderCreated_IsADeadLetterWithoutAnID(t *testing.T) {
//		synctest.Test(t, func(t *testing.T) {
//			router := runtime.NewRouter()
//			if err := orders.Register(router, new(orders.Service)); err != nil {
//				t.Fatal(err)
//			}
//			service := runtimetest.Start(t, router)
//			service.Send("order.created", events.OrderCreated{})
//			service.Settled()
//			if n := service.Queue("orders.dead").Len(); n != 1 {
//				t.Errorf("%d dead letters", n)
//			}
//		})
//	}
//
// The broker is that of package memory: the messages are routed, retried and
// dead-lettered as RabbitMQ does it. In a bubble of testing/synctest, as above, the
// clock is virtual: an hour of retries takes no time. Outside of one the same test
// waits for real.
//
// A service whose handlers send messages gets what they need from [New], before it
// registers its routes:
//
//	service := runtimetest.New(t)
//	err := orders.Register(router, orders.NewService(ordersclient.New(service)))
//	service.Start(router)
//
// Everything that goes wrong with the test itself, such as an unknown route, ends it by
// t.Fatal. All that a Service starts ends with the test.
package runtimetest
