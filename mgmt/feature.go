package mgmt

import "context"

// FeatureFlag is a feature of the broker that is enabled once for a cluster.
type FeatureFlag struct {
	Name        string `json:"name"`
	Description string `json:"desc"`
	State       string `json:"state"`     // "enabled", "disabled" or "unavailable"
	Stability   string `json:"stability"` // "stable", "required", "experimental"
	ProvidedBy  string `json:"provided_by"`
	URL         string `json:"doc_url"`
}

// FeatureFlags lists the feature flags.
//
// GET /api/feature-flags
func (c *Client) FeatureFlags(ctx context.Context) ([]FeatureFlag, error) {
	return list[FeatureFlag](ctx, c, get("list feature flags", "", "", under("feature-flags")), nil)
}

// EnableFeatureFlag enables a feature flag. It can't be disabled again.
//
// PUT /api/feature-flags/{flag}/enable
func (c *Client) EnableFeatureFlag(ctx context.Context, name string) error {
	p := under("feature-flags").name("feature flag", name).and("enable")
	return c.call(ctx, put("enable feature flag", name, "", p, Table{"name": name}), nil)
}

// DeprecatedFeature is a feature that a later version of the broker won't have.
type DeprecatedFeature struct {
	Name        string `json:"name"`
	Description string `json:"desc"`
	State       string `json:"state"` // "permitted" or "denied"
	Phase       string `json:"deprecation_phase"`
	ProvidedBy  string `json:"provided_by"`
	URL         string `json:"doc_url"`
}

// DeprecatedFeatures lists the deprecated features. Before 3.13 the broker has
// no such list, and the error is ErrNotFound.
//
// GET /api/deprecated-features
func (c *Client) DeprecatedFeatures(ctx context.Context) ([]DeprecatedFeature, error) {
	return list[DeprecatedFeature](ctx, c, get("list deprecated features", "", "", under("deprecated-features")), nil)
}

// DeprecatedFeaturesUsed lists the deprecated features that are in use. See
// DeprecatedFeatures.
//
// GET /api/deprecated-features/used
func (c *Client) DeprecatedFeaturesUsed(ctx context.Context) ([]DeprecatedFeature, error) {
	return list[DeprecatedFeature](ctx, c, get("list deprecated features in use", "", "", under("deprecated-features/used")), nil)
}
