package slo

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// rateWindows are the windows over which errors are recorded: those of the alerts
// and the period of the objective.
var rateWindows = [...]string{"5m", "30m", "1h", "2h", "6h", "1d", "3d", "30d"}

// A burnAlert fires while the budget burns faster than factor over a long window,
// and still does over a short one (Google, The Site Reliability Workbook, chapter
// 5, for a period of 30 days).
type burnAlert struct {
	severity string
	pairs    [2]burnPair
}

type burnPair struct {
	short, long string
	factor      string
}

var burnAlerts = [...]burnAlert{
	{"page", [2]burnPair{{"5m", "1h", "14.4"}, {"30m", "6h", "6"}}},
	{"ticket", [2]burnPair{{"2h", "1d", "3"}, {"6h", "3d", "1"}}},
}

// Rules returns recording and alerting rules for Prometheus, as the YAML of a
// rule file, on the counters of [Tracker.Collector]: the error ratio over eight
// windows, the objective, what is left of the budget of 30 days, and alerts.
//
// SLOBurnRate fires with severity "page" when 2 % of the budget burn in an hour or
// 5 % in six, with severity "ticket" when 10 % burn in a day or in three; and
// SLOAbsent when nothing is counted any more. An objective of 1 has no budget:
// every failure pages.
func (t *Tracker) Rules() []byte { return Rules(t) }

// Rules returns those of several trackers, as [Tracker.Rules] does, in one file.
func Rules(trackers ...*Tracker) []byte {
	text := []byte("groups:\n")
	for _, t := range trackers {
		text = append(text, t.rules()...)
	}
	return text
}

// rules returns the tracker's groups.
func (t *Tracker) rules() string {
	y := ruleWriter{tracker: t}
	y.group("slo-" + t.title("-") + "-recording")
	for _, window := range rateWindows {
		y.record("slo:sli_error:ratio_rate"+window, y.ratio(window), "window", window)
	}
	y.record("slo:objective:ratio", "vector("+number(t.objective)+")")
	y.record("slo:error_budget:ratio", "vector("+number(errorBudget(t.objective))+")")
	y.record("slo:time_period:days", "vector(30)")
	if budget := errorBudget(t.objective); budget > 0 {
		y.record("slo:current_burn_rate:ratio", y.used("5m"))
		y.record("slo:period_burn_rate:ratio", y.used("30d"))
		y.record("slo:period_error_budget_remaining:ratio", "1 - "+y.used("30d"))
	}
	y.group("slo-" + t.title("-") + "-alerts")
	for _, alert := range burnAlerts {
		y.burn(alert)
	}
	y.absent()
	return y.text.String()
}

// title names the tracker for people, by its service too if it has one.
func (t *Tracker) title(separator string) string {
	if t.service == "" {
		return t.name
	}
	return t.service + separator + t.name
}

type ruleWriter struct {
	tracker *Tracker
	text    strings.Builder
}

func (y *ruleWriter) line(text string) { y.text.WriteString(text + "\n") }

func (y *ruleWriter) group(name string) {
	y.line("  - name: " + quoteYAML(name))
	y.line("    rules:")
}

// labels are those that every series has; pairs are more. Escape is what makes them
// texts of the rule's kind.
func (y *ruleWriter) labels(escape func(string) string, pairs ...string) {
	y.line("        labels:")
	y.line("          slo: " + quoteYAML(escape(y.tracker.name)))
	if y.tracker.service != "" {
		y.line("          service: " + quoteYAML(escape(y.tracker.service)))
	}
	for i := 0; i < len(pairs); i += 2 {
		y.line("          " + pairs[i] + ": " + quoteYAML(pairs[i+1]))
	}
}

func (y *ruleWriter) record(name, expr string, labels ...string) {
	y.line("      - record: " + name)
	y.line("        expr: " + quoteYAML(expr))
	y.labels(func(text string) string { return text }, labels...)
}

// selector matches the tracker's counters, which are another's if the service is
// another, or none.
func (y *ruleWriter) selector() string { return y.labelled("name") }

// labelled matches the series that have the tracker's name in a label. An empty
// service matches those that have no such label.
func (y *ruleWriter) labelled(name string) string {
	return "{" + name + "=" + quotePromQL(y.tracker.name) + ",service=" + quotePromQL(y.tracker.service) + "}"
}

// recorded is the error ratio over a window, as it was recorded.
func (y *ruleWriter) recorded(window string) string {
	return "slo:sli_error:ratio_rate" + window + y.labelled("slo")
}

// used is the burn rate over a window: errors as a multiple of the budget.
func (y *ruleWriter) used(window string) string {
	return "sum without (window) (" + y.recorded(window) + ") / " + number(errorBudget(y.tracker.objective))
}

