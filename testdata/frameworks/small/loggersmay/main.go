// A logger may be told to do something else than to end the program.
package main

import (
	"context"
	"os"

	"github.com/caarlos0/env/v11"
	"github.com/sirupsen/logrus"
	"github.com/warrenmq/warren/runtime"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

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
	Zap    string `env:"SHOP_NONE_ZAP" envDefault:"zap"`
	Logrus string `env:"SHOP_NONE_LOGRUS" envDefault:"logrus"`
}

func main() {
	r := runtime.NewRouter()

	var ofZap config
	if err := env.Parse(&ofZap); err != nil {
		zap.NewExample(zap.WithFatalHook(zapcore.WriteThenPanic)).Fatal("settings")
	}
	r.MustRegister(route(ofZap.Zap))

	logrus.StandardLogger().ExitFunc = func(int) {}
	var ofLogrus config
	if err := env.Parse(&ofLogrus); err != nil {
		logrus.Fatal(err)
	}
	r.MustRegister(route(ofLogrus.Logrus))

	if err := broker.New().Start(context.Background(), r); err != nil {
		os.Exit(1)
	}
}
