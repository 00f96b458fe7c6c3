package inclusion

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// What leads back to itself is read as no schema, and nothing is known of it.
func TestProver_KnowsNothingOfACircle(t *testing.T) {
	circle := &Schema{}
	circle.Target = circle
	p := NewProver()
	require.False(t, p.Includes(&Schema{}, circle))
	require.False(t, p.Includes(circle, &Schema{Never: true}))
	require.False(t, p.Accepts(circle, nil))
	require.False(t, p.Refuses(circle, nil))
	require.False(t, p.Sends(circle, nil))
	require.False(t, p.Same(circle, &Schema{Target: circle}))
	_, ok := p.Refute(circle, &Schema{Never: true})
	require.False(t, ok)
}

// A proof that takes too long is none, and leaves the next one its time.
func TestProver_EndsProofs(t *testing.T) {
	p, s := NewProver(), &Schema{}
	p.steps = maxSteps
	require.False(t, p.included([]*Schema{s}, s))
	require.True(t, p.Includes(s, s))

	p = NewProver()
	p.steps = maxSteps - 1
	require.True(t, p.included([]*Schema{s}, s))
}

// A search ends, and leaves the next one its work.
func TestProver_EndsSearches(t *testing.T) {
	p, s, never := NewProver(), &Schema{}, &Schema{Never: true}
	for _, c := range []struct {
		work, levels int
		found        bool
	}{{1, 1, true}, {0, 1, false}, {1, 0, false}} {
		for range 2 {
			p.work, p.levels = c.work, c.levels
			_, ok := p.one([]*Schema{s})
			require.Equal(t, c.found, ok)
			require.Equal(t, c.levels, p.levels)
		}
		p.work, p.levels = c.work, c.levels
		require.Equal(t, c.found, len(p.many(nil, nil)) > 0)
		require.Equal(t, c.levels, p.levels)
	}
	array := &Schema{Types: []string{"array"}}
	for range 2 {
		_, ok := p.Refute(s, never)
		require.True(t, ok)
		p.work, p.levels = 0, 0
		require.NotEmpty(t, p.Candidates([]*Schema{s}, nil, never))
		p.work, p.levels = 0, 0
		_, ok = p.Embed([]Step{{Schema: array, Item: true, Index: 1}}, nil)
		require.True(t, ok)
		p.work, p.levels = 0, 0
	}
}

// slow returns a pattern that backtracks for longer than it may, and a text for that.
func slow(t *testing.T) (*Pattern, string) {
	t.Helper()
	p, err := newPattern(`^(a+)+$`)
	require.NoError(t, err)
	require.LessOrEqual(t, p.compiled.MatchTimeout, time.Minute)
	p.compiled.MatchTimeout = time.Millisecond
	return p, strings.Repeat("a", 100) + "b"
}

func TestProver_KnowsNothingOfWhatTakesTooLong(t *testing.T) {
	pattern, text := slow(t)
	p, s := NewProver(), &Schema{Pattern: pattern}
	require.False(t, p.Accepts(s, text))
	require.False(t, p.Refuses(s, text))

	named := &Schema{Types: []string{"object"}, PatternProperties: []PatternProperty{{pattern, &Schema{Never: true}}}}
	object := map[string]any{text: nil}
	require.False(t, p.Accepts(named, object))
	require.False(t, p.Refuses(named, object))
	listed := &Schema{Types: []string{"object"}, HasProperties: true, Properties: []Property{{text, &Schema{}}}}
	require.False(t, p.Includes(listed, named))
	c := cell{parts: []*Schema{named}, lists: []*Schema{named}}
	require.True(t, c.sends(text))
	_, sent := c.member(text)
	require.True(t, sent)
}
