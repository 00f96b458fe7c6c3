package jsonlog

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"sync/atomic"
)

// root is the handler that loggers of [Logger] write to. Like slog's default it
// is the process's own: a logger is made where a package is initialised, before
// main has read the configuration.
var root atomic.Pointer[Handler]

// standard is root's handler until SetDefault.
var standard = NewHandler(os.Stderr, nil)

// SetDefault sets the handler that the loggers of [Logger] write to, those that
// were made before the call too. Nil sets that of the beginning, which writes to
// standard error.
func SetDefault(h *Handler) { root.Store(h) }

// Default returns the handler of [SetDefault].
func Default() *Handler {
	if h := root.Load(); h != nil {
		return h
	}
	return standard
}

// Logger returns a logger of that name. Its records have the ids of the active
// span where they are logged with a context: use InfoContext rather than Info.
// Other loggers, such as slog's default, don't have them (specification, section
// C, rule 2).
func Logger(name string) *slog.Logger { return slog.New(&following{name: name}) }

// A following handler writes to whatever handler is the default.
type following struct {
	name  string
	steps []step
	built atomic.Pointer[built]
}

// built is the default handler as it was, with the name and the steps. It is one
// value, made anew when the default changes, so a pointer is enough.
type built struct {
	root    *Handler
	handler slog.Handler
}

func (f *following) current() slog.Handler {
	root := Default()
	if b := f.built.Load(); b != nil && b.root == root {
		return b.handler
	}
	var handler slog.Handler = root.Named(f.name)
	for _, s := range f.steps {
		if s.group != "" {
			handler = handler.WithGroup(s.group)
		} else {
			handler = handler.WithAttrs(s.attrs)
		}
	}
	f.built.Store(&built{root, handler})
	return handler
}

func (f *following) Enabled(_ context.Context, level slog.Level) bool {
	return level >= Default().level.Level()
}

func (f *following) Handle(ctx context.Context, r slog.Record) error {
	return f.current().Handle(ctx, r)
}

func (f *following) WithAttrs(attrs []slog.Attr) slog.Handler {
	if len(attrs) == 0 {
		return f
	}
	return f.with(step{attrs: slices.Clone(attrs)})
}

func (f *following) WithGroup(name string) slog.Handler {
	if name == "" {
		return f
	}
	return f.with(step{group: name})
}

func (f *following) with(s step) *following {
	return &following{name: f.name, steps: append(slices.Clip(f.steps), s)}
}
