package main

import "testing"

func TestOpen(t *testing.T) { runScripts(t, "../../testdata/golden-open") }
