package scope

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVersion_IsTheModules(t *testing.T) {
	dep := func(m *debug.Module) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Path: "example.com/shop", Version: "v9.0.0"}, Deps: []*debug.Module{{Path: "other", Version: "v1.0.0"}, m}}
	}
	require.Equal(t, "v0.4.0", version(dep(&debug.Module{Path: module, Version: "v0.4.0"})))
	require.Equal(t, "v0.5.0", version(dep(&debug.Module{Path: module, Version: "v0.4.0", Replace: &debug.Module{Path: "fork", Version: "v0.5.0"}})))
	require.Equal(t, "v0.4.0", version(dep(&debug.Module{Path: module, Version: "v0.4.0", Replace: &debug.Module{Path: "../warren"}})))
	require.Equal(t, "(devel)", version(&debug.BuildInfo{Main: debug.Module{Path: module, Version: "(devel)"}}))
	require.Empty(t, version(&debug.BuildInfo{Main: debug.Module{Path: "example.com/shop"}}))
}
