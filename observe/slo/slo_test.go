package slo_test

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/warrenmq/warren/observe/slo"
)

func newTracker(t testing.TB, objective float64, options ...slo.Option) *slo.Tracker {
	t.Helper()
	tracker, err := slo.New("orders", objective, options...)
	require.NoError(t, err)
	return tracker
}

// scrape returns what Prometheus gets of the collectors.
func scrape(t testing.TB, collectors ...prometheus.Collector) string {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors...)
	w := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(w, httptest.NewRequest("GET", "/metrics", nil))
	require.Equal(t, http.StatusOK, w.Code, w.Body.String())
	return w.Body.String()
}

func record(tracker *slo.Tracker, successes, failures int) {
	for range successes {
		tracker.RecordSuccess()
	}
	for range failures {
		tracker.RecordFailure("timeout")
	}
}

func TestC9_ReportHasItsKeys(t *testing.T) {
	tracker := newTracker(t, 0.99, slo.Hour, slo.Day)
	record(tracker, 999, 1)
	text, err := json.Marshal(tracker.Report())
	require.NoError(t, err)
	var report map[string]any
	require.NoError(t, json.Unmarshal(text, &report))

	require.InDelta(t, 0.999, report["sli"], 1e-9)
	require.InDelta(t, 0.9, report["budget_remaining"], 1e-9)
	require.InDelta(t, 0.1, report["budget_consumed"], 1e-9)
	require.Equal(t, 0.01, report["error_budget"])
	require.Equal(t, true, report["within_slo"])
	require.Equal(t, map[string]any{"timeout": 1.0}, report["errors"])
	windows := report["windows"].(map[string]any)
	require.Len(t, windows, 2)
	require.InDelta(t, 0.999, windows["hour"].(map[string]any)["sli"], 1e-9)
	require.Contains(t, windows["day"], "observed_seconds")
}

// The SLO is held over the longest window, in whatever order the windows are given.
func TestReport_IsThatOfTheLongestWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t, 0.9, slo.Day, slo.Hour, slo.Day, slo.Hour)
		tracker.RecordFailure("timeout")
		time.Sleep(2 * time.Hour)
		tracker.RecordSuccess()
		report := tracker.Report()
		require.Len(t, report.Windows, 2)
		require.Equal(t, report.Windows[slo.Day], report.WindowReport)
		require.EqualValues(t, 2, report.Total)
		require.EqualValues(t, 1, report.Windows[slo.Hour].Total)
	})
}

func TestC18_RecordsAndReports(t *testing.T) {
	tracker := newTracker(t, 0.9)
	tracker.RecordSuccess()
	tracker.RecordFailure("timeout")
	tracker.RecordFailure("refused")
	report := tracker.Report()
	require.EqualValues(t, 3, report.Total)
	require.EqualValues(t, 2, report.Failures)
	require.Equal(t, map[string]uint64{"timeout": 1, "refused": 1}, report.Errors)
	require.Zero(t, report.BudgetRemaining)
	require.InDelta(t, 2.0/3/0.1, report.BudgetConsumed, 1e-9)
	require.False(t, report.WithinSLO)
}

func TestC19_WindowsAreHourDayWeekMonth(t *testing.T) {
	tracker := newTracker(t, 0.9)
	require.Len(t, tracker.Report().Windows, 4)
	for w, want := range map[slo.Window]time.Duration{
		slo.Hour: time.Hour, slo.Day: 24 * time.Hour, slo.Week: 168 * time.Hour, slo.Month: 720 * time.Hour,
	} {
		require.Equal(t, want, w.Duration())
		text, err := w.MarshalText()
		require.NoError(t, err)
		var back slo.Window
		require.NoError(t, back.UnmarshalText(text))
		require.Equal(t, w, back)
	}
	require.Error(t, new(slo.Window).UnmarshalText([]byte("year")))
}

func TestC23_ErrorBudgetIsOneMinusTheObjective(t *testing.T) {
	for objective, want := range map[float64]float64{0.999: 0.001, 0.9999: 0.0001, 0.95: 0.05, 1: 0, 0.5: 0.5} {
		require.Equal(t, want, newTracker(t, objective).Report().ErrorBudget)
	}
}

func TestReport_HasNoNaN(t *testing.T) {
	for _, test := range []struct {
		name                string
		objective           float64
		successes, failures int
		sli, remaining      float64
		burn, consumed      float64
	}{
		{"no traffic", 0.99, 0, 0, 1, 1, 0, 0},
		{"objective 1, none failed", 1, 5, 0, 1, 1, 0, 0},
		{"objective 1, one failed", 1, 1, 1, 0.5, 0, 0.5, 1},
		{"everything failed", 0.99, 0, 5, 0, 0, 100, 100},
		{"exactly the budget", 0.9, 9, 1, 0.9, 0, 1, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			tracker := newTracker(t, test.objective)
			record(tracker, test.successes, test.failures)
			report := tracker.Report()
			require.InDelta(t, test.sli, report.SLI, 1e-12)
			require.InDelta(t, test.remaining, report.BudgetRemaining, 1e-9)
			require.InDelta(t, test.burn, report.BurnRate, 1e-9)
			require.InDelta(t, test.consumed, report.BudgetConsumed, 1e-9)
			_, err := json.Marshal(report)
			require.NoError(t, err)
		})
	}
}

