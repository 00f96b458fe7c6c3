package observe

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	prometheusbridge "go.opentelemetry.io/contrib/bridges/prometheus"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// newMetricExporter returns the exporter of metrics, nil without an endpoint.
func newMetricExporter(ctx context.Context, s *settings) (sdkmetric.Exporter, error) {
	to, found, err := s.endpointOf(metrics)
	if err != nil || !found {
		return nil, err
	}
	if to.grpc {
		options := []otlpmetricgrpc.Option{otlpmetricgrpc.WithEndpoint(to.host), otlpmetricgrpc.WithTLSCredentials(to.credentials())}
		if len(s.Headers) > 0 {
			options = append(options, otlpmetricgrpc.WithHeaders(s.Headers))
		}
		return otlpmetricgrpc.New(ctx, options...)
	}
	url, security := to.url()
	options := []otlpmetrichttp.Option{otlpmetrichttp.WithEndpointURL(url), otlpmetrichttp.WithTLSClientConfig(security)}
	if len(s.Headers) > 0 {
		options = append(options, otlpmetrichttp.WithHeaders(s.Headers))
	}
	return otlpmetrichttp.New(ctx, options...)
}

// startMetrics starts sending what the registry has, if there is an exporter.
// See docs/decisions/0071.
func (o *Observability) startMetrics(exporter sdkmetric.Exporter) {
	if exporter == nil {
		return
	}
	o.metricsHealth = &health{log: o.Logger("observe"), what: "metrics"}
	reader := sdkmetric.NewPeriodicReader(notingExporter{exporter, o.metricsHealth},
		sdkmetric.WithProducer(producer{prometheusbridge.NewMetricProducer(prometheusbridge.WithGatherer(o.registry))}))
	o.meters = sdkmetric.NewMeterProvider(sdkmetric.WithResource(o.resource), sdkmetric.WithReader(reader))
}

// A notingExporter notes whether exports succeed.
type notingExporter struct {
	sdkmetric.Exporter
	health *health
}

func (e notingExporter) Export(ctx context.Context, all *metricdata.ResourceMetrics) error {
	err := e.Exporter.Export(ctx, all)
	if err != nil {
		err = fmt.Errorf("export metrics: %w", err)
	}
	n := 0
	for _, scope := range all.ScopeMetrics {
		n += len(scope.Metrics)
	}
	e.health.exported(n, err)
	return err
}

// A producer gives Prometheus' metrics the names that OpenTelemetry's conventions
// have for them, and their exemplars ids rather than the texts of ids.
type producer struct{ sdkmetric.Producer }

func (p producer) Produce(ctx context.Context) ([]metricdata.ScopeMetrics, error) {
	all, err := p.Producer.Produce(ctx)
	for _, scope := range all {
		for i := range scope.Metrics {
			conventional(&scope.Metrics[i])
		}
	}
	return all, err
}

// conventions are the metrics of OpenTelemetry's conventions, by their names for
// Prometheus.
var conventions = map[string]struct{ name, unit string }{
	"http_server_request_duration_seconds":        {"http.server.request.duration", "s"},
	"messaging_client_sent_messages_total":        {"messaging.client.sent.messages", "{message}"},
	"messaging_client_consumed_messages_total":    {"messaging.client.consumed.messages", "{message}"},
	"messaging_client_operation_duration_seconds": {"messaging.client.operation.duration", "s"},
	"messaging_process_duration_seconds":          {"messaging.process.duration", "s"},
}

func conventional(m *metricdata.Metrics) {
	convention, found := conventions[m.Name]
	if found {
		m.Name, m.Unit = convention.name, convention.unit
	}
	switch data := m.Data.(type) {
	case metricdata.Sum[float64]:
		for i := range data.DataPoints {
			correctExemplars(data.DataPoints[i].Exemplars)
			if found {
				data.DataPoints[i].Attributes = conventionalSet(data.DataPoints[i].Attributes)
			}
		}
	case metricdata.Histogram[float64]:
		for i := range data.DataPoints {
			correctExemplars(data.DataPoints[i].Exemplars)
			if found {
				data.DataPoints[i].Attributes = conventionalSet(data.DataPoints[i].Attributes)
			}
		}
	case metricdata.ExponentialHistogram[float64]:
		for i := range data.DataPoints {
			if found {
				data.DataPoints[i].Attributes = conventionalSet(data.DataPoints[i].Attributes)
			}
		}
	}
}

// conventionalSet names the labels as the attributes that they are, without those
// that are empty: Prometheus knows no others.
func conventionalSet(labels attribute.Set) attribute.Set {
	attrs := make([]attribute.KeyValue, 0, labels.Len())
	for _, label := range labels.ToSlice() {
		switch text := label.Value.AsString(); {
		case text == "":
		case label.Key == "http_response_status_code":
			status, _ := strconv.Atoi(text) // it is one of ours
			attrs = append(attrs, attribute.Int("http.response.status_code", status))
		default:
			attrs = append(attrs, attribute.String(strings.ReplaceAll(string(label.Key), "_", "."), text))
		}
	}
	return attribute.NewSet(attrs...)
}

// correctExemplars makes ids of their texts, which the bridge takes for ids (v0.72).
func correctExemplars(exemplars []metricdata.Exemplar[float64]) {
	for i := range exemplars {
		e := &exemplars[i]
		if id, err := hex.DecodeString(string(e.TraceID)); err == nil {
			e.TraceID = id
		}
		if id, err := hex.DecodeString(string(e.SpanID)); err == nil {
			e.SpanID = id
		}
	}
}
