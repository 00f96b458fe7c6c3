package runtime_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/runtime"
)

func TestEnv_FallsBackWhereTheVariableIsUnsetOrEmpty(t *testing.T) {
	t.Setenv("WARREN_TEST_SET", "from the environment")
	t.Setenv("WARREN_TEST_EMPTY", "")

	require.Equal(t, "from the environment", runtime.Env("WARREN_TEST_SET", "fallback"))
	require.Equal(t, "fallback", runtime.Env("WARREN_TEST_EMPTY", "fallback"))
	require.Equal(t, "fallback", runtime.Env("WARREN_TEST_UNSET", "fallback"))
}
