package mgmt_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

func TestB16_ZeroConfigIsTheDevelopersBroker(t *testing.T) {
	var asked *http.Request
	client, err := mgmt.New(mgmt.Config{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		asked = r
		return answer(200, "application/json", `{"name":"guest"}`), nil
	})})
	require.NoError(t, err)
	_, err = client.WhoAmI(t.Context())
	require.NoError(t, err)
	require.Equal(t, "http://localhost:15672/api/whoami", asked.URL.String())
	user, password, ok := asked.BasicAuth()
	require.True(t, ok)
	require.Equal(t, "guest", user)
	require.Equal(t, "guest", password)
}

func TestB18_RefusesSchemesOtherThanHTTPAndHTTPS(t *testing.T) {
	for _, url := range []string{
		"file:///etc/passwd", "ftp://host", "gopher://host:70", "unix:///run/x", "localhost:15672", "//host:15672", "host", "amqp://host",
		"javascript:alert(1)", "HTTPX://host",
	} {
		t.Run(url, func(t *testing.T) {
			_, err := mgmt.New(mgmt.Config{URL: url})
			require.ErrorIs(t, err, mgmt.ErrScheme)
		})
	}
	for _, url := range []string{"http://localhost:1", "https://host", "HTTPS://host", "http://[::1]:15672/", "http://host/rabbit/"} {
		t.Run(url, func(t *testing.T) {
			_, err := mgmt.New(mgmt.Config{URL: url})
			require.NoError(t, err)
		})
	}
}

func TestNew_Refuses(t *testing.T) {
	const secret = "s3cret"
	for name, test := range map[string]struct {
		config mgmt.Config
		want   string
	}{
		"user in the URL":        {mgmt.Config{URL: "http://u:" + secret + "@host"}, "use Username and Password"},
		"empty user in the URL":  {mgmt.Config{URL: "http://@host"}, "use Username and Password"},
		"query":                  {mgmt.Config{URL: "http://host?token=" + secret}, "query"},
		"empty query":            {mgmt.Config{URL: "http://host?"}, "query"},
		"fragment":               {mgmt.Config{URL: "http://host#" + secret}, "fragment"},
		"empty fragment":         {mgmt.Config{URL: "http://host#"}, "fragment"},
		"no host":                {mgmt.Config{URL: "http:///x"}, "no host"},
		"opaque":                 {mgmt.Config{URL: "http:" + secret}, "no host"},
		"port isn't a number":    {mgmt.Config{URL: "http://u:" + secret + "/x@host"}, "isn't valid"},
		"escape in the host":     {mgmt.Config{URL: "http://u:" + secret + "%zz@host"}, "isn't valid"},
		"control character":      {mgmt.Config{URL: "http://host/" + secret + "\n"}, "isn't valid"},
		"/api at the end":        {mgmt.Config{URL: "http://host/x/api/"}, "leave it out"},
		"colon in the user name": {mgmt.Config{Username: "a:b", Password: secret}, "colon"},
		"password without user":  {mgmt.Config{Password: secret}, "empty"},
		"user without password":  {mgmt.Config{Username: "u"}, "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := mgmt.New(test.config)
			require.ErrorContains(t, err, test.want)
			require.NotContains(t, err.Error(), secret)
		})
	}
}

func TestB17_InsecureCredentialsGiveOneWarning(t *testing.T) {
	for name, test := range map[string]struct {
		config mgmt.Config
		want   string // of the warning; empty for none
	}{
		"http to a host":             {mgmt.Config{URL: "http://rabbit.example.com", Username: "u", Password: "p"}, "use https"},
		"http with the defaults":     {mgmt.Config{URL: "http://192.0.2.1"}, "use https"},
		"https with the defaults":    {mgmt.Config{URL: "https://rabbit.example.com"}, "defaults"},
		"https, another password":    {mgmt.Config{URL: "https://rabbit.example.com", Username: "guest", Password: "p"}, ""},
		"https with own credentials": {mgmt.Config{URL: "https://rabbit.example.com", Username: "u", Password: "p"}, ""},
		"localhost":                  {mgmt.Config{}, ""},
		"loopback":                   {mgmt.Config{URL: "http://127.8.0.1:15672"}, ""},
		"loopback of IPv6":           {mgmt.Config{URL: "http://[::1]:15672"}, ""},
		"a name below localhost":     {mgmt.Config{URL: "http://rabbit.LOCALHOST."}, ""},
		"a name that looks like it":  {mgmt.Config{URL: "http://localhost.example.com", Username: "u", Password: "p"}, "use https"},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			test.config.Logger = slog.New(slog.NewTextHandler(&log, nil))
			_, err := mgmt.New(test.config)
			require.NoError(t, err)
			if test.want == "" {
				require.Empty(t, log.String())
			} else {
				require.Contains(t, log.String(), test.want)
				require.Equal(t, 1, bytes.Count(log.Bytes(), []byte("\n")))
			}

			test.config.RequireSecure = true
			_, err = mgmt.New(test.config)
			if test.want == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, test.want)
			}
		})
	}
}

