package service

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
)

// Changes is the value of the flag -changed: the commit since which files have
// changed, "" where all services are wanted.
type Changes string

func (c *Changes) String() string { return string(*c) }

// Set takes "true" for the flag without a value.
func (c *Changes) Set(text string) error {
	switch text {
	case "true":
		*c = "HEAD"
	case "false", "":
		*c = ""
	default:
		*c = Changes(text)
	}
	return nil
}

// IsBoolFlag lets the value be left out.
func (c *Changes) IsBoolFlag() bool { return true }

// ChangedFiles returns the absolute paths of the files in the repository of dir
// that differ from the commit at which the working tree and ref parted, or that git
// doesn't know.
func ChangedFiles(ctx context.Context, dir string, ref Changes) ([]string, error) {
	root, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("flag -changed: %w", err)
	}
	top := strings.TrimSuffix(root, "\n")
	tracked, err := git(ctx, top, "diff", "--name-only", "--no-renames", "-z", "--merge-base", string(ref), "--")
	if err != nil {
		return nil, fmt.Errorf("flag -changed: %w", err)
	}
	untracked, err := git(ctx, top, "ls-files", "--others", "--exclude-standard", "-z")
	if err != nil {
		return nil, fmt.Errorf("flag -changed: %w", err)
	}
	var files []string
	for name := range strings.SplitSeq(tracked+untracked, "\x00") {
		if name != "" {
			files = append(files, filepath.Join(top, filepath.FromSlash(name)))
		}
	}
	return files, nil
}

// FileAt returns the content of a file as a commit has it. The name is git's, such
// as main:asyncapi.json from the root of the repository, or HEAD~1:./asyncapi.json
// from dir.
func FileAt(ctx context.Context, dir, name string) ([]byte, error) {
	content, err := git(ctx, dir, "cat-file", "blob", name)
	return []byte(content), err
}

func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if text := strings.TrimSpace(stderr.String()); err != nil && text != "" {
		line, _, _ := strings.Cut(text, "\n")
		err = errors.New(line)
	}
	if err != nil {
		return "", fmt.Errorf("run git %s: %w", args[0], err)
	}
	return string(out), nil
}
