package mgmt_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

// All causes, to show that an error is one of them and no other.
var causes = []error{
	mgmt.ErrNotFound, mgmt.ErrUnauthorized, mgmt.ErrForbidden, mgmt.ErrInequivalent, mgmt.ErrPluginDisabled, mgmt.ErrTooLarge,
	mgmt.ErrRedirect, mgmt.ErrNotAPI, mgmt.ErrUnhealthy, mgmt.ErrClosed, mgmt.ErrName, mgmt.ErrInUse, mgmt.ErrNoInspector,
	mgmt.ErrPage, mgmt.ErrProtected,
}

func TestError_ClassifiesRefusals(t *testing.T) {
	for name, test := range map[string]struct {
		status int
		body   string
		want   []error
		text   string
	}{
		"missing thing":                   {404, `{"error":"Object Not Found","reason":"Not Found"}`, []error{mgmt.ErrNotFound}, `404 Object Not Found: Not Found: not found`},
		"missing vhost":                   {404, `{"error":"not_found","reason":"vhost_not_found"}`, []error{mgmt.ErrNotFound}, "404 not_found: vhost_not_found"},
		"wrong credentials, 3.10":         {401, `{"error":"not_authorized","reason":"Login failed"}`, []error{mgmt.ErrUnauthorized}, "check Username"},
		"no credentials":                  {401, ``, []error{mgmt.ErrUnauthorized}, "401 Unauthorized"},
		"no permission":                   {401, `{"error":"not_authorised","reason":"Access refused."}`, []error{mgmt.ErrForbidden}, "Access refused."},
		"no permission, by a proxy":       {403, ``, []error{mgmt.ErrForbidden}, "403 Forbidden"},
		"inequivalent":                    {400, `{"error":"bad_request","reason":"inequivalent arg 'durable' for queue 'q' in vhost '/': received true but current is false"}`, []error{mgmt.ErrInequivalent}, "migrate it"},
		"unknown component":               {400, `{"error":"bad_request","reason":"Validation failed\n\ncomponent shovel not found\n"}`, []error{mgmt.ErrPluginDisabled, mgmt.ErrNotFound}, "plugin"},
		"component of another fault":      {400, `{"error":"bad_request","reason":"component shovel is not valid"}`, nil, "component shovel"},
		"protected":                       {412, `{"error":"precondition_failed","reason":"vhost 'v' is protected from deletion"}`, []error{mgmt.ErrProtected}, "protected"},
		"another precondition":            {412, `{"error":"precondition_failed","reason":"vhost 'v' is down"}`, nil, "412 precondition_failed"},
		"protection of another status":    {409, `{"error":"conflict","reason":"vhost 'v' is protected from deletion"}`, nil, "409 conflict"},
		"missing exchange":                {400, `{"error":"bad_request","reason":"404 NOT_FOUND - no exchange 'x' in vhost '/'"}`, []error{mgmt.ErrNotFound}, "no exchange"},
		"a reason that isn't text":        {400, `{"error":"bad_request","reason":["not_boolean","yes"]}`, nil, `400 bad_request: ["not_boolean","yes"] (`},
		"server error without a body":     {500, ``, nil, "500 Internal Server Error ("},
		"method without a body":           {405, ``, nil, "405 Method Not Allowed ("},
		"unhealthy":                       {503, `{"status":"failed","reason":"No active listener","missing":["mqtt"]}`, []error{mgmt.ErrUnhealthy}, "503 failed: No active listener"},
		"overloaded":                      {503, ``, nil, "503 Service Unavailable"},
		"lines and markup":                {400, `{"error":"bad_request","reason":"Validation failed\n\nKey \"dest-uri\" not found in &lt;&lt;\"x\"&gt;&gt;\n"}`, nil, `Validation failed; Key "dest-uri" not found in <<"x">> (`},
		"credentials in a URI":            {400, `{"error":"bad_request","reason":"bad uri \"amqp://u:s3cret@h/v\", amqps://u:s3cret@h and amqp://:s3cret@x@h"}`, nil, `bad uri "amqp://***@h/v", amqps://***@h and amqp://***@h (`},
		"punctuation in a password":       {400, `{"error":"bad_request","reason":"bad uri \"amqp://u:a,b;c'd/e@h\" <<\"amqp://u:s3cret@h\">>"}`, nil, `bad uri "amqp://***@h" <<"amqp://***@h">> (`},
		"credentials and lines in a code": {400, `{"error":"bad\n\u001b amqp://u:s3cret@h","reason":"x"}`, nil, `400 bad;   amqp://***@h: x`},
		"a code that isn't text":          {400, `{"error":{"code":1}}`, nil, `400 {"code":1} (`},
		"control characters":              {400, `{"error":"bad_request","reason":"a\u001b[31mb\u0000c\td"}`, nil, "a [31mb c d ("},
		"not the API's":                   {404, `<html>`, []error{mgmt.ErrNotAPI}, "404"},
		"JSON that isn't the API's":       {404, `{"message":"no route"}`, []error{mgmt.ErrNotAPI}, "404"},
		"a status that HTTP doesn't know": {799, ``, nil, "799"},
	} {
		t.Run(name, func(t *testing.T) {
			client := open(t, mgmt.Config{Transport: always(test.status, test.body)})
			err := client.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{})
			var e *mgmt.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, test.status, e.Status)
			require.Equal(t, "PUT", e.Method)
			require.Equal(t, "/api/queues/%2F/q", e.Path)
			require.ErrorContains(t, err, test.text)
			require.True(t, strings.HasPrefix(err.Error(), `declare queue "q" in vhost "/": `), err.Error())
			require.True(t, strings.HasSuffix(err.Error(), " (PUT /api/queues/%2F/q)"), err.Error())
			require.NotContains(t, err.Error(), "\n")
			require.NotContains(t, err.Error(), "s3cret")
			var is []error
			for _, cause := range causes {
				if errors.Is(err, cause) {
					is = append(is, cause)
				}
			}
			require.ElementsMatch(t, test.want, is)
		})
	}
}

