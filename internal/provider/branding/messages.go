package branding

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

func colorsFailure(want *model) diagnostic.APIFailure {
	return diagnostic.APIFailure{
		Summary:   SummaryColors,
		Failed:    "The colors of " + want.Domain.ValueString() + " were not changed",
		Unchanged: "No logo was sent",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeUnauthorized: session.NotOurHost,
			client.CodeNotFound:     {At: path.Root("domain")},
			client.CodeDomainEmpty:  {At: path.Root("domain")},
		},
	}
}

func logosFailure(want *model) diagnostic.APIFailure {
	var at path.Path // of the only logo; a code does not say which of two it is about
	switch {
	case want.BannerLogoPath.IsNull():
		at = path.Root("logo_path")
	case want.LogoPath.IsNull():
		at = path.Root("banner_logo_path")
	}
	return diagnostic.APIFailure{
		Summary:   summaryLogos,
		Failed:    "The logos of " + want.Domain.ValueString() + " were not changed",
		Unchanged: "Changes of colors were sent. The next apply sends the logos again",
		Remedies: map[string]diagnostic.Remedy{
			client.CodeUnauthorized:        session.NotOurHost,
			client.CodeInvalidImage:        {At: at},
			client.CodeLimitFileSize:       {At: at},
			client.CodeLimitUnexpectedFile: {At: at},
			client.CodeDomainInvalid:       {At: path.Root("domain")},
		},
	}
}

const mayBeTooLarge = "%s, a logo of %s, has %d bytes. The API accepts 1 MB, and may count it as 1,000,000 or as 1,048,576 bytes. It is sent, and the API may reject it."

func (kind) Gone(_ context.Context, _ *session.Session, m *model) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryGone,
		"The reseller's list no longer shows "+m.Domain.ValueString()+": the private label was deprovisioned, or the platform moved it. Its branding was removed from state.")
}

const notAHostName = "%q is not a host name. Nothing was imported. Import branding by the host name of its private label, such as sign.acme.example, without scheme or path."
