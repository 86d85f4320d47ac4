// Package privatelabel implements reseller_private_label, reseller_domain_verification, their data sources, and the
// dashboard.
package privatelabel

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/registration"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// Entry is what the provider has of private labels.
var Entry = registration.Entry{
	Resources:   []registration.Type{Label, Verification},
	DataSources: []func() datasource.DataSource{labelData.New, labelsData.New, dashboard.New},
	Lists:       []*registration.Listing{labelList},
	Actions:     []*registration.Action{attachDomain},
}

// Label is reseller_private_label.
var Label = object.New[*model](resource{})

type resource struct{ session.ByLabel }

type (
	change = object.Change[*model]
	view   = object.View[*model]
)

func (resource) Traits() object.Traits {
	return object.Traits{
		Type:        "private_label",
		Identity:    []object.Attribute{{Name: "id", Description: "Private label ID, 32 lowercase hex characters."}},
		Subject:     "domain",
		Validate:    validateReason,
		SummaryRead: diagnostic.SummaryReadLabel,
		Policy: &effect.DeletionPolicy{
			Noun:   "private label",
			Values: []string{effect.PolicyPrevent, effect.PolicySuspend, effect.PolicyAbandon, effect.PolicyDeprovision},
			Loss:   "deletes it permanently with its members, and its host name cannot be reused",
		},
		NotReplaceable:   notReplaceable,
		ReadBeforeCreate: object.DontRead,  // the API checks the host name
		ReadBeforeUpdate: inventory.Cached, // one list for all private labels of an apply
	}
}

func (resource) Name(_ context.Context, _ *session.Session, m *model) string {
	return m.name()
}

// name names the private label without an article.
func (m *model) name() string {
	return "private label " + effect.NameOf(m.Domain, m.ID.ValueString())
}

func (resource) Key(m *model) string {
	return m.Domain.Normal()
}

// Read finds a private label in the list, a new one by its host name. It reads the detail only for what the list lacks.
func (resource) Read(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
	labels, err := s.Inventory.Labels(ctx, age)
	if err != nil {
		return nil, err
	}
	id := m.ID.ValueString()
	item, ok := labels.ByID(id)
	switch {
	case id == "":
		item, _ = labels.ByHost(m.Domain.ValueString())
	case ok && !m.settled():
		return m.filledFrom(detailOf(ctx, s, id, age))
	}
	return m.filledFrom(fromSummary(item), nil)
}

// filledFrom is a copy with what the API shows; nil for nothing.
func (m *model) filledFrom(now *shown, err error) (*model, error) {
	if now == nil || err != nil {
		return nil, err
	}
	live := *m
	live.fill(now)
	live.shown = now
	return &live, nil
}

// ReadToDestroy also finds what a deprovisioning deletes, which the detail shows.
func (k resource) ReadToDestroy(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
	if m.DeletionPolicy.ValueString() != effect.PolicyDeprovision {
		return k.Read(ctx, s, m, age)
	}
	found, err := detailOf(ctx, s, m.ID.ValueString(), age)
	if err != nil {
		return nil, err
	}
	members, err := s.Inventory.Members(ctx, m.ID.ValueString(), age)
	if err != nil {
		return nil, err
	}
	found.members = members.All()
	return m.filledFrom(found, nil)
}

// shown is a private label as the API shows it, in the list or in its detail.
type shown struct {
	client.PrivateLabel
	isDetail bool // not the list: the list lacks the creation, the owner and the setup of the host name
	// members of a private label that is to be deprovisioned
	members []client.Member
}

// detailOf reads the detail of a private label. One that is suspended may not be live, so that its detail is rejected: then
// the list shows it.
func detailOf(ctx context.Context, s *session.Session, id string, age inventory.Freshness) (*shown, error) {
	detail, err := s.Inventory.Label(ctx, id, age)
	if client.IsDetailRejected(err) {
		labels, listErr := s.Inventory.Labels(ctx, inventory.Current)
		if listErr != nil {
			return nil, err
		}
		if item, ok := labels.ByID(id); ok && item.Status == client.StatusSuspended {
			return fromSummary(item), nil
		}
	}
	if err != nil {
		return nil, err
	}
	return &shown{PrivateLabel: *detail, isDetail: true}, nil
}

