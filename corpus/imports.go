//go:build imports

package main

// These imports keep in go.mod what the program in values needs, which isn't
// there until the corpus has run. The build tag is never set.
import (
	_ "code.gitea.io/sdk/gitea"
	_ "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	_ "github.com/aws/aws-sdk-go-v2/service/lambda/types"
	_ "github.com/bwmarrin/discordgo"
	_ "github.com/digitalocean/godo"
	_ "github.com/elastic/go-elasticsearch/v9/typedapi/types"
	_ "github.com/getkin/kin-openapi/openapi3"
	_ "github.com/google/go-github/v81/github"
	_ "github.com/hashicorp/consul/api"
	_ "github.com/moby/moby/api/types/container"
	_ "github.com/moby/moby/api/types/image"
	_ "github.com/moby/moby/api/types/network"
	_ "github.com/moby/moby/api/types/swarm"
	_ "github.com/opencontainers/runtime-spec/specs-go"
	_ "github.com/sashabaranov/go-openai"
	_ "github.com/slack-go/slack"
	_ "github.com/stripe/stripe-go/v82"
	_ "gitlab.com/gitlab-org/api/client-go"
	_ "k8s.io/api/apps/v1"
	_ "k8s.io/api/autoscaling/v2"
	_ "k8s.io/api/batch/v1"
	_ "k8s.io/api/core/v1"
	_ "k8s.io/api/networking/v1"
	_ "k8s.io/api/policy/v1"
	_ "k8s.io/api/rbac/v1"
	_ "k8s.io/api/storage/v1"
)
