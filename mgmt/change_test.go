package mgmt_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// changing serves an object for every GET, status 404 for none, and returns the
// requests: their methods, and the bodies of writes.
func changing(t *testing.T, status int, object string) (client *mgmt.Client, asked *[]string) {
	t.Helper()
	asked = new([]string)
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		*asked = append(*asked, r.Method+" "+string(body))
		if r.Method != http.MethodGet {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.WriteHeader(status)
		if status == http.StatusOK {
			io.WriteString(w, object)
		}
	}), asked
}

// TestLive/*/PutUser holds that the users are then so.
func TestPutUser_SendsWhatIsNotSetAsItIs(t *testing.T) {
	const is = `{"name":"u","password_hash":"old","hashing_algorithm":"sha","tags":["management","x"]}`
	for name, test := range map[string]struct {
		settings mgmt.UserSettings
		status   int
		want     []string
		err      error
	}{
		"both":                            {mgmt.UserSettings{Password: "p", Tags: []string{"a", "b"}}, 500, []string{`PUT {"password":"p","tags":"a,b"}`}, nil},
		"a password":                      {mgmt.UserSettings{Password: "p"}, 200, []string{"GET ", `PUT {"password":"p","tags":"management,x"}`}, nil},
		"a password of a new user":        {mgmt.UserSettings{Password: "p"}, 404, []string{"GET ", `PUT {"password":"p","tags":""}`}, nil},
		"a hash":                          {mgmt.UserSettings{PasswordHash: "h", Tags: []string{}}, 500, []string{`PUT {"password_hash":"h","tags":""}`}, nil},
		"tags":                            {mgmt.UserSettings{Tags: []string{"a"}}, 200, []string{"GET ", `PUT {"password_hash":"old","hashing_algorithm":"sha","tags":"a"}`}, nil},
		"nothing":                         {mgmt.UserSettings{}, 200, []string{"GET ", `PUT {"password_hash":"old","hashing_algorithm":"sha","tags":"management,x"}`}, nil},
		"no password":                     {mgmt.UserSettings{NoPassword: true, Tags: []string{"a"}}, 500, []string{`PUT {"password_hash":"","tags":"a"}`}, nil},
		"tags of a user that is missing":  {mgmt.UserSettings{Tags: []string{"a"}}, 404, []string{"GET "}, mgmt.ErrNotFound},
		"tags of one who can't be read":   {mgmt.UserSettings{Tags: []string{"a"}}, 403, []string{"GET "}, mgmt.ErrForbidden},
		"a password, where none can read": {mgmt.UserSettings{Password: "p"}, 403, []string{"GET "}, mgmt.ErrForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			client, asked := changing(t, test.status, is)
			require.ErrorIs(t, client.PutUser(t.Context(), "u", test.settings), test.err)
			require.Equal(t, test.want, *asked)
		})
	}
	client, asked := changing(t, 200, is)
	require.NoError(t, client.PutUserWithoutPassword(t.Context(), "u", "a"))
	require.NoError(t, client.PutUserWithoutPassword(t.Context(), "u"))
	require.Equal(t, []string{`PUT {"password_hash":"","tags":"a"}`, `PUT {"password_hash":"","tags":""}`}, *asked)
}

// TestLive/*/PutVHost holds that the virtual hosts are then so.
func TestPutVHost_SendsWhatIsNotSetAsItIs(t *testing.T) {
	const is = `{"name":"v","description":"old","tags":["a","b"],"default_queue_type":"quorum","tracing":true}`
	for name, test := range map[string]struct {
		settings mgmt.VHostSettings
		status   int
		is       string
		want     string // of the write; empty for none
		err      error
	}{
		"a new one":               {mgmt.VHostSettings{}, 404, "", `PUT {"description":"","tags":"","tracing":false}`, nil},
		"a description":           {mgmt.VHostSettings{Description: mgmt.Some("new")}, 200, is, `PUT {"description":"new","tags":"a,b","default_queue_type":"quorum","tracing":true}`, nil},
		"nothing":                 {mgmt.VHostSettings{}, 200, is, `PUT {"description":"old","tags":"a,b","default_queue_type":"quorum","tracing":true}`, nil},
		"everything":              {mgmt.VHostSettings{mgmt.Some(""), []string{}, "stream", mgmt.Some(false)}, 200, is, `PUT {"description":"","tags":"","default_queue_type":"stream","tracing":false}`, nil},
		"no type, as 3.10 has it": {mgmt.VHostSettings{}, 200, `{"default_queue_type":"undefined","tags":[]}`, `PUT {"description":"","tags":"","tracing":false}`, nil},
		"one that can't be read":  {mgmt.VHostSettings{}, 403, "", "", mgmt.ErrForbidden},
	} {
		t.Run(name, func(t *testing.T) {
			client, asked := changing(t, test.status, test.is)
			require.ErrorIs(t, client.PutVHost(t.Context(), "v", test.settings), test.err)
			want := []string{"GET "}
			if test.want != "" {
				want = append(want, test.want)
			}
			require.Equal(t, want, *asked)
		})
	}
}
