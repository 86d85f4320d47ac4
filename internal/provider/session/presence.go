package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// Missing is an object in state that a Read or a Delete did not find.
type Missing struct {
	Name     string // "The assignment of sign.acme.example"
	LastSlug string // the reseller under which it was last read
}

// AbsenceDiagnostics reports whether the inventory has proven that an object is absent. They are errors if neither
// presence nor absence is proven; the caller must then neither remove the object from state nor report a deletion as
// done.
func (s *Session) AbsenceDiagnostics(ctx context.Context, o Missing, p inventory.Presence, err error) (bool, diag.Diagnostics) {
	switch {
	case err != nil:
		return false, diagnostic.ReadFailure(diagnostic.SummaryPresence, o.Name, err)
	case p == inventory.Absent:
		return true, nil
	case p == inventory.NotShown:
		return false, diag.Diagnostics{notShown(o)}
	case p == inventory.OtherReseller:
		return false, diag.Diagnostics{resellerMismatch(o, s.Slug(ctx))}
	case p == inventory.PresenceUnknown:
		return false, diag.Diagnostics{unknownReseller(o, s.Slug(ctx))}
	default:
		return false, nil
	}
}

// NotOurs reports whether the list of this reseller, which lacks the private label, explains an error of the API. It
// shows nothing about an object in state.
func (s *Session) NotOurs(ctx context.Context, id string, rejection error) bool {
	slug := s.Slug(ctx)
	presence, err := s.Inventory.CheckRejection(ctx, id, slug, rejection)
	return err == nil && presence == inventory.Absent
}
