//go:build wireinject

package main

import (
	"github.com/google/wire"

	"example.com/frameworks/broker"
)

func initialize() (*app, func(), error) {
	wire.Build(newConfig, newHistory, newHandlers, newRouter, broker.New, newApp)
	return nil, nil, nil
}
