package member

import (
	"context"
	"fmt"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	dataschema "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/mapplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/planmodifier"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/setplanmodifier"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
)

// maxPersonName is a limit of this provider in characters: the API documentation has none (Reseller API §8).
const maxPersonName = 255

func personName(description string) schema.StringAttribute {
	return fwtype.RequiredString(description, fwtype.NotBlank, stringvalidator.UTF8LengthAtMost(maxPersonName))
}

// seatsFirst is for a configuration that assigns the seats in the apply that adds the members.
const seatsFirst = "If the same apply assigns the seats, let the members depend on the assignment: `depends_on = [reseller_assignment.acme]`."

func (kind) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A member of a private label (a white-labeled signing portal). Creating it sends a set-password email. For a person who is a member already, no call is made and no email is sent. Destroying it removes the member, who is signed out immediately, unless `deletion_policy` says otherwise.\n\n" +
			"The API does not allow removing the owner and the admins of a private label: destroying one of them returns an error at plan time, based on the current role. A plan with `-replace` or `replace_triggered_by` returns an error, too, because Terraform shows no warnings of a replacement.\n\n" +
			seatsFirst,
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.RequiredID("Private label ID. A change replaces the member: removed from one private label and added to the other. If it is known after apply, the plan assumes that it does not change. API: `:tenantId`.", fwtype.PrivateLabelIDValidator),
			"email":            fwtype.RequiredText[fwtype.EmailKind]("Email address, compared without case. A change replaces the member: the old address is removed, the new one is added and emailed. If it is known after apply, the plan assumes that it does not change. API: `email`."),
			"first_name":       personName("First name, not blank. Sent when the member is added. The API cannot change it: a later change only updates the state, with a warning. API: `firstName`."),
			"last_name":        personName("Last name, not blank. Sent when the member is added. The API cannot change it: a later change only updates the state, with a warning. API: `lastName`."),
			"id":               fwtype.ConstantString("User ID, 32 lowercase hex characters. API: `userID`, `id`."),
			"role":             fwtype.ConstantString("`owner`, `admin` or `member`. No endpoint changes it. API: `role`."),
			"status":           fwtype.ConstantString("Status of the member, as in the API. API: `status`."),
			"created_at":       fwtype.ConstantTime("Creation time (RFC 3339, UTC). API: `createdAt`."),
		},
	}
}

func (setKind) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "The complete set of the members of a private label (a white-labeled signing portal) that have the role `member`. " +
			"The plan shows each other member with that role as removed from `members`: the apply removes the member, who is signed out immediately. A person who is added receives a set-password email. A destroy removes no members.\n\n" +
			"Owners and admins are never added or removed. One who is in `members` counts as present, and the plan warns.\n\n" +
			"A removal is always a difference that the plan shows. If the private label has members that `members` lacks, creating the resource is an error at plan time: import it, and the next plan shows the removals. " +
			"An apply never removes a member who joined after its plan.\n\n" +
			"Do not combine `reseller_members` with `reseller_member` of the same private label: each removes or adds members that the other one manages.\n\n" +
			seatsFirst,
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.RequiredID("Private label ID (tenant ID). A change replaces the resource: the old private label keeps its members, which are no longer managed. API: `:tenantId`.", fwtype.PrivateLabelIDValidator),
			"members": schema.MapNestedAttribute{
				Required: true,
				MarkdownDescription: "All members with the role `member`: email address to names. `{}` is none. Email addresses compare without case, and the state keeps the configuration's spelling. " +
					"API: `members`.",
				Validators:    []validator.Map{mapvalidator.KeysAre(fwtype.NotBlank)}, // a person with a seat may have an address that an add would reject
				PlanModifiers: []planmodifier.Map{fwtype.KeepKeySpelling[fwtype.EmailKind]()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"first_name": personName("First name, not blank. Sent when the person is added. The API cannot change it, so a later change only warns. API: `firstName`."),
					"last_name":  personName("Last name, not blank. Sent when the person is added. The API cannot change it, so a later change only warns. API: `lastName`."),
				}},
			},
			"id": fwtype.ConstantString("Same as `private_label_id`."),
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

// Validate rejects two spellings of one email address, which a map allows, null elements, and what is no email address. The
// other rules are only for a person who is added: the API may have accepted an address that it would reject now.
func (setKind) Validate(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var members types.Map
	diags := config.GetAttribute(ctx, path.Root("members"), &members)
	people, seen := members.Elements(), map[string]string{}
	for _, email := range fwtype.SortedKeys(people) {
		normal := normalEmail(email)
		if first, twice := seen[normal]; twice {
			diags.AddAttributeError(memberPath(email), SummaryDuplicateEmail,
				fmt.Sprintf("members contains %q and %q, which are the same email address: email addresses compare without case. Keep one of them.", first, email))
		}
		seen[normal] = email
		if !strings.Contains(email, "@") || strings.ContainsFunc(email, func(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }) {
			diags.Append(fwtype.TextProblem[fwtype.EmailKind](ctx, memberPath(email), email)...)
		}
		if people[email].IsNull() {
			diags.AddAttributeError(memberPath(email), summaryNoNames,
				fmt.Sprintf("members[%q] is null. Set first_name and last_name, or remove the email address from members.", email))
		}
	}
	return diags
}

func membersDataSchema() dataschema.Schema {
	return dataschema.Schema{
		MarkdownDescription: "The members of a private label, including owner and admins. People who only received a document to sign are not members. One API call, shared by all resources and data sources of the private label in a run.",
		Attributes: map[string]dataschema.Attribute{
			"private_label_id": fwtype.LabelArgument(),
			"members": fwtype.ComputedRows("The members, the owner first. API: `members`.", map[string]dataschema.Attribute{
				"id":         fwtype.ComputedString("User ID, 32 lowercase hex characters."),
				"first_name": fwtype.ComputedString("First name."),
				"last_name":  fwtype.ComputedString("Last name."),
				"email":      dataschema.StringAttribute{CustomType: fwtype.TextType[fwtype.EmailKind]{}, Computed: true, MarkdownDescription: "Email address."},
				"status":     fwtype.ComputedString("Status of the member, as in the API."),
				"role":       fwtype.ComputedString("`owner`, `admin` or `member`."),
				"is_owner":   fwtype.ComputedBool("True for the owner and for all admins. API: `isOwner`."),
				"created_at": fwtype.ComputedTime("Creation time (RFC 3339, UTC)."),
			}),
		},
	}
}

func resendInviteSchema() actionschema.Schema {
	return actionschema.Schema{
		MarkdownDescription: "Sends a member a new set-password email. The API rejects an invitation in the 5 minutes after the member's last set-password email, including the one of adding the member. The call is never retried.",
		Attributes: map[string]actionschema.Attribute{
			"private_label_id": fwtype.ActionLabelArgument(),
			"user_id": actionschema.StringAttribute{
				Required:            true,
				MarkdownDescription: "User ID of the member, such as `id` of a `reseller_member` or `owner.user_id` of a private label. API: `:userId`.",
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
		},
	}
}
