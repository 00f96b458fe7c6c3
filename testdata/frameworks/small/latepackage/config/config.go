// Package config has no part in the routes: its source is read when it is needed, and has types
// of its own then.
package config

import (
	do "github.com/samber/do/v2"
	"go.uber.org/dig"
	"go.uber.org/fx"
)

type Config struct{ Name string }

type Queue struct{ Name string }

// Provide gives what others than this package need.
func Provide(c *dig.Container) error {
	if err := c.Provide(func() *Config { return &Config{"orders"} }); err != nil {
		return err
	}
	return c.Provide(func() Queue { return Queue{"audit"} }, dig.Group("queues"))
}

type Topic struct{ Name string }

type Source interface{ Topic() Topic }

var topics = []string{"base"}

func Topics() []string { return topics }

var Invoked = fx.Module("topics", fx.Invoke(fx.Annotate(func(sources []Source) {
	for _, s := range sources {
		topics = append(topics, s.Topic().Name)
	}
}, fx.ParamTags(`group:"topics"`))))

var Provided = fx.Module("config", fx.Provide(func() *Config { return &Config{"module"} }))

var Decorator = func(c *Config) *Config { return &Config{c.Name + ".decorated"} }

var Supplied = fx.Supply(Queue{"supplied"})

type Service struct{ topic Topic }

func (s *Service) Topic() Topic { return s.topic }

var NewService = func() *Service { return &Service{Topic{"service"}} }

var Package = do.Package(do.Lazy(func(do.Injector) (*Config, error) { return &Config{"package"}, nil }))
