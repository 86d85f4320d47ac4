package session

import (
	"cmp"
	"context"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// ResellerAttribute is `reseller`, which each resource has: it keeps live and simulated objects apart. A plan has its
// value, so that Terraform rejects a plan that was made with another reseller.
func ResellerAttribute() schema.StringAttribute {
	return fwtype.ConstantString("Slug of the reseller.")
}

// SigningResellerAttribute is `reseller` of a resource of the Signing API, which has no slug.
func SigningResellerAttribute() schema.StringAttribute {
	a := ResellerAttribute()
	a.MarkdownDescription = "Service that the object belongs to: the slug of the built-in simulator, the base URL of a `simulate` server, " +
		"or null for the live Signing API."
	return a
}

// Reseller is the value of `reseller` in a plan and in a state: the slug, unknown while the provider's settings are.
func (s *Session) Reseller(ctx context.Context) (types.String, diag.Diagnostics) {
	if !s.Ready() {
		return types.StringUnknown(), nil
	}
	slug, err := s.Inventory.Slug(ctx)
	if err != nil {
		return types.StringUnknown(), diagnostic.ReadFailure(SummarySlug, "The reseller of this API key", err)
	}
	return types.StringValue(slug), nil
}

// SigningReseller is the value of `reseller` for objects of the Signing API, which has no slug: that of the provider's
// own simulator, the base URL of a simulator that is reached by http, and null for an API that is reached by https.
func (s *Session) SigningReseller(typeName string) types.String {
	isUserKey := func(at path.Path) bool { return at.Equal(path.Root("signing").AtName("user_api_key")) }
	switch {
	case s == nil || len(s.Pending) > 0:
		return types.StringUnknown()
	case s.Simulator.Slug != "":
		return types.StringValue(s.Simulator.Slug)
	case len(s.signingPending) > 1, len(s.signingPending) == 1 && !isUserKey(s.signingPending[0]):
		return types.StringUnknown()
	}
	return fwtype.TextOrNull(s.signingConfig.LoopbackURL(typeName == effect.ProviderType+"_"+TypeMintedDocument))
}

// CheckReseller returns an error for an object in state of another service: of the simulator where the live API is
// used, of the live API in the simulator, or of other simulator data. stored is its `reseller`, "" for null. Two
// resellers of the live API are distinguished where an object is not found.
func (s *Session) CheckReseller(ctx context.Context, typeName, stored string) diag.Diagnostic {
	switch {
	case len(s.Pending) > 0:
		return nil // the apply knows which service it is
	case isSigningType(typeName):
		return s.checkSigning(typeName, stored)
	case stored == "" || strings.EqualFold(stored, s.Simulator.Slug):
		return nil // "" is imported, and not read yet
	case s.Simulator.Slug != "" && !isSimulatorSlug(stored):
		return liveState(typeName, "reseller "+stored+" of the live API")
	case s.Simulator.Slug != "":
		return s.otherSimulator(typeName)
	case !isSimulatorSlug(stored):
		return nil
	case !s.Ready():
		return simulatorState(typeName, "the live API")
	}
	// The program `simulate` serves a simulator over HTTP: its slug is that of its data.
	slug, err := s.Inventory.Slug(ctx)
	switch {
	case err != nil:
		return diagnostic.ReadFailure(SummarySlug, "The reseller of this API key", err)[0]
	case strings.EqualFold(slug, stored):
		return nil
	default:
		return simulatorState(typeName, "those of "+slug)
	}
}

// checkSigning compares an object of the Signing API: another address is another service.
func (s *Session) checkSigning(typeName, stored string) diag.Diagnostic {
	now := s.SigningReseller(typeName)
	switch {
	case now.IsUnknown() && !isSimulatorSlug(stored), strings.EqualFold(stored, now.ValueString()):
		return nil
	case stored == "" && s.Simulator.Slug != "":
		return liveState(typeName, liveSigning)
	case stored == "":
		return liveSigningState(typeName, now.ValueString())
	case isSimulatorSlug(stored) && s.Simulator.Slug != "":
		return s.otherSimulator(typeName)
	case len(s.signingMissing) > 0 && !isSimulatorSlug(stored):
		return nil // without settings nothing is sent
	default:
		return otherSigning(typeName, stored, cmp.Or(now.ValueString(), liveSigning))
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
func (s Simulator) Ephemeral() bool {
	return s.Slug != "" && s.File == ""
}

func isSimulatorSlug(slug string) bool {
	return strings.HasSuffix(strings.ToLower(slug), SimulatorSlugSuffix)
}
