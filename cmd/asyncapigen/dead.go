package main

import (
	"context"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/nearest"
	"github.com/warrenmq/warren/runtime"
	"github.com/warrenmq/warren/runtime/rabbitmq"
)

const aboutDead = `
Dead looks at the messages that failed for good, in a queue such as
"orders.dead", over AMQP. List prints a line for each, without its content. Show
prints the content as well, headers and body, which may hold personal data.
Replay sends messages back to the queue in which they failed, where their
attempts count from 1, and takes each out when the broker has confirmed the
copy. Drop deletes them. Both print what they would do, and do it with -yes.
The flags -route, -reason, -id, -older and -newer choose messages; all of those
that are given have to hold. Messages that a broker has dead-lettered without a
failure policy have no route, and the broker's own reason.

What is looked at is held for that time, and goes back to its place. Over a
quorum queue a message that was looked at 15 times is replaced by a copy, since
RabbitMQ 4 drops what comes back 20 times. The password is taken from the
environment variable RABBITMQ_PASSWORD (default "guest").
`

var deadActions = []string{"list", "show", "replay", "drop"}

// deadOptions are the values of the subcommand's command line.
type deadOptions struct {
	flags        *flag.FlagSet
	action       string
	amqp         string
	user         string
	vhost        string
	queue        string
	route        string
	reason       string
	id           string
	older, newer time.Duration // 0 for any age
	limit        int           // 0 for none
	yes          bool
}

func newDeadOptions() *deadOptions {
	o := &deadOptions{flags: flag.NewFlagSet("asyncapigen dead", flag.ContinueOnError)}
	f := o.flags
	f.SetOutput(io.Discard)
	f.StringVar(&o.amqp, "amqp", "", "`URL` of the AMQP listener, such as amqp://localhost:5672, without credentials")
	f.StringVar(&o.user, "user", "guest", "`NAME` of the user")
	f.StringVar(&o.vhost, "vhost", "/", "`NAME` of the virtual host")
	f.StringVar(&o.queue, "queue", "", "`NAME` of the queue of the dead letters, such as orders.dead")
	f.StringVar(&o.route, "route", "", "only those of the route `NAME`")
	f.StringVar(&o.reason, "reason", "", "only those with the `REASON`: undecodable, rejected or attempts, or one of the broker's")
	f.StringVar(&o.id, "id", "", "only those with the message id `ID`")
	f.DurationVar(&o.older, "older", 0, "only those that failed before the last `DURATION`, such as 24h")
	f.DurationVar(&o.newer, "newer", 0, "only those that failed within the last `DURATION`")
	f.IntVar(&o.limit, "limit", 0, "at most `N` messages, the oldest first; 0 means all")
	f.BoolVar(&o.yes, "yes", false, "replay and drop: do it")
	return o
}

func parseDead(args []string) (*deadOptions, error) {
	o := newDeadOptions()
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		o.action, args = args[0], args[1:]
	}
	if err := o.flags.Parse(args); err != nil {
		return o, err
	}
	changes := o.action == "replay" || o.action == "drop"
	switch {
	case !slices.Contains(deadActions, o.action):
		if near := nearest.Of(o.action, deadActions); near != "" {
			return o, fmt.Errorf("the action %q is none of %s: did you mean %s?", o.action, strings.Join(deadActions, ", "), near)
		}
		return o, fmt.Errorf("the action %q is none of %s", o.action, strings.Join(deadActions, ", "))
	case o.flags.NArg() > 0:
		return o, fmt.Errorf("it takes no argument, and got %s", o.flags.Arg(0))
	case o.amqp == "":
		return o, errors.New("flag -amqp: it is needed: give the URL of the broker's AMQP listener")
	case o.queue == "":
		return o, errors.New("flag -queue: it is needed: name the queue of the dead letters")
	case o.yes && !changes:
		return o, errors.New("flag -yes: it goes with replay and drop")
	case o.older < 0, o.newer < 0, o.limit < 0:
		return o, errors.New("flags -older, -newer and -limit: they can't be negative")
	}
	return o, checkAMQP(o.amqp)
}

// url returns the address with its credentials.
func (o *deadOptions) url() string {
	u, err := url.Parse(o.amqp)
	if err != nil {
		return o.amqp // checkAMQP has refused it
	}
	password := os.Getenv("RABBITMQ_PASSWORD")
	if password == "" {
		password = "guest"
	}
	u.User = url.UserPassword(o.user, password)
	u.Path, u.RawPath = "/"+o.vhost, "/"+url.PathEscape(o.vhost)
	return u.String()
}

// runDead is the subcommand dead.
func runDead(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parseDead(args)
	if err != nil {
		return commandLineFault(err, "dead", o.flags, stdout, stderr)
	}
	broker, err := rabbitmq.New(rabbitmq.Config{URL: o.url(), ConnectionName: "asyncapigen dead"})
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen dead: %v\n", err)
		return usage
	}
	defer func() {
		_ = broker.Shutdown(context.WithoutCancel(ctx)) // it consumes nothing that could keep it
	}()
	printer := newDeadPrinter(stdout, o)
	review, err := broker.ReviewDeadLetters(ctx, o.queue, printer.decide)
	printer.end(review)
	if interrupted(ctx, stderr) {
		return findings
	}
	if err != nil {
		fmt.Fprintf(stderr, "asyncapigen dead: %v\n", err)
		return findings
	}
	return done
}

