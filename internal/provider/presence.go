package provider

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
)

// sought is an object of the state that a Read or a Delete did not find.
type sought struct {
	name     string // "The assignment of sign.acme.example"
	lastSlug string // the reseller under which it was last read
}

// verdict is what the inventory says about it.
type verdict struct {
	presence inventory.Presence
	err      error
}

func verdictOf(p inventory.Presence, err error) verdict { return verdict{p, err} }

// removeAbsent removes an object from state, with a warning, when its absence is proven, and reports whether it did.
// Everything else is an error that keeps the state. No other code removes an object from state.
func (s *session) removeAbsent(ctx context.Context, resp *resource.ReadResponse, o sought, v verdict, gone diag.Diagnostic) bool {
	absent, problem := s.isAbsent(ctx, o, v)
	if problem != nil {
		resp.Diagnostics.Append(problem)
		return false
	}
	if !absent {
		return false
	}
	resp.Diagnostics.Append(gone)
	resp.State.RemoveResource(ctx)
	return true
}

// isAbsent reports whether the absence of an object is proven. The diagnostic is an error where neither presence nor
// absence is; nothing may be removed or called deleted then.
func (s *session) isAbsent(ctx context.Context, o sought, v verdict) (bool, diag.Diagnostic) {
	switch {
	case v.err != nil:
		return false, readFailure(o.name).diagnose(v.err)
	case v.presence == inventory.Absent:
		return true, nil
	case v.presence == inventory.OtherReseller:
		return false, resellerMismatch(o, s.slug(ctx))
	case v.presence == inventory.PresenceUnknown:
		return false, unknownReseller(o, s.slug(ctx))
	default:
		return false, nil
	}
}

// notOurs reports whether a refusal is explained by the list of this reseller, which does not have the label. It says
// nothing about what a state holds.
func (s *session) notOurs(ctx context.Context, id string, refusal error) bool {
	slug := s.slug(ctx)
	presence, err := s.inventory.CheckRefusal(ctx, id, slug, refusal)
	return err == nil && presence == inventory.Absent
}

func resellerMismatch(o sought, slug string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("API key belongs to another reseller",
		fmt.Sprintf("%s was last read as reseller %s; this API key acts for %s, which does not have it. The absence is not treated as a deletion: nothing was changed, and the state stays as it is.\n\n"+
			"Use an API key of %s. If the object no longer exists there, run terraform state rm.", o.name, o.lastSlug, slug, o.lastSlug))
}

func unknownReseller(o sought, slug string) diag.Diagnostic {
	return diag.NewErrorDiagnostic("Object not found, its reseller is unknown",
		fmt.Sprintf("%s is not found under reseller %s, and its state does not say under which reseller it was last read. The absence is not treated as a deletion: nothing was changed, and the state stays as it is.\n\n"+
			"Check that the API key is of the reseller that the object belongs to. If the object no longer exists, run terraform state rm.", o.name, slug))
}
