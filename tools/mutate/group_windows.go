package main

import "os/exec"

// ownGroup does nothing: the end of the command is all that can be had.
func ownGroup(*exec.Cmd) {}

func endGroup(*exec.Cmd) error { return nil }
