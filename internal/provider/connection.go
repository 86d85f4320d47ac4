package provider

import (
	"context"
	"errors"

	"github.com/hashicorp/terraform-plugin-framework/provider"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/signing"
)

// Connection returns the settings of the environment, as a provider with an empty block reads them, for a command that
// calls the live APIs itself.
func Connection(ctx context.Context, version string, getenv func(string) string) (client.Config, signing.Config, error) {
	p := newProvider(version, Options{Getenv: getenv})
	var schema provider.SchemaResponse
	p.Schema(ctx, provider.SchemaRequest{}, &schema)
	empty := tfsdk.Config{Schema: schema.Schema, Raw: tftypes.NewValue(schema.Schema.Type().TerraformType(ctx), nil)}
	set, diags := resolveSettings(ctx, empty, p.Getenv)
	if diags.HasError() {
		first := diags.Errors()[0]
		return client.Config{}, signing.Config{}, errors.New(first.Summary() + ". " + first.Detail())
	}
	if set.simulator {
		return client.Config{}, signing.Config{}, errors.New(simulatorBesideCommand)
	}
	set.api.UserAgent = p.userAgent()
	set.sign.Settings = set.api.Settings
	return set.api, set.sign, nil
}

func (p *resellerProvider) userAgent() string {
	return "terraform-provider-reseller/" + p.version
}