func TestPassword_NeverShows(t *testing.T) {
	const secret = "s3cret"
	config := mgmt.Config{URL: "http://localhost:1", Username: "ops", Password: secret}
	client, err := mgmt.New(config)
	require.NoError(t, err)
	_, failure := client.WhoAmI(t.Context())
	require.Error(t, failure)
	settings := mgmt.UserSettings{Password: secret, PasswordHash: secret}

	uris := mgmt.URIs{"amqp://ops:" + secret + "@host", "amqps://ops:" + secret + "@other"}

	for name, value := range map[string]any{
		"Config": config, "*Config": &config, "Client": client, "UserSettings": settings, "Error": failure, "URIs": uris,
		"ShovelSettings":             mgmt.ShovelSettings{SourceURIs: uris, DestURIs: uris},
		"FederationUpstreamSettings": &mgmt.FederationUpstreamSettings{URIs: uris},
		"ShovelInfo":                 mgmt.ShovelInfo{ShovelSettings: mgmt.ShovelSettings{SourceURIs: uris}},
		"FederationUpstreamInfo":     mgmt.FederationUpstreamInfo{FederationUpstreamSettings: mgmt.FederationUpstreamSettings{URIs: uris}},
	} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%T %v"} {
			t.Run(name+" "+verb, func(t *testing.T) {
				text := fmt.Sprintf(verb, value, value)
				require.NotContains(t, text, secret)
				require.NotContains(t, text, "73336372")       // in hexadecimal
				require.NotContains(t, text, "b3BzOnMzY3JldA") // in base64, with the user
			})
		}
		t.Run(name+" as JSON", func(t *testing.T) {
			text, err := json.Marshal(value)
			require.NoError(t, err)
			require.NotContains(t, string(text), secret)
		})
		t.Run(name+" in a log", func(t *testing.T) {
			for _, handler := range []func(*bytes.Buffer) slog.Handler{
				func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
				func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
			} {
				var log bytes.Buffer
				slog.New(handler(&log)).Info("x", "value", value)
				require.NotContains(t, log.String(), secret)
			}
		})
	}
	t.Run("in a field of another struct", func(t *testing.T) {
		// What isn't exported is printed without its methods.
		inside := reflect.ValueOf(client).Elem()
		require.NotContains(t, fmt.Sprintf("%+v %#v %+v", inside, inside, struct{ c *mgmt.Client }{client}), secret)
	})
	t.Run("of an address that New refuses", func(t *testing.T) {
		require.NotContains(t, fmt.Sprint(mgmt.Config{URL: "http://u:" + secret + "@host"}), secret)
	})
	t.Run("names the address and the user", func(t *testing.T) {
		require.Equal(t, `mgmt.Config{URL: http://localhost:1, Username: "ops"}`, config.String())
		require.Equal(t, `mgmt.Client{mgmt.Config{URL: http://localhost:1, Username: "ops"}}`, client.String())
	})
}

func TestConfig_MarshalsToItsDataWithoutThePassword(t *testing.T) {
	config := mgmt.Config{
		URL: "https://host:15671/rabbit", Username: "ops", Password: "s3cret", Timeout: time.Minute, MaxResponseBytes: 5,
		Transport: roundTrip(nil), TLS: &tls.Config{}, Compress: true, UserAgent: "agent", Logger: slog.Default(), RequireSecure: true,
	}
	text, err := json.Marshal(config)
	require.NoError(t, err)
	require.JSONEq(t, `{"URL":"https://host:15671/rabbit","Username":"ops","Password":"***","Timeout":60000000000,"MaxResponseBytes":5,
		"Compress":true,"UserAgent":"agent","RequireSecure":true}`, string(text))
	var back mgmt.Config
	require.NoError(t, json.Unmarshal(text, &back))
	config.Password, config.Transport, config.TLS, config.Logger = "***", nil, nil, nil
	require.Equal(t, config, back)
	for url, want := range map[string]string{"": "", "http://u:s3cret@host": "***", "http://host?token=s3cret": "***"} {
		text, err := json.Marshal(mgmt.Config{URL: url})
		require.NoError(t, err)
		require.Contains(t, string(text), fmt.Sprintf(`{"URL":%q,"Username":"","Password":"",`, want))
	}
}

