package slo_test

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/warrenmq/warren/observe/slo"
)

func ExampleTracker_Report() {
	tracker, err := slo.New("orders", 0.99, slo.Hour)
	if err != nil {
		panic(err)
	}
	for range 199 {
		tracker.RecordSuccess()
	}
	tracker.RecordFailure("timeout")
	report := tracker.Report()
	fmt.Printf("sli %.3f, budget left %.2f, within %v\n", report.SLI, report.BudgetRemaining, report.WithinSLO)
	// Output: sli 0.995, budget left 0.50, within true
}

func ExampleTracker_Rules() {
	tracker, err := slo.New("orders", 0.999)
	if err != nil {
		panic(err)
	}
	rules := tracker.Rules() // for a file of Prometheus's rule_files
	fmt.Println(strings.Count(string(rules), "alert: SLOBurnRate"))
	// Output: 2
}

// What was counted before a restart is read back after it.
func ExampleTracker_Restore() {
	before, err := slo.New("orders", 0.99)
	if err != nil {
		panic(err)
	}
	before.RecordSuccess()
	file, err := json.Marshal(before.Snapshot())
	if err != nil {
		panic(err)
	}

	after, err := slo.New("orders", 0.99)
	if err != nil {
		panic(err)
	}
	var snapshot slo.Snapshot
	if err := json.Unmarshal(file, &snapshot); err != nil {
		panic(err)
	}
	if err := after.Restore(snapshot); err != nil {
		panic(err)
	}
	fmt.Println(after.Report().Total)
	// Output: 1
}
