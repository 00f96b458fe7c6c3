package slo

// An Option configures [New]: a [Window], or [WithService].
type Option interface{ apply(*config) }

type config struct {
	service string
	windows []Window
}

func (w Window) apply(c *config) { c.windows = append(c.windows, w) }

type service string

func (s service) apply(c *config) { c.service = string(s) }

// WithService names the service whose objective it is. The name is the label service
// of the metrics and the rules, so that objectives of one name in two services aren't
// taken for one. Of two names the later counts.
func WithService(name string) Option { return service(name) }
