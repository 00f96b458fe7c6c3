// Package settings has types for settings.
package settings

import "example.com/kit/tenant"

// A Tenant in the settings of a service is the one for whom it runs.
type Tenant struct{ name string }

// UnmarshalText is called by loaders of settings.
func (t *Tenant) UnmarshalText(text []byte) error {
	t.name = string(text)
	tenant.Set(t.name)
	return nil
}

// A Level is how much is logged.
type Level struct{ debug bool }

// UnmarshalText is called by loaders of settings.
func (l *Level) UnmarshalText(text []byte) error {
	l.debug = string(text) == "debug" && tenant.Name() != ""
	return nil
}
