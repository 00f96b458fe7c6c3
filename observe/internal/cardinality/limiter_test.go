package cardinality_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/cardinality"
)

func TestValue_PassesUpToTheLimit(t *testing.T) {
	l := cardinality.NewLimiter(2)
	require.Equal(t, "a", l.Value("a"))
	require.Equal(t, "b\ufffd", l.Value("b\xff"))
	require.Equal(t, cardinality.Overflow, l.Value("c"))
	require.Equal(t, "a", l.Value("a"))
	require.Equal(t, "b\ufffd", l.Value("b\xff"))
	require.EqualValues(t, 1, l.Rejected())
}

func TestValue_RefusesLongValues(t *testing.T) {
	l := cardinality.NewLimiter(2)
	require.Equal(t, cardinality.Overflow, l.Value(strings.Repeat("x", cardinality.MaxLength+1)))
	require.Equal(t, "short", l.Value("short"))
}

func TestValue_AllocatesNothingToRefuse(t *testing.T) {
	l := cardinality.NewLimiter(1)
	l.Value("a")
	values := make([]string, 2000)
	for i := range values {
		values[i] = strconv.Itoa(i)
	}
	i := 0
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		l.Value(values[i])
		i++
	}))
}