func TestUserSettings_MarshalToTheirDataWithoutSecrets(t *testing.T) {
	for want, settings := range map[string]mgmt.UserSettings{
		`{"Password":"***","PasswordHash":"","NoPassword":false,"Tags":["management"]}`: {Password: "s3cret", Tags: []string{"management"}},
		`{"Password":"","PasswordHash":"***","NoPassword":false,"Tags":null}`:           {PasswordHash: "s3cret"},
		`{"Password":"","PasswordHash":"","NoPassword":true,"Tags":[]}`:                 {NoPassword: true, Tags: []string{}},
	} {
		text, err := json.Marshal(settings)
		require.NoError(t, err)
		require.Equal(t, want, string(text))
	}
}

func TestURIs_ShowAllButTheirSecrets(t *testing.T) {
	for uri, want := range map[string]string{
		"amqp://host:5672/v": "amqp://host:5672/v",
		"amqp://":            "amqp://",
		"amqp://u:s3cret@host:5672/v?heartbeat=5":         "amqp://***@host:5672/v?heartbeat=5",
		"amqp://u:s3@cret@host":                           "amqp://***@host",
		"amqp://u:s3 cret\"@host":                         "amqp://***@host",
		"amqp://u:s3?cret@host":                           "amqp://***@host",
		"u:s3cret@host":                                   "***@host",
		"amqps://host?keyfile=/k&password=s3cret&depth=2": "amqps://host?keyfile=/k&password=***&depth=2",
		"amqps://host?pass%77ord=s3cret":                  "amqps://host?pass%77ord=***",
		"amqps://host?PASSWORD=s3cret&%zz=s3cret":         "amqps://host?PASSWORD=***&%zz=***",
	} {
		uris := mgmt.URIs{uri, "amqp://b"}
		require.Equal(t, "["+want+" amqp://b]", uris.String())
		require.Equal(t, uris.String(), fmt.Sprintf("%#v", uris))
		text, err := json.Marshal(uris)
		require.NoError(t, err)
		var shown []string
		require.NoError(t, json.Unmarshal(text, &shown))
		require.Equal(t, []string{want, "amqp://b"}, shown)
	}
}

func TestHashPassword_IsTheBrokersAlgorithm(t *testing.T) {
	first, second := mgmt.HashPassword("test12"), mgmt.HashPassword("test12")
	require.NotEqual(t, first, second, "the salt differs")
	require.Len(t, first, 48, "4 bytes of salt and 32 of hash")
	require.Equal(t, "kI3GCqW5JLMJa4iX1lo7X4D6XbYqlLgxIs30+P6tENUV2POR",
		mgmt.HashWith([]byte{0x90, 0x8d, 0xc6, 0x0a}, "test12"), "the example of RabbitMQ's documentation")
}

// A roundTrip is a transport without a network.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func answer(status int, contentType, body string) *http.Response {
	w := httptest.NewRecorder()
	if contentType != "" {
		w.Header().Set("Content-Type", contentType)
	}
	w.WriteHeader(status)
	w.WriteString(body)
	return w.Result()
}

func TestParameterInfo_IsPrintedWithoutItsValue(t *testing.T) {
	p := mgmt.ParameterInfo{Component: "shovel", VHost: "v", Name: "s", Value: json.RawMessage(`{"src-uri":"amqp://u:secret@h"}`)}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("parameter", "of", p, "and", []mgmt.ParameterInfo{p})
	for _, printed := range []string{log.String(), fmt.Sprint(p), fmt.Sprintf("%+v %#v %x", &p, p, p)} {
		require.NotContains(t, printed, "secret")
		require.Contains(t, printed, "shovel")
	}
	encoded, err := json.Marshal(p)
	require.NoError(t, err)
	require.Contains(t, string(encoded), "secret", "so that it can be put again")
}