// A deadLetter is a message with what is known of its failure.
type deadLetter struct {
	*runtime.Delivery
	runtime.Failure
}

// deadLetterOf reads the failure of d: that of the runtime's policy, or else what the
// server says of the first death.
func deadLetterOf(d *runtime.Delivery) deadLetter {
	failure, ok := runtime.FailureOf(d)
	if !ok {
		failure.Reason, _ = d.Headers["x-first-death-reason"].(string)
		failure.Queue, _ = d.Headers["x-first-death-queue"].(string)
		if deaths, _ := d.Headers["x-death"].([]any); len(deaths) > 0 {
			latest, _ := deaths[0].(map[string]any)
			failure.Time, _ = latest["time"].(time.Time)
		}
	}
	return deadLetter{d, failure}
}

// matches reports whether the command is about a message. Of an unknown age it is
// neither older nor newer than anything.
func (o *deadOptions) matches(l deadLetter, now time.Time) bool {
	age := now.Sub(l.Time)
	switch {
	case o.route != "" && o.route != l.Failure.Route,
		o.reason != "" && o.reason != l.Reason,
		o.id != "" && o.id != l.MessageID,
		o.older > 0 && (l.Time.IsZero() || age < o.older),
		o.newer > 0 && (l.Time.IsZero() || age > o.newer):
		return false
	}
	return true
}

// A deadPrinter decides about dead letters, and prints them.
type deadPrinter struct {
	*deadOptions
	out     io.Writer
	table   *tabwriter.Writer // of all actions but show
	matched int
}

func newDeadPrinter(out io.Writer, o *deadOptions) *deadPrinter {
	return &deadPrinter{deadOptions: o, out: out, table: tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)}
}

func (p *deadPrinter) decide(d *runtime.Delivery) (rabbitmq.Verdict, error) {
	l := deadLetterOf(d)
	if p.limit > 0 && p.matched >= p.limit || !p.matches(l, time.Now()) {
		return rabbitmq.Keep, nil
	}
	p.matched++
	if p.action == "show" {
		p.show(l)
		return rabbitmq.Keep, nil
	}
	if p.matched == 1 {
		fmt.Fprintln(p.table, "FAILED\tROUTE\tREASON\tATTEMPT\tID\tERROR")
	}
	fmt.Fprintf(p.table, "%s\t%s\t%s\t%s\t%s\t%s\n", failedAt(l), orDash(l.Failure.Route), orDash(l.Reason), attemptOf(l), orDash(l.MessageID), orDash(l.Error))
	switch {
	case p.action == "replay" && p.yes:
		return rabbitmq.Replay, nil
	case p.action == "drop" && p.yes:
		return rabbitmq.Drop, nil
	}
	return rabbitmq.Keep, nil
}

// end prints what was done, or would be.
func (p *deadPrinter) end(done rabbitmq.Review) {
	// The writer's own errors are those of stdout, which can't be reported anywhere.
	_ = p.table.Flush()
	switch {
	case p.action == "list" || p.action == "show":
		fmt.Fprintf(p.out, "%d of %d messages\n", p.matched, done.Kept)
	case !p.yes:
		fmt.Fprintf(p.out, "%d of %d messages: nothing is changed; with -yes it would %s them\n", p.matched, done.Kept, p.action)
	default:
		fmt.Fprintf(p.out, "%d replayed, %d dropped, %d kept\n", done.Replayed, done.Dropped, done.Kept)
	}
}

// show prints all of a message.
func (p *deadPrinter) show(l deadLetter) {
	line := func(name string, value any) {
		if text := fmt.Sprint(value); text != "" {
			fmt.Fprintf(p.out, "%s: %s\n", name, printable(text))
		}
	}
	line("failed", failedAt(l))
	line("route", l.Failure.Route)
	line("queue", l.Failure.Queue)
	line("reason", l.Reason)
	line("error", l.Error)
	line("attempt", attemptOf(l))
	line("published to", runtime.Address{Exchange: l.Failure.Exchange, RoutingKey: l.Failure.RoutingKey})
	line("message id", l.MessageID)
	line("correlation id", l.CorrelationID)
	line("type", l.Type)
	line("content type", l.ContentType)
	line("content encoding", l.ContentEncoding)
	for _, name := range slices.Sorted(maps.Keys(l.Headers)) {
		if name != "warren-dead" { // which the lines above tell
			line("header "+printable(name), l.Headers[name])
		}
	}
	fmt.Fprintf(p.out, "body, %d bytes:\n%s\n\n", len(l.Body), bodyText(l.Body))
}

// bodyText is the body where that is text, and else its bytes.
func bodyText(body []byte) string {
	isControl := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' && r != '\r' }
	if utf8.Valid(body) && !strings.ContainsFunc(string(body), isControl) {
		return string(body)
	}
	return strings.TrimSuffix(hex.Dump(body), "\n")
}

func failedAt(l deadLetter) string {
	if l.Time.IsZero() {
		return "-"
	}
	return l.Time.UTC().Format(time.RFC3339)
}

func attemptOf(l deadLetter) string {
	if l.Failure.Attempt == 0 {
		return "-"
	}
	return strconv.Itoa(l.Failure.Attempt)
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	const longest = 100
	if text = printable(text); len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "..."
	}
	return text
}

// printable quotes what could move the cursor or colour the terminal, since whoever
// publishes a message chooses its texts.
func printable(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(text)
	}
	return text
}
