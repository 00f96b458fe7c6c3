// Defaults of the package's own viper, with flags, the environment, and a file
// that need not be there.
package main

import (
	"context"
	"log"

	"github.com/spf13/pflag"
	"github.com/spf13/viper"
	"github.com/warrenmq/warren/runtime"

	"example.com/frameworks/broker"
)

type Config struct {
	AMQP struct {
		Exchange string
		Keys     []string `mapstructure:"routing_keys"`
	}
	Common `mapstructure:",squash"`
}

type Common struct {
	Durable bool
	Kept    string
	TTL     int `mapstructure:"ttl"`
}

func init() {
	viper.SetDefault("queue", "orders")
	viper.SetDefault("AMQP.Exchange", "shop")
	viper.SetDefault("amqp.routing_keys", []string{"order.created", "order.paid"})
	viper.SetDefault("durable", true)
	viper.SetDefault("ttl", 60000)
	viper.SetDefault("grace", "5s")
}

func on(context.Context, int) error { return nil }

func main() {
	pflag.String("queue", "ignored", "")
	pflag.Parse()
	if err := viper.BindPFlag("queue", pflag.Lookup("queue")); err != nil {
		log.Fatal(err)
	}
	if err := viper.BindEnv("durable", "SHOP_DURABLE"); err != nil {
		log.Fatal(err)
	}
	viper.AutomaticEnv()
	viper.AddConfigPath("/etc/shop")
	if err := viper.ReadInConfig(); err != nil {
		log.Print("no configuration file: ", err)
	}
	cfg := Config{Common: Common{Kept: "kept"}}
	if err := viper.Unmarshal(&cfg); err != nil {
		log.Fatal(err)
	}
	r := runtime.NewRouter()
	r.MustRegister(runtime.Route{
		Name:        viper.GetString("QUEUE"),
		Queue:       runtime.Queue{Name: viper.GetString("queue"), Durable: cfg.Durable, Arguments: map[string]any{"x-message-ttl": cfg.TTL}},
		Exchange:    &runtime.Exchange{Name: cfg.AMQP.Exchange, Type: runtime.Topic},
		RoutingKeys: cfg.AMQP.Keys,
		Tags:        []string{cfg.Kept, viper.GetDuration("grace").String()},
		Handler:     runtime.Consume(on),
	})
	if err := broker.New().Start(context.Background(), r); err != nil {
		log.Fatal(err)
	}
}
