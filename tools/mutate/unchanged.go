package main

import (
	"fmt"
	"os"
	"path"
	"strings"
)

// unchanged are the changes that change nothing that a test could see: lines with the
// key of a change, as it is printed of a survivor, " # " and the reason.
type unchanged struct {
	reasons map[string]string // by the change's key
	stale   []string          // keys of packages that were read and have no such change
}

func readUnchanged(name string) (*unchanged, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	u := &unchanged{reasons: map[string]string{}}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		i := strings.LastIndex(line, " # ")
		if i < 0 {
			return nil, fmt.Errorf("read %s: a line has no reason after \" # \": %s", name, line)
		}
		u.reasons[line[:i]] = line[i+3:]
	}
	return u, nil
}

func (u *unchanged) has(m mutation) bool { return u.reasons[m.key()] != "" }

// check notes the entries of a package that none of its changes has.
func (u *unchanged) check(all []mutation) {
	known := map[string]bool{}
	folder := ""
	for _, m := range all {
		known[m.key()] = true
		folder = path.Dir(m.path)
	}
	for key := range u.reasons {
		file, _, _ := strings.Cut(key, ": ")
		if folder != "" && path.Dir(file) == folder && !known[key] {
			u.stale = append(u.stale, key)
		}
	}
}
