package main

import "testing"

func TestOpenGoldens(t *testing.T) { runScripts(t, "../../testdata/golden-open") }
