package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/internal/endpoints"
)

// admin are the tests of the methods for tools and operators.
var admin = map[string]func(*testing.T, *broker){
	"PutParameter":          parameters,
	"DeleteParameter":       parameters,
	"Parameter":             parameters,
	"Parameters":            parameters,
	"AllParameters":         parameters,
	"DeleteParameters":      parameters,
	"PutGlobalParameter":    globalParameters,
	"DeleteGlobalParameter": globalParameters,
	"GlobalParameter":       globalParameters,
	"GlobalParameters":      globalParameters,

	"Shovel":              typedShovels,
	"Shovels":             typedShovels,
	"ShovelStatuses":      shovels,
	"PutShovel":           shovels,
	"DeleteShovel":        shovels,
	"RestartShovel":       shovels,
	"AwaitShovelRunning":  shovels,
	"AwaitShovelFinished": shovelFinishes,

	"PutFederationUpstream":    federation,
	"DeleteFederationUpstream": federation,
	"FederationUpstream":       federation,
	"FederationUpstreams":      federation,
	"FederationLinks":          federation,
	"DownFederationLinks":      federation,

	"PutPolicy":              policies,
	"DeletePolicy":           policies,
	"DeletePolicies":         policies,
	"Policy":                 policies,
	"Policies":               policies,
	"PutOperatorPolicy":      operatorPolicies,
	"DeleteOperatorPolicy":   operatorPolicies,
	"DeleteOperatorPolicies": operatorPolicies,
	"OperatorPolicy":         operatorPolicies,
	"OperatorPolicies":       operatorPolicies,

	"PutVHost":              vhosts,
	"DeleteVHost":           vhosts,
	"VHost":                 vhosts,
	"VHosts":                vhosts,
	"ProtectVHost":          protection,
	"UnprotectVHost":        protection,
	"VHostPermissions":      vhosts,
	"VHostTopicPermissions": vhosts,
	"VHostLimits":           limits,
	"PutVHostLimit":         limits,
	"DeleteVHostLimit":      limits,
	"UserLimits":            limits,
	"PutUserLimit":          limits,
	"DeleteUserLimit":       limits,

	"PutUser":                 users,
	"PutUserWithoutPassword":  users,
	"DeleteUser":              users,
	"DeleteUsers":             users,
	"User":                    users,
	"Users":                   users,
	"UsersWithoutPermissions": users,
	"WhoAmI":                  users,
	"UserPermissions":         permissions,
	"UserTopicPermissions":    permissions,
	"PutPermission":           permissions,
	"DeletePermission":        permissions,
	"Permission":              permissions,
	"Permissions":             permissions,
	"PutTopicPermission":      permissions,
	"DeleteTopicPermission":   permissions,
	"DeleteTopicPermissions":  permissions,
	"TopicPermission":         permissions,
	"TopicPermissions":        permissions,

	"Connections":          connections,
	"ConnectionsSeq":       connections,
	"ConnectionsPage":      connections,
	"ChannelsPage":         connections,
	"UserConnections":      connections,
	"Connection":           connections,
	"ConnectionChannels":   connections,
	"Channels":             connections,
	"ChannelsSeq":          connections,
	"Channel":              connections,
	"Consumers":            connections,
	"ConsumersSeq":         connections,
	"CloseConnection":      closeConnection,
	"CloseUserConnections": closeConnection,

	"Nodes":          nodes,
	"Node":           nodes,
	"Overview":       nodes,
	"ClusterName":    nodes,
	"PutClusterName": nodes,

	"ExportDefinitions": definitions,
	"ImportDefinitions": definitions,

	"FeatureFlags":           features,
	"EnableFeatureFlag":      features,
	"DeprecatedFeatures":     deprecated,
	"DeprecatedFeaturesUsed": deprecated,

	"CheckReady":        health,
	"CheckAlarms":       health,
	"CheckLocalAlarms":  health,
	"CheckVHosts":       health,
	"CheckQuorum":       health,
	"CheckPort":         health,
	"CheckProtocol":     health,
	"CheckCertificates": health,
	"CheckVHost":        health,

	"StreamConnections":          streams,
	"StreamConnection":           streams,
	"CloseStreamConnection":      streams,
	"StreamPublishers":           streams,
	"StreamPublishersTo":         streams,
	"StreamConnectionPublishers": streams,
	"StreamConsumers":            streams,
	"StreamConnectionConsumers":  streams,
}

