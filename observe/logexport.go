package observe

import (
	"context"
	"fmt"
	"log/slog"

	"go.opentelemetry.io/contrib/bridges/otelslog"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploghttp"
	sdklog "go.opentelemetry.io/otel/sdk/log"

	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/internal/logkey"
	"github.com/warrenmq/warren/observe/internal/scope"
	"github.com/warrenmq/warren/observe/redact"
	"github.com/warrenmq/warren/observe/tenant"
)

// newLogExporter returns the exporter of log records, nil without an endpoint.
func newLogExporter(ctx context.Context, s *settings) (sdklog.Exporter, error) {
	to, found, err := s.endpointOf(logs)
	if err != nil || !found {
		return nil, err
	}
	if to.grpc {
		options := []otlploggrpc.Option{otlploggrpc.WithEndpoint(to.host), otlploggrpc.WithTLSCredentials(to.credentials())}
		if len(s.Headers) > 0 {
			options = append(options, otlploggrpc.WithHeaders(s.Headers))
		}
		return otlploggrpc.New(ctx, options...)
	}
	url, security := to.url()
	options := []otlploghttp.Option{otlploghttp.WithEndpointURL(url), otlploghttp.WithTLSClientConfig(security)}
	if len(s.Headers) > 0 {
		options = append(options, otlploghttp.WithHeaders(s.Headers))
	}
	return otlploghttp.New(ctx, options...)
}

// startLogging makes the handler, which writes to the exporter too if there is one.
func (o *Observability) startLogging(s *settings, exporter sdklog.Exporter) {
	o.handler = jsonlog.NewHandler(s.LogWriter, &jsonlog.Options{Level: s.LogLevel, Service: s.ServiceName, Redact: s.Redact})
	if exporter == nil {
		return
	}
	o.logsHealth = &health{log: o.Logger("observe"), what: "log records"} // by the writer alone
	sending := sendingExporter{exporter, s.Redact, o.logsHealth}
	o.logs = sdklog.NewLoggerProvider(sdklog.WithResource(o.resource),
		sdklog.WithProcessor(recordProcessor{sdklog.NewBatchProcessor(sending)}))
	o.handler = o.handler.Tee(func(logger string) slog.Handler {
		return otelslog.NewHandler(logger, otelslog.WithLoggerProvider(o.logs), otelslog.WithSchemaURL(scope.SchemaURL))
	})
}

// A recordProcessor adds to a record what the context has of it.
type recordProcessor struct{ sdklog.Processor }

// OnEmit gives the record the names of levels, the tenant and the fields that the
// JSON has.
func (p recordProcessor) OnEmit(ctx context.Context, r *sdklog.Record) error {
	r.SetSeverityText(jsonlog.LevelName(slog.Level(r.Severity()) - severityOffset))
	if id := tenant.FromContext(ctx); id != "" {
		r.AddAttributes(attribute.String(logkey.TenantID, id))
	}
	for _, field := range jsonlog.FieldsFrom(ctx) {
		r.AddAttributes(toAttribute(field.Key, field.Value.Resolve().Any()))
	}
	return p.Processor.OnEmit(ctx, r)
}

// severityOffset is what OpenTelemetry's severities are above slog's levels.
const severityOffset = 9

// A sendingExporter masks personal data in records on their way out, off the path of
// who logs, and replaces invalid UTF-8, which OTLP has no form for.
type sendingExporter struct {
	sdklog.Exporter
	redactor *redact.Redactor
	health   *health
}

// Export notes an error and returns none: the SDK would log it, which is one more
// record to send.
func (e sendingExporter) Export(ctx context.Context, records []sdklog.Record) error {
	masked := make([]sdklog.Record, len(records))
	for i := range records {
		masked[i] = e.masked(records[i])
	}
	err := e.Exporter.Export(ctx, masked)
	if err != nil {
		err = fmt.Errorf("export log records: %w", err)
	}
	e.health.exported(len(records), err)
	return nil
}

func (e sendingExporter) masked(r sdklog.Record) sdklog.Record {
	r = r.Clone()
	body := valid(r.Body().AsString()) // otelslog's bodies are strings
	attrs := make([]attribute.KeyValue, 0, r.AttributesLen())
	r.WalkAttributes(func(kv attribute.KeyValue) bool {
		attrs = append(attrs, kv)
		return true
	})
	attrs = validAttributes(attrs)
	if e.redactor != nil {
		body, attrs = e.redactor.Text(body), maskLogAttributes(e.redactor, attrs)
	}
	r.SetBody(attribute.StringValue(body))
	r.SetAttributes(attrs...)
	return r
}

// maskLogAttributes masks members of groups one by one, as the JSON has them, where
// an attribute of a span is masked as a whole. It changes attrs.
func maskLogAttributes(r *redact.Redactor, attrs []attribute.KeyValue) []attribute.KeyValue {
	for i, kv := range attrs {
		verdict := r.Field(string(kv.Key))
		switch {
		case verdict.Excepted:
		case kv.Value.Type() == attribute.MAP && !verdict.Mask:
			attrs[i].Value = attribute.MapValue(maskLogAttributes(r, kv.Value.AsMap())...)
		case verdict.Mask || masksValue(r, kv.Value):
			attrs[i].Value = attribute.StringValue(redact.Mask)
		}
	}
	return attrs
}
