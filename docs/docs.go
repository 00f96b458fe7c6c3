// Package docs has the pages that asyncapigen prints.
package docs

import _ "embed"

// Diagnostics explains every code of a finding, in a section of its own.
//
//go:embed diagnostics.md
var Diagnostics string
