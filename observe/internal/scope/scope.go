// Package scope names the instrumentation of this module to OpenTelemetry: its
// version, and the schema that its attributes follow.
package scope

import (
	"runtime/debug"

	"go.opentelemetry.io/otel/trace"
)

// SchemaURL is that of the semantic conventions whose names are used.
const SchemaURL = "https://opentelemetry.io/schemas/1.43.0"

const module = "github.com/warrenmq/warren"

// Version is the module's, by the build information of the program; "" where that
// has none, and "(devel)" in a build of the module itself.
var Version = func() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	return version(info)
}()

func version(info *debug.BuildInfo) string {
	if info.Main.Path == module {
		return info.Main.Version
	}
	for _, dep := range info.Deps {
		if dep.Path != module {
			continue
		}
		if dep.Replace != nil && dep.Replace.Version != "" {
			return dep.Replace.Version
		}
		return dep.Version
	}
	return ""
}

// Tracer returns the provider's tracer of that name.
func Tracer(provider trace.TracerProvider, name string) trace.Tracer {
	return provider.Tracer(name, trace.WithInstrumentationVersion(Version), trace.WithSchemaURL(SchemaURL))
}
