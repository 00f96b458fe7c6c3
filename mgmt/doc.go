// Package mgmt is a client of RabbitMQ's management HTTP API, for the versions
// from 3.10 to 4.3: it declares queues and bindings, runs shovels, and reads what
// the broker reports about itself.
//
//	client, err := mgmt.New(mgmt.Config{URL: "https://rabbit.example.com:15671", Username: "ops", Password: secret})
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	err = client.DeclareQueue(ctx, "/", "orders", mgmt.QueueSettings{Arguments: mgmt.Table{"x-queue-type": "quorum"}})
//	if errors.Is(err, mgmt.ErrInequivalent) {
//		// The queue exists, with other arguments.
//	}
//	for queue, err := range client.QueuesSeq(ctx, mgmt.AllVHosts(), mgmt.Columns("name", "vhost", "messages")) {
//		...
//	}
//
// Start with [New], [Config] and [Client]. The errors are an [*Error], to be told
// apart by errors.Is: [ErrNotFound], [ErrInequivalent], [ErrInUse] and others.
//
// # One pattern
//
// What is sent is an XSettings, what is received an XInfo. For objects of a kind
// X, Xs lists them, XsSeq lists them without holding the list, X reads one, PutX
// creates or changes one, and DeleteX deletes it. Queues and exchanges are
// declared and bound, as in AMQP. The virtual host is the first argument after the
// context; the empty one is the default, "/". Lists take a [Scope] there: [In] one
// virtual host, or [AllVHosts].
//
// Every method blocks until the answer, obeys its context, and is safe for
// concurrent use over one pool of connections. [Go] runs one in the background.
// The comment of each method names its endpoints.
//
// # Index by topic
//
//   - Queues: [Client.DeclareQueue], [Client.Queue], [Client.Queues],
//     [Client.QueuesSeq], [Client.QueuesPage], [Client.DeleteQueue], [Client.PurgeQueue],
//     [Client.RebalanceQueues]; safely [SafeDeleteQueue], [SafeMigrateQueue]
//   - Exchanges: [Client.DeclareExchange], [Client.Exchange],
//     [Client.Exchanges], [Client.ExchangesSeq], [Client.ExchangesPage],
//     [Client.DeleteExchange]
//   - Bindings: [Client.BindQueue], [Client.UnbindQueue],
//     [Client.QueueBindings], [Client.BindExchange], [Client.UnbindExchange],
//     [Client.BindingsFrom], [Client.BindingsTo], [Client.QueueBindingsFrom],
//     [Client.ExchangeBindingsFrom], [Client.Bindings], [Client.BindingsSeq]
//   - Queues, exchanges and bindings as a whole: package
//     [github.com/warrenmq/warren/mgmt/topology]
//   - Messages: [Client.GetMessages], [Client.PublishMessage]
//   - Connections, channels and consumers: [Client.Connection],
//     [Client.Connections], [Client.ConnectionsSeq], [Client.ConnectionsPage],
//     [Client.UserConnections],
//     [Client.CloseConnection], [Client.CloseUserConnections],
//     [Client.ConnectionChannels], [Client.Channel], [Client.Channels],
//     [Client.ChannelsSeq], [Client.ChannelsPage], [Client.Consumers],
//     [Client.ConsumersSeq]
//   - Streams: [Client.StreamConnections], [Client.StreamConnection],
//     [Client.CloseStreamConnection], [Client.StreamPublishers],
//     [Client.StreamPublishersTo], [Client.StreamConnectionPublishers],
//     [Client.StreamConsumers], [Client.StreamConnectionConsumers]
//   - Policies: [Client.PutPolicy], [Client.Policy], [Client.Policies],
//     [Client.DeletePolicy], [Client.DeletePolicies],
//     [Client.PutOperatorPolicy], [Client.OperatorPolicy],
//     [Client.OperatorPolicies], [Client.DeleteOperatorPolicy],
//     [Client.DeleteOperatorPolicies]; which queue has which, [PolicyInfo.Matches]
//   - Users: [Client.PutUser], [Client.PutUserWithoutPassword], [HashPassword], [Client.User], [Client.Users],
//     [Client.DeleteUser], [Client.DeleteUsers], [Client.WhoAmI],
//     [Client.UsersWithoutPermissions]
//   - Permissions: [Client.PutPermission], [Client.Permission],
//     [Client.Permissions], [Client.UserPermissions],
//     [Client.VHostPermissions], [Client.DeletePermission]
//   - Topic permissions: [Client.PutTopicPermission],
//     [Client.TopicPermission], [Client.TopicPermissions],
//     [Client.UserTopicPermissions], [Client.VHostTopicPermissions],
//     [Client.DeleteTopicPermission], [Client.DeleteTopicPermissions]
//   - Virtual hosts: [Client.PutVHost], [Client.VHost], [Client.VHosts],
//     [Client.DeleteVHost], [Client.ProtectVHost], [Client.UnprotectVHost],
//     [Client.CheckVHost]
//   - Limits: [Client.PutVHostLimit], [Client.VHostLimits],
//     [Client.DeleteVHostLimit], [Client.PutUserLimit], [Client.UserLimits],
//     [Client.DeleteUserLimit]
//   - Shovels: [Client.PutShovel], [Client.Shovel], [Client.Shovels],
//     [Client.ShovelStatuses],
//     [Client.AwaitShovelRunning], [Client.AwaitShovelFinished],
//     [Client.RestartShovel], [Client.DeleteShovel]
//   - Federation: [Client.PutFederationUpstream],
//     [Client.FederationUpstream], [Client.FederationUpstreams],
//     [Client.FederationLinks], [Client.DownFederationLinks],
//     [Client.DeleteFederationUpstream]
//   - Parameters: [Client.PutParameter], [Client.Parameter],
//     [Client.Parameters], [Client.AllParameters], [Client.DeleteParameter],
//     [Client.DeleteParameters],
//     [Client.PutGlobalParameter], [Client.GlobalParameter],
//     [Client.GlobalParameters], [Client.DeleteGlobalParameter]
//   - Nodes and the cluster: [Client.Overview], [Client.Node],
//     [Client.Nodes], [Client.ClusterName], [Client.PutClusterName],
//     [Client.FeatureFlags], [Client.EnableFeatureFlag],
//     [Client.DeprecatedFeatures], [Client.DeprecatedFeaturesUsed]
//   - Health: [Client.CheckReady], [Client.CheckAlarms],
//     [Client.CheckLocalAlarms], [Client.CheckVHosts], [Client.CheckQuorum],
//     [Client.CheckPort], [Client.CheckProtocol], [Client.CheckCertificates]
//   - Definitions: [Client.ExportDefinitions], [Client.ImportDefinitions]
//   - Options of lists: [Columns], [SortBy], [Descending], [NameContains],
//     [NameMatches], [PageSize], [WithoutStats], [Query]
//   - Every other endpoint: [Client.Do], [List], [Seq], [ReadPage]
//
// # Absent isn't zero
//
// The API leaves keys out, depending on the version, on the type of the queue, and
// while it has no figures yet: the message count of a new queue is absent for up to
// 5 seconds, and that of any queue as old as that (measured on 3.10, 4.0 and 4.3).
// Such fields are an [Opt]. Never delete a queue because its count is 0: see
// [SafeDeleteQueue].
//
// # What it never does
//
// It never follows a redirect, which would turn a write into a read; never waits or
// reads without limit; never changes what it is given; never sends a name that the
// server would misread; and never shows a password. It needs the standard library
// only. Package [github.com/warrenmq/warren/mgmt/passive] asks a broker over AMQP
// for the numbers that the API has too late.
package mgmt
