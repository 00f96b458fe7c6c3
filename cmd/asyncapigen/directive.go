package main

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// directiveArgs returns the arguments of the go:generate directive in the folder
// that calls asyncapigen, so that -check needs no copy of them. There are none
// where no directive does, and it is an error if several do.
func directiveArgs(dir string) ([]string, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var found [][]string
	for _, name := range names {
		commands, err := generateCommands(name)
		if err != nil {
			return nil, fmt.Errorf("read the go:generate directives of %s: %w", filepath.Base(name), err)
		}
		found = append(found, commands...)
	}
	switch len(found) {
	case 0:
		return nil, nil
	case 1:
		return found[0], nil
	default:
		return nil, errors.New("flag -check: several go:generate directives of this folder call asyncapigen: give the flags of one of them")
	}
}

// generateCommands returns the arguments that each directive of a file gives to
// asyncapigen.
func generateCommands(name string) ([][]string, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var commands [][]string
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20) // generated files have long lines
	for lines.Scan() {
		command, isDirective := strings.CutPrefix(lines.Text(), "//go:generate ")
		if !isDirective {
			continue
		}
		words, err := splitWords(command)
		if err != nil {
			return nil, err
		}
		for i, word := range words {
			if base, _, _ := strings.Cut(filepath.Base(word), "@"); base == "asyncapigen" {
				commands = append(commands, words[i+1:])
				break
			}
		}
	}
	return commands, lines.Err()
}

// splitWords splits a directive as go generate does: at white space, but for
// words in double quotes, which are Go strings.
func splitWords(command string) ([]string, error) {
	var words []string
	for command = strings.TrimLeft(command, " \t"); command != ""; command = strings.TrimLeft(command, " \t") {
		if command[0] != '"' {
			end := strings.IndexAny(command+" ", " \t")
			words = append(words, command[:end])
			command = command[end:]
			continue
		}
		quoted, err := strconv.QuotedPrefix(command)
		if err != nil {
			return nil, fmt.Errorf("a quoted word doesn't end: %s", command)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		command = command[len(quoted):]
	}
	return words, nil
}