func parameters(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	definition := mgmt.Table{"src-uri": "amqp://", "dest-uri": "amqp://", "src-queue": "p.a", "dest-queue": "p.b"}
	require.NoError(t, client.PutParameter(ctx, "shovel", "", "p", mgmt.Table{"value": definition}))
	parameter, err := client.Parameter(ctx, "shovel", "/", "p")
	require.NoError(t, err)
	var value mgmt.Table
	require.NoError(t, json.Unmarshal(parameter.Value, &value))
	require.Equal(t, definition, value)
	for _, scope := range []mgmt.Scope{mgmt.In("/"), mgmt.AllVHosts()} {
		list, err := client.Parameters(ctx, "shovel", scope)
		require.NoError(t, err)
		require.NotEmpty(t, list)
	}
	all, err := client.AllParameters(ctx)
	require.NoError(t, err)
	require.Contains(t, all, parameter)
	require.NoError(t, client.DeleteParameter(ctx, "shovel", "", "p"))
	require.ErrorIs(t, client.DeleteParameter(ctx, "shovel", "", "p"), mgmt.ErrNotFound)
	for _, name := range []string{"many.a", "many.b"} {
		require.NoError(t, client.PutParameter(ctx, "shovel", "", name, mgmt.Table{"value": definition}))
	}
	require.ErrorIs(t, client.DeleteParameters(ctx, "shovel", "", "many.a", "many.nope", "many.b"), mgmt.ErrNotFound, "the others are deleted")
	require.NoError(t, client.DeleteParameters(ctx, "shovel", ""))
	rest, err := client.Parameters(ctx, "shovel", mgmt.In(""))
	require.NoError(t, err)
	require.Empty(t, rest)

	err = client.PutParameter(ctx, "shovel", "", "p", mgmt.Table{"value": mgmt.Table{}})
	require.ErrorContains(t, err, "Validation failed")
	require.NotContains(t, err.Error(), "\n")
	require.ErrorContains(t, client.PutParameter(ctx, "shovel", "", "p", nil), "key_missing", "what is given is sent")
	require.ErrorIs(t, client.PutParameter(ctx, "nope", "", "p", mgmt.Table{"value": mgmt.Table{}}), mgmt.ErrPluginDisabled)
}

func globalParameters(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, client.PutGlobalParameter(ctx, "g", []int{1, 2}))
	parameter, err := client.GlobalParameter(ctx, "g")
	require.NoError(t, err)
	require.JSONEq(t, "[1,2]", string(parameter.Value))
	list, err := client.GlobalParameters(ctx)
	require.NoError(t, err)
	require.Contains(t, list, parameter)
	require.NoError(t, client.DeleteGlobalParameter(ctx, "g"))
	_, err = client.GlobalParameter(ctx, "g")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

func shovels(t *testing.T, b *broker) {
	client := b.open(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	b.queue(t, "shovel.a", nil, 2)
	b.queue(t, "shovel.b", nil, 0)
	require.NoError(t, client.PutShovel(ctx, "", "s", mgmt.ShovelSettings{
		SourceQueue: "shovel.a", DestQueue: "shovel.b", SourcePrefetch: 10, AddForwardHeaders: true, ReconnectDelay: time.Second,
	}))
	require.NoError(t, client.AwaitShovelRunning(ctx, "", "s"))
	eventually(t, "the messages are moved", func() bool { return b.ready(t, "shovel.b") == 2 })
	statuses, err := client.ShovelStatuses(ctx, mgmt.AllVHosts())
	require.NoError(t, err)
	status := named(t, statuses, "s")
	inVHost, err := client.ShovelStatuses(ctx, mgmt.In("/"))
	require.NoError(t, err)
	require.Equal(t, status.Timestamp, named(t, inVHost, "s").Timestamp)
	_, err = client.ShovelStatuses(ctx, mgmt.In("nope"))
	require.ErrorIs(t, err, mgmt.ErrNotFound)
	require.NotErrorIs(t, err, mgmt.ErrPluginDisabled)
	require.Equal(t, "shovel.a", status.SourceQueue)
	require.WithinDuration(t, time.Now(), status.Time(), time.Hour, "generous: it tells time zones apart")
	require.Contains(t, status.Fields(), "src_protocol")

	eventually(t, "it can be restarted", func() bool { return client.RestartShovel(ctx, "", "s") == nil })
	require.NoError(t, client.AwaitShovelRunning(ctx, "", "s"))
	require.NoError(t, client.DeleteShovel(ctx, "", "s"))
	require.ErrorIs(t, client.DeleteShovel(ctx, "", "s"), mgmt.ErrNotFound)
	require.NoError(t, b.client.PurgeQueue(ctx, "", "shovel.b"))

	t.Run("that can't connect", func(t *testing.T) { awaitInVain(t, b) })
}

// named returns the status of a shovel. 4.0 lists others after they were deleted.
func named(t *testing.T, all []mgmt.ShovelStatus, name string) mgmt.ShovelStatus {
	t.Helper()
	at := slices.IndexFunc(all, func(status mgmt.ShovelStatus) bool { return status.Name == name })
	require.GreaterOrEqual(t, at, 0)
	return all[at]
}

// awaitInVain awaits a shovel that can't connect, until its state has been asked for
// three times.
func awaitInVain(t *testing.T, b *broker) {
	client := b.open(t)
	require.NoError(t, client.PutShovel(t.Context(), "", "bad", mgmt.ShovelSettings{
		SourceURIs: []string{"amqp://u:s3cret@127.0.0.1:1"}, SourceQueue: "a", DestQueue: "b",
	}))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := mgmt.GoErr(func() error { return client.AwaitShovelRunning(ctx, "", "bad") })
	eventually(t, "its state is asked for", func() bool {
		return b.sent.count(endpoints.Endpoint{Verb: http.MethodGet, Path: "/api/shovels"}) >= 3
	})
	cancel()
	_, err := ended.Wait(t.Context())
	require.ErrorIs(t, err, context.Canceled)
	require.ErrorContains(t, err, "last seen: ")
	require.NotContains(t, err.Error(), "s3cret")
	require.NoError(t, client.DeleteShovel(t.Context(), "", "bad"))
}

// typedShovels reads shovels as they were put.
func typedShovels(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for name, settings := range map[string]mgmt.ShovelSettings{
		"queues": {
			SourceURIs: []string{"amqp://u:s3cret@127.0.0.1:1", "amqp://127.0.0.1:2"}, SourceQueue: "a", DestURIs: []string{"amqp://127.0.0.1:1"}, DestQueue: "b",
			SourcePrefetch: 7, SourceDeleteAfter: mgmt.QueueLength, AddForwardHeaders: true, AckMode: "on-publish", ReconnectNever: true,
		},
		"exchanges": {
			SourceURIs: []string{"amqp://127.0.0.1:1"}, SourceExchange: "a", SourceExchangeKey: "k", DestURIs: []string{"amqp://127.0.0.1:1"},
			DestExchange: "b", DestExchangeKey: "l", SourceDeleteAfter: 3, AckMode: "on-confirm", ReconnectDelay: 9 * time.Second,
			OtherKeys: mgmt.Table{"dest-add-timestamp-header": true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, client.PutShovel(ctx, "", "typed", settings))
			info, err := client.Shovel(ctx, "", "typed")
			require.NoError(t, err)
			require.Equal(t, mgmt.ShovelInfo{Name: "typed", VHost: "/", ShovelSettings: settings}, info)
			require.NotContains(t, fmt.Sprintf("%+v", info), "s3cret")
			for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
				list, err := client.Shovels(ctx, scope)
				require.NoError(t, err)
				require.Contains(t, list, info)
			}
			require.NoError(t, client.DeleteShovel(ctx, "", "typed"))
		})
	}
	_, err := client.Shovel(ctx, "", "typed")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

