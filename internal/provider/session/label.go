package session

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// NotOfLabel distinguishes an absent private label from another failure of a read.
func (s *Session) NotOfLabel(ctx context.Context, summary, label, name string, err error) diag.Diagnostic {
	if s.NotOurs(ctx, label, err) {
		return NoSuchLabel(path.Root("private_label_id"), label, s.Slug(ctx))
	}
	return diagnostic.ReadFailure(summary, name).Diagnostic(err)
}

// NoSuchLabel is the error of an argument that names no private label.
func NoSuchLabel(at path.Path, given, slug string) diag.Diagnostic {
	return diag.NewAttributeErrorDiagnostic(at, SummaryLabelNotFound, notLive(given, slug)+
		" Nothing was changed.\n\nCheck the spelling, and that the API key belongs to the right reseller. The data source reseller_private_labels lists all private labels.")
}

// NotAmongLabels is the error of an import that names no private label.
func NotAmongLabels(given, slug string) diag.Diagnostic {
	return diag.NewErrorDiagnostic(SummaryLabelNotFound, notLive(given, slug)+
		" Nothing was imported.\n\nCheck that the API key belongs to the right reseller. Import by private label ID (32 hex characters, such as 0123456789abcdef0123456789abcdef) or by host name (such as sign.acme.example).")
}

func notLive(given, slug string) string {
	return fmt.Sprintf("%s is not a live private label of %s. It was deprovisioned, belongs to another reseller, or is mistyped.", given, cmp.Or(slug, "the reseller"))
}

// GoneText says that the list lacks a private label that is in state.
func GoneText(host, id string) string {
	return fmt.Sprintf("The reseller's list no longer shows %s (ID %s): it was deprovisioned, or the platform moved it to another reseller. Its host name can never be provisioned again here.", host, id)
}

// ImportBlock is ready to paste, except for the resource's name, which a provider does not know.
func ImportBlock(id string) string {
	return fmt.Sprintf("import {\n  to = reseller_private_label.NAME\n  id = %q\n}", id)
}
