// A message of a logger that is fatal ends the program, whatever the level is.
package main

import (
	"context"
	"os"

	"github.com/caarlos0/env/v11"
	"github.com/rs/zerolog"
	zerologlog "github.com/rs/zerolog/log"
	"github.com/sirupsen/logrus"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/zap"

	"example.com/frameworks/broker"
)

type M struct {
	A string `json:"a"`
}

func on(context.Context, M) error { return nil }

func route(q string) runtime.Route {
	return runtime.Route{Name: q, Queue: runtime.Queue{Name: q}, Handler: runtime.Consume(on)}
}

type config struct {
	Zap     string `env:"SHOP_NONE_ZAP" envDefault:"zap"`
	Sugared string `env:"SHOP_NONE_SUGARED" envDefault:"sugared"`
	Logrus  string `env:"SHOP_NONE_LOGRUS" envDefault:"logrus"`
	Entry   string `env:"SHOP_NONE_ENTRY" envDefault:"entry"`
	Zerolog string `env:"SHOP_NONE_ZEROLOG" envDefault:"zerolog"`
	Global  string `env:"SHOP_NONE_GLOBAL" envDefault:"global"`
	Panic   string `env:"SHOP_NONE_PANIC" envDefault:"panic"`
}

func load() (c config, err error) {
	err = env.Parse(&c)
	return c, err
}

func main() {
	r := runtime.NewRouter()

	ofZap, err := load()
	if err != nil {
		zap.Must(zap.NewProduction()).Fatal("settings", zap.Error(err))
	}
	r.MustRegister(route(ofZap.Zap))

	ofSugared, err := load()
	if err != nil {
		zap.S().Fatalw("settings", "error", err)
	}
	r.MustRegister(route(ofSugared.Sugared))

	ofLogrus, err := load()
	if err != nil {
		logrus.Fatalf("settings: %v", err)
	}
	r.MustRegister(route(ofLogrus.Logrus))

	ofEntry, err := load()
	if err != nil {
		logrus.New().WithError(err).Fatal("settings")
	}
	r.MustRegister(route(ofEntry.Entry))

	logger := zerolog.New(os.Stderr).Level(zerolog.Disabled)
	ofZerolog, err := load()
	if err != nil {
		logger.Fatal().Err(err).Str("of", "settings").Msg("settings")
	}
	r.MustRegister(route(ofZerolog.Zerolog))

	ofGlobal, err := load()
	if err != nil {
		zerologlog.Fatal().Err(err).Send()
	}
	r.MustRegister(route(ofGlobal.Global))

	ofPanic, err := load()
	if err != nil {
		zap.L().Panic("settings")
	}
	r.MustRegister(route(ofPanic.Panic))

	if err := broker.New().Start(context.Background(), r); err != nil {
		zap.L().Fatal("broker", zap.Error(err))
	}
}