// ratio is failures over events, weighted by traffic; without traffic there is
// none. The counter of all failures begins at 0 with the tracker. One by type
// begins at its first failures, which increase doesn't see.
func (y *ruleWriter) ratio(window string) string {
	if h := y.tracker.histogram; h != nil {
		return fmt.Sprintf("(sum(increase(%[1]s[%[3]s])) - sum(increase(%[2]s[%[3]s]))) / (sum(increase(%[1]s[%[3]s])) > 0)",
			y.count(h), y.bucket(h), window)
	}
	return fmt.Sprintf("sum(increase(slo_failed_requests_total%[1]s[%[2]s])) / (sum(increase(slo_requests_total%[1]s[%[2]s])) > 0)",
		y.selector(), window)
}

// events is a counter of what the objective is about: of a histogram the bucket, so that a
// bound that no bucket has is found.
func (y *ruleWriter) events() string {
	if h := y.tracker.histogram; h != nil {
		return y.bucket(h)
	}
	return "slo_requests_total" + y.selector()
}

// count selects the number of observations of a histogram.
func (y *ruleWriter) count(h *histogram) string { return h.name + "_count{" + y.matchers(h) + "}" }

// bucket selects those within the bound. The bound is written by OpenMetrics' rules,
// with a point, or by those of the older format, without.
func (y *ruleWriter) bucket(h *histogram) string {
	le := number(y.tracker.latency.Seconds())
	matcher := "le=" + quotePromQL(le)
	if !strings.ContainsAny(le, ".e") {
		matcher = "le=~" + quotePromQL(le+`(\.0)?`)
	}
	return h.name + "_bucket{" + strings.TrimPrefix(y.matchers(h)+","+matcher, ",") + "}"
}

func (y *ruleWriter) matchers(h *histogram) string {
	var matchers []string
	if y.tracker.service != "" {
		matchers = append(matchers, "service="+quotePromQL(y.tracker.service))
	}
	for _, name := range slices.Sorted(maps.Keys(h.labels)) {
		matchers = append(matchers, name+"="+quotePromQL(h.labels[name]))
	}
	return strings.Join(matchers, ",")
}

func (y *ruleWriter) burn(alert burnAlert) {
	budget := errorBudget(y.tracker.objective)
	var conditions []string
	for _, pair := range alert.pairs {
		threshold := "(" + pair.factor + " * " + number(budget) + ")"
		conditions = append(conditions, fmt.Sprintf("(%s > %s and ignoring(window) %s > %s)",
			y.recorded(pair.short), threshold, y.recorded(pair.long), threshold))
	}
	y.line("      - alert: SLOBurnRate")
	y.line("        expr: " + quoteYAML(strings.Join(conditions, " or ")))
	y.labels(escapeTemplate, "severity", alert.severity)
	y.line("        annotations:")
	y.line("          summary: " + quoteYAML("The error budget of "+escapeTemplate(y.tracker.title("/"))+" burns too fast"))
	y.line("          description: " + quoteYAML("The ratio of errors is {{ $value | humanizePercentage }}; the objective allows "+number(budget*100)+"%."))
}

func (y *ruleWriter) absent() {
	y.line("      - alert: SLOAbsent")
	y.line("        expr: " + quoteYAML("absent("+y.events()+")"))
	y.line("        for: 10m")
	y.labels(escapeTemplate, "severity", "ticket")
	y.line("        annotations:")
	y.line("          summary: " + quoteYAML("Nothing counts the events of "+escapeTemplate(y.tracker.title("/"))))
}

// number writes a number as PromQL reads it, without the rounding errors of binary
// fractions.
func number(f float64) string { return strconv.FormatFloat(f, 'g', 12, 64) }

// quotePromQL writes a string literal of PromQL, which are Go's.
func quotePromQL(s string) string { return strconv.Quote(s) }

// quoteYAML writes a single-quoted scalar, or one in JSON's form, which YAML
// reads too, where there are characters that need escapes.
func quoteYAML(s string) string {
	for _, c := range s {
		if c < ' ' || 0x7f <= c && c < 0xa0 || c == '\u2028' || c == '\u2029' || c == '\ufeff' || c == 0xfffe || c == 0xffff {
			return strconv.QuoteToASCII(s)
		}
	}
	return "'" + strings.ReplaceAll(s, "'", "''") + "'"
}

// escapeTemplate makes a text that Prometheus's templates leave as it is: the
// labels and annotations of alerts are templates, those of recordings aren't.
func escapeTemplate(s string) string { return strings.ReplaceAll(s, "{{", `{{"{{"}}`) }
