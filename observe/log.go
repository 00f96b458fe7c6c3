package observe

import (
	"io"
	"log/slog"

	"github.com/warrenmq/warren/observe/jsonlog"
)

// LevelCritical is the level above error: the service can't go on.
const LevelCritical = jsonlog.LevelCritical

// HandlerOptions configure [NewHandler]; see [jsonlog.Options].
type HandlerOptions = jsonlog.Options

// Handler writes log records as JSON lines; see [jsonlog.Handler].
type Handler = jsonlog.Handler

// Logger returns a logger of that name, which writes to what [Configure] has set
// up, before or after the call. Records logged with a context have the trace_id
// and span_id of the span that is active in it; other loggers don't add them
// (specification, section C, rules 1 and 2).
func Logger(name string) *slog.Logger { return jsonlog.Logger(name) }

// NewHandler returns a handler that writes each record to w as one JSON line, in
// one call of Write. Nil options are the defaults.
func NewHandler(w io.Writer, options *HandlerOptions) *Handler { return jsonlog.NewHandler(w, options) }