func shovelFinishes(t *testing.T, b *broker) {
	client := b.open(t)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	b.queue(t, "finish.a", nil, 20)
	b.queue(t, "finish.b", nil, 0)
	for _, until := range []int64{5, mgmt.QueueLength} {
		require.NoError(t, client.PutShovel(ctx, "", "f", mgmt.ShovelSettings{SourceQueue: "finish.a", DestQueue: "finish.b", SourceDeleteAfter: until}))
		require.NoError(t, client.AwaitShovelFinished(ctx, "", "f"))
		eventually(t, "what isn't moved is back", func() bool { return b.ready(t, "finish.a")+b.ready(t, "finish.b") == 20 })
	}
	require.Equal(t, 20, b.ready(t, "finish.b"))
	require.NoError(t, client.AwaitShovelFinished(ctx, "", "nope"))
	require.ErrorIs(t, client.AwaitShovelFinished(ctx, "no such vhost", "nope"), mgmt.ErrNotFound)
}

func federation(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	settings := mgmt.FederationUpstreamSettings{
		URIs: []string{b.node.URL()}, MaxHops: 2, Prefetch: 10, ReconnectDelay: 2 * time.Second, Expires: time.Hour,
		MessageTTL: mgmt.Some(time.Minute), AckMode: "on-confirm", OtherKeys: mgmt.Table{"trust-user-id": true},
	}
	require.NoError(t, client.PutFederationUpstream(ctx, "", "up", settings))
	up, err := client.FederationUpstream(ctx, "", "up")
	require.NoError(t, err)
	require.Equal(t, mgmt.FederationUpstreamInfo{Name: "up", VHost: "/", FederationUpstreamSettings: settings}, up)
	require.NotContains(t, fmt.Sprintf("%+v", up), "guest@")
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		list, err := client.FederationUpstreams(ctx, scope)
		require.NoError(t, err)
		require.Equal(t, []mgmt.FederationUpstreamInfo{up}, list)
	}
	require.NoError(t, b.client.DeclareExchange(ctx, "", "federated", mgmt.ExchangeSettings{}))
	require.NoError(t, b.client.PutPolicy(ctx, "", "federate", mgmt.PolicySettings{
		Pattern: "^federated$", ApplyTo: mgmt.ApplyToExchanges, Definition: mgmt.Table{"federation-upstream": "up"},
	}))
	eventually(t, "the link is there", func() bool {
		links, err := client.FederationLinks(ctx, mgmt.AllVHosts())
		require.NoError(t, err)
		return len(links) == 1 && links[0].Exchange == "federated" && links[0].Upstream == "up" && len(links[0].Fields()) > 5
	})
	links, err := client.FederationLinks(ctx, mgmt.In("/"))
	require.NoError(t, err)
	require.Len(t, links, 1)
	_, err = client.FederationLinks(ctx, mgmt.In("nope"))
	require.ErrorIs(t, err, mgmt.ErrNotFound)
	require.NotErrorIs(t, err, mgmt.ErrPluginDisabled)
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		eventually(t, "the link runs", func() bool {
			down, err := client.DownFederationLinks(ctx, scope)
			require.NoError(t, err)
			return len(down) == 0
		})
	}
	require.NoError(t, b.client.DeletePolicy(ctx, "", "federate"))
	require.NoError(t, client.DeleteFederationUpstream(ctx, "", "up"))
}