// fromSummary is what the list shows of a private label, nil for nil.
func fromSummary(item *client.PrivateLabelSummary) *shown {
	if item == nil {
		return nil
	}
	return &shown{PrivateLabel: client.PrivateLabel{
		TenantID: item.TenantID, PrimaryHost: item.PrimaryHost, CustomDomain: item.CustomDomain, Suspension: item.Suspension,
	}}
}

func (resource) Absence(m *model) inventory.Absence {
	createdAt, _ := m.CreatedAt.ValueRFC3339Time() // the zero time if no read has shown it
	return inventory.OfLabelSince(m.ID.ValueString(), m.Domain.ValueString(), createdAt)
}

func (resource) NoWarnings(m *model) bool {
	return !m.suspended()
}

// object is a private label in the register of a plan, by its host name.
func (m *model) object() register.Object {
	return register.Object{Type: session.TypePrivateLabel, Name: m.Domain.Normal()}
}

// operation is one plan or apply of a private label.
type operation struct{ *change }

func (resource) Begin(c *change) object.Operation[*model] {
	return &operation{c}
}

// Plan plans the computed attributes that a step changes, and warns about what has no effect.
func (op *operation) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if op.Destroys() || op.Creates() {
		return nil
	}
	if !op.Want.Domain.IsUnknown() && !op.Want.Domain.SameAs(op.Was.Domain) && !op.isOtherName(ctx) {
		diags.Append(permanentHost.ChangeError(path.Root("domain"), op.Was.Domain, op.Was.Domain, fwtype.Display(op.Want.Domain), ""))
	}
	if op.Was.detached() {
		op.Want.domainSetupModel.makeUnknown()
	}
	if op.Was.suspendedByPlatform() { // only the platform can lift this suspension
		if !op.Want.Suspended.IsNull() && !op.Was.Suspended.IsNull() {
			op.Want.Suspended = op.Was.Suspended
		}
		if !op.Want.SuspendReason.IsNull() && !op.Was.SuspendReason.IsNull() {
			op.Want.SuspendReason = op.Was.SuspendReason
		}
		diags.Append(suspendedByPlatform(op.Was))
	} else {
		diags.Append(planSuspension(ctx, op)...)
	}
	switch {
	case op.Want.owner("email").IsUnknown():
		op.Want.setOwnerID(types.StringUnknown())
	case op.Want.hasOtherOwner(op.Was):
		diags.Append(planOwner(ctx, op)...)
	}
	if changed := op.Want.recordedOnly(op.Was); len(changed) > 0 && !diags.HasError() {
		diags.AddWarning(SummaryRecordedOnly, fmt.Sprintf(recordedOnly, op.Was.Domain.ValueString(), strings.Join(changed, ", ")))
	}
	return diags
}

// planOwner plans to record the owner that the API shows, and rejects any other.
func planOwner(ctx context.Context, op *operation) diag.Diagnostics {
	op.Want.setOwnerID(types.StringUnknown())
	if !op.Ready() {
		return nil // the plan that the apply makes again reads the owner
	}
	now, err := detailOf(ctx, op.Session, op.Was.ID.ValueString(), inventory.Current)
	switch want := op.Want.owner("email").ValueString(); {
	case err != nil:
		return diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The "+op.Was.name(), err)
	case now.Owner != nil && sameEmail(now.Owner.Email, want):
		op.Want.setOwnerID(types.StringValue(now.Owner.UserID))
		return nil
	default:
		shown := ""
		if now.Owner != nil {
			shown = fmt.Sprintf("The API shows the owner %s.", now.Owner.Email)
		}
		return diag.Diagnostics{permanentOwner.ChangeError(path.Root("owner").AtName("email"), op.Was.owner("email"), op.Was.Domain, want, shown)}
	}
}

// isOtherName reports whether the planned host name is another name of the same private label: its primary host or its
// custom domain.
func (op *operation) isOtherName(ctx context.Context) bool {
	if !op.Ready() {
		return false
	}
	labels, err := op.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return false
	}
	item, ok := labels.ByID(op.Was.ID.ValueString())
	return ok && item.HasHost(op.Want.Domain.ValueString())
}

