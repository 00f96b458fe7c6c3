package health_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/health"
)

type broker struct{ live, ready error }

func (b broker) Live() error { return b.live }

func (b broker) Ready() error { return b.ready }

func ask(t *testing.T, handler http.Handler, accept string) (status int, body string) {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	request.Header.Set("Accept", accept)
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	text, err := io.ReadAll(recorder.Result().Body)
	require.NoError(t, err)
	require.Equal(t, "no-store", recorder.Header().Get("Cache-Control"))
	kind := "text/plain; charset=utf-8"
	if json.Valid(text) {
		kind = "application/json"
	}
	require.Equal(t, kind, recorder.Header().Get("Content-Type"))
	return recorder.Code, string(text)
}

func TestHandlers_AnswerWithStatusAndReasons(t *testing.T) {
	well := broker{}
	for _, handler := range []http.Handler{health.Live(well), health.Ready(well)} {
		status, body := ask(t, handler, "")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "ok\n", body)
		_, body = ask(t, handler, "application/json")
		require.JSONEq(t, `{"ok": true, "problems": []}`, body)
	}
	stuck := errors.New("stuck")
	status, body := ask(t, health.Live(broker{live: stuck}), "*/*")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "stuck\n", body)
	_, body = ask(t, health.Live(broker{live: stuck}), "application/json")
	require.JSONEq(t, `{"ok": false, "problems": [{"reason": "stuck"}]}`, body)
	ill := broker{ready: &runtime.NotReadyError{Problems: []runtime.Problem{
		{Connection: "publishing", Err: runtime.ErrBlocked}, {Route: "r", Queue: "q", Err: stuck},
	}}}
	status, body = ask(t, health.Ready(ill), "text/html, application/json")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.JSONEq(t, `{"ok": false, "problems": [
		{"connection": "publishing", "reason": "the broker is out of resources and takes no messages"},
		{"route": "r", "queue": "q", "reason": "stuck"}
	]}`, body)
	_, body = ask(t, health.Ready(ill), "")
	require.Equal(t, "publishing: the broker is out of resources and takes no messages\nroute \"r\", queue \"q\": stuck\n", body)
	require.ErrorIs(t, ill.Ready(), runtime.ErrBlocked)
	require.ErrorIs(t, ill.Ready(), stuck)
}