func policies(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "policy", nil, 0)
	require.NoError(t, client.PutPolicy(ctx, "", "p", mgmt.PolicySettings{Pattern: "^policy$", Priority: 3, Definition: mgmt.Table{"max-length": 5}}))
	policy, err := client.Policy(ctx, "", "p")
	require.NoError(t, err)
	require.Equal(t, mgmt.Table{"max-length": int64(5)}, policy.Definition)
	require.Equal(t, mgmt.ApplyToAll, policy.ApplyTo)
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		list, err := client.Policies(ctx, scope)
		require.NoError(t, err)
		require.Contains(t, list, policy)
	}
	eventually(t, "the policy applies", func() bool {
		queue, err := b.client.Queue(ctx, "", "policy")
		require.NoError(t, err)
		return queue.Policy == "p"
	})
	matches, err := policy.Matches(mgmt.ApplyToClassicQueues, "policy")
	require.NoError(t, err)
	require.True(t, matches)
	require.NoError(t, client.DeletePolicy(ctx, "", "p"))
	_, err = client.Policy(ctx, "", "p")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
	for _, name := range []string{"many.a", "many.b"} {
		require.NoError(t, client.PutPolicy(ctx, "", name, mgmt.PolicySettings{Pattern: "^none$", Definition: mgmt.Table{"max-length": 5}}))
	}
	require.NoError(t, client.DeletePolicies(ctx, "", "many.a", "many.b"))
	require.ErrorIs(t, client.DeletePolicies(ctx, "", "many.a"), mgmt.ErrNotFound)
}

func operatorPolicies(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, client.PutOperatorPolicy(ctx, "", "o", mgmt.PolicySettings{Pattern: "^operator$", Definition: mgmt.Table{"max-length": 5}}))
	policy, err := client.OperatorPolicy(ctx, "", "o")
	require.NoError(t, err)
	require.Equal(t, mgmt.ApplyToQueues, policy.ApplyTo)
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		list, err := client.OperatorPolicies(ctx, scope)
		require.NoError(t, err)
		require.Contains(t, list, policy)
	}
	require.NoError(t, client.DeleteOperatorPolicy(ctx, "", "o"))
	require.NoError(t, client.PutOperatorPolicy(ctx, "", "o", mgmt.PolicySettings{Pattern: "^none$", Definition: mgmt.Table{"max-length": 5}}))
	require.NoError(t, client.DeleteOperatorPolicies(ctx, "", "o"))
	require.ErrorIs(t, client.DeleteOperatorPolicies(ctx, "", "o"), mgmt.ErrNotFound)
}

func vhosts(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, client.PutVHost(ctx, "v/1", mgmt.VHostSettings{Description: mgmt.Some("one"), Tags: []string{"a", "b"}, DefaultQueueType: "quorum"}))
	vhost, err := client.VHost(ctx, "v/1")
	require.NoError(t, err)
	require.Equal(t, "one", vhost.Description)
	require.Equal(t, mgmt.Strings{"a", "b"}, vhost.Tags)
	require.NoError(t, client.PutVHost(ctx, "v/1", mgmt.VHostSettings{Tracing: mgmt.Some(true)}))
	require.NoError(t, client.PutVHost(ctx, "v/1", mgmt.VHostSettings{Description: mgmt.Some("two")}))
	changed, err := client.VHost(ctx, "v/1")
	require.NoError(t, err)
	require.Equal(t, "two", changed.Description)
	require.True(t, changed.Tracing.Or(false))
	require.Equal(t, vhost.Tags, changed.Tags)
	require.Equal(t, vhost.DefaultQueueType, changed.DefaultQueueType)
	require.NoError(t, client.PutVHost(ctx, "v/1", mgmt.VHostSettings{Tags: []string{}, Description: mgmt.Some("")}))
	changed, err = client.VHost(ctx, "v/1")
	require.NoError(t, err)
	require.Empty(t, changed.Tags)
	require.Empty(t, changed.Description)
	list, err := client.VHosts(ctx)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(list), 2)
	_, err = client.VHostPermissions(ctx, "v/1")
	require.NoError(t, err)
	_, err = client.VHostTopicPermissions(ctx, "v/1")
	require.NoError(t, err)
	require.NoError(t, client.DeclareQueue(ctx, "v/1", "q", mgmt.QueueSettings{}))
	require.NoError(t, client.DeleteVHost(ctx, "v/1"))
	_, err = client.VHost(ctx, "v/1")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

