package observe

import "github.com/warrenmq/warren/observe/red"

// REDMetrics count requests, errors and durations for Prometheus: see RecordRequest,
// RecordError and Handler. They are those of package [red], which has the options
// that aren't here.
type REDMetrics = red.Metrics

// NewREDMetrics returns metrics of the service; see [red.New].
func NewREDMetrics(service string, options ...red.Option) (*REDMetrics, error) {
	return red.New(service, options...)
}

// WithNamespace puts a name before those of the metrics; see [red.WithNamespace].
func WithNamespace(namespace string) red.Option { return red.WithNamespace(namespace) }

// WithTenants adds the label tenant; see [red.WithTenants].
func WithTenants(known ...string) red.Option { return red.WithTenants(known...) }
