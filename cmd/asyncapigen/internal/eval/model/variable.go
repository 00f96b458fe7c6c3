package model

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"go/types"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/eval/value"
)

// variables are those of the standard library that hold the same in each
// program, by full name: an error, whose text is that of this program's, or a
// value that is hosted.
var variables = map[string]any{
	"bufio.ErrTooLong": bufio.ErrTooLong,

	"context.Canceled": context.Canceled,

	"database/sql.ErrConnDone": sql.ErrConnDone,
	"database/sql.ErrNoRows":   sql.ErrNoRows,
	"database/sql.ErrTxDone":   sql.ErrTxDone,

	"encoding/base32.HexEncoding": base32.HexEncoding,
	"encoding/base32.StdEncoding": base32.StdEncoding,

	"encoding/base64.RawStdEncoding": base64.RawStdEncoding,
	"encoding/base64.RawURLEncoding": base64.RawURLEncoding,
	"encoding/base64.StdEncoding":    base64.StdEncoding,
	"encoding/base64.URLEncoding":    base64.URLEncoding,

	"errors.ErrUnsupported": errors.ErrUnsupported,

	"encoding/hex.ErrLength": hex.ErrLength,

	"io.EOF":              io.EOF,
	"io.ErrClosedPipe":    io.ErrClosedPipe,
	"io.ErrNoProgress":    io.ErrNoProgress,
	"io.ErrShortBuffer":   io.ErrShortBuffer,
	"io.ErrShortWrite":    io.ErrShortWrite,
	"io.ErrUnexpectedEOF": io.ErrUnexpectedEOF,

	"io/fs.ErrClosed":     fs.ErrClosed,
	"io/fs.ErrExist":      fs.ErrExist,
	"io/fs.ErrInvalid":    fs.ErrInvalid,
	"io/fs.ErrNotExist":   fs.ErrNotExist,
	"io/fs.ErrPermission": fs.ErrPermission,
	"io/fs.SkipAll":       fs.SkipAll,
	"io/fs.SkipDir":       fs.SkipDir,

	"net/http.ErrServerClosed": http.ErrServerClosed,

	"os.ErrClosed":     os.ErrClosed,
	"os.ErrExist":      os.ErrExist,
	"os.ErrInvalid":    os.ErrInvalid,
	"os.ErrNotExist":   os.ErrNotExist,
	"os.ErrPermission": os.ErrPermission,

	"path.ErrBadPattern": path.ErrBadPattern,

	"path/filepath.ErrBadPattern": filepath.ErrBadPattern,
	"path/filepath.SkipAll":       fs.SkipAll,
	"path/filepath.SkipDir":       fs.SkipDir,

	"strconv.ErrRange":  strconv.ErrRange,
	"strconv.ErrSyntax": strconv.ErrSyntax,

	"time.UTC": time.UTC,
}

// nonNil are the variables of the standard library that aren't nil at first, by full
// name, and of which nothing else is known.
var nonNil = map[string]bool{
	"crypto/rand.Reader": true, "io.Discard": true,
	"net/http.DefaultClient": true, "net/http.DefaultServeMux": true, "net/http.DefaultTransport": true, "net/http.NoBody": true,
	"os.Stderr": true, "os.Stdin": true, "os.Stdout": true, "time.Local": true,
}

// changeable are the variables of the standard library of which something is known, and the
// functions that set those of the environment, by path and name: also the empty name of each path.
var changeable = func() map[string]map[string]bool {
	all := make(map[string]map[string]bool)
	for name := range variables {
		addChangeable(all, name)
	}
	for name := range nonNil {
		addChangeable(all, name)
	}
	for name := range setters {
		addChangeable(all, name)
	}
	return all
}()

func addChangeable(all map[string]map[string]bool, name string) {
	dot := strings.LastIndex(name, ".")
	path := name[:dot]
	if all[path] == nil {
		all[path] = map[string]bool{"": true}
	}
	all[path][name[dot+1:]] = true
}

// IsNonNil reports whether a variable of the standard library isn't nil at first.
func IsNonNil(v *types.Var) bool { return nonNil[v.Pkg().Path()+"."+v.Name()] }

// Tables is the package of the standard library by whose variables functions go that this program
// calls for real. An evaluated program may change them in its own. The errors that other variables
// hold are none of them, see [Variables.Held].
const Tables = "unicode"

// Variables are the values of the library's variables in one evaluation. Two
// that hold the same pointer do so here.
type Variables map[any]value.Value

// Value returns what a variable of the standard library holds at first, nil
// where that isn't known.
func (vs Variables) Value(v *types.Var) value.Value {
	name := v.Pkg().Path() + "." + v.Name()
	if printDefaults, ok := v.Pkg().Scope().Lookup("PrintDefaults").(*types.Func); ok && name == flagUsage {
		return &value.Func{Type: v.Type(), Obj: printDefaults}
	}
	held, ok := variables[name]
	if !ok {
		return nil
	}
	if vs[held] == nil {
		vs[held] = initial(v, held)
	}
	return vs[held]
}

// HoldsFirst reports whether a variable of the standard library holds an error of this
// program at first.
func HoldsFirst(v *types.Var, err error) bool { return variables[v.Pkg().Path()+"."+v.Name()] == err }

// Held returns what stands for an error of errors.New that the standard library has in
// this program, whether or not in one of its variables: the same one each time.
func (vs Variables) Held(err error) value.Value {
	if vs[err] == nil {
		vs[err] = errorString.with(text(err.Error()))
	}
	return vs[err]
}

// Hold reports whether p is what one of them holds.
func (vs Variables) Hold(p value.Pointer) bool {
	for _, v := range vs {
		if held, ok := v.(value.Pointer); ok && held.To == p.To {
			return true
		}
	}
	return false
}

func initial(v *types.Var, held any) value.Value {
	if err, ok := held.(error); ok {
		return errorString.with(text(err.Error()))
	}
	return hostedIn(v.Type(), held)
}
