// Kubernetes reports pods and deployments, as a controller would that gets them
// by client-go.
package main

import (
	"context"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/warrenmq/warren/runtime"
)

type reporter struct {
	cluster kubernetes.Interface
}

func (r *reporter) pod(context.Context, core.Pod) error { return nil }

func (r *reporter) deployment(context.Context, apps.Deployment) error { return nil }

func main() {
	config, err := rest.InClusterConfig()
	if err != nil {
		panic(err)
	}
	cluster, err := kubernetes.NewForConfig(config)
	if err != nil {
		panic(err)
	}
	r := &reporter{cluster}
	router := runtime.NewRouter()
	router.MustRegister(
		runtime.Route{Name: "pods", Queue: runtime.Queue{Name: "cluster.pods", Durable: true}, Handler: runtime.Consume(r.pod)},
		runtime.Route{Name: "deployments", Queue: runtime.Queue{Name: "cluster.deployments", Durable: true}, Handler: runtime.Consume(r.deployment)},
	)
}
