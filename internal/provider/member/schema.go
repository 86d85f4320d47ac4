package member

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/hashicorp/terraform-plugin-framework-timetypes/timetypes"
	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	actionschema "github.com/hashicorp/terraform-plugin-framework/action/schema"
	"github.com/hashicorp/terraform-plugin-framework/attr"
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

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
)

// maxPersonName is a limit of this provider in characters: the API documentation has none (Reseller API §8).
const maxPersonName = 255

func personName(description string) schema.StringAttribute {
	return fwtype.RequiredString(description, fwtype.NotBlank, fwtype.LengthAtMost(maxPersonName))
}

// seatsFirst is for a configuration that assigns the seats in the apply that adds the members.
const seatsFirst = "If the same apply assigns the seats, set `depends_on = [reseller_assignment.acme]`."

func (resource) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "A member of a private label (a white-labeled signing portal). Creating the resource adds the member, who receives a set-password email. An existing member is adopted without an API call or email. Destroying the resource removes the member, who is signed out immediately, unless `deletion_policy` specifies otherwise.\n\n" +
			"The API does not permit removing owners and admins, so the plan fails if you destroy such a member. The plan also fails with `-replace` and `replace_triggered_by`, because Terraform shows no warnings for replacements.\n\n" +
			seatsFirst,
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.RequiredID("Private label ID. Changing it replaces the member. If the value is known after apply, the plan assumes no change. API: `:tenantId`.", fwtype.PrivateLabelIDValidator),
			"email":            fwtype.RequiredText[fwtype.EmailKind]("Email address, compared without case. Changing it replaces the member: the provider removes the old member, and adds and emails the new member. If the value is known after apply, the plan assumes no change. API: `email`."),
			"first_name":       personName("First name, not blank. Sent when the member is added. Later changes are only recorded in state, with a warning. API: `firstName`."),
			"last_name":        personName("Last name, not blank. Sent when the member is added. Later changes are only recorded in state, with a warning. API: `lastName`."),
			"id":               fwtype.ConstantString("User ID, 32 lowercase hex characters. API: `userID`, `id`."),
			"role":             fwtype.ConstantString("`owner`, `admin` or `member`. The API cannot change it. API: `role`."),
			"status":           fwtype.ConstantString("Status of the member, as in the API. API: `status`."),
			"created_at":       fwtype.ConstantTime("Creation time (RFC 3339, UTC). API: `createdAt`."),
		},
	}
}

func (setResource) Schema(context.Context) schema.Schema {
	return schema.Schema{
		MarkdownDescription: "All members of a private label (a white-labeled signing portal) with the role `member`. " +
			"The apply removes members that are not in `members`. They are signed out immediately. A new member receives a set-password email. Destroying the resource removes no members.\n\n" +
			"The provider never adds or removes owners and admins. If `members` contains an owner or admin, the provider leaves that user unchanged, and the plan shows a warning.\n\n" +
			"The plan shows each removal, and an apply never removes a member who joined after its plan. If creating the resource would remove members, the plan fails. In this case, import the resource, and review the removals in the next plan.\n\n" +
			"Do not combine `reseller_members` with `reseller_member` of the same private label, because each of them changes members that the other resource manages.\n\n" +
			seatsFirst,
		Attributes: map[string]schema.Attribute{
			"private_label_id": fwtype.RequiredID("Private label ID (tenant ID). Changing it replaces the resource. The old private label keeps its members. API: `:tenantId`.", fwtype.PrivateLabelIDValidator),
			"members": schema.MapNestedAttribute{
				Required: true,
				MarkdownDescription: "Names of all members with the role `member`, by email address, compared without case. `{}` removes all. " +
					"API: `members`.",
				Validators:    []validator.Map{mapvalidator.KeysAre(fwtype.NotBlank)}, // a person with a seat may have an address that an add would reject
				PlanModifiers: []planmodifier.Map{fwtype.KeepKeySpelling[fwtype.EmailKind]()},
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"first_name": personName("First name, not blank. Sent when the member is added. Later changes only cause a warning. API: `firstName`."),
					"last_name":  personName("Last name, not blank. Sent when the member is added. Later changes only cause a warning. API: `lastName`."),
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
				MarkdownDescription: "Email addresses of the owner and the admins. API: `role`.",
				PlanModifiers:       []planmodifier.Set{setplanmodifier.UseStateForUnknown()},
			},
		},
	}
}

// validateSet rejects two spellings of one email address, which a map allows, null elements, and what is no email address. The
// other rules are only for a person who is added: the API may have accepted an address that it would reject now.
func validateSet(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var members types.Map
	diags := config.GetAttribute(ctx, path.Root("members"), &members)
	people := members.Elements()
	seen := map[string]string{}
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
		MarkdownDescription: "Members of a private label, including owner and admins. Users who only received a document are not members. One API call per private label and run.",
		Attributes: map[string]dataschema.Attribute{
			"private_label_id": fwtype.LabelArgument(),
			"members": fwtype.ComputedRows("The members, the owner first. API: `members`.", map[string]dataschema.Attribute{
				"id":         fwtype.ComputedString("User ID, 32 lowercase hex characters."),
				"first_name": fwtype.ComputedString("First name."),
				"last_name":  fwtype.ComputedString("Last name."),
				"email":      dataschema.StringAttribute{CustomType: fwtype.TextType[fwtype.EmailKind]{}, Computed: true, MarkdownDescription: "Email address."},
				"status":     fwtype.ComputedString("Status of the member, as in the API."),
				"role":       fwtype.ComputedString("`owner`, `admin` or `member`."),
				"is_owner":   fwtype.ComputedBool("Whether the member is the owner or an admin. API: `isOwner`."),
				"created_at": fwtype.ComputedTime("Creation time (RFC 3339, UTC)."),
			}),
		},
	}
}

