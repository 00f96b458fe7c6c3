package slo

import (
	"encoding/json"
	"maps"
	"math"
	"time"
)

// A Report says how well an objective is kept. At the top it is that of the
// longest window. It is the caller's: nothing changes it later.
//
// Its JSON has the keys name, objective, sli, budget_remaining, error_budget,
// budget_consumed, burn_rate, within_slo, total, failures, errors, and windows,
// an object with the same figures for each window, by its name.
type Report struct {
	Name        string  `json:"name"`
	Objective   float64 `json:"objective"`
	ErrorBudget float64 `json:"error_budget"` // 1 - Objective (specification, section C, rule 4)

	WindowReport

	// Errors are the failures since the start, by type.
	Errors map[string]uint64 `json:"errors"`

	Windows map[Window]WindowReport `json:"windows"`
}

// A WindowReport is the state of an objective in a window. It has no NaN and no
// infinity.
type WindowReport struct {
	// SLI is the part of the events that met the objective, 1 without any.
	SLI float64 `json:"sli"`

	// BudgetRemaining is the part of the error budget that is left, from 0 to 1.
	// With the objective 1, of which the budget is 0, it is 1 until the first
	// failure, then 0.
	BudgetRemaining float64 `json:"budget_remaining"`

	// BudgetConsumed is the part that is used, more than 1 when it is overdrawn.
	// With the objective 1 it is the number of failures.
	BudgetConsumed float64 `json:"budget_consumed"`

	// BurnRate is how many times faster than allowed the budget is used over
	// the window: the same figure as BudgetConsumed once the window is full of
	// time.
	BurnRate float64 `json:"burn_rate"`

	WithinSLO bool   `json:"within_slo"` // the budget isn't overdrawn
	Total     uint64 `json:"total"`
	Failures  uint64 `json:"failures"`

	// ObservedFor is the time of the window since the tracker was made, in
	// nanoseconds; as JSON in seconds, "observed_seconds".
	ObservedFor time.Duration `json:"-"`
}

type windowJSON struct {
	WindowReport
	ObservedSeconds float64 `json:"observed_seconds"`
}

// MarshalJSON writes the windows by name, and times in seconds.
func (r Report) MarshalJSON() ([]byte, error) {
	windows := make(map[Window]windowJSON, len(r.Windows))
	for w, report := range r.Windows {
		windows[w] = windowJSON{report, report.ObservedFor.Seconds()}
	}
	return json.Marshal(struct {
		Name        string  `json:"name"`
		Objective   float64 `json:"objective"`
		ErrorBudget float64 `json:"error_budget"`
		windowJSON
		Errors  map[string]uint64     `json:"errors"`
		Windows map[Window]windowJSON `json:"windows"`
	}{r.Name, r.Objective, r.ErrorBudget, windowJSON{r.WindowReport, r.ObservedFor.Seconds()}, r.Errors, windows})
}

// Report returns the state of the objective now. It doesn't reset anything.
func (t *Tracker) Report() Report {
	t.mu.Lock()
	defer t.mu.Unlock()
	age := t.advance()
	report := Report{
		Name: t.name, Objective: t.objective, ErrorBudget: errorBudget(t.objective),
		Errors: maps.Clone(t.failures), Windows: make(map[Window]WindowReport, len(t.rings)),
	}
	for i := range t.rings {
		r := &t.rings[i]
		total, failed := r.at(age, t.tail)
		w := newWindowReport(report.ErrorBudget, total, failed)
		w.ObservedFor = min(age, r.window.Duration())
		report.Windows[r.window] = w
		report.WindowReport = w // the windows rise in length
	}
	return report
}

// errorBudget is 1 - objective, without rounding errors of binary fractions: for 0.999
// the subtraction gives 0.0010000000000000009.
func errorBudget(objective float64) float64 { return math.Round((1-objective)*1e12) / 1e12 }

func newWindowReport(budget, total, failed float64) WindowReport {
	failed = max(min(failed, total), 0)
	w := WindowReport{SLI: 1, BudgetRemaining: 1, WithinSLO: true, Total: uint64(math.Round(total)), Failures: uint64(math.Round(failed))}
	if total <= 0 {
		return w
	}
	w.SLI = 1 - failed/total
	if budget > 0 {
		w.BudgetConsumed = failed / total / budget
	} else {
		w.BudgetConsumed = failed
	}
	w.BurnRate = w.BudgetConsumed
	if budget <= 0 {
		w.BurnRate = failed / total
	}
	w.WithinSLO = w.BudgetConsumed <= 1+1e-9 && (budget > 0 || failed == 0)
	w.BudgetRemaining = max(1-w.BudgetConsumed, 0)
	if budget <= 0 && failed > 0 {
		w.BudgetRemaining = 0
	}
	return w
}
