package observe

import (
	"bufio"
	"io"
	"net"
	"net/http"
)

// A responseWriter notes the status and the size of an answer.
type responseWriter struct {
	http.ResponseWriter
	code     int // 0 until the header is written
	bytes    int64
	hijacked bool
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

func (w flushWriter) Flush()       { w.flush() }
func (w flushHijackWriter) Flush() { w.flush() }

func (w hijackWriter) Hijack() (net.Conn, *bufio.ReadWriter, error)      { return w.hijack() }
func (w flushHijackWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) { return w.hijack() }

// Unwrap is for http.ResponseController.
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader notes the status. Those of 1xx, save 101, announce another.
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

// ReadFrom keeps the server's way of sending files.
func (w *responseWriter) ReadFrom(r io.Reader) (int64, error) {
	w.implied()
	n, err := io.Copy(w.ResponseWriter, r)
	w.bytes += n
	return n, err
}

// implied notes the status that a body without a header has.
func (w *responseWriter) implied() {
	if w.code == 0 {
		w.code = http.StatusOK
	}
}

func (w *responseWriter) flush() {
	w.implied()
	w.ResponseWriter.(http.Flusher).Flush()
}

func (w *responseWriter) hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := w.ResponseWriter.(http.Hijacker).Hijack()
	if err == nil {
		w.hijacked = true
		if w.code == 0 {
			w.code = http.StatusSwitchingProtocols
		}
	}
	return conn, rw, err
}

func (w *responseWriter) wrote() bool { return w.code != 0 || w.hijacked }

// status is what the client got: 200 where the handler wrote nothing.
func (w *responseWriter) status() int {
	if w.code == 0 {
		return http.StatusOK
	}
	return w.code
}