func protection(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, client.PutVHost(ctx, "kept", mgmt.VHostSettings{}))
	err := client.ProtectVHost(ctx, "kept")
	var refused *mgmt.Error
	if errors.As(err, &refused) && refused.Status == http.StatusMethodNotAllowed {
		require.Error(t, client.UnprotectVHost(ctx, "kept"), "as documented")
		require.NotRegexp(t, `^4\.[3-9]`, b.version)
		require.NoError(t, client.DeleteVHost(ctx, "kept"))
		return
	}
	require.NoError(t, err)
	require.ErrorIs(t, client.DeleteVHost(ctx, "kept"), mgmt.ErrProtected)
	require.NoError(t, client.PutVHost(ctx, "kept", mgmt.VHostSettings{Description: mgmt.Some("changed")}))
	vhost, err := client.VHost(ctx, "kept")
	require.NoError(t, err)
	require.Equal(t, mgmt.Some(true), vhost.Protected, "a change doesn't lift it")
	require.NoError(t, client.UnprotectVHost(ctx, "kept"))
	require.NoError(t, client.DeleteVHost(ctx, "kept"))
	require.ErrorIs(t, client.ProtectVHost(ctx, "kept"), mgmt.ErrNotFound)
}

func limits(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, client.PutVHostLimit(ctx, "", mgmt.MaxConnections, 1000))
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		list, err := client.VHostLimits(ctx, scope)
		require.NoError(t, err)
		require.Equal(t, []mgmt.VHostLimits{{VHost: "/", Limits: map[string]int64{mgmt.MaxConnections: 1000}}}, list)
	}
	require.NoError(t, client.DeleteVHostLimit(ctx, "", mgmt.MaxConnections))
	require.NoError(t, client.PutUserLimit(ctx, "guest", mgmt.MaxChannels, 1000))
	for _, user := range []string{"guest", ""} {
		list, err := client.UserLimits(ctx, user)
		require.NoError(t, err)
		require.Equal(t, []mgmt.UserLimits{{User: "guest", Limits: map[string]int64{mgmt.MaxChannels: 1000}}}, list)
	}
	require.NoError(t, client.DeleteUserLimit(ctx, "guest", mgmt.MaxChannels))
}

func users(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for name, settings := range map[string]mgmt.UserSettings{
		"by password": {Password: "pä:ss word", Tags: []string{"management", "policymaker"}},
		"by hash":     {PasswordHash: mgmt.HashPassword("pä:ss word"), Tags: []string{"management", "policymaker"}},
	} {
		t.Run(name, func(t *testing.T) {
			require.NoError(t, client.PutUser(ctx, name, settings))
			user, err := client.User(ctx, name)
			require.NoError(t, err)
			require.ElementsMatch(t, settings.Tags, user.Tags)
			other, err := mgmt.New(mgmt.Config{URL: b.node.ManagementURL(), Timeout: patience, Username: name, Password: "pä:ss word", Transport: b.sent})
			require.NoError(t, err)
			who, err := other.WhoAmI(ctx)
			require.NoError(t, err)
			require.Equal(t, name, who.Name)
			list, err := client.UsersWithoutPermissions(ctx)
			require.NoError(t, err)
			require.Contains(t, list, user)
			require.NoError(t, client.DeleteUser(ctx, name))
			_, err = other.WhoAmI(ctx)
			require.ErrorIs(t, err, mgmt.ErrUnauthorized)
		})
	}
	t.Run("what isn't set stays", func(t *testing.T) { keepUser(t, b) })
	require.ErrorIs(t, client.PutUser(ctx, "nobody", mgmt.UserSettings{Tags: []string{"management"}}), mgmt.ErrNotFound)
	require.ErrorContains(t, client.PutUser(ctx, "nobody", mgmt.UserSettings{Password: "p", NoPassword: true}), "exclude")
	require.NoError(t, client.PutUserWithoutPassword(ctx, "nobody"))
	list, err := client.Users(ctx)
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.NoError(t, client.DeleteUsers(ctx, "nobody"))
	require.Equal(t, b.is4, client.DeleteUsers(ctx, "nope") == nil, "as documented")
	_, err = client.User(ctx, "nobody")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

// keepUser changes the tags and the password of a user, one after the other.
func keepUser(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	tags := func() mgmt.Strings {
		user, err := client.User(ctx, "kept")
		require.NoError(t, err)
		return user.Tags
	}
	login := func(password string) error {
		other, err := mgmt.New(mgmt.Config{URL: b.node.ManagementURL(), Timeout: patience, Username: "kept", Password: password, Transport: b.sent})
		require.NoError(t, err)
		_, err = other.WhoAmI(ctx)
		return err
	}
	require.NoError(t, client.PutUser(ctx, "kept", mgmt.UserSettings{Password: "one", Tags: []string{"management"}}))
	require.NoError(t, client.PutUser(ctx, "kept", mgmt.UserSettings{Tags: []string{"monitoring"}}))
	require.Equal(t, mgmt.Strings{"monitoring"}, tags())
	require.NoError(t, login("one"))
	require.NoError(t, client.PutUser(ctx, "kept", mgmt.UserSettings{Password: "two"}))
	require.Equal(t, mgmt.Strings{"monitoring"}, tags())
	require.NoError(t, login("two"))
	require.NoError(t, client.PutUser(ctx, "kept", mgmt.UserSettings{}))
	require.NoError(t, login("two"))
	require.NoError(t, client.PutUser(ctx, "kept", mgmt.UserSettings{NoPassword: true}))
	require.Equal(t, mgmt.Strings{"monitoring"}, tags())
	require.ErrorIs(t, login("two"), mgmt.ErrUnauthorized)
	require.NoError(t, client.PutUserWithoutPassword(ctx, "kept"))
	require.Empty(t, tags())
	require.NoError(t, client.DeleteUser(ctx, "kept"))
}

func permissions(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, b.client.PutUser(ctx, "perm", mgmt.UserSettings{NoPassword: true}))
	require.NoError(t, client.PutPermission(ctx, "", "perm", mgmt.PermissionSettings{Read: "^a"}))
	want := mgmt.PermissionInfo{User: "perm", VHost: "/", Configure: "^$", Write: "^$", Read: "^a"}
	permission, err := client.Permission(ctx, "", "perm")
	require.NoError(t, err)
	require.Equal(t, want, permission)
	all, err := client.Permissions(ctx)
	require.NoError(t, err)
	require.Contains(t, all, want)
	ofUser, err := client.UserPermissions(ctx, "perm")
	require.NoError(t, err)
	require.Equal(t, []mgmt.PermissionInfo{want}, ofUser)

	require.NoError(t, client.PutTopicPermission(ctx, "", "perm", mgmt.TopicPermissionSettings{Exchange: "amq.topic", Write: "^a"}))
	topic := []mgmt.TopicPermissionInfo{{User: "perm", VHost: "/", Exchange: "amq.topic", Write: "^a", Read: "^$"}}
	for _, list := range []func() ([]mgmt.TopicPermissionInfo, error){
		func() ([]mgmt.TopicPermissionInfo, error) { return client.TopicPermission(ctx, "", "perm") },
		func() ([]mgmt.TopicPermissionInfo, error) { return client.TopicPermissions(ctx) },
		func() ([]mgmt.TopicPermissionInfo, error) { return client.UserTopicPermissions(ctx, "perm") },
	} {
		got, err := list()
		require.NoError(t, err)
		require.Equal(t, topic, got)
	}
	require.NoError(t, client.PutTopicPermission(ctx, "", "perm", mgmt.TopicPermissionSettings{Exchange: "amq.direct"}))
	require.NoError(t, client.DeleteTopicPermission(ctx, "", "perm", "amq.direct"))
	require.NoError(t, client.DeleteTopicPermission(ctx, "", "perm", "nope"), "as documented")
	left, err := client.TopicPermission(ctx, "", "perm")
	require.NoError(t, err)
	require.Equal(t, topic, left)
	require.NoError(t, client.DeleteTopicPermissions(ctx, "", "perm"))
	require.ErrorIs(t, client.DeleteTopicPermission(ctx, "", "perm", "amq.topic"), mgmt.ErrNotFound)
	require.NoError(t, client.DeletePermission(ctx, "", "perm"))
	_, err = client.Permission(ctx, "", "perm")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
	require.NoError(t, b.client.DeleteUser(ctx, "perm"))
}

