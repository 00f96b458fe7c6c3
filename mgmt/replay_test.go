package mgmt_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
)

const recordings = "../testdata/management"

// A recording is an answer of a real broker.
type recording struct {
	File        string
	Request     string
	Status      int
	ContentType string `json:"content_type"`
	body        []byte
}

func recorded(t testing.TB, version string) []recording {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(recordings, version, "INDEX.json"))
	require.NoError(t, err)
	var all, kept []recording
	require.NoError(t, json.Unmarshal(index, &all))
	for _, r := range all {
		if r.File == "" {
			continue // its body wasn't kept
		}
		r.body, err = os.ReadFile(filepath.Join(recordings, version, r.File))
		require.NoError(t, err)
		kept = append(kept, r)
	}
	return kept
}

// replays say by which method each recorded body is asked for. The argument is
// what the recorded request has behind the endpoint: a name, mostly.
var replays = map[string]func(ctx context.Context, c *mgmt.Client, name string) (any, error){
	"aliveness.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return nil, c.CheckVHost(ctx, "") },
	"auth_attempts.json": func(ctx context.Context, c *mgmt.Client, name string) (any, error) {
		return mgmt.List[map[string]any](ctx, c, []string{"auth", "attempts", name})
	},
	"bindings.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Bindings(ctx, mgmt.AllVHosts())
	},
	"bindings_vhost_v1.json": func(ctx context.Context, c *mgmt.Client, name string) (any, error) {
		return c.Bindings(ctx, mgmt.In(name))
	},
	"channel.json": func(ctx context.Context, c *mgmt.Client, name string) (any, error) { return c.Channel(ctx, name) },
	"channels.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Channels(ctx, mgmt.AllVHosts())
	},
	"cluster_name.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.ClusterName(ctx) },
	"connection.json":   func(ctx context.Context, c *mgmt.Client, name string) (any, error) { return c.Connection(ctx, name) },
	"connections.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Connections(ctx, mgmt.AllVHosts())
	},
	"consumers.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Consumers(ctx, mgmt.AllVHosts())
	},
	"definitions.json":               export(mgmt.AllVHosts()),
	"definitions_vhost.json":         export(mgmt.In("/")),
	"deprecated_features.json":       func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.DeprecatedFeatures(ctx) },
	"deprecated_features_used.json":  func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.DeprecatedFeaturesUsed(ctx) },
	"err_400_inequivalent.json":      declare("corp.classic", ""),
	"err_400_not_boolean.json":       declare("x", ""),
	"err_400_not_json.json":          declare("x", ""),
	"err_401_permission.json":        declare("other", ""),
	"err_404_vhost.json":             declare("x", "nope"),
	"err_400_shovel_validation.json": shovelParameter, "err_400_value_missing.json": shovelParameter,
	"err_401_credentials.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts())
	},
	"err_401_not_management.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts())
	},
	"err_404.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.Queue(ctx, "/", "nope") },
	"err_404_exchange.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return nil, c.BindQueue(ctx, "/", "corp.classic", "nope", mgmt.BindingSettings{})
	},
	"err_page_range.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts(), mgmt.Query("page", "9999"))
	},
	"exchange.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Exchange(ctx, "/", "corp.topic")
	},
	"exchange_bindings_source.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.BindingsFrom(ctx, "/", "corp.topic")
	},
	"exchange_default.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.Exchange(ctx, "/", "") },
	"exchanges.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Exchanges(ctx, mgmt.AllVHosts())
	},
	"extensions.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return mgmt.List[map[string]any](ctx, c, []string{"extensions"})
	},
	"feature_flags.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.FeatureFlags(ctx) },
	"federation_links.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.FederationLinks(ctx, mgmt.AllVHosts())
	},
	"global_parameters.json":           func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.GlobalParameters(ctx) },
	"hash_password.json":               do("auth", "hash_password", "abc"),
	"health_alarms.json":               func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return nil, c.CheckAlarms(ctx) },
	"health_cert.json":                 do("health", "checks", "certificate-expiration", "1", "months"),
	"health_in_service.json":           do("health", "checks", "is-in-service"),
	"health_local_alarms.json":         func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return nil, c.CheckLocalAlarms(ctx) },
	"health_node_deprecated.json":      do("healthchecks", "node"),
	"health_port_listener_failed.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return nil, c.CheckPort(ctx, 1) },
	"health_protocol_listener_failed.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return nil, c.CheckProtocol(ctx, "mqtt")
	},
	"health_protocol_listener_ok.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return nil, c.CheckProtocol(ctx, "amqp")
	},
	"health_quorum_critical.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return nil, c.CheckQuorum(ctx) },
	"health_ready.json":           do("health", "checks", "ready-to-serve-clients"),
	"health_virtual_hosts.json":   func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return nil, c.CheckVHosts(ctx) },
	"node.json":                   func(ctx context.Context, c *mgmt.Client, name string) (any, error) { return c.Node(ctx, name) },
	"nodes.json":                  func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.Nodes(ctx) },
	"operator_policies.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.OperatorPolicies(ctx, mgmt.AllVHosts())
	},
	"overview.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.Overview(ctx) },
	"parameter_shovel.json": func(ctx context.Context, c *mgmt.Client, name string) (any, error) {
		return c.Parameter(ctx, "shovel", "/", name)
	},
	"parameters.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return mgmt.List[mgmt.ParameterInfo](ctx, c, []string{"parameters"})
	},
	"parameters_federation.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.FederationUpstreams(ctx, mgmt.AllVHosts())
	},
	"parameters_shovel.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Parameters(ctx, "shovel", mgmt.AllVHosts())
	},
	"permissions.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.Permissions(ctx) },
	"policies.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Policies(ctx, mgmt.AllVHosts())
	},
	"policy.json": func(ctx context.Context, c *mgmt.Client, name string) (any, error) { return c.Policy(ctx, "/", name) },
	"queue_bindings.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.QueueBindings(ctx, "/", "corp.classic")
	},
	"queue_bindings_missing_queue.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.QueueBindings(ctx, "/", "nope")
	},
	"queue_classic.json": queue, "queue_quorum.json": queue, "queue_stream.json": queue,
	"queue_classic_samples.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queue(ctx, "/", "corp.classic", mgmt.Query("lengths_age", "60"), mgmt.Query("lengths_incr", "5"), mgmt.Query("msg_rates_age", "60"), mgmt.Query("msg_rates_incr", "5"))
	},
	"queues.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts())
	},
	"queues_columns.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts(), mgmt.Columns("name", "messages"))
	},
	"queues_columns_unknown.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts(), mgmt.Columns("zzz"))
	},
	"queues_detailed.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return mgmt.List[mgmt.QueueInfo](ctx, c, []string{"queues", "detailed"}, mgmt.Query("columns", ""))
	},
	"queues_disable_stats.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts(), mgmt.WithoutStats())
	},
	"queues_page.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.Queues(ctx, mgmt.AllVHosts(), mgmt.Query("page", "1"), mgmt.Query("page_size", "3"))
	},
	"shovels.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.ShovelStatuses(ctx, mgmt.AllVHosts())
	},
	"topic_permissions.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.TopicPermissions(ctx) },
	"user.json":              func(ctx context.Context, c *mgmt.Client, name string) (any, error) { return c.User(ctx, name) },
	"user_limits.json":       func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.UserLimits(ctx, "") },
	"users.json":             func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.Users(ctx) },
	"users_without_permissions.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.UsersWithoutPermissions(ctx)
	},
	"version.json": do("version"),
	"vhost.json":   func(ctx context.Context, c *mgmt.Client, name string) (any, error) { return c.VHost(ctx, name) },
	"vhost_limits.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return c.VHostLimits(ctx, mgmt.AllVHosts())
	},
	"vhosts.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.VHosts(ctx) },
	"whoami.json": func(ctx context.Context, c *mgmt.Client, _ string) (any, error) { return c.WhoAmI(ctx) },
}