func resendInviteSchema() actionschema.Schema {
	return actionschema.Schema{
		MarkdownDescription: "Sends a member a new set-password email. The API rejects it within 5 minutes of the member's last set-password email, including the one sent when the member was added. The provider never retries the request.",
		Attributes: map[string]actionschema.Attribute{
			"private_label_id": fwtype.ActionLabelArgument(),
			"user_id": actionschema.StringAttribute{
				Required:            true,
				MarkdownDescription: "User ID: `id` of a `reseller_member`, or `owner.user_id` of a private label. API: `:userId`.",
				Validators:          []validator.String{fwtype.LabelIDValidator},
			},
		},
	}
}

// model is a member of a private label.
type model struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	Email          fwtype.Email `tfsdk:"email"`
	FirstName      types.String `tfsdk:"first_name"`
	LastName       types.String `tfsdk:"last_name"`

	ID        types.String      `tfsdk:"id"`
	Role      types.String      `tfsdk:"role"`
	Status    types.String      `tfsdk:"status"`
	CreatedAt timetypes.RFC3339 `tfsdk:"created_at"`
	object.Guarded

	// Of a member that was just read:
	address string // in the API
	isOwner *bool  // of the owner and of admins
}

// filledFrom is a copy with the member that the API returned. Address and names keep the configured values: the API may store
// an address otherwise than it was written, and a name that the member changed is no drift. Only an import copies them.
func (m *model) filledFrom(account *client.Member) *model {
	live := *m
	live.ID = types.StringValue(account.ID)
	live.Role = types.StringValue(account.Role)
	live.Status = types.StringValue(account.Status)
	live.CreatedAt = fwtype.TimeValue(account.CreatedAt)
	if m.Email.IsNull() {
		live.Email = fwtype.NewText[fwtype.EmailKind](account.Email)
	}
	if m.FirstName.IsNull() {
		live.FirstName = types.StringValue(account.FirstName)
	}
	if m.LastName.IsNull() {
		live.LastName = types.StringValue(account.LastName)
	}
	live.address = account.Email
	live.isOwner = account.IsOwner
	return &live
}

// administers reports whether the member is owner or admin, whom the API does not allow removing.
func (m *model) administers() bool {
	account := client.Member{Role: m.Role.ValueString(), IsOwner: m.isOwner}
	return account.Administers()
}

// name names the member at the beginning of a sentence.
func (m *model) name() string {
	return effect.NameOf(m.Email, "The user "+m.ID.ValueString())
}

// setModel is the complete set of the plain members of a private label.
type setModel struct {
	PrivateLabelID types.String `tfsdk:"private_label_id"`
	Members        types.Map    `tfsdk:"members"`

	ID              types.String `tfsdk:"id"`
	UserIDs         types.Map    `tfsdk:"user_ids"`
	OwnersAndAdmins types.Set    `tfsdk:"owners_and_admins"`
	object.Base

	accounts *inventory.Members // the list of members that was just read
}

// list is the list of members that a read returned, nil for none.
func (m *setModel) list() *inventory.Members {
	if m == nil {
		return nil
	}
	return m.accounts
}

var (
	personAttrs = map[string]attr.Type{"first_name": types.StringType, "last_name": types.StringType}
	personType  = types.ObjectType{AttrTypes: personAttrs}
)

// memberPath returns the path of a user in the configuration.
func memberPath(email string) path.Path {
	return path.Root("members").AtMapKey(email)
}

// idsOf is the value of `user_ids`: known for who stays, unknown for who is added.
func idsOf(people map[string]person) types.Map {
	ids := map[string]attr.Value{}
	for _, p := range people {
		ids[p.email] = types.StringUnknown()
		if p.id != "" {
			ids[p.email] = types.StringValue(p.id)
		}
	}
	return types.MapValueMust(types.StringType, ids)
}

// filledFrom is a copy with the list of members: all with the role member, and the owners and admins who are in the map.
// Users in the map are found by their ID and keep their spelling and names: the API may store an address otherwise than it
// was written, and cannot change names, so that neither is drift.
func (m *setModel) filledFrom(list *inventory.Members) *setModel {
	known := m.found(list)
	now := map[string]person{}
	members := map[string]attr.Value{}
	ownersAndAdmins := map[string]attr.Value{}
	for _, account := range list.All() {
		p, inMap := known[account.ID]
		if !inMap {
			p = person{email: account.Email, names: types.ObjectValueMust(personAttrs, map[string]attr.Value{
				"first_name": types.StringValue(account.FirstName), "last_name": types.StringValue(account.LastName),
			})}
		}
		if !isMember(&account) {
			ownersAndAdmins[p.email] = types.StringValue(p.email)
		}
		normal := normalEmail(p.email)
		if _, twice := now[normal]; !twice && (inMap || isMember(&account)) {
			p.id = account.ID
			now[normal] = p
			members[p.email] = p.names
		}
	}
	live := *m
	live.ID = m.PrivateLabelID
	live.Members = types.MapValueMust(personType, members)
	live.UserIDs = idsOf(now)
	live.OwnersAndAdmins = types.SetValueMust(types.StringType, slices.Collect(maps.Values(ownersAndAdmins)))
	live.accounts = list
	return &live
}

// newMember returns the request body that adds the user.
func (p person) newMember() client.NewMember {
	names, _ := p.names.(types.Object)
	first, _ := names.Attributes()["first_name"].(types.String)
	last, _ := names.Attributes()["last_name"].(types.String)
	return client.NewMember{Email: p.email, FirstName: first.ValueString(), LastName: last.ValueString()}
}
