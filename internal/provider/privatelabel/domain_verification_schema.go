package privatelabel

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func (r *domainVerificationResource) IdentitySchema(_ context.Context, _ resource.IdentitySchemaRequest, resp *resource.IdentitySchemaResponse) {
	resp.IdentitySchema = identityschema.Schema{
		Attributes: map[string]identityschema.Attribute{
			"private_label_id": identityschema.StringAttribute{RequiredForImport: true, Description: "Private label ID, 32 lowercase hex characters."},
		},
	}
}

func (r *domainVerificationResource) Schema(ctx context.Context, _ resource.SchemaRequest, resp *resource.SchemaResponse) {
	keep := []planmodifier.String{stringplanmodifier.UseStateForUnknown()}
	resp.Schema = schema.Schema{
		MarkdownDescription: "Waits until the host name of a private label is attached and its DNS record is correct, so that resources that need the live portal can depend on it. It reads the private label at most once a minute. " +
			"On timeout the error names the expected DNS record; the private label is unchanged, and the next apply continues to wait. A destroy only removes the resource from state.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Private label ID. A change replaces the resource, which waits again. API: `:tenantId`.",
				Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
				PlanModifiers:       []planmodifier.String{stringplanmodifier.RequiresReplace()},
			},
			"id":     schema.StringAttribute{Computed: true, MarkdownDescription: "Same as `private_label_id`.", PlanModifiers: keep},
			"domain": schema.StringAttribute{Computed: true, MarkdownDescription: "Verified host name. API: `primaryHost`.", PlanModifiers: keep},
			"timeouts": timeouts.Attributes(ctx, timeouts.Opts{
				Create:            true,
				CreateDescription: "Longest time to wait, such as `30m` (default) or `2h`. The API checks DNS at most once a minute, and a DNS change may take hours.",
			}),
		},
	}
}