type replay = func(ctx context.Context, c *mgmt.Client, name string) (any, error)

func export(scope mgmt.Scope) replay {
	return func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		var b bytes.Buffer
		err := c.ExportDefinitions(ctx, scope, &b)
		return json.RawMessage(b.Bytes()), err
	}
}

func declare(name, vhost string) replay {
	return func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		return nil, c.DeclareQueue(ctx, vhost, name, mgmt.QueueSettings{})
	}
}

func do(segments ...string) replay {
	return func(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
		var out any
		return out, c.Do(ctx, "GET", segments, nil, nil, &out)
	}
}

func shovelParameter(ctx context.Context, c *mgmt.Client, _ string) (any, error) {
	return nil, c.PutParameter(ctx, "shovel", "/", "x", nil)
}

func queue(ctx context.Context, c *mgmt.Client, name string) (any, error) {
	return c.Queue(ctx, "/", name)
}

// refusals are what the recorded errors are.
var refusals = map[string]error{
	"err_400_inequivalent.json":            mgmt.ErrInequivalent,
	"err_401_credentials.json":             mgmt.ErrUnauthorized,
	"err_401_not_management.json":          mgmt.ErrForbidden,
	"err_401_permission.json":              mgmt.ErrForbidden,
	"health_port_listener_failed.json":     mgmt.ErrUnhealthy,
	"health_protocol_listener_failed.json": mgmt.ErrUnhealthy,
}

