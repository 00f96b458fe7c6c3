package main

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// modules are those whose types are described, and the packages that have them.
var modules = []module{
	{path: "k8s.io/api", packages: []string{
		"k8s.io/api/apps/v1", "k8s.io/api/autoscaling/v2", "k8s.io/api/batch/v1", "k8s.io/api/core/v1",
		"k8s.io/api/networking/v1", "k8s.io/api/policy/v1", "k8s.io/api/rbac/v1", "k8s.io/api/storage/v1",
	}},
	{path: "github.com/stripe/stripe-go/v82", packages: []string{"github.com/stripe/stripe-go/v82"}},
	{path: "github.com/google/go-github/v81", packages: []string{"github.com/google/go-github/v81/github"}},
	{path: "gitlab.com/gitlab-org/api/client-go", packages: []string{"gitlab.com/gitlab-org/api/client-go"}},
	{path: "code.gitea.io/sdk/gitea", packages: []string{"code.gitea.io/sdk/gitea"}},
	{path: "github.com/aws/aws-sdk-go-v2/service/dynamodb", packages: []string{"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"}},
	{path: "github.com/aws/aws-sdk-go-v2/service/lambda", packages: []string{"github.com/aws/aws-sdk-go-v2/service/lambda/types"}},
	{path: "github.com/digitalocean/godo", packages: []string{"github.com/digitalocean/godo"}},
	{path: "github.com/elastic/go-elasticsearch/v9", packages: []string{"github.com/elastic/go-elasticsearch/v9/typedapi/types"}},
	{path: "github.com/hashicorp/consul/api", packages: []string{"github.com/hashicorp/consul/api"}},
	{path: "github.com/moby/moby/api", packages: []string{
		"github.com/moby/moby/api/types/container", "github.com/moby/moby/api/types/image",
		"github.com/moby/moby/api/types/network", "github.com/moby/moby/api/types/swarm",
	}},
	{path: "github.com/opencontainers/runtime-spec", packages: []string{"github.com/opencontainers/runtime-spec/specs-go"}},
	{path: "github.com/getkin/kin-openapi", packages: []string{"github.com/getkin/kin-openapi/openapi3"}},
	{path: "github.com/slack-go/slack", packages: []string{"github.com/slack-go/slack"}},
	{path: "github.com/bwmarrin/discordgo", packages: []string{"github.com/bwmarrin/discordgo"}},
	{path: "github.com/sashabaranov/go-openai", packages: []string{"github.com/sashabaranov/go-openai"}},
}

type module struct {
	path     string
	packages []string

	version string
	types   []typeName // sorted
}

// A typeName is an exported struct type.
type typeName struct {
	path, ident string
}

// listTypes finds the exported struct types of the modules.
func listTypes(ctx context.Context) ([]module, error) {
	var found []module
	for _, m := range modules {
		loaded, err := packages.Load(&packages.Config{
			Context: ctx,
			Mode:    packages.NeedName | packages.NeedTypes | packages.NeedModule | packages.NeedImports | packages.NeedExportFile,
		}, m.packages...)
		if err != nil {
			return nil, fmt.Errorf("list the types of %s: %w", m.path, err)
		}
		for _, pkg := range loaded {
			if len(pkg.Errors) > 0 {
				return nil, fmt.Errorf("list the types of %s: %w", pkg.PkgPath, pkg.Errors[0])
			}
			m.version = pkg.Module.Version
			m.types = append(m.types, structs(pkg.Types)...)
		}
		slices.SortFunc(m.types, func(a, b typeName) int { return strings.Compare(a.path+"."+a.ident, b.path+"."+b.ident) })
		found = append(found, m)
	}
	return found, nil
}

func structs(pkg *types.Package) []typeName {
	var all []typeName
	for _, ident := range pkg.Scope().Names() {
		object, ok := pkg.Scope().Lookup(ident).(*types.TypeName)
		if !ok || !object.Exported() || object.IsAlias() {
			continue
		}
		named, ok := object.Type().(*types.Named)
		if !ok || named.TypeParams().Len() > 0 {
			continue
		}
		if _, ok := named.Underlying().(*types.Struct); ok {
			all = append(all, typeName{pkg.Path(), ident})
		}
	}
	return all
}