func connections(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	b.queue(t, "consumed", nil, 0)
	consume(t, b, "consumed")
	var consumer mgmt.ConsumerInfo
	eventually(t, "the consumer shows", func() bool {
		all, err := client.Consumers(ctx, mgmt.In(""))
		require.NoError(t, err)
		for _, each := range all {
			if each.Queue.Name == "consumed" && each.Channel.Name != "" {
				consumer = each
			}
		}
		return consumer.Tag == "tag-consumed"
	})
	every, err := client.Consumers(ctx, mgmt.AllVHosts())
	require.NoError(t, err)
	require.NotEmpty(t, every)
	require.NotEmpty(t, collect(t, client.ConsumersSeq(ctx, mgmt.In(""))))
	require.NotEmpty(t, collect(t, client.ConsumersSeq(ctx, mgmt.AllVHosts())))

	eventually(t, "the connection shows", func() bool {
		connection, err := client.Connection(ctx, consumer.Channel.ConnectionName)
		return err == nil && connection.User == "guest" && connection.PeerPort.Or(0) > 0
	})
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		eventually(t, "the connections show", func() bool {
			list, err := client.Connections(ctx, scope)
			require.NoError(t, err)
			channels, err := client.Channels(ctx, scope)
			require.NoError(t, err)
			return len(list) > 0 && len(channels) > 0
		})
		collect(t, client.ConnectionsSeq(ctx, scope, mgmt.PageSize(1)))
		collect(t, client.ChannelsSeq(ctx, scope, mgmt.Columns("name")))
	}
	list, err := client.UserConnections(ctx, "guest")
	require.NoError(t, err)
	require.NotEmpty(t, list)
	page, err := client.ConnectionsPage(ctx, 1, mgmt.PageSize(1))
	require.NoError(t, err)
	require.Len(t, page.Items, 1)
	require.Equal(t, page.Total, page.Pages)
	pageOfChannels, err := client.ChannelsPage(ctx, 1, mgmt.Columns("name"))
	require.NoError(t, err)
	require.Len(t, pageOfChannels.Items, pageOfChannels.Total)
	channels, err := client.ConnectionChannels(ctx, consumer.Channel.ConnectionName)
	require.NoError(t, err)
	require.Len(t, channels, 1)
	channel, err := client.Channel(ctx, consumer.Channel.Name)
	require.NoError(t, err)
	require.Equal(t, consumer.Channel.ConnectionName, channel.Connection.Name)
	_, err = client.Connection(ctx, "nope")
	require.ErrorIs(t, err, mgmt.ErrNotFound)
}