func TestErrInUse_IsOfDeletingOnly(t *testing.T) {
	for _, reason := range []string{"queue 'q' in vhost '/' not empty", "queue 'q' in vhost '/' in use", "exchange 'x' in vhost '/' in use"} {
		client := open(t, mgmt.Config{Transport: always(400, `{"error":"bad_request","reason":"`+reason+`"}`)})
		require.ErrorIs(t, client.DeleteQueue(t.Context(), "", "q", mgmt.IfEmpty), mgmt.ErrInUse)
		require.ErrorIs(t, client.DeleteExchange(t.Context(), "", "x", mgmt.IfUnused), mgmt.ErrInUse)
		require.NotErrorIs(t, client.DeclareQueue(t.Context(), "", "q", mgmt.QueueSettings{}), mgmt.ErrInUse)
	}
}

func TestError_CutsTheReason(t *testing.T) {
	stack := strings.Repeat("ä", 3000)
	client := open(t, mgmt.Config{Transport: always(400, `{"error":"bad_request","reason":"`+stack+`"}`)})
	err := client.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{})
	var e *mgmt.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, strings.Repeat("ä", 250)+"...", e.Reason)

	client = open(t, mgmt.Config{Transport: always(502, `{"error":"`+stack+`"}`)})
	require.ErrorAs(t, client.DeclareQueue(t.Context(), "/", "q", mgmt.QueueSettings{}), &e)
	require.Equal(t, strings.Repeat("ä", 250)+"...", e.Code)
}

func TestError_NamesOperationAndObject(t *testing.T) {
	client := open(t, mgmt.Config{Transport: always(500, "")})
	ctx := t.Context()
	for want, call := range map[string]func() error{
		`bind queue "q" in vhost "v": `:                                      func() error { return client.BindQueue(ctx, "v", "q", "x", mgmt.BindingSettings{}) },
		`delete shovel parameter "s" in vhost`:                               func() error { return client.DeleteParameter(ctx, "shovel", "", "s") },
		`list queues in vhost "/": `:                                         func() error { _, err := client.Queues(ctx, mgmt.In("")); return err },
		`list queues of all vhosts: `:                                        func() error { _, err := client.Queues(ctx, mgmt.AllVHosts()); return err },
		`list shovel statuses of all vhosts: `:                               func() error { _, err := client.ShovelStatuses(ctx, mgmt.AllVHosts()); return err },
		`list bindings from exchange "x" to queue "q" in vhost "v": `:        func() error { _, err := client.QueueBindingsFrom(ctx, "v", "q", "x"); return err },
		`list bindings from exchange "x" to exchange "y" in vhost "/": `:     func() error { _, err := client.ExchangeBindingsFrom(ctx, "", "y", "x"); return err },
		`delete topic permission on exchange "x" of user "u" in vhost "/": `: func() error { return client.DeleteTopicPermission(ctx, "", "u", "x") },
		`delete user "u": `:                                                  func() error { return client.DeleteUser(ctx, "u") },
		`call the management API: `:                                          func() error { return client.Do(ctx, "GET", []string{"x"}, nil, nil, nil) },
	} {
		t.Run(want, func(t *testing.T) { require.ErrorContains(t, call(), want) })
	}
}
