package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/warrenmq/warren/examples/orders/events"
	"github.com/warrenmq/warren/examples/orders/ordersclient"
	"github.com/warrenmq/warren/observe"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/asyncapi"
	"github.com/warrenmq/warren/runtime/health"
)

const (
	patience   = 5 * time.Second // with the broker
	maxRequest = 1 << 20         // bytes of a request's body
)

// An api is the shop's front door: what comes by HTTP goes on as a message.
type api struct{ client ordersclient.Client }

// newAPI returns what the service answers by HTTP: its customers, and below /asyncapi/ those
// who want to know what it consumes.
func newAPI(client ordersclient.Client, broker runtime.HealthChecker, metrics, contract http.Handler) http.Handler {
	a := api{client}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", a.create)
	mux.HandleFunc("GET /customers/{id}/orders", a.find)
	mux.Handle("GET /metrics", metrics)
	mux.Handle("GET /asyncapi/", http.StripPrefix("/asyncapi", contract))
	mux.Handle("GET /healthz", health.Live(broker))
	mux.Handle("GET /livez", health.Live(broker))
	mux.Handle("GET /readyz", health.Ready(broker))
	return mux
}

// create publishes an order, and answers when the broker has it.
func (a api) create(w http.ResponseWriter, r *http.Request) {
	var order events.OrderCreated
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxRequest)).Decode(&order); err != nil {
		http.Error(w, "the body isn't an order", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	if err := a.client.PublishOrderCreated(ctx, &order); err != nil {
		fail(ctx, w, err)
		return
	}
	w.WriteHeader(http.StatusAccepted)
}

// find asks the service for a customer's orders.
func (a api) find(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	page, err := a.client.CallFindOrders(ctx, &events.FindOrders{CustomerID: r.PathValue("id")})
	if err != nil {
		fail(ctx, w, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(page); err != nil {
		observe.Logger("http").WarnContext(ctx, "the answer wasn't sent", "error", err)
	}
}

// fail tells the log what went wrong, and the caller whose turn it is.
func fail(ctx context.Context, w http.ResponseWriter, err error) {
	observe.Logger("http").ErrorContext(ctx, "the message wasn't sent, or not answered", "error", err)
	if errors.Is(err, context.DeadlineExceeded) {
		http.Error(w, "the service takes too long", http.StatusGatewayTimeout)
		return
	}
	http.Error(w, "the service isn't there: try again later", http.StatusServiceUnavailable)
}

// newContract returns the handler of the running program's own contract.
func newContract(router *runtime.Router) (http.Handler, error) {
	document, err := asyncapi.Generate(router.Routes(), &asyncapi.Config{Title: "Orders"}, asyncapi.Extended)
	if err != nil {
		return nil, err
	}
	return asyncapi.Handler(document), nil
}
