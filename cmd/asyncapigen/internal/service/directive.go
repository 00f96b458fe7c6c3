package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A directiveCall is a go:generate directive that calls asyncapigen.
type directiveCall struct {
	at   token.Position // its line
	args []string
}

// A folder is one that may have directives.
type folder struct {
	dir  string // absolute
	seen string // from the working directory
}

// directives are those of a folder.
type directives struct {
	calls []directiveCall
	prose []token.Position // of comments that are no directives for a space after the slashes
}

// folderDirectives returns the calls of asyncapigen by the folder's go:generate
// directives, so that their arguments need no copy. Tags are the build tags of
// the command line.
//
// Files that the build leaves out count only where no other has such a
// directive: go generate reads them if it is given tags, or the files.
func folderDirectives(ctx context.Context, in folder, tags string) (directives, error) {
	entries, err := os.ReadDir(in.dir)
	if err != nil {
		return directives{}, err
	}
	built := build.Default
	built.BuildTags = append(splitTags(tags), "generate")
	var found, leftOut directives
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		inFile, err := fileDirectives(ctx, in, name)
		if err != nil {
			return directives{}, err
		}
		of := &leftOut
		if isBuilt, err := built.MatchFile(in.dir, name); err == nil && isBuilt {
			of = &found
		}
		of.calls = append(of.calls, inFile.calls...)
		of.prose = append(of.prose, inFile.prose...)
	}
	if len(found.calls) == 0 {
		found.calls = leftOut.calls
	}
	return found, nil
}

// DirectiveIn returns where a folder has a directive that calls asyncapigen, an
// invalid position for none.
func DirectiveIn(ctx context.Context, dir string) (token.Position, error) {
	found, err := folderDirectives(ctx, folder{dir: dir, seen: dir}, "")
	if err != nil || len(found.calls) == 0 {
		return token.Position{}, err
	}
	return found.calls[0].at, nil
}

func splitTags(tags string) []string {
	return strings.FieldsFunc(tags, func(r rune) bool { return r == ',' || r == ' ' })
}

// fileDirectives returns those of a file. As for go generate, a file without a
// valid package clause has no directives.
func fileDirectives(ctx context.Context, in folder, name string) (directives, error) {
	source, err := os.ReadFile(filepath.Join(in.dir, name))
	if err != nil {
		return directives{}, fmt.Errorf("read the go:generate directives: %w", err)
	}
	if !strings.Contains(string(source), "go:generate") {
		return directives{}, nil
	}
	clause, err := parser.ParseFile(token.NewFileSet(), name, source, parser.PackageClauseOnly)
	if err != nil {
		return directives{}, nil
	}
	g := &generateFile{ctx: ctx, dir: in.dir, name: name, pkg: clause.Name.Name, aliases: make(map[string][]string)}
	at := token.Position{Filename: filepath.Join(in.seen, name), Column: 1}
	var found directives
	for line := range strings.Lines(string(source)) {
		g.line++
		at.Line = g.line
		line = strings.TrimRight(line, "\r\n")
		if g.isProse(line) {
			found.prose = append(found.prose, at)
		}
		words, err := g.command(line)
		if err != nil {
			return directives{}, fmt.Errorf("%s: the go:generate directive can't be read: %w", LineAt(at), err)
		}
		if args, ok := toolArgs(words); ok {
			found.calls = append(found.calls, directiveCall{at, args})
		}
	}
	return found, nil
}

// LineAt writes a position without its column.
func LineAt(at token.Position) string { return fmt.Sprintf("%s:%d", at.Filename, at.Line) }

// isProse reports whether a line is a directive that calls asyncapigen, but for
// spaces after the slashes: go generate doesn't run it.
func (g *generateFile) isProse(line string) bool {
	rest, ok := strings.CutPrefix(line, "//")
	directive := strings.TrimLeft(rest, " \t")
	if !ok || directive == rest || !strings.HasPrefix(directive, "go:generate") {
		return false
	}
	words, err := g.command("//" + directive)
	_, calls := toolArgs(words)
	return err == nil && calls
}

// toolArgs returns what a command line gives to asyncapigen, to have it write
// files. The tool is called by its name or path, by go tool or go run, and
// perhaps behind a command such as env.
func toolArgs(words []string) ([]string, bool) {
	at := slices.IndexFunc(words, isTool)
	if at < 0 || words[0] == "go" && (at < 2 || words[1] != "tool" && words[1] != "run") {
		return nil, false
	}
	args := words[at+1:]
	if len(args) == 0 {
		return args, true
	}
	if args[0] == "generate" {
		return args[1:], true
	}
	isOther := slices.Contains(Commands(), args[0])
	return args, !isOther
}

// isTool reports whether a word names asyncapigen, perhaps with a version.
func isTool(word string) bool {
	name, _, _ := strings.Cut(filepath.Base(word), "@")
	return strings.TrimSuffix(name, ".exe") == "asyncapigen"
}

// generateFile reads the directives of a file as go help generate says.
type generateFile struct {
	ctx       context.Context
	dir, name string
	pkg       string
	line      int
	aliases   map[string][]string // by -command
	toolchain map[string]string   // GOARCH, GOOS and GOROOT, once one is asked for
	failed    error               // of asking
}

// command returns the words of the command on a line, none where there is no
// directive, or one that defines an alias.
func (g *generateFile) command(line string) ([]string, error) {
	command, ok := strings.CutPrefix(line, "//go:generate")
	if !ok || command == "" || command[0] != ' ' && command[0] != '\t' {
		return nil, nil
	}
	words, err := splitWords(command)
	if err != nil || len(words) == 0 {
		return nil, err
	}
	if alias, ok := g.aliases[words[0]]; ok {
		words = slices.Concat(alias, words[1:])
	}
	for i, word := range words {
		words[i] = os.Expand(word, g.variable)
	}
	if g.failed != nil || len(words) == 0 || words[0] != "-command" {
		return words, g.failed
	}
	if len(words) < 2 {
		return nil, errors.New("-command names no command")
	}
	g.aliases[words[1]] = words[2:]
	return nil, nil
}

// variable is the value of a variable when go generate runs the command.
func (g *generateFile) variable(name string) string {
	switch name {
	case "GOFILE":
		return g.name
	case "GOLINE":
		return strconv.Itoa(g.line)
	case "GOPACKAGE":
		return g.pkg
	case "DOLLAR":
		return "$"
	case "PWD":
		return g.dir
	case "GOARCH", "GOOS", "GOROOT":
		if g.toolchain == nil && g.failed == nil {
			g.toolchain, g.failed = toolchain(g.ctx, g.dir)
		}
		return g.toolchain[name]
	}
	return os.Getenv(name)
}

// toolchain asks the go command for what it would run generators with.
func toolchain(ctx context.Context, dir string) (map[string]string, error) {
	cmd := exec.CommandContext(ctx, "go", "env", "-json", "GOARCH", "GOOS", "GOROOT")
	cmd.Dir = dir
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("run go env: %w", err)
	}
	values := make(map[string]string)
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("read the output of go env: %w", err)
	}
	return values, nil
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
			return nil, fmt.Errorf("a quoted word doesn't end, or isn't a Go string: %s", command)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, err
		}
		words = append(words, word)
		command = command[len(quoted):]
		if command != "" && command[0] != ' ' && command[0] != '\t' {
			return nil, fmt.Errorf("there is no space after the quoted word %s", quoted)
		}
	}
	return words, nil
}
