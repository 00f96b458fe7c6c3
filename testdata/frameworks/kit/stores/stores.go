// Package stores makes what the services of a company keep their settings in.
package stores

import (
	"strings"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
)

// Viper returns a store of variables of the environment that begin with a prefix.
func Viper(prefix string) *viper.Viper {
	v := viper.New()
	v.SetEnvPrefix(prefix)
	v.SetEnvKeyReplacer(strings.NewReplacer(".", "_"))
	v.AutomaticEnv()
	v.SetDefault("queue", "orders")
	return v
}

// Koanf returns a store of some settings.
func Koanf() (*koanf.Koanf, error) {
	k := koanf.New(".")
	return k, k.Load(confmap.Provider(map[string]any{"queues": []string{"mails", "bills"}}, "."), nil)
}