func TestReport_IsWithinTheObjectiveWithExactlyTheBudget(t *testing.T) {
	tracker := newTracker(t, 0.999)
	record(tracker, 999, 1)
	require.True(t, tracker.Report().WithinSLO)
}

func TestNew_Refuses(t *testing.T) {
	for _, objective := range []float64{0, -1, 1.1, math.NaN(), math.Inf(1)} {
		_, err := slo.New("orders", objective)
		require.ErrorContains(t, err, "the objective is")
	}
	_, err := slo.New("", 0.9)
	require.Error(t, err)
	_, err = slo.New("orders", 0.9, slo.Window(9))
	require.ErrorContains(t, err, "SLOWindow(9) is no window")
}

// TestWindows_AreExactToOnePercent compares with a list of all events, over 40
// days with bursts and gaps.
func TestWindows_AreExactToOnePercent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t, 0.99)
		random := rand.New(rand.NewPCG(1, 2))
		var times []time.Time
		failures := []int{0} // before each of them
		burst := 1
		for start := time.Now(); time.Since(start) < 40*24*time.Hour; {
			failed := random.IntN(10) == 0
			times = append(times, time.Now())
			failures = append(failures, failures[len(failures)-1])
			if failed {
				failures[len(failures)-1]++
				tracker.RecordFailure("e")
			} else {
				tracker.RecordSuccess()
			}
			switch random.IntN(2000) {
			case 0:
				time.Sleep(time.Duration(random.IntN(7200)) * time.Second)
			case 1:
				burst = 1 + random.IntN(4)
			}
			time.Sleep(time.Duration(random.IntN(30_000)/burst) * time.Millisecond)
			if random.IntN(100) > 0 {
				continue
			}
			for window, got := range tracker.Report().Windows {
				first, _ := slices.BinarySearchFunc(times, time.Now().Add(-window.Duration()), time.Time.Compare)
				total, failed := float64(len(times)-first), float64(failures[len(times)]-failures[first])
				require.InDelta(t, total, float64(got.Total), max(0.01*total, 2), "%v", window)
				if total > 0 {
					require.InDelta(t, failed/total, 1-got.SLI, 0.002+2/total, "%v", window)
				}
			}
		}
		require.Greater(t, len(times), 100_000)
	})
}

func TestWindows_EmptyWhenIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker := newTracker(t, 0.99)
		record(tracker, 10, 10)
		time.Sleep(2 * time.Hour)
		report := tracker.Report()
		require.Zero(t, report.Windows[slo.Hour].Total)
		require.EqualValues(t, 20, report.Windows[slo.Day].Total)
		require.Equal(t, 2*time.Hour, report.Windows[slo.Day].ObservedFor)
		require.Equal(t, time.Hour, report.Windows[slo.Hour].ObservedFor)
		time.Sleep(10 * 365 * 24 * time.Hour)
		require.Zero(t, tracker.Report().Total)
		require.Equal(t, uint64(10), tracker.Report().Errors["timeout"], "counters don't fall")
	})
}

func TestNew_TakesAWindowNamedTwiceOnce(t *testing.T) {
	tracker := newTracker(t, 0.9, slo.Week, slo.Hour, slo.Week)
	record(tracker, 3, 0)
	report := tracker.Report()
	require.Len(t, report.Windows, 2)
	require.EqualValues(t, 3, report.Windows[slo.Week].Total)
}

// TestTracker_IsSafeForConcurrentUse counts from many goroutines, while others look.
func TestTracker_IsSafeForConcurrentUse(t *testing.T) {
	const goroutines, each = 16, 2000
	tracker := newTracker(t, 0.99)
	var writing, reading sync.WaitGroup
	stop := make(chan struct{})
	for range 2 {
		reading.Go(func() {
			seen := uint64(0)
			for {
				report := tracker.Report()
				errors := uint64(0)
				for _, n := range report.Errors {
					errors += n
				}
				require.Equal(t, report.Failures, errors)
				require.GreaterOrEqual(t, report.Total, seen)
				seen = report.Total
				require.NoError(t, newTracker(t, 0.99).Restore(tracker.Snapshot()))
				select {
				case <-stop:
					return
				default:
				}
			}
		})
	}
	for g := range goroutines {
		writing.Go(func() { record(tracker, each-g, g) })
	}
	writing.Wait()
	close(stop)
	reading.Wait()
	report := tracker.Report()
	require.EqualValues(t, goroutines*each, report.Total)
	require.EqualValues(t, goroutines*(goroutines-1)/2, report.Failures)
}

func TestRecordFailure_BoundsErrorTypes(t *testing.T) {
	tracker := newTracker(t, 0.9)
	for i := range 500 {
		tracker.RecordFailure(fmt.Sprint("e", i))
	}
	errors := tracker.Report().Errors
	require.Len(t, errors, 101)
	require.EqualValues(t, 400, errors["_other"])
}

