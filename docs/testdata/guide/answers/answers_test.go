package answers

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/runtimetest"
)

func begin(t *testing.T) (*Service, *runtimetest.Service) {
	svc, router := new(Service), runtime.NewRouter()
	if err := Register(router, svc); err != nil {
		t.Fatal(err)
	}
	return svc, runtimetest.Start(t, router)
}

// Each answer of the page handles a message.
func TestAnswers_Handle(t *testing.T) {
	tests := []struct {
		route, key string
		body       any
		done       string
	}{
		{"PrintLabel", "", Label{"Oslo"}, "label Oslo"},
		{"SendMail", "", Mail{"ada"}, "mail ada"},
		{"Store", "", Row{1}, "row"},
		{"SendInvoice", "", Invoice{"17"}, "invoice 17"},
		{"Upload", "", []byte("raw"), "upload raw"},
		{"TakeOrder", "order.placed.eu", Order{"7"}, "order 7 by order.placed.eu"},
		{"Resize", "", Job{"cat.png"}, "resize cat.png"},
		{"Rotate", "", Job{"dog.png"}, "rotate dog.png"},
		{"Refresh", "", Refresh{"prices"}, "refresh prices"},
		{"Thumbnail", "", Picture{"cat.png"}, "thumbnail cat.png"},
		{"Audit", "", Entry{"login"}, "audit login"},
		{"Announce", "", Announcement{"closed"}, "announcement closed"},
	}
	synctest.Test(t, func(t *testing.T) {
		svc, service := begin(t)
		for _, test := range tests {
			if test.key == "" {
				service.Send(test.route, test.body)
			} else {
				service.SendKey(test.route, test.key, test.body)
			}
		}
		service.Send("accounts", Opened{"a"}, runtime.WithHeader("event", "opened"))
		service.Send("accounts", Closed{Account: "b"}, runtime.WithHeader("event", "closed"))
		service.Settled()
		for _, test := range tests {
			if n := svc.done.Of(test.done); n != 1 {
				t.Errorf("%s is done %d times", test.done, n)
			}
		}
		if svc.done.Of("opened a") != 1 || svc.done.Of("closed b") != 1 {
			t.Error("the cases aren't told apart")
		}
	})
}

func TestSendInvoice_IsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, service := begin(t)
		began := time.Now()
		service.Send("SendInvoice", Invoice{"17"})
		if n := len(service.Settled()); n != 3 {
			t.Errorf("%d attempts", n)
		}
		if waited := time.Since(began); waited < time.Second {
			t.Errorf("it waits for %v only", waited)
		}
	})
}

func TestOrder_ThatIsNoJSONIsADeadLetter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, service := begin(t)
		service.SendKey("TakeOrder", "order.placed", []byte("{"))
		service.Settled()
		if n := service.Queue("placed.dead").Len(); n != 1 {
			t.Errorf("%d dead letters", n)
		}
	})
}

func TestPayments_DieWhereTheirQueueSays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		svc, router := new(Service), runtime.NewRouter()
		err := errors.Join(Register(router, svc), router.Declare(runtime.Topology{
			Queues: []runtime.Queue{{Name: "payments.failed", Durable: true}},
		}))
		if err != nil {
			t.Fatal(err)
		}
		service := runtimetest.Start(t, router)
		service.Send("Book", Payment{})
		service.Settled()
		if n := service.Queue("payments.failed").Len(); n != 1 {
			t.Errorf("%d dead letters", n)
		}
	})
}

func TestStock_Answers(t *testing.T) {
	_, service := begin(t)
	caller := runtime.NewCaller[Question, Answer](service, runtime.Endpoint{Route: "stock", To: runtime.Address{RoutingKey: "stock.questions"}})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if answer, err := caller.Call(ctx, Question{SKU: "tea"}); err != nil || answer.Pieces != 3 {
		t.Error(answer, err)
	}
	var failed *runtime.ReplyError
	if _, err := caller.Call(ctx, Question{}); !errors.As(err, &failed) || failed.Code != "no-sku" {
		t.Error(err)
	}
}
