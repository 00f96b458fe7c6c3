package observe

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// A responseWriter records the status and the size of an answer.
type responseWriter struct {
	http.ResponseWriter
	code  int // 0 until the header is written, or the connection taken
	bytes int64
}

// wrap returns the writer with what the server's writer can do besides: a handler
// asks for it by type assertion.
func (w *responseWriter) wrap() http.ResponseWriter {
	_, flushes := w.ResponseWriter.(http.Flusher)
	_, hijacks := w.ResponseWriter.(http.Hijacker)
	switch {
	case flushes && hijacks:
		return flushHijackWriter{w}
	case flushes:
		return flushWriter{w}
	case hijacks:
		return hijackWriter{w}
	default:
		return w
	}
}

type (
	flushWriter       struct{ *responseWriter }
	hijackWriter      struct{ *responseWriter }
	flushHijackWriter struct{ *responseWriter }
)

func (w flushWriter) Flush()       { _ = w.flush() }
func (w flushHijackWriter) Flush() { _ = w.flush() }

// FlushError is for http.ResponseController, which tells a client that has gone.
func (w flushWriter) FlushError() error       { return w.flush() }
func (w flushHijackWriter) FlushError() error { return w.flush() }

func (w hijackWriter) Hijack() (net.Conn, *bufio.ReadWriter, error)      { return w.hijack() }
func (w flushHijackWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) { return w.hijack() }

// Unwrap is for http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader notes the status. Those of 1xx, except 101, announce another.
func (w *responseWriter) WriteHeader(code int) {
	if w.code == 0 && (code >= 200 || code == http.StatusSwitchingProtocols) {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

func (w *responseWriter) Write(p []byte) (int, error) {
	w.implied()
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// ReadFrom keeps the server's way of sending files. A reader that fails at once
// leaves the status to the handler, as the server does.
func (w *responseWriter) ReadFrom(r io.Reader) (int64, error) {
	n, err := io.Copy(w.ResponseWriter, r)
	if n > 0 {
		w.implied()
	}
	w.bytes += n
	return n, err
}

// implied notes the status that a body without a header has.
func (w *responseWriter) implied() {
	if w.code == 0 {
		w.code = http.StatusOK
	}
}

func (w *responseWriter) flush() error {
	w.implied()
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// fail answers by status 500 and no body, unless there is an answer already. It
// flushes: of a handler that panics, a server sends nothing that it has buffered.
func (w *responseWriter) fail() {
	if w.code != 0 {
		return
	}
	header := w.Header()
	for _, ofBody := range [...]string{"Cache-Control", "Content-Encoding", "Content-Type", "Etag", "Last-Modified", "Trailer", "Transfer-Encoding"} {
		header.Del(ofBody)
	}
	header.Set("Content-Length", "0")
	w.WriteHeader(http.StatusInternalServerError)
	_ = w.flush() // the panic says more than this error would
}

func (w *responseWriter) hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := w.ResponseWriter.(http.Hijacker).Hijack()
	if err == nil && w.code == 0 {
		w.code = http.StatusSwitchingProtocols
	}
	return conn, rw, err
}

// status is what the client got: 200 where the handler wrote nothing.
func (w *responseWriter) status() int {
	if w.code == 0 {
		return http.StatusOK
	}
	return w.code
}
