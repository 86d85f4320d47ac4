package session

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
)

// NotOfLabel returns the error of a failed read, which may be that the private label is absent.
func (s *Session) NotOfLabel(ctx context.Context, summary, label, name string, err error) diag.Diagnostic {
	if s.NotOurs(ctx, label, err) {
		return NoSuchLabel(path.Root("private_label_id"), label, s.Slug(ctx))
	}
	return diagnostic.ReadFailure(summary, name).Diagnostic(err)
}
