package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
)

func TestCommands_AreThoseThatDirectivesKnow(t *testing.T) {
	var names []string
	for _, c := range commands() {
		names = append(names, c.name)
	}
	require.ElementsMatch(t, service.Commands(), names)
}
