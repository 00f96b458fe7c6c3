package mgmt_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// The answers are the ones that were measured, see TestLive/*/without_plugins.
func TestErrPluginDisabled_IsToldFromAMissingVHost(t *testing.T) {
	const missing = `{"error":"Object Not Found","reason":"Not Found"}`
	for name, test := range map[string]struct {
		ofVHost, ofAll int // status
		body           string
		want, other    error
	}{
		"the vhost is missing":                      {404, 200, missing, mgmt.ErrNotFound, mgmt.ErrPluginDisabled},
		"the plugin is disabled":                    {404, 404, missing, mgmt.ErrPluginDisabled, nil},
		"the plugin is disabled, for the default":   {400, 404, "", mgmt.ErrPluginDisabled, nil},
		"nothing can be deleted there":              {405, 404, "", mgmt.ErrPluginDisabled, nil},
		"another refusal":                           {400, 200, "", nil, mgmt.ErrNotFound},
		"another refusal, with a text":              {400, 404, `{"error":"bad_request","reason":"x"}`, nil, mgmt.ErrNotFound},
		"who asks has no rights to list them all":   {404, 401, missing, mgmt.ErrNotFound, mgmt.ErrPluginDisabled},
		"the broker fails for all, and for a vhost": {500, 404, "", nil, mgmt.ErrNotFound},
	} {
		t.Run(name, func(t *testing.T) {
			client := serve(t, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/api/federation-links":
					w.WriteHeader(test.ofAll)
					if test.ofAll != http.StatusOK {
						io.WriteString(w, missing)
					}
				default:
					w.WriteHeader(test.ofVHost)
					io.WriteString(w, test.body)
				}
			})
			_, err := client.FederationLinks(t.Context(), mgmt.In("v"))
			var e *mgmt.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, test.ofVHost, e.Status)
			if test.want != nil {
				require.ErrorIs(t, err, test.want)
			}
			if test.other != nil {
				require.NotErrorIs(t, err, test.other)
			}
		})
	}
}
