// A name with a dot is no key of viper or koanf, and what must be there has elements.
package main

import (
	"context"
	"log"

	"github.com/knadh/koanf/providers/confmap"
	"github.com/knadh/koanf/v2"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

func on(context.Context, string) error { return nil }

func main() {
	viper.SetDefault("queue.name", "viper")
	ofViper := struct {
		Name string `mapstructure:"queue.name"`
	}{"before.viper"}
	if err := viper.Unmarshal(&ofViper); err != nil {
		log.Fatal(err)
	}
	k := koanf.New(".")
	if err := k.Load(confmap.Provider(map[string]any{"queue.name": "koanf", "keys": []string{}}, "."), nil); err != nil {
		log.Fatal(err)
	}
	ofKoanf := struct {
		Name string `koanf:"queue.name"`
	}{"before.koanf"}
	if err := k.Unmarshal("", &ofKoanf); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	for _, queue := range []string{ofViper.Name, ofKoanf.Name, keys(k)} {
		r.MustRegister(runtime.Route{Name: queue, Queue: runtime.Queue{Name: queue}, Handler: runtime.Consume(on)})
	}
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}

func keys(k *koanf.Koanf) (all string) {
	defer func() {
		if recover() != nil {
			all = "none"
		}
	}()
	return k.MustStrings("keys")[0]
}
