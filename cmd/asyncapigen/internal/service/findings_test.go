package service

import (
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/warrenmq/warren/cmd/asyncapigen/internal/discover"
	"github.com/warrenmq/warren/cmd/asyncapigen/internal/registered"
	"github.com/warrenmq/warren/internal/diagnostic"
)

// What isn't known in a package that doesn't compile is said by the compiler.
func TestKnownFaults_LeaveOutWhatFollowsFromTheCompilers(t *testing.T) {
	at := func(file string, code diagnostic.Code, severity diagnostic.Severity) diagnostic.Diagnostic {
		return diagnostic.Diagnostic{Code: code, Severity: severity, Pos: token.Position{Filename: file, Line: 1}}
	}
	unknown := diagnostic.List{
		at("a/x.go", diagnostic.UnknownValue, diagnostic.Error), at("a/x.go", diagnostic.UnknownRoute, diagnostic.Error), at("a/x.go", diagnostic.UnknownHandler, diagnostic.Error),
	}
	others := diagnostic.List{
		at("b/x.go", diagnostic.UnknownValue, diagnostic.Error), at("a/x.go", diagnostic.CustomJSON, diagnostic.Warning), {Code: diagnostic.UnknownRoute},
	}
	all := append(append(diagnostic.List{}, unknown...), others...)
	for _, c := range []struct{ faults, want diagnostic.List }{
		{diagnostic.List{at("a/y.go", diagnostic.TypeError, diagnostic.Error)}, others},
		{diagnostic.List{at("a/y.go", diagnostic.TypeError, diagnostic.Warning)}, all},
		{diagnostic.List{{Code: diagnostic.TypeError, Severity: diagnostic.Error}}, all},
		{nil, all},
	} {
		require.ElementsMatch(t, c.want, knownFaults(all, c.faults))
	}
}

func TestWithoutRoutes_IsAnErrorUnlessItIsMeant(t *testing.T) {
	warned := diagnostic.List{{Code: diagnostic.NoRoutes, Severity: diagnostic.Warning, What: "found by another"}}
	failed := diagnostic.List{{Code: diagnostic.TypeError, Severity: diagnostic.Error}}
	o, none, one := NewOptions("."), discover.Result{}, discover.Result{Routes: make([]registered.Route, 1)}

	found := WithoutRoutes(o, none, nil)
	require.Len(t, found, 1)
	require.Equal(t, diagnostic.NoRoutes, found[0].Code)
	require.True(t, found.HasErrors())
	found = WithoutRoutes(o, none, append(diagnostic.List{}, warned...))
	require.Len(t, found, 1)
	require.Equal(t, "found by another", found[0].What)
	require.True(t, found.HasErrors())
	require.Equal(t, failed, WithoutRoutes(o, none, failed))
	require.Equal(t, warned, WithoutRoutes(o, one, warned))
	require.Empty(t, WithoutRoutes(o, one, nil))
	o.AllowEmpty = true
	require.Equal(t, warned, WithoutRoutes(o, none, warned))
}

func TestDiagnostics_SayOnlyThatThereAreSeveralPrograms(t *testing.T) {
	result := discover.Result{Diagnostics: diagnostic.List{{Code: diagnostic.UnknownValue}, {Code: diagnostic.SeveralPrograms}}}
	require.Equal(t, result.Diagnostics, Diagnostics(nil, result))
}