func TestReplay_DecodesEveryRecordedBody(t *testing.T) {
	for _, version := range []string{"3.10", "4.0", "4.3"} {
		for _, r := range recorded(t, version) {
			t.Run(version+"/"+r.File, func(t *testing.T) {
				call, ok := replays[r.File]
				require.True(t, ok, "no method for it")
				method, target := requested(t, r)
				client := open(t, mgmt.Config{Transport: roundTrip(func(sent *http.Request) (*http.Response, error) {
					require.Equal(t, method, sent.Method)
					want, err := url.Parse(target)
					require.NoError(t, err)
					require.Equal(t, want.Path, sent.URL.Path)
					require.Equal(t, want.Query(), sent.URL.Query())
					a := answer(r.Status, r.ContentType, "")
					a.ContentLength, a.Body = int64(len(r.body)), io.NopCloser(bytes.NewReader(r.body))
					return a, nil
				})})
				got, err := call(t.Context(), client, lastSegment(t, target))
				if r.Status >= 300 {
					requireRefusal(t, r, err)
					return
				}
				require.NoError(t, err)
				if got != nil {
					requireFaithful(t, r.body, got)
				}
			})
		}
	}
}

func requested(t *testing.T, r recording) (method, target string) {
	t.Helper()
	method, target, _ = strings.Cut(r.Request, " ")
	target, _, _ = strings.Cut(target, " ") // what follows is the body
	return method, target
}

func lastSegment(t *testing.T, target string) string {
	t.Helper()
	path, _, _ := strings.Cut(target, "?")
	name, err := url.PathUnescape(path[strings.LastIndex(path, "/")+1:])
	require.NoError(t, err)
	return name
}

func requireRefusal(t *testing.T, r recording, err error) {
	t.Helper()
	var e *mgmt.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, r.Status, e.Status)
	require.NotEmpty(t, e.Code)
	require.NotEmpty(t, e.Reason)
	require.NotContains(t, err.Error(), "\n")
	switch want := refusals[r.File]; {
	case want != nil:
		require.ErrorIs(t, err, want)
	case r.Status == http.StatusNotFound:
		require.ErrorIs(t, err, mgmt.ErrNotFound)
	}
}

// requireFaithful requires that every key of the body that got has a field for
// is in that field: nothing is odd, nothing is lost, nothing is invented.
func requireFaithful(t *testing.T, body []byte, got any) {
	t.Helper()
	var raw any
	require.NoError(t, json.Unmarshal(body, &raw))
	if page, ok := raw.(map[string]any); ok && page["items"] != nil {
		raw = page["items"]
	}
	if value := reflect.ValueOf(got); value.Kind() == reflect.Slice && value.Type().Elem().Kind() == reflect.Struct {
		list, ok := raw.([]any)
		require.True(t, ok)
		require.Equal(t, len(list), value.Len())
	}
	compareWithRaw(t, "", raw, reflect.ValueOf(got))
}

// oddByNature are keys whose values aren't always of one type.
var oddByNature = map[string]bool{"remaining": true, "peer_port": true, "routing_key": true}

