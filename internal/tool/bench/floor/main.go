// Command floor is a provider that responds to each request with the values of the request. The bench runs it over this
// provider's schema and state: its CPU time is the cost of the protocol for the same plan, without any work of a
// provider.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6/tf6server"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/privatelabels/terraform-provider-reseller/internal/tool/bench/schemafile"
)

// address is the address of the provider that it replaces.
const address = "registry.terraform.io/privatelabels/reseller"

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func serve() error {
	// The provider's main disables these, too, unless a TF_LOG variable requests logs; the bench passes none.
	for _, name := range []string{"TF_LOG_SDK", "TF_LOG_SDK_FRAMEWORK", "TF_LOG_SDK_PROTO"} {
		if _, set := os.LookupEnv(name); set {
			continue
		}
		if err := os.Setenv(name, "OFF"); err != nil {
			return err
		}
	}
	schemas, err := schemafile.Read(os.Getenv(schemafile.Variable))
	if err != nil {
		return fmt.Errorf("%s: %w", schemafile.Variable, err)
	}
	return tf6server.Serve(address, func() tfprotov6.ProviderServer { return echo{schemas: schemas} })
}

// echo is the protocol server. The embedded interface is nil: the schema has
// resources only, and the bench imports and moves none with the floor, so the
// CLI calls no method beyond those below.
type echo struct {
	tfprotov6.ProviderServer
	schemas *schemafile.Schemas
}

func (e echo) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{
		ServerCapabilities: e.schemas.Capabilities,
		Provider:           e.schemas.Provider,
		ResourceSchemas:    e.schemas.Resources,
	}, nil
}

func (e echo) GetResourceIdentitySchemas(context.Context, *tfprotov6.GetResourceIdentitySchemasRequest) (*tfprotov6.GetResourceIdentitySchemasResponse, error) {
	return &tfprotov6.GetResourceIdentitySchemasResponse{IdentitySchemas: e.schemas.Identities}, nil
}

func (echo) ValidateProviderConfig(_ context.Context, req *tfprotov6.ValidateProviderConfigRequest) (*tfprotov6.ValidateProviderConfigResponse, error) {
	return &tfprotov6.ValidateProviderConfigResponse{PreparedConfig: req.Config}, nil
}

func (echo) ConfigureProvider(context.Context, *tfprotov6.ConfigureProviderRequest) (*tfprotov6.ConfigureProviderResponse, error) {
	return &tfprotov6.ConfigureProviderResponse{}, nil
}

func (echo) StopProvider(context.Context, *tfprotov6.StopProviderRequest) (*tfprotov6.StopProviderResponse, error) {
	return &tfprotov6.StopProviderResponse{}, nil
}

func (echo) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

// UpgradeResourceState decodes the stored state by the schema and encodes it for the protocol. Every plugin must do
// this, because a state may have attributes that the schema no longer has.
func (e echo) UpgradeResourceState(_ context.Context, req *tfprotov6.UpgradeResourceStateRequest) (*tfprotov6.UpgradeResourceStateResponse, error) {
	value, err := upgrade(e.schemas.Resources[req.TypeName].ValueType(), req.RawState)
	return &tfprotov6.UpgradeResourceStateResponse{UpgradedState: value}, err
}

func (e echo) UpgradeResourceIdentity(_ context.Context, req *tfprotov6.UpgradeResourceIdentityRequest) (*tfprotov6.UpgradeResourceIdentityResponse, error) {
	value, err := upgrade(e.schemas.Identities[req.TypeName].ValueType(), req.RawIdentity)
	return &tfprotov6.UpgradeResourceIdentityResponse{UpgradedIdentity: &tfprotov6.ResourceIdentityData{IdentityData: value}}, err
}

func upgrade(typ tftypes.Type, stored *tfprotov6.RawState) (*tfprotov6.DynamicValue, error) {
	ignore := tftypes.ValueFromJSONOpts{IgnoreUndefinedAttributes: true}
	value, err := stored.UnmarshalWithOpts(typ, tfprotov6.UnmarshalOpts{ValueFromJSONOpts: ignore})
	if err != nil {
		return nil, err
	}
	encoded, err := tfprotov6.NewDynamicValue(typ, value)
	return &encoded, err
}

func (echo) ReadResource(_ context.Context, req *tfprotov6.ReadResourceRequest) (*tfprotov6.ReadResourceResponse, error) {
	return &tfprotov6.ReadResourceResponse{NewState: req.CurrentState, Private: req.Private, NewIdentity: req.CurrentIdentity}, nil
}

func (echo) PlanResourceChange(_ context.Context, req *tfprotov6.PlanResourceChangeRequest) (*tfprotov6.PlanResourceChangeResponse, error) {
	return &tfprotov6.PlanResourceChangeResponse{PlannedState: req.ProposedNewState, PlannedPrivate: req.PriorPrivate, PlannedIdentity: req.PriorIdentity}, nil
}

func (echo) ApplyResourceChange(_ context.Context, req *tfprotov6.ApplyResourceChangeRequest) (*tfprotov6.ApplyResourceChangeResponse, error) {
	return &tfprotov6.ApplyResourceChangeResponse{NewState: req.PlannedState, Private: req.PlannedPrivate, NewIdentity: req.PlannedIdentity}, nil
}