// planSuspension plans a suspension or its end. It rejects another reason during a suspension: a second suspend call keeps
// the first reason (§3.1).
func planSuspension(ctx context.Context, op *operation) (diags diag.Diagnostics) {
	want := op.Want.SuspendReason
	was := op.Was.SuspendReason
	switch {
	case op.Want.Suspended.IsNull():
		return nil
	case !op.Want.Suspended.Equal(op.Was.suspension()):
		op.Want.suspensionModel.makeUnknown()
		return nil
	case !op.Was.suspended() || want.IsUnknown() || want.IsNull() && was.IsNull():
		return nil
	}
	reason := reasonNow(ctx, op)
	host := op.Was.Domain.ValueString()
	switch {
	case want.Equal(reason):
	case want.Equal(was):
		diags.AddWarning(SummaryOtherReason, fmt.Sprintf(otherReason, host, reason.ValueString(), want.ValueString()))
	default:
		diags.AddAttributeError(path.Root("suspend_reason"), SummaryReasonFixed, fmt.Sprintf(reasonFixed, host, reason.ValueString()))
	}
	return diags
}

// reasonNow is the reason from the API, or from state if the API cannot be read.
func reasonNow(ctx context.Context, op *operation) types.String {
	if op.Ready() {
		if labels, err := op.Inventory.Labels(ctx, inventory.Cached); err == nil {
			if item, ok := labels.ByID(op.Was.ID.ValueString()); ok && item.Status == client.StatusSuspended {
				return types.StringPointerValue(item.SuspendReason)
			}
		}
	}
	return op.Was.SuspendReason
}

// Check rejects a create that cannot succeed. What an import would need no value for is asked last: a private label that is
// live or gone needs another remedy.
func (op *operation) Check(ctx context.Context) diag.Diagnostics {
	if !op.Creates() || op.Applying {
		return nil // the API checks the host name again
	}
	if diags := rejectHost(ctx, op); diags.HasError() {
		return diags
	}
	return requireToProvision(op.Config)
}

// rejectHost rejects a create of a private label that is live, and of one that no longer exists. The list may be old, so that
// a rejection is read again.
func rejectHost(ctx context.Context, op *operation) (diags diag.Diagnostics) {
	if !op.Ready() || op.Want.Domain.IsUnknown() {
		return nil
	}
	if op.Live != nil {
		now, err := resource{}.Read(ctx, op.Session, op.Want, inventory.Fresh)
		switch {
		case err != nil:
			return diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The "+op.Want.name(), err)
		case now != nil:
			return diag.Diagnostics{op.alreadyLive(now.shown)}
		}
	}
	if op.Register.IsGone(op.Want.object()) {
		diags.AddAttributeError(path.Root("domain"), SummaryHostRetired, fmt.Sprintf(hostRetired, op.Want.Domain.ValueString()))
	}
	return diags
}

// requireToProvision requires attributes that are optional in the schema because an import does not have them.
func requireToProvision(config *model) (diags diag.Diagnostics) {
	host := effect.NameOf(config.Domain, "the private label")
	if config.AppName.IsNull() {
		diags.AddAttributeError(path.Root("app_name"), summaryMissingAppName, fmt.Sprintf(appNameMissing, host))
	}
	if config.Owner.IsNull() {
		diags.AddAttributeError(path.Root("owner"), summaryMissingOwner, fmt.Sprintf(ownerMissing, host))
	}
	return diags
}

// Execute makes the call of a step. A private label that was provisioned and not suspended is created: the next plan shows
// the suspension as a change.
func (op *operation) Execute(ctx context.Context, s effect.Step, now *model) transport.Outcome {
	switch s.Verb {
	case provision:
		return takeProvision(ctx, op, now)
	case deprovision:
		return takeDeprovision(ctx, op)
	case attach:
		attached, o := attachHost(ctx, op.Session, op.Was.ID.ValueString())
		if o.State != transport.Applied {
			return o
		}
		now.domainSetupModel.fill(now.Domain.ValueString(), *attached.DomainSetup)
		if now.detached() {
			op.Warn(diag.NewWarningDiagnostic(SummaryNotAttached, fmt.Sprintf(notAttachedAgain, s.Name)))
		}
		return o
	default:
		o := takeSuspension(ctx, op, s, now)
		if o.State != transport.Applied && op.Creates() {
			op.Warn(diag.NewWarningDiagnostic(summaryNotSuspended, diagnostic.JoinParagraphs(s.Name+" was provisioned"+whetherActive(o)+". The next apply suspends it.",
				diagnostic.Cause(o.Err))))
			return transport.Done()
		}
		return o
	}
}

