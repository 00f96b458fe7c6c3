package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/load"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/nearest"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/service"
	"github.com/warrenmq/warren/internal/diagnostic"
	"github.com/warrenmq/warren/mgmt"
	"github.com/warrenmq/warren/mgmt/passive"
	"github.com/warrenmq/warren/mgmt/topology"
	"github.com/warrenmq/warren/runtime"
)

const aboutTopology = `
Topology compares the queues, exchanges and bindings that the routes of the
packages (default ".") declare with those that a RabbitMQ broker has, by its
management API. Diff shows the difference and exits with 1 if there is one;
apply declares what is missing. Nothing is deleted without -prune, and no queue
with messages or consumers even then. Bindings of declared queues that no route
declares are surplus, and so are other queues and exchanges whose names begin
with an -owns prefix: a virtual host may be shared. Names that runtime.Env gives
are compared as their defaults. The password is taken from the environment
variable RABBITMQ_PASSWORD (default "guest").
`

// topologyOptions are the values of the subcommand's command line.
type topologyOptions struct {
	flags    *flag.FlagSet
	apply    bool
	dir      string
	patterns []string
	tags     string
	config   mgmt.Config
	amqp     string // empty for none
	vhost    string
	prune    bool
	owns     []string // prefixes of names
}

// runTopology is the subcommand topology.
func runTopology(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseTopology(args)
	if err != nil {
		return commandLineFault(err, "topology", o.flags, stdout, stderr)
	}
	o.config.Logger = slog.New(slog.NewTextHandler(stderr, nil))
	client, err := mgmt.New(o.config)
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen topology: %v\n", err)
		return usage
	}
	defer client.Close()
	progress := startProgress(stderr, service.Listing)
	defer progress.stop()
	program, err := load.Packages(ctx, load.Config{Dir: o.dir, Patterns: o.patterns, Tags: o.tags})
	if err != nil {
		progress.stop()
	}
	if interrupted(ctx, stderr) {
		return findings
	}
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen topology: %v\n", err)
		return usage
	}
	progress.step("finding routes")
	result := discover.Routes(ctx, program)
	progress.stop()
	if interrupted(ctx, stderr) {
		return findings
	}
	found := append(service.Diagnostics(program, result), unknownArguments(result.Routes, result.Declared)...)
	found = service.WithoutRoutes(&service.Options{AllowEmpty: !result.Declared.IsEmpty()}, result, found)
	printDiagnostics(stderr, found)
	if found.HasErrors() {
		return findings
	}
	same, err := o.reconcile(ctx, client, declared(o.vhost, result.Routes, result.Declared.Topology), stdout)
	if err != nil {
		for fault := range strings.SplitSeq(err.Error(), "\n") { // of joined errors
			fmt.Fprintf(stderr, "asyncapigen topology: %s\n", fault)
		}
		if errors.Is(err, mgmt.ErrUnauthorized) {
			fmt.Fprintln(stderr, "asyncapigen topology: flag -user names the user, and the variable RABBITMQ_PASSWORD has the password; the default of both is guest, who may log in from the broker's own machine only")
		}
		if errors.Is(err, mgmt.ErrNoInspector) {
			fmt.Fprintln(stderr, "asyncapigen topology: flag -amqp tells where to ask about quorum queues")
		}
	}
	if err != nil || !same {
		return findings
	}
	return done
}

func newTopologyOptions(dir string) *topologyOptions {
	o := &topologyOptions{dir: dir, flags: flag.NewFlagSet("asyncapigen topology", flag.ContinueOnError), patterns: []string{"."}}
	f := o.flags
	f.SetOutput(io.Discard)
	f.StringVar(&o.config.URL, "mgmt", "", "`URL` of the management listener, such as http://localhost:15672, without credentials")
	f.StringVar(&o.config.Username, "user", "guest", "`NAME` of the user")
	f.StringVar(&o.vhost, "vhost", "/", "`NAME` of the virtual host")
	f.BoolVar(&o.prune, "prune", false, "apply: delete what is surplus: bindings, empty queues and unbound exchanges")
	f.StringVar(&o.amqp, "amqp", "", "`URL` of the AMQP listener, such as amqp://localhost:5672, without credentials: -prune needs it for quorum queues")
	f.Func("owns", "queues and exchanges whose names begin with `PREFIX` are this program's; may be repeated", func(prefix string) error {
		if prefix == "" {
			return errors.New("every name begins with an empty prefix")
		}
		o.owns = append(o.owns, prefix)
		return nil
	})
	f.StringVar(&o.tags, "tags", "", "build `TAGS`, separated by commas")
	return o
}

func parseTopology(args []string) (*topologyOptions, error) {
	dir, err := os.Getwd()
	o := newTopologyOptions(dir)
	if err != nil {
		return o, err
	}
	o.config.Password = "guest"
	if password := os.Getenv("RABBITMQ_PASSWORD"); password != "" {
		o.config.Password = password
	}
	action := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		action, args = args[0], args[1:]
	}
	if err := o.flags.Parse(args); err != nil {
		return o, err
	}
	if o.flags.NArg() > 0 {
		o.patterns = o.flags.Args()
	}
	o.apply = action == "apply"
	switch {
	case action != "diff" && action != "apply":
		return o, wrongAction(action)
	case o.config.URL == "":
		return o, errors.New("flag -mgmt: it is needed: give the URL of the broker's management listener")
	case o.prune && !o.apply:
		return o, errors.New("flag -prune: it goes with apply")
	}
	if err := checkAMQP(o.amqp); err != nil {
		return o, err
	}
	return o, service.CheckPatterns(o.patterns)
}

