package member

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

func setSchema(context.Context) schema.Schema {
	name := []validator.String{fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(maxPersonName)}
	return schema.Schema{
		MarkdownDescription: "The complete set of the members of a private label (a white-labeled signing portal) that have the role `member`. " +
			"The plan shows each other member with that role as removed from `members`: the apply removes the member, who is signed out immediately. A person who is added receives a set-password email.\n\n" +
			"Owners and admins are never added or removed. One who is in `members` counts as present, and the plan warns.\n\n" +
			"A removal is always a difference that the plan shows. If the private label has members that `members` lacks, creating the resource is an error at plan time: import it, and the next plan shows the removals. " +
			"An apply never removes a member who joined after its plan. Destroying the resource removes no members.\n\n" +
			"Do not combine `reseller_members` with `reseller_member` of the same private label: each removes or adds members that the other one manages.",
		Attributes: map[string]schema.Attribute{
			"private_label_id": schema.StringAttribute{
				Required:            true,
				MarkdownDescription: "Private label ID (tenant ID). A change replaces the resource: the old private label keeps its members, which are no longer managed. API: `:tenantId`.",
				Validators:          []validator.String{fwtype.PrivateLabelIDValidator},
			},
			"members": schema.MapNestedAttribute{
				Required: true,
				MarkdownDescription: "All members with the role `member`: email address to names. `{}` is none. Email addresses compare without case, and the state keeps the configuration's spelling. " +
					"API: `members`.",
				Validators:    []validator.Map{mapvalidator.KeysAre(fwtype.NotBlank)}, // a person with a seat may have an address that an add would reject
				PlanModifiers: []planmodifier.Map{keepSetSpelling{}},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"first_name": schema.StringAttribute{
						Required:            true,
						MarkdownDescription: "First name, not blank. Sent when the person is added. The API cannot change it, so a later change only warns. API: `firstName`.",
						Validators:          name,
					},
					"last_name": schema.StringAttribute{
						Required:            true,
						MarkdownDescription: "Last name, not blank. Sent when the person is added. The API cannot change it, so a later change only warns. API: `lastName`.",
						Validators:          name,
					},
				}},
			},
			"id": schema.StringAttribute{Computed: true, MarkdownDescription: "Same as `private_label_id`.", PlanModifiers: []planmodifier.String{stringplanmodifier.UseStateForUnknown()}},
			"user_ids": schema.MapAttribute{
				ElementType:         types.StringType,
				Computed:            true,
				MarkdownDescription: "User IDs of `members`, by email address. API: `userID`, `id`.",
				PlanModifiers:       []planmodifier.Map{mapplanmodifier.UseStateForUnknown()},
			},
			"owners_and_admins": schema.SetAttribute{
				ElementType:         types.StringType,
				Computed:            true,
				MarkdownDescription: "Email addresses of the owner and the admins of the private label. One who is in `members` counts as present, and is never removed. API: `role`.",
				PlanModifiers:       []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
			},
		},
	}
}

// validateSet rejects two spellings of one email address, which a map allows, and null elements.
func validateSet(_ context.Context, config *setModel) diag.Diagnostics {
	var diags diag.Diagnostics
	at, seen := path.Root("members"), map[string]string{}
	for _, email := range fwtype.SortedKeys(config.Members.Elements()) {
		normal := normalEmail(email)
		if first, twice := seen[normal]; twice {
			diags.AddAttributeError(at.AtMapKey(email), summaryDuplicateEmail,
				fmt.Sprintf("members contains %q and %q, which are the same email address: email addresses compare without case. Keep one of them.", first, email))
		}
		seen[normal] = email
		if config.Members.Elements()[email].IsNull() {
			diags.AddAttributeError(at.AtMapKey(email), summaryNoNames,
				fmt.Sprintf("members[%q] is null. Set first_name and last_name, or remove the email address from members.", email))
		}
	}
	return diags
}

// keepSetSpelling plans the value in state when the configuration spells the same email addresses in another case.
// Terraform accepts a planned value only as a whole: either the configuration's or the state's.
type keepSetSpelling struct{}

func (keepSetSpelling) Description(context.Context) string {
	return "Another spelling of the same email addresses is no change."
}

func (m keepSetSpelling) MarkdownDescription(ctx context.Context) string { return m.Description(ctx) }

func (keepSetSpelling) PlanModifyMap(_ context.Context, req planmodifier.MapRequest, resp *planmodifier.MapResponse) {
	was, want := &setModel{Members: req.StateValue}, &setModel{Members: req.PlanValue}
	if _, renamed := changedName(was, want); !req.StateValue.IsNull() && !renamed && sameSet(req.PlanValue, req.StateValue) {
		resp.PlanValue = req.StateValue
	}
}
