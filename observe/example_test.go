package observe_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/observe/redact"
)

func ExampleNewHandler() {
	redactor, err := redact.New(redact.Config{})
	if err != nil {
		panic(err)
	}
	handler := observe.NewHandler(os.Stdout, &observe.HandlerOptions{Service: "orders", Redact: redactor})
	record := slog.Record{Level: slog.LevelWarn, Message: "mail from ann@example.com refused"} // without a time
	record.Add("order", 7, "apiKey", "hunter2")
	if err := handler.Handle(context.Background(), record); err != nil {
		panic(err)
	}
	// Output:
	// {"event":"mail from [REDACTED] refused","level":"warning","service":"orders","order":7,"apiKey":"[REDACTED]"}
}

// A goroutine belongs to the trace of the context that it is given.
func ExampleTraceContext() {
	o, err := observe.Configure(context.Background(), observe.Config{ServiceName: "orders"})
	if err != nil {
		panic(err)
	}
	defer o.Shutdown(context.Background())

	ctx, span := observe.TraceSpan(context.Background(), "import")
	defer span.End(nil)
	here := observe.TraceContext(ctx)

	var work sync.WaitGroup
	work.Go(func() {
		there := observe.TraceContext(ctx)
		fmt.Println(there["trace_id"] == here["trace_id"])
	})
	work.Wait()
	fmt.Println(observe.TraceContext(context.Background()))
	// Output:
	// true
	// map[]
}

func ExampleTraceSpan() {
	reserve := func(ctx context.Context, lines int) (err error) {
		_, span := observe.TraceSpan(ctx, "reserve")
		defer span.End(&err)
		span.SetAttribute("lines", lines)
		if lines == 0 {
			return errors.New("the order is empty")
		}
		return nil
	}
	fmt.Println(reserve(context.Background(), 0))
	// Output: the order is empty
}

func ExampleSLOTracker_Report() {
	slo, err := observe.NewSLOTracker("orders", 0.99, observe.Hour)
	if err != nil {
		panic(err)
	}
	for range 199 {
		slo.RecordSuccess()
	}
	slo.RecordFailure("timeout")
	report := slo.Report()
	fmt.Printf("sli %.3f, budget left %.2f\n", report.SLI, report.BudgetRemaining)
	// Output: sli 0.995, budget left 0.50
}
