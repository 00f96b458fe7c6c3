package observe

import (
	"context"
	"io"
	"log/slog"

	"github.com/warrenmq/warren/observe/internal/jsonlog"
	"github.com/warrenmq/warren/observe/redact"
)

// LevelCritical is the level above error, 12 for slog: the service can't go on.
const LevelCritical = jsonlog.LevelCritical

// HandlerOptions configure [NewHandler]. The zero HandlerOptions log from level
// info on.
type HandlerOptions struct {
	// Level is the least level that is written. A *slog.LevelVar can be changed
	// while the program runs. The default is info.
	Level slog.Leveler

	// Service is the service's name, in each record under "service". The default
	// is none.
	Service string

	// Logger is the logger's name, in each record under "logger". The default is
	// none. [Logger] sets it.
	Logger string

	// Redact masks personal data. Nil masks nothing.
	Redact *redact.Redactor

	// AddSource adds the place of the call under "source", as an object of
	// function, file and line.
	AddSource bool
}

// NewHandler returns a handler that writes each record to w as one JSON line, in
// one call of Write. It is for loggers that aren't made by [Logger]:
//
//	slog.SetDefault(slog.New(observe.NewHandler(os.Stdout, nil)))
//
// Nil options are the zero HandlerOptions; they aren't kept. The handler is safe
// for concurrent use. Its Handle returns the error of w, which slog's own methods
// drop.
//
// A record has the keys event, level (debug, info, warning, error or critical),
// timestamp (UTC, with six digits of a second and a trailing Z), logger and
// service where they are set, trace_id and span_id while a span is active in the
// context, tenant_id while a tenant is, the fields of [ContextWithFields], and
// those of the call. The ids are at the top level also under a group.
//
// No object of a record has a key twice: a later field takes the place of an
// earlier one. A field at the top level that has the name of one of the record's
// own gets an underscore: event_ for event. No value makes a record fail: what
// JSON has no form for, or what panics, becomes a text that says so.
func NewHandler(w io.Writer, options *HandlerOptions) slog.Handler {
	return jsonlog.NewHandler(w, (*jsonlog.Options)(options))
}

// Logger returns a logger of that name, which writes to the log of [Configure],
// whether that is called before or after; until then, to standard error. It is
// safe for concurrent use, and may be made where a package is initialised.
//
// Records that are logged with a context have the trace_id and span_id of the
// span that is active in it: use InfoContext rather than Info. Other loggers, such
// as slog's default, don't add them (specification, section C, rules 1 and 2).
func Logger(name string) *slog.Logger { return jsonlog.Logger(name) }

// ContextWithFields returns a context whose records have the fields, at the top
// level. They come besides those that ctx has already. Without fields it returns
// ctx.
func ContextWithFields(ctx context.Context, fields ...slog.Attr) context.Context {
	return jsonlog.ContextWithFields(ctx, fields...)
}