func TestCollector_IsLintCleanAndShowsTheReport(t *testing.T) {
	tracker := newTracker(t, 0.99, slo.Hour)
	other, err := slo.New("other", 0.9, slo.Hour)
	require.NoError(t, err)
	record(tracker, 199, 1)
	problems, err := testutil.CollectAndLint(tracker.Collector())
	require.NoError(t, err)
	require.Empty(t, problems)

	text := scrape(t, tracker.Collector(), other.Collector())
	for _, line := range []string{
		`slo_requests_total{name="orders"} 200`, `slo_failed_requests_total{name="orders"} 1`, `slo_failed_requests_total{name="other"} 0`,
		`slo_failures_total{error_type="timeout",name="orders"} 1`,
		`slo_objective{name="orders"} 0.99`, `slo_sli{name="orders",window="hour"} 0.995`,
		`slo_budget_remaining{name="orders",window="hour"} 0.5`, `slo_burn_rate{name="orders",window="hour"} 0.5`,
	} {
		require.Contains(t, text, line)
	}
}

type ruleFile struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Record, Alert, Expr string
			For                 string
			Labels, Annotations map[string]string
		}
	}
}

func TestRules_AreAFileOfPrometheus(t *testing.T) {
	for _, name := range []string{"orders", "it's \"quoted\" {{x}}\n\\", "日本", "\u0080\u009f\u0085", "\ufffe\uffff"} {
		for _, objective := range []float64{0.999, 1} {
			tracker, err := slo.New(name, objective)
			require.NoError(t, err)
			var file ruleFile
			decoder := yaml.NewDecoder(strings.NewReader(string(tracker.Rules())))
			decoder.KnownFields(true)
			require.NoError(t, decoder.Decode(&file))
			recorded := 0
			for _, group := range file.Groups {
				for _, rule := range group.Rules {
					require.NotEmpty(t, rule.Expr)
					require.Equal(t, name, strings.ReplaceAll(rule.Labels["slo"], `{{"{{"}}`, "{{"))
					if rule.Record != "" {
						recorded++
					}
				}
			}
			require.GreaterOrEqual(t, recorded, 11)
		}
	}
}

func TestRules_PageAndTicket(t *testing.T) {
	rules := string(newTracker(t, 0.999).Rules())
	for _, factor := range []string{"14.4 * 0.001", "6 * 0.001", "3 * 0.001", "1 * 0.001"} {
		require.Contains(t, rules, factor)
	}
	require.Equal(t, 2, strings.Count(rules, "alert: SLOBurnRate"))
	require.Contains(t, rules, "severity: 'page'")
	require.Contains(t, rules, "absent(slo_requests_total")
}

func TestDashboard_AsksForMetricsThatExist(t *testing.T) {
	tracker := newTracker(t, 0.999)
	var dashboard struct {
		SchemaVersion int
		Panels        []struct {
			ID      int
			GridPos struct{ H, W, X, Y int }
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(tracker.Dashboard(), &dashboard))
	require.Equal(t, 39, dashboard.SchemaVersion)
	known := string(tracker.Rules()) + scrape(t, tracker.Collector())
	known += "slo_failures_total"
	ids := map[int]bool{}
	for _, panel := range dashboard.Panels {
		require.False(t, ids[panel.ID])
		ids[panel.ID] = true
		require.LessOrEqual(t, panel.GridPos.X+panel.GridPos.W, 24)
		for _, target := range panel.Targets {
			require.NotEmpty(t, target.Expr)
			for _, metric := range regexp.MustCompile(`slo[_:][a-z_:0-9]+`).FindAllString(target.Expr, -1) {
				require.Contains(t, known, metric)
			}
		}
	}
}

func TestTracker_AllocatesNothingToRecord(t *testing.T) {
	tracker := newTracker(t, 0.999)
	tracker.RecordFailure("timeout")
	require.Zero(t, testing.AllocsPerRun(1000, tracker.RecordSuccess))
	require.Zero(t, testing.AllocsPerRun(1000, func() { tracker.RecordFailure("timeout") }))
}

func TestService_IsALabel(t *testing.T) {
	shop, depot := newTracker(t, 0.99, slo.WithService("shop"), slo.Hour), newTracker(t, 0.99, slo.WithService("depot"), slo.Hour)
	require.Equal(t, "shop", shop.Service())
	shop.RecordFailure("timeout")
	text := scrape(t, shop.Collector(), depot.Collector())
	require.Contains(t, text, `slo_failures_total{error_type="timeout",name="orders",service="shop"} 1`)
	require.Contains(t, text, `slo_failed_requests_total{name="orders",service="depot"} 0`)
	require.Contains(t, string(shop.Dashboard()), `service=\"shop\"`)
	_, err := slo.New("orders", 0.99, slo.WithService("\xff"))
	require.ErrorContains(t, err, "UTF-8")
}