func wrongAction(action string) error {
	if near := nearest.Of(action, []string{"diff", "apply"}); near != "" {
		return fmt.Errorf("the action %q is neither diff nor apply: did you mean %s?", action, near)
	}
	return fmt.Errorf("the action %q is neither diff nor apply", action)
}

// checkAMQP refuses an address that isn't one of AMQP. Its errors don't quote it,
// as those of package flag do: it may hold a password.
func checkAMQP(text string) error {
	u, err := url.Parse(text)
	switch {
	case text == "":
	case err != nil, u.Scheme != "amqp" && u.Scheme != "amqps", u.Host == "":
		return errors.New("flag -amqp: its form is amqp://host:5672, or amqps")
	case u.User != nil:
		return errors.New("flag -amqp: it holds a user: use -user and RABBITMQ_PASSWORD")
	}
	return nil
}

// inspector asks over AMQP, with the same user, where that has an address.
func (o *topologyOptions) inspector() mgmt.Inspector {
	u, err := url.Parse(o.amqp)
	if o.amqp == "" || err != nil {
		return nil
	}
	u.User = url.UserPassword(o.config.Username, o.config.Password)
	return passive.New(u.String())
}

// unknownArguments reports what a document doesn't need, but a broker does.
func unknownArguments(routes []registered.Route, declared registered.Declared) diagnostic.List {
	var list diagnostic.List
	for _, route := range routes {
		unknown := route.UnknownArguments
		if route.FailureUnknown {
			unknown = append(slices.Clip(unknown), "the failure policy")
		}
		for _, argument := range unknown {
			list.Add(diagnostic.Diagnostic{
				Code: diagnostic.UnknownValue, Pos: route.Pos,
				What:   fmt.Sprintf("%s of the route %q isn't known", argument, route.Name),
				Why:    "the code that is analysed doesn't determine it, and the broker compares it",
				Remedy: "write it as a constant",
			})
		}
	}
	if declared.Unknown {
		list.Add(diagnostic.Diagnostic{
			Code: diagnostic.UnknownValue, Pos: declared.Pos,
			What:   "not all that Router.Declare gets is known",
			Why:    "the code that is analysed doesn't determine it, and brokers declare it",
			Remedy: "declare it in every case, from constants, for a router that a broker gets",
		})
	}
	return list
}

// declared is what the brokers of package runtime declare for the routes, and beside them.
func declared(vhost string, routes []registered.Route, beside runtime.Topology) topology.Topology {
	want := topology.Topology{VHost: vhost}
	queues, exchanges := make(map[string]bool), make(map[string]bool)
	declare := func(q runtime.Queue) {
		if queues[q.Name] {
			return
		}
		queues[q.Name] = true
		want.Queues = append(want.Queues, topology.Queue{
			Name: q.Name, Durable: q.Durable, AutoDelete: q.AutoDelete, Exclusive: q.Exclusive, Arguments: q.Arguments,
		})
	}
	declareExchange := func(e runtime.Exchange) {
		if exchanges[e.Name] {
			return
		}
		exchanges[e.Name] = true
		want.Exchanges = append(want.Exchanges, topology.Exchange{
			Name: e.Name, Type: string(e.Type), Durable: e.Durable, AutoDelete: e.AutoDelete, Arguments: e.Arguments,
		})
	}
	bind := func(bindings []runtime.Binding) {
		for _, b := range bindings {
			want.Bindings = append(want.Bindings, topology.Binding(b))
		}
	}
	for _, route := range routes {
		declare(route.Queue)
		for _, e := range route.Exchanges() {
			declareExchange(e)
		}
		bind(route.Bindings())
	}
	for _, q := range beside.Queues {
		declare(q)
	}
	for _, e := range beside.Exchanges {
		declareExchange(e)
	}
	bind(beside.Bindings)
	for _, b := range beside.ExchangeBindings {
		want.ExchangeBindings = append(want.ExchangeBindings, topology.ExchangeBinding(b))
	}
	for _, route := range routes { // last: a queue for dead letters may be that of a route
		for _, queue := range route.FailureQueues() {
			declare(queue)
		}
	}
	return want
}

// reconcile shows the difference, or makes it, and reports whether there was
// none.
func (o *topologyOptions) reconcile(ctx context.Context, client *mgmt.Client, want topology.Topology, stdout io.Writer) (same bool, err error) {
	want.Owns = func(_ topology.Kind, name string) bool {
		return slices.ContainsFunc(o.owns, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
	}
	changes, err := topology.Diff(ctx, client, want)
	if err != nil {
		return false, err
	}
	fmt.Fprint(stdout, changes)
	if !o.apply {
		return changes.IsEmpty(), nil
	}
	if !o.prune && !changes.Surplus.IsEmpty() {
		fmt.Fprintln(stdout, "What is surplus (-) is left: with -prune it is deleted.")
	}
	return true, topology.Apply(ctx, client, changes, topology.Options{Prune: o.prune, Inspector: o.inspector()})
}