func takeProvision(ctx context.Context, op *operation, now *model) transport.Outcome {
	order := op.Want.provisionRequest()
	done := op.Inventory.BeginWrite()
	label, o := op.Client.ProvisionPrivateLabel(ctx, order)
	done()
	if o.State != transport.Applied {
		return o
	}
	op.Inventory.RecordProvisioned(label.TenantID, order.Domain)
	now.Owner = fwtype.ObjectFromAPI(ownerAttrs, &client.Owner{
		UserID: label.OwnerUserID, Email: order.Owner.Email, FirstName: order.Owner.FirstName, LastName: order.Owner.LastName,
	})
	now.detailModel.fill(&shown{isDetail: true, PrivateLabel: client.PrivateLabel{
		TenantID: label.TenantID, PrimaryHost: order.Domain, DomainSetup: label.DomainSetup, Suspension: client.Suspension{Status: client.StatusActive},
	}})
	if o.ResponseLost {
		op.Warn(diag.NewWarningDiagnostic(summaryResponseLost, fmt.Sprintf(foundProvisioned, order.Domain)))
	} else {
		op.Inventory.RecordOwner(label.TenantID, client.Member{ID: label.OwnerUserID, Email: order.Owner.Email, Role: client.RoleOwner})
	}
	if now.detached() {
		op.Warn(diag.NewWarningDiagnostic(SummaryNotAttached, fmt.Sprintf(notAttached, order.Domain)))
	}
	return o
}

func takeDeprovision(ctx context.Context, op *operation) transport.Outcome {
	id := op.Was.ID.ValueString()
	done := op.Inventory.BeginWrite(id)
	defer done()
	o := op.Client.DeprovisionPrivateLabel(ctx, id)
	if o.State != transport.Applied {
		return o
	}
	op.Register.RecordGone(op.Was.object()) // its host name can never be provisioned again
	if o.ResponseLost {
		op.Warn(diag.NewWarningDiagnostic(summaryResponseLostGone, fmt.Sprintf(foundDeprovisioned, op.Was.Domain.ValueString())))
	}
	return o
}

func attachHost(ctx context.Context, s *session.Session, id string) (*client.Attached, transport.Outcome) {
	done := s.Inventory.BeginWrite(id)
	defer done()
	return s.Client.AttachDomain(ctx, id)
}

func takeSuspension(ctx context.Context, op *operation, s effect.Step, now *model) transport.Outcome {
	subject := cmp.Or(now, op.Was) // a destroy has no new model
	id := subject.ID.ValueString()
	done := op.Inventory.BeginWrite(id)
	defer done()
	var result *client.Suspension
	var o transport.Outcome
	if s.Verb == suspend {
		result, o = op.Client.SuspendPrivateLabel(ctx, id, op.Subject().SuspendReason.ValueString())
	} else {
		result, o = op.Client.UnsuspendPrivateLabel(ctx, id)
	}
	if o.State != transport.Applied {
		return o
	}
	subject.suspensionModel.fill(*result)
	if subject.suspended() != (s.Verb == suspend) {
		return transport.NotDone(&transport.ContradictedError{
			Op: s.Verb + " the private label", Shown: "its response shows the status " + string(result.Status),
		})
	}
	return o
}

// ReadBack reads the detail of a new private label. The responses of an update show all that it changed, unless one was
// lost.
func (op *operation) ReadBack(ctx context.Context, now *model) diag.Diagnostics {
	if !op.Creates() && op.Live == nil {
		return nil
	}
	host := now.Domain.ValueString()
	seen, err := detailOf(ctx, op.Session, now.ID.ValueString(), inventory.Current)
	switch {
	case client.MayBeGone(err) && op.Creates():
		return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryNotRead, fmt.Sprintf(provisionedNotShown, host))}
	case err != nil:
		return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryNotRead,
			diagnostic.JoinParagraphs(host+" is in state. The next plan reads the missing attributes.", diagnostic.Cause(err)))}
	}
	now.fill(seen)
	return append(fwtype.TimeWarning("createdAt", host, seen.CreatedAt), fwtype.TimeWarning("suspendedAt", host, seen.SuspendedAt)...)
}

// Explain explains a step that failed. A host name that is taken may be one of the reseller's own.
func (op *operation) Explain(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	if s.Verb == provision && o.State == transport.Absent && transport.IsCode(o.Err, client.CodeHostTaken) {
		if taken, readErr := (resource{}).Read(ctx, op.Session, op.Want, inventory.Fresh); readErr == nil && taken != nil {
			return diag.Diagnostics{op.alreadyLive(taken.shown)}
		}
	}
	return failureOf(s, op.Destroys()).Of(o)
}
