package red

import (
	"errors"
	"fmt"
	"slices"

	"github.com/prometheus/common/model"

	"github.com/warrenmq/warren/observe/redact"
)

// DefaultBuckets returns the upper bounds of the duration buckets, in seconds:
// those of OpenTelemetry's semantic conventions for HTTP. The caller may change
// the slice.
func DefaultBuckets() []float64 {
	return []float64{.005, .01, .025, .05, .075, .1, .25, .5, .75, 1, 2.5, 5, 7.5, 10}
}

// Limits bound the series of [Metrics]. What comes after a limit is counted under
// the value "_other", and by the counter label_values_rejected_total. A field of
// 0 means its default; a negative one is refused by [New].
type Limits struct {
	Endpoints  int // distinct endpoints; default 500
	Tenants    int // distinct tenants besides those that are known; default 1000
	ErrorTypes int // distinct error types; default 100
	Series     int // of requests, and of errors, of all labels together, besides those of "_other"; default 10000
}

// An Option configures [New]. Of two that set the same, the later wins.
type Option func(*config)

type config struct {
	namespace string
	buckets   []float64
	limits    Limits
	tenants   bool
	known     []string // tenants
	redactor  *redact.Redactor
	native    bool

	conventions bool // the names of OpenTelemetry's too
}

// WithNamespace puts a name and an underscore before the names of the metrics:
// shop_requests_total. The default, "", puts nothing there.
func WithNamespace(namespace string) Option {
	return func(c *config) { c.namespace = namespace }
}

// WithBuckets sets the upper bounds of the duration buckets, in seconds, rising
// from above 0. The default is [DefaultBuckets].
func WithBuckets(bounds ...float64) Option {
	return func(c *config) { c.buckets = slices.Clone(bounds) }
}

// WithTenants adds the label tenant, whose value is the tenant of the context that
// [Metrics.RecordRequestContext] gets (specification, section C, rule 7). Known tenants
// always have series of their own. Of others, which callers may invent, as many have as
// Limits.Tenants says: the one that was used least recently loses its series to a new
// one. No more of them than that limit change in 10 minutes; what comes faster is
// counted as "_other".
func WithTenants(known ...string) Option {
	return func(c *config) { c.tenants, c.known = true, slices.Clone(known) }
}

// WithRedactor makes the label of a tenant that is personal data, as an address of mail,
// "[REDACTED]". It is that of observe.Config, so that logs, spans and labels agree. Nil,
// the default, masks nothing.
func WithRedactor(r *redact.Redactor) Option { return func(c *config) { c.redactor = r } }

// WithConventions adds a histogram under the names that OpenTelemetry's semantic
// conventions have for it, for dashboards that are made for these:
//
//	http_server_request_duration_seconds{http_request_method,http_route,http_response_status_code,error_type,url_scheme}
//
// It has what [Metrics.Record] gets, in the buckets of the others, within Limits.Series.
func WithConventions() Option { return func(c *config) { c.conventions = true } }

// WithLimits sets the limits of the series.
func WithLimits(limits Limits) Option { return func(c *config) { c.limits = limits } }

// WithoutNativeHistograms keeps the classic buckets only. By default a server
// that asks for native histograms, by protobuf, gets both.
func WithoutNativeHistograms() Option { return func(c *config) { c.native = false } }

func (c *config) check(service string) error {
	switch {
	case service == "" || !model.LabelValue(service).IsValid():
		return errors.New("the service's name is empty or not valid UTF-8")
	case c.namespace != "" && !model.LegacyValidation.IsValidMetricName(c.namespace):
		return fmt.Errorf("the namespace %q can't be in a metric's name: use letters, digits and underscores", c.namespace)
	case len(c.buckets) == 0:
		return errors.New("there are no buckets: name one bound at least")
	case min(c.limits.Endpoints, c.limits.Tenants, c.limits.ErrorTypes, c.limits.Series) < 0:
		return errors.New("a limit is negative: leave it 0 for the default")
	}
	for i, bound := range c.buckets {
		if !(bound > 0) || i > 0 && bound <= c.buckets[i-1] {
			return fmt.Errorf("the buckets %v don't rise from above 0", c.buckets)
		}
	}
	return nil
}

func (l Limits) withDefaults() Limits {
	for _, field := range []struct {
		value    *int
		fallback int
	}{{&l.Endpoints, 500}, {&l.Tenants, 1000}, {&l.ErrorTypes, 100}, {&l.Series, 10000}} {
		if *field.value == 0 {
			*field.value = field.fallback
		}
	}
	return l
}