func closeConnection(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	closed := make(chan struct{})
	channel := b.dial(t)
	go func() {
		defer close(closed)
		for range channel.NotifyClose(make(chan *amqp.Error, 1)) {
		}
	}()
	b.queue(t, "closed", nil, 0)
	_, err := channel.Consume("closed", "closed", false, false, false, false, nil)
	require.NoError(t, err)
	name := ""
	eventually(t, "the consumer shows", func() bool {
		all, err := b.client.Consumers(ctx, mgmt.In(""))
		require.NoError(t, err)
		for _, each := range all {
			if each.Tag == "closed" && each.Channel.ConnectionName != "" {
				name = each.Channel.ConnectionName
			}
		}
		return name != ""
	})
	eventually(t, "it can be closed", func() bool { return client.CloseConnection(ctx, name, "for a test") == nil })
	<-closed
	require.ErrorIs(t, client.CloseConnection(ctx, "nope", ""), mgmt.ErrNotFound)
	require.NoError(t, client.CloseUserConnections(ctx, "guest", "for a test"))
}

func nodes(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	list, err := client.Nodes(ctx)
	require.NoError(t, err)
	require.Len(t, list, 1)
	node, err := client.Node(ctx, list[0].Name)
	require.NoError(t, err)
	require.Equal(t, mgmt.Some(true), node.Running)
	require.Contains(t, node.EnabledPlugins, "rabbitmq_management")
	overview, err := client.Overview(ctx)
	require.NoError(t, err)
	require.Equal(t, node.Name, overview.Node)
	require.NotEmpty(t, overview.Version)
	require.NoError(t, client.PutClusterName(ctx, "live"))
	name, err := client.ClusterName(ctx)
	require.NoError(t, err)
	require.Equal(t, "live", name)
}

func definitions(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	for _, scope := range []mgmt.Scope{mgmt.In(""), mgmt.AllVHosts()} {
		b.queue(t, "defined", mgmt.Table{"x-max-length": 7}, 0)
		var exported bytes.Buffer
		require.NoError(t, client.ExportDefinitions(ctx, scope, &exported))
		require.True(t, json.Valid(exported.Bytes()))
		require.NoError(t, b.client.DeleteQueue(ctx, "", "defined"))
		require.NoError(t, client.ImportDefinitions(ctx, scope, io.NopCloser(&exported)))
		queue, err := b.client.Queue(ctx, "", "defined")
		require.NoError(t, err)
		require.EqualValues(t, 7, queue.Arguments["x-max-length"])
	}
	require.Error(t, client.ImportDefinitions(ctx, mgmt.In(""), strings.NewReader("{")))
}

func features(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	flags, err := client.FeatureFlags(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, flags)
	for _, flag := range flags {
		if flag.State == "enabled" {
			require.NoError(t, client.EnableFeatureFlag(ctx, flag.Name))
			break
		}
	}
	require.Error(t, client.EnableFeatureFlag(ctx, "nope"))
}

func deprecated(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	list, err := client.DeprecatedFeatures(ctx)
	_, errUsed := client.DeprecatedFeaturesUsed(ctx)
	if !b.is4 {
		require.ErrorIs(t, err, mgmt.ErrNotFound)
		require.ErrorIs(t, errUsed, mgmt.ErrNotFound)
		return
	}
	require.NoError(t, err)
	require.NoError(t, errUsed)
	require.NotEmpty(t, list)
}

func health(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, client.CheckReady(ctx))
	require.NoError(t, client.CheckAlarms(ctx))
	require.NoError(t, client.CheckLocalAlarms(ctx))
	require.NoError(t, client.CheckVHosts(ctx))
	require.NoError(t, client.CheckQuorum(ctx))
	require.NoError(t, client.CheckProtocol(ctx, "amqp"))
	require.NoError(t, client.CheckCertificates(ctx, 30))
	require.NoError(t, client.CheckVHost(ctx, ""))
	for _, protocol := range []string{"mqtt", "amqp/ssl"} {
		require.ErrorIs(t, client.CheckProtocol(ctx, protocol), mgmt.ErrUnhealthy)
	}
	require.ErrorIs(t, client.CheckPort(ctx, 1), mgmt.ErrUnhealthy)
	overview, err := b.client.Overview(ctx)
	require.NoError(t, err)
	for _, listener := range overview.Listeners {
		require.NoError(t, client.CheckPort(ctx, int(listener.Port.Or(0))))
	}
}

func alarms(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	t.Cleanup(func() { b.node.Control(context.Background(), "set_vm_memory_high_watermark", "0.8") })
	require.NoError(t, b.node.Control(ctx, "set_vm_memory_high_watermark", "0.0001"))
	eventually(t, "the alarm is raised", func() bool { return client.CheckAlarms(ctx) != nil })
	require.ErrorIs(t, client.CheckAlarms(ctx), mgmt.ErrUnhealthy)
	require.ErrorIs(t, client.CheckLocalAlarms(ctx), mgmt.ErrUnhealthy)
	require.NoError(t, client.CheckReady(ctx), "as documented")
	require.NoError(t, b.node.Control(ctx, "set_vm_memory_high_watermark", "0.8"))
	eventually(t, "the alarm is over", func() bool { return client.CheckAlarms(ctx) == nil })
}

