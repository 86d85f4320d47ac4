package session

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// NotOfLabel tells a label that is not there from another failure.
func (s *Session) NotOfLabel(ctx context.Context, label, name string, err error) diag.Diagnostic {
	if s.NotOurs(ctx, label, err) {
		return NoSuchLabel(path.Root("private_label_id"), label, s.Slug(ctx))
	}
	return diagnostic.ReadFailure(name).Diagnostic(err)
}

func NoSuchLabel(at path.Path, given, slug string) diag.Diagnostic {
	whose := "the reseller"
	if slug != "" {
		whose = slug
	}
	return diag.NewAttributeErrorDiagnostic(at, fmt.Sprintf("%s is no live label of %s", given, whose),
		"The reseller's list of labels does not show it. It may have been deprovisioned, or belong to another reseller: check that the key is the right one, and the spelling. `reseller_private_labels` lists what is there.")
}

func NotAmongLabels(given, slug string) diag.Diagnostic {
	whose := "the reseller"
	if slug != "" {
		whose = slug
	}
	return diag.NewErrorDiagnostic(fmt.Sprintf("%s is no live label of %s", given, whose),
		"The reseller's list of labels does not show it. It may have been deprovisioned (then it is gone for good), or belong to another reseller: check that the key is the right one. Import by the tenant id (32 hex characters, such as 0123456789abcdef0123456789abcdef) or the host name (such as sign.acme.example). Nothing was imported.")
}

func GoneText(host, id string) string {
	return fmt.Sprintf("The reseller's list of labels no longer shows %s (%s): it was deprovisioned, or the platform moved it to another reseller. Its host can never be provisioned again here.", host, id)
}

// ImportBlock is ready to paste, but for the resource's name, which a provider
// does not know.
func ImportBlock(id string) string {
	return fmt.Sprintf("import {\n  to = reseller_private_label.NAME\n  id = %q\n}", id)
}
