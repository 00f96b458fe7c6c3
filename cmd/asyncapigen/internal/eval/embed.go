package eval

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
)

// maxEmbedded bounds the contents of a file system that are followed, in bytes.
const maxEmbedded = 16 * value.MaxText

// embedded returns the value of a package variable without an initializer that
// the compiler fills by directives //go:embed, nil for other variables: the text of
// a file, or a file system. What is too long isn't known.
func (ev *Evaluator) embedded(pkg *load.Package, v *types.Var) value.Value {
	directives := embedDirectives(pkg, v)
	if len(directives) == 0 {
		return nil
	}
	unknown := &value.Unknown{Reason: "what " + directives[0].Text + " embeds", Pos: v.Pos(), NonNil: true}
	folder := filepath.Dir(ev.program.Fset.Position(directives[0].Pos()).Filename)
	names := embeddedNames(pkg, folder, directives)
	if len(names) == 0 {
		return unknown
	}
	ev.work(len(names))
	if isFileSystem(v.Type()) {
		return fileSystem(v.Type(), folder, names, unknown)
	}
	text, ok := embeddedText(folder, names[0])
	if !ok {
		return unknown
	}
	ev.work(len(text))
	if t, isSlice := v.Type().Underlying().(*types.Slice); isSlice {
		return value.BytesOrRunes(v.Type(), t, text)
	}
	return value.NewConst(constant.MakeString(text), v.Type())
}

func isFileSystem(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "embed"
}

// embeddedText returns what is in a file, if that isn't too long.
func embeddedText(folder, name string) (string, bool) {
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
	return string(text), err == nil && len(text) <= value.MaxText
}

// fileSystem returns an embed.FS as the compiler lays it out: a pointer to the list of
// its files and folders, each with its name, its contents and a hash that nothing reads.
// It is the unknown where package embed has another layout.
func fileSystem(t types.Type, folder string, names []string, unknown *value.Unknown) value.Value {
	if t = types.Unalias(t); !hasFileList(t) {
		return unknown
	}
	pointer := value.FieldType(t, 0).(*types.Pointer)
	file := value.SliceElem(pointer.Elem())
	all := withFolders(names)
	list := &value.Slice{Type: pointer.Elem(), Elems: make([]*value.Cell, len(all))}
	total := 0
	for i, name := range all {
		f := value.Zero(file).(*value.Struct)
		f.Fields[0] = value.NewCell(value.NewConst(constant.MakeString(name), types.Typ[types.String]))
		if !strings.HasSuffix(name, "/") {
			text, ok := embeddedText(folder, name)
			if total += len(text); ok && total <= maxEmbedded {
				f.Fields[1] = value.NewCell(value.NewConst(constant.MakeString(text), types.Typ[types.String]))
			} else {
				f.Fields[1] = value.NewCell(unknown)
			}
		}
		list.Elems[i] = value.NewCell(f)
	}
	fs := value.Zero(t).(*value.Struct)
	fs.Fields[0] = value.NewCell(value.Pointer{Type: pointer, To: value.NewCell(list)})
	return fs
}

// hasFileList reports whether embed.FS is as fileSystem makes it.
func hasFileList(t types.Type) bool {
	file := t.(*types.Named).Obj().Pkg().Scope().Lookup("file")
	return t.Underlying().String() == "struct{files *[]embed.file}" && file != nil &&
		file.Type().Underlying().String() == "struct{name string; data string; hash [16]byte}"
}

// withFolders adds the folders that files are in, with a slash at their ends, and sorts
// all as package embed wants it: by the folder, then by the name within it.
func withFolders(names []string) []string {
	all := slices.Clone(names)
	for _, name := range names {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			all = append(all, dir+"/")
		}
	}
	slices.SortFunc(all, func(a, b string) int {
		a, b = strings.TrimSuffix(a, "/"), strings.TrimSuffix(b, "/")
		return cmp.Or(strings.Compare(path.Dir(a), path.Dir(b)), strings.Compare(path.Base(a), path.Base(b)))
	})
	return slices.Compact(all)
}

// embeddedNames returns those of a package's embedded files that directives name, as
// slash-separated paths below the folder.
func embeddedNames(pkg *load.Package, folder string, directives []*ast.Comment) []string {
	var patterns, names []string
	for _, directive := range directives {
		patterns = append(patterns, embedPatterns(directive.Text)...)
	}
	for _, file := range pkg.Embedded {
		name, err := filepath.Rel(folder, file)
		if err == nil && slices.ContainsFunc(patterns, func(pattern string) bool { return embeds(pattern, filepath.ToSlash(name)) }) {
			names = append(names, filepath.ToSlash(name))
		}
	}
	return names
}

// embedPatterns returns the patterns of a directive, which may be quoted.
func embedPatterns(directive string) []string {
	var patterns []string
	rest := strings.TrimPrefix(directive, "//go:embed")
	for {
		if rest = strings.TrimSpace(rest); rest == "" {
			return patterns
		}
		if quoted, err := strconv.QuotedPrefix(rest); err == nil {
			pattern, _ := strconv.Unquote(quoted)
			patterns, rest = append(patterns, pattern), rest[len(quoted):]
			continue
		}
		pattern := strings.Fields(rest)[0]
		patterns, rest = append(patterns, pattern), rest[len(pattern):]
	}
}

// embeds reports whether a pattern names a file, or a folder that it is in. Of a folder,
// names that begin with a dot or an underscore are left out, unless the pattern begins
// with "all:".
func embeds(pattern, name string) bool {
	pattern, all := strings.CutPrefix(pattern, "all:")
	for at := name; at != "."; at = path.Dir(at) {
		if matches, _ := path.Match(pattern, at); matches {
			below := name[len(at):]
			return all || !strings.Contains(below, "/.") && !strings.Contains(below, "/_")
		}
	}
	return false
}

// embedDirectives returns the directives above the declaration of v. Empty lines
// and comments may stand between.
func embedDirectives(pkg *load.Package, v *types.Var) []*ast.Comment {
	var directives []*ast.Comment
	file := pkg.FileAt(v.Pos())
	above := declaredBefore(file, v.Pos())
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if comment.Pos() > above && comment.End() < v.Pos() && strings.HasPrefix(comment.Text, "//go:embed ") {
				directives = append(directives, comment)
			}
		}
	}
	return directives
}

// declaredBefore returns the end of what is declared before the name at pos.
func declaredBefore(file *ast.File, pos token.Pos) token.Pos {
	end := file.Name.End()
	for _, decl := range file.Decls {
		if decl.End() <= pos {
			end = decl.End()
			continue
		}
		if decl, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range decl.Specs {
				if spec.End() <= pos {
					end = max(end, spec.End())
				}
			}
		}
	}
	return end
}
