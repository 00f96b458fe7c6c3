package difference_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/difference"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/inclusion/judge"
)

// wrapped puts changes of the table into larger schemas, several at a time.
func wrapped(r *rand.Rand, depth int) (old, new string) {
	if depth == 0 {
		p := pairs[r.IntN(len(pairs))]
		switch r.IntN(4) {
		case 0:
			return p.old, p.old
		case 1:
			return p.new, p.old
		}
		return p.old, p.new
	}
	oldA, newA := wrapped(r, depth-1)
	oldB, newB := wrapped(r, r.IntN(depth))
	form := []string{
		`{"type":"object","properties":{"a":%s,"b":%s},"required":["a"]}`,
		`{"type":"object","properties":{"a":%s,"b":%s}}`,
		`{"type":"array","items":{"type":"object","properties":{"x":%s,"y":%s},"required":["y"]},"minItems":1}`,
		`{"oneOf":[{"title":"one","type":"object","properties":{"kind":{"enum":["one"]},"a":%s},"required":["kind"]},{"title":"two","type":"object","properties":{"kind":{"enum":["two"]},"b":%s},"required":["kind"]}]}`,
		`{"type":"object","properties":{"a":%s},"additionalProperties":%s}`,
	}[r.IntN(5)]
	return fmt.Sprintf(form, oldA, oldB), fmt.Sprintf(form, newA, newB)
}

func checkContracts(t testing.TB, r *rand.Rand) difference.Severity {
	t.Helper()
	old, new := wrapped(r, 1+r.IntN(3))
	key, sends, accepts := "subscribe", old, new
	if r.IntN(2) == 0 {
		key, sends, accepts = "publish", new, old
	}
	report := difference.Compare(contract(t, key, old, components), contract(t, key, new, components), nil)
	checkExamples(t, report, sends, accepts)
	severity := difference.Documentation
	for _, c := range report.Changes {
		if c.ID != "version-too-low" {
			severity = c.Severity // the first is the most severe
			break
		}
	}
	if report.HasBreaking() {
		return severity
	}
	sent, accepted := judge.Compile(t, sends, components), judge.Compile(t, accepts, components)
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(sends))
	require.NoError(t, err)
	all, err := jsonschema.UnmarshalJSON(strings.NewReader(components))
	require.NoError(t, err)
	s := sender{Rand: r, components: all.(map[string]any), closed: true}
	for range 200 {
		if value := s.value(schema, 0); sent.Validate(value) == nil {
			require.NoError(t, accepted.Validate(value), "%v\nis sent by      %s\nnot accepted by %s", value, sends, accepts)
		}
	}
	return severity
}

func TestCompare_HoldsForRandomContracts(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 17))
	counts := make(map[difference.Severity]int)
	for range 400 {
		counts[checkContracts(t, r)]++
	}
	t.Log(counts)
	require.Greater(t, counts[difference.Breaking], 100)
	require.Greater(t, counts[difference.Compatible], 30)
	require.Less(t, counts[difference.Undecided], 10)
}

func FuzzCompare(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(func(t *testing.T, seed uint64) { checkContracts(t, rand.New(rand.NewPCG(seed, 1))) })
}

// large returns a document with n schemas that refer to each other, and a version
// of it in which each has changed.
func large(t testing.TB, n int) (old, new *difference.Document) {
	t.Helper()
	document := func(change string) *difference.Document {
		var channels, schemas strings.Builder
		for i := range n {
			fmt.Fprintf(&schemas, `%q:{"type":"object","properties":{"id":{"type":"string"%s},"count":{"type":"integer"},"next":{"$ref":"#/components/schemas/S%d"},"also":{"$ref":"#/components/schemas/S%d"}},"required":["id"]},`,
				fmt.Sprintf("S%d", i), change, (i+1)%n, (i*7+3)%n)
			if i%4 == 0 {
				fmt.Fprintf(&channels, `"q%d":{"subscribe":{"operationId":"O%d","message":{"name":"M","payload":{"$ref":"#/components/schemas/S%d"}}},"bindings":{"amqp":{"is":"queue"}}},`, i, i, i)
			}
		}
		text := fmt.Sprintf(`{"asyncapi":"2.6.0","info":{"title":"T","version":"1.0.0"},"channels":{%s},"components":{"schemas":{%s}}}`,
			strings.TrimSuffix(channels.String(), ","), strings.TrimSuffix(schemas.String(), ","))
		d, err := difference.Read("asyncapi.json", []byte(text), difference.ByShape)
		require.NoError(t, err)
		return d
	}
	return document(""), document(`,"maxLength":5`)
}

// mallocs counts what a comparison allocates: its work, whatever the machine.
func mallocs(t *testing.T, n int) float64 {
	t.Helper()
	old, new := large(t, n)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	report := difference.Compare(old, new, nil)
	runtime.ReadMemStats(&after)
	require.Equal(t, n+1, report.Count(difference.Breaking))
	return float64(after.Mallocs - before.Mallocs)
}

func TestCompare_IsLinear(t *testing.T) {
	one, eight := mallocs(t, 40), mallocs(t, 320)
	require.Less(t, eight, 12*one)
}

func BenchmarkCompare(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		old, new := large(b, 1000)
		b.StartTimer()
		difference.Compare(old, new, nil)
	}
}
