package service

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestIsYAML_ByTheExtension(t *testing.T) {
	for name, want := range map[string]bool{"a.yaml": true, "a.YML": true, "a.json": false, "a": false, filepath.Join("a.yaml", "b"): false} {
		require.Equal(t, want, isYAML(name), name)
	}
}