func rights(t *testing.T, b *broker) {
	ctx := t.Context()
	wrong, err := mgmt.New(mgmt.Config{URL: b.node.ManagementURL(), Timeout: patience, Username: "guest", Password: "wrong"})
	require.NoError(t, err)
	_, err = wrong.WhoAmI(ctx)
	require.ErrorIs(t, err, mgmt.ErrUnauthorized)
	require.NotErrorIs(t, err, mgmt.ErrForbidden)

	for tags, want := range map[string]error{"": mgmt.ErrForbidden, "management": nil} {
		require.NoError(t, b.client.PutUser(ctx, "limited", mgmt.UserSettings{Password: "p", Tags: strings.Fields(tags)}))
		require.NoError(t, b.client.PutPermission(ctx, "", "limited", mgmt.PermissionSettings{Configure: "^mine"}))
		limited, err := mgmt.New(mgmt.Config{URL: b.node.ManagementURL(), Timeout: patience, Username: "limited", Password: "p"})
		require.NoError(t, err)
		_, err = limited.Queues(ctx, mgmt.In(""))
		require.ErrorIs(t, err, want)
		require.ErrorIs(t, limited.DeclareQueue(ctx, "", "other", mgmt.QueueSettings{}), mgmt.ErrForbidden)
		require.ErrorIs(t, limited.DeclareQueue(ctx, "", "mine", mgmt.QueueSettings{}), want)
	}
	require.NoError(t, b.client.DeleteUser(ctx, "limited"))
}

func vhostNamedDetailed(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, b.client.PutVHost(ctx, "detailed", mgmt.VHostSettings{}))
	require.NoError(t, b.client.PutPermission(ctx, "detailed", "guest", mgmt.PermissionSettings{Configure: ".*", Write: ".*", Read: ".*"}))
	require.NoError(t, client.DeclareQueue(ctx, "detailed", "only", mgmt.QueueSettings{}))
	b.queue(t, "elsewhere", nil, 0)
	queues, err := client.Queues(ctx, mgmt.In("detailed"), mgmt.Columns("name"))
	require.NoError(t, err)
	require.Equal(t, []string{"only"}, names(queues))
	require.NoError(t, b.client.DeleteVHost(ctx, "detailed"))
}

// withoutPlugins is the last test of a broker: it disables its plugins.
func withoutPlugins(t *testing.T, b *broker) {
	client, ctx := b.open(t), t.Context()
	require.NoError(t, b.node.Control(ctx, "eval",
		`{ok, File} = application:get_env(rabbit, enabled_plugins_file), ok = file:write_file(File, "[rabbitmq_management].\n"), rabbit_plugins:ensure(File).`))
	eventually(t, "the API is back", func() bool { return client.CheckVHosts(ctx) == nil })
	require.NoError(t, b.client.PutVHost(ctx, "other", mgmt.VHostSettings{}))
	require.NoError(t, b.client.PutPermission(ctx, "other", "guest", mgmt.PermissionSettings{Configure: ".*", Write: ".*", Read: ".*"}))
	calls := make(map[string]func() error)
	for _, scope := range []mgmt.Scope{mgmt.In("/"), mgmt.In("other"), mgmt.AllVHosts()} {
		calls["shovels of "+scope.String()] = func() error { _, err := client.ShovelStatuses(ctx, scope); return err }
		calls["federation links of "+scope.String()] = func() error { _, err := client.FederationLinks(ctx, scope); return err }
		calls["links that are down, of "+scope.String()] = func() error { _, err := client.DownFederationLinks(ctx, scope); return err }
		calls["stream connections of "+scope.String()] = func() error { _, err := client.StreamConnections(ctx, scope); return err }
		calls["stream publishers of "+scope.String()] = func() error { _, err := client.StreamPublishers(ctx, scope); return err }
		calls["stream consumers of "+scope.String()] = func() error { _, err := client.StreamConsumers(ctx, scope); return err }
	}
	maps.Copy(calls, map[string]func() error{
		"publishers to a stream":     func() error { _, err := client.StreamPublishersTo(ctx, "", "s"); return err },
		"publishers of a connection": func() error { _, err := client.StreamConnectionPublishers(ctx, "other", "c"); return err },
		"consumers of a connection":  func() error { _, err := client.StreamConnectionConsumers(ctx, "", "c"); return err },
		"a stream connection":        func() error { _, err := client.StreamConnection(ctx, "other", "c"); return err },
		"the end of a connection":    func() error { return client.CloseStreamConnection(ctx, "other", "c") },
		"put shovel": func() error {
			return client.PutShovel(ctx, "", "s", mgmt.ShovelSettings{SourceQueue: "a", DestQueue: "b"})
		},
		"put upstream": func() error {
			return client.PutFederationUpstream(ctx, "", "u", mgmt.FederationUpstreamSettings{URIs: []string{"amqp://"}})
		},
	})
	for name, call := range calls {
		t.Run(name, func(t *testing.T) { require.ErrorIs(t, call(), mgmt.ErrPluginDisabled) })
	}
}
