package session

import (
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// ResellerAttribute is `reseller`, which each resource has: it keeps live and simulated objects apart. A plan has its
// value, so that Terraform rejects a plan that was made with another reseller.
func ResellerAttribute() schema.StringAttribute {
	return schema.StringAttribute{
		Computed: true,
		MarkdownDescription: "Slug of the reseller under which the object was last read or written. " +
			"Null for signing resources of the live Signing API. API: `slug`.",
		PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()},
	}
}

// Reseller is the value of `reseller` in a plan and in a state: the slug, unknown while the provider's settings are.
func (s *Session) Reseller(ctx context.Context) (types.String, diag.Diagnostics) {
	if !s.Ready() {
		return types.StringUnknown(), nil
	}
	slug, err := s.Inventory.Slug(ctx)
	if err != nil {
		return types.StringUnknown(), diag.Diagnostics{diagnostic.ReadFailure(summarySlug, "The slug of the reseller").Diagnostic(err)}
	}
	return types.StringValue(slug), nil
}

// SigningReseller is the value of `reseller` for objects of the Signing API, which has no slug: that of the simulator,
// or null.
func (s *Session) SigningReseller() types.String {
	switch {
	case s == nil || len(s.Pending) > 0:
		return types.StringUnknown()
	case s.Simulator.Slug == "":
		return types.StringNull()
	default:
		return types.StringValue(s.Simulator.Slug)
	}
}

// CheckReseller returns an error for an object in state of another service: of the simulator where the live API is
// used, of the live API in the simulator, or of other simulator data. stored is its `reseller`, "" for null. Two
// resellers of the live API are distinguished where an object is not found.
func (s *Session) CheckReseller(ctx context.Context, typeName, stored string) diag.Diagnostic {
	switch {
	case s.Simulator.Slug != "" && stored == "":
		if !isSigningType(typeName) {
			return nil // imported, and not read yet
		}
		return liveState(typeName, "the live Signing API")
	case stored == "" || strings.EqualFold(stored, s.Simulator.Slug):
		return nil
	case s.Simulator.Slug != "" && !isSimulatorSlug(stored):
		return liveState(typeName, "reseller "+stored+" of the live API")
	case s.Simulator.Slug != "":
		return s.otherSimulator(typeName, stored)
	case !isSimulatorSlug(stored):
		return nil
	case !s.Ready():
		return simulatorState(typeName, stored, "the live API")
	}
	// The program `simulate` serves a simulator over HTTP: its slug is that of its data.
	slug, err := s.Inventory.Slug(ctx)
	switch {
	case err != nil:
		return diagnostic.ReadFailure(summarySlug, "The slug of the reseller").Diagnostic(err)
	case strings.EqualFold(slug, stored):
		return nil
	default:
		return simulatorState(typeName, stored, "reseller "+slug)
	}
}

// isSigningType reports whether a type of resource, with the provider's prefix, is of the Signing API.
func isSigningType(typeName string) bool {
	switch strings.TrimPrefix(typeName, "reseller_") {
	case TypeDocument, TypeDocumentSigning, TypeMintedDocument:
		return true
	}
	return false
}

// SimulatorSlugSuffix is the suffix of every simulator's slug. No reseller of the live API can have it.
const SimulatorSlugSuffix = ".simulator.invalid"

// Simulator identifies the simulator of a session.
type Simulator struct {
	Slug string // of its reseller; "" without a simulator
	File string // path of its data as configured; "" for the simulator of one command
}

// Ephemeral reports whether the data ends with the command.
func (s Simulator) Ephemeral() bool { return s.Slug != "" && s.File == "" }

func isSimulatorSlug(slug string) bool {
	return strings.HasSuffix(strings.ToLower(slug), SimulatorSlugSuffix)
}
