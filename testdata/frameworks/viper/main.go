// A service that reads its configuration by viper.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	AMQP  string        `mapstructure:"amqp"`
	Queue string        `mapstructure:"queue"`
	Grace time.Duration `mapstructure:"grace"`
}

func loadConfig() (*Config, error) {
	v := viper.New()
	v.SetConfigName("config")
	v.AddConfigPath(".")
	v.SetEnvPrefix("reviews")
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	v.SetDefault("amqp", "amqp://localhost")
	v.SetDefault("queue", "reviews")
	v.SetDefault("grace", "10s")
	if err := v.ReadInConfig(); err != nil {
		var missing viper.ConfigFileNotFoundError
		if !errors.As(err, &missing) {
			return nil, fmt.Errorf("read the configuration: %w", err)
		}
	}
	cfg := new(Config)
	if err := v.Unmarshal(cfg); err != nil {
		return nil, fmt.Errorf("decode the configuration: %w", err)
	}
	return cfg, nil
}

type ReviewWritten struct {
	Product string `json:"product"`
	Stars   int    `json:"stars"`
}

type reviews struct{ count int }

func (r *reviews) onWritten(context.Context, ReviewWritten) error {
	r.count++
	return nil
}

func main() {
	cfg, err := loadConfig()
	if err != nil {
		log.Fatal(err)
	}
	router := runtime.NewRouter()
	if err := router.Register(runtime.Route{
		Name:    "written",
		Queue:   runtime.Queue{Name: cfg.Queue, Durable: true},
		Handler: runtime.Consume(new(reviews).onWritten),
	}); err != nil {
		log.Fatal(err)
	}
	if err := runtime.Run(context.Background(), broker.New(), router, cfg.Grace); err != nil {
		log.Fatal(err)
	}
}