func compareWithRaw(t *testing.T, at string, raw any, got reflect.Value) {
	t.Helper()
	switch got.Kind() {
	case reflect.Pointer:
		if !got.IsNil() {
			compareWithRaw(t, at, raw, got.Elem())
		}
	case reflect.Slice:
		list, ok := raw.([]any)
		if !ok || got.Type() == reflect.TypeFor[json.RawMessage]() {
			return
		}
		require.Equal(t, len(list), got.Len(), at)
		for i, element := range list {
			compareWithRaw(t, fmt.Sprintf("%s[%d]", at, i), element, got.Index(i))
		}
	case reflect.Struct:
		object, ok := raw.(map[string]any)
		if !ok {
			return // of unknown columns, and of what is gone, the broker sends []
		}
		for i := range got.NumField() {
			key, _, _ := strings.Cut(got.Type().Field(i).Tag.Get("json"), ",")
			if value, ok := object[key]; ok && !oddByNature[key] {
				compareField(t, at+"."+key, value, got.Field(i))
			}
		}
	}
}

func compareField(t *testing.T, at string, raw any, got reflect.Value) {
	t.Helper()
	if opt, ok := got.Interface().(interface {
		IsMismatch() bool
		IsZero() bool
		IsNull() bool
	}); ok {
		require.False(t, opt.IsMismatch(), "%s: %v", at, raw)
		require.False(t, opt.IsZero(), "%s: %v", at, raw)
		require.Equal(t, raw == nil, opt.IsNull(), at)
		text, err := json.Marshal(got.Interface())
		require.NoError(t, err)
		if _, isObject := raw.(map[string]any); !isObject {
			want, err := json.Marshal(raw)
			require.NoError(t, err)
			require.JSONEq(t, string(want), string(text), at)
		}
		return
	}
	switch raw := raw.(type) {
	case string:
		if got.Kind() == reflect.String {
			require.Equal(t, raw, got.String(), at)
		}
	case map[string]any:
		if got.Kind() == reflect.Map {
			require.Equal(t, len(raw), got.Len(), at)
		}
	}
	compareWithRaw(t, at, raw, got)
}

// notRecorded are keys of situations that the recordings don't have.
var notRecorded = map[string]bool{
	"avg_rate": true, "samples": true, "sample": true, "timestamp": true, "queue": true, "upstream_queue": true, "error": true,
	"drop_unroutable": true, "return_unroutable": true, "partitions": true,
}

func TestReplay_EveryFieldIsARecordedKey(t *testing.T) {
	seen := make(map[string]bool)
	for _, version := range []string{"3.10", "4.0", "4.3"} {
		for _, r := range recorded(t, version) {
			var raw any
			require.NoError(t, json.Unmarshal(r.body, &raw))
			collectKeys(raw, seen)
		}
	}
	for _, info := range []any{
		mgmt.QueueInfo{},
		mgmt.MessageStats{},
		mgmt.BindingInfo{},
		mgmt.ExchangeInfo{},
		mgmt.ParameterInfo{},
		mgmt.ShovelStatus{},
		mgmt.FederationLink{},
		mgmt.PolicyInfo{},
		mgmt.VHostInfo{},
		mgmt.UserInfo{},
		mgmt.PermissionInfo{},
		mgmt.TopicPermissionInfo{},
		mgmt.ConnectionInfo{},
		mgmt.ChannelInfo{},
		mgmt.ConsumerInfo{},
		mgmt.ChannelBrief{},
		mgmt.NodeInfo{},
		mgmt.OverviewInfo{},
		mgmt.Listener{},
		mgmt.ObjectTotals{},
		mgmt.QueueTotals{},
		mgmt.FeatureFlag{},
		mgmt.DeprecatedFeature{},
		mgmt.VHostLimits{},
		mgmt.UserLimits{},
	} {
		for field := range reflect.TypeOf(info).Fields() {
			key := field.Tag.Get("json")
			if key != "-" && !notRecorded[key] {
				require.True(t, seen[key], "%T.%s: no recorded body has the key %q", info, field.Name, key)
			}
		}
	}
}

func collectKeys(raw any, seen map[string]bool) {
	switch raw := raw.(type) {
	case []any:
		for _, element := range raw {
			collectKeys(element, seen)
		}
	case map[string]any:
		for key, value := range raw {
			seen[key] = true
			collectKeys(value, seen)
		}
	}
}
