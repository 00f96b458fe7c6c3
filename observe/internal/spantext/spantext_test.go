package spantext_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/observe/internal/spantext"
)

// panicking is an error whose methods panic, as that of a nil pointer does.
type panicking struct{}

func (panicking) Error() string { panic("no text") }

func TestCut_MakesWhatOTLPCanCarry(t *testing.T) {
	longest := strings.Repeat("a", spantext.MaxLength)
	require.Equal(t, longest, spantext.Cut(longest))
	require.Equal(t, longest, spantext.Cut(longest+"b"))
	require.Equal(t, "a\ufffdb", spantext.Cut("a\xffb"))

	half := spantext.Cut(longest[1:] + "é")
	require.True(t, utf8.ValidString(half), "a rune is cut in two")
	require.Equal(t, longest[1:]+"\ufffd", half)
}

func TestError_NamesTheTypeOfAnErrorThatPanics(t *testing.T) {
	require.Equal(t, "failed", spantext.Error(errors.New("failed")))
	require.Equal(t, "a spantext_test.panicking", spantext.Error(panicking{}))
}

func TestPanic_IsATextWhateverTheValue(t *testing.T) {
	require.Equal(t, "failed", spantext.Panic("failed"))
	require.Equal(t, "7", spantext.Panic(7))
	require.Len(t, spantext.Panic(strings.Repeat("a", spantext.MaxLength+1)), spantext.MaxLength)
	require.NotPanics(t, func() { spantext.Panic(panicking{}) })
}

// Package fmt prints a value whose method panics, but for one that panics with such a value.
type endless struct{}

func (endless) String() string { panic(endless{}) }

func TestPanic_NamesTheTypeOfWhatCannotBePrinted(t *testing.T) {
	require.Equal(t, "a spantext_test.endless", spantext.Panic(endless{}))
	require.Equal(t, "7", spantext.Panic(7))
}
