// Package privatelabel implements reseller_private_label, reseller_domain_verification, their data sources, and the
// dashboard.
package privatelabel

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"sync"

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
var Label = object.New[*model](kind{})

type kind struct{ session.ByLabel }

type (
	request = object.Request[*model]
	view    = object.View[*model]
)

func (kind) Describe() object.Description {
	return object.Description{
		Type:        "private_label",
		Identity:    []object.Attribute{{Name: "id", Description: "Private label ID, 32 lowercase hex characters."}},
		Subject:     "domain",
		SummaryRead: diagnostic.SummaryReadLabel,
		Policy: &effect.DeletionPolicy{
			Noun:   "private label",
			Values: []string{effect.PolicyPrevent, effect.PolicySuspend, effect.PolicyAbandon, effect.PolicyDeprovision},
			Loss:   "deletes it permanently with its members, and its host name cannot be reused",
		},
		LookBeforeCreate: object.DontLook, // the API checks the host name
		LookBeforeUpdate: object.DontLook,
	}
}

func (kind) Name(_ context.Context, _ *session.Session, m *model) string { return m.name() }

// name names the private label at the beginning of a sentence.
func (m *model) name() string {
	return "The private label " + effect.NameOf(m.Domain, m.ID.ValueString())
}

func (kind) Key(m *model) string { return m.Domain.Normal() }

// Read finds a private label in the list, a new one by its host name. It reads the detail only for what the list lacks.
func (kind) Read(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
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
func (k kind) ReadToDestroy(ctx context.Context, s *session.Session, m *model, age inventory.Freshness) (*model, error) {
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

func (kind) Proof(m *model) inventory.Absence {
	createdAt, _ := m.CreatedAt.ValueRFC3339Time() // the zero time if no read has shown it
	return inventory.OfLabelSince(m.ID.ValueString(), createdAt)
}

func (kind) NoWarnings(m *model) bool { return !m.suspended() }

// retired are the host names of private labels that no longer exist.
type retired struct{ sync.Map }

func retiredHosts(s *session.Session) *retired {
	return session.Shared(s, func(*session.Session) *retired { return &retired{} })
}

// Retire records the host name of a private label that no longer exists: it can never be provisioned again.
func (kind) Retire(s *session.Session, m *model) { retiredHosts(s).Store(m.Domain.Normal(), true) }

// change is one plan or apply of a private label.
type change struct{ *request }

func (kind) Begin(q *request) object.Change[*model] { return &change{q} }

// Plan plans the computed attributes that a step changes, and warns about what has no effect.
func (c *change) Plan(ctx context.Context) (diags diag.Diagnostics) {
	if c.Destroys() || c.Creates() {
		return nil
	}
	if !c.Want.Domain.IsUnknown() && !c.Want.Domain.SameAs(c.Was.Domain) && !c.isOtherName(ctx) {
		diags.Append(permanentHost.ChangeError(path.Root("domain"), c.Was.Domain, c.Was.Domain, fwtype.Display(c.Want.Domain), ""))
	}
	if c.Was.detached() {
		c.Want.domainSetupModel.makeUnknown()
	}
	if c.Was.suspendedByPlatform() { // only the platform can lift this suspension
		if !c.Want.Suspended.IsNull() && !c.Was.Suspended.IsNull() {
			c.Want.Suspended = c.Was.Suspended
		}
		if !c.Want.SuspendReason.IsNull() && !c.Was.SuspendReason.IsNull() {
			c.Want.SuspendReason = c.Was.SuspendReason
		}
		diags.Append(suspendedByPlatform(c.Was))
	} else {
		diags.Append(planSuspension(ctx, c)...)
	}
	switch {
	case c.Want.owner("email").IsUnknown():
		c.Want.setOwnerID(types.StringUnknown())
	case c.Want.hasOtherOwner(c.Was):
		diags.Append(planOwner(ctx, c)...)
	}
	if changed := c.Want.recordedOnly(c.Was); len(changed) > 0 && !diags.HasError() {
		diags.AddWarning(SummaryRecordedOnly, fmt.Sprintf(recordedOnly, c.Was.Domain.ValueString(), strings.Join(changed, ", ")))
	}
	return diags
}

// planOwner plans to record the owner that the API shows, and rejects any other.
func planOwner(ctx context.Context, c *change) diag.Diagnostics {
	c.Want.setOwnerID(types.StringUnknown())
	if !c.Ready() {
		return nil // the plan that the apply makes again reads the owner
	}
	now, err := detailOf(ctx, c.Session, c.Was.ID.ValueString(), inventory.Current)
	switch want := c.Want.owner("email").ValueString(); {
	case err != nil:
		return diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryReadLabel, c.Was.name()).Diagnostic(err)}
	case now.Owner != nil && sameEmail(now.Owner.Email, want):
		c.Want.setOwnerID(types.StringValue(now.Owner.UserID))
		return nil
	default:
		shown := ""
		if now.Owner != nil {
			shown = fmt.Sprintf("The API shows the owner %s.", now.Owner.Email)
		}
		return diag.Diagnostics{permanentOwner.ChangeError(path.Root("owner").AtName("email"), c.Was.owner("email"), c.Was.Domain, want, shown)}
	}
}

// isOtherName reports whether the planned host name is another name of the same private label: its primary host or its
// custom domain.
func (c *change) isOtherName(ctx context.Context) bool {
	if !c.Ready() {
		return false
	}
	labels, err := c.Inventory.Labels(ctx, inventory.Cached)
	if err != nil {
		return false
	}
	item, ok := labels.ByID(c.Was.ID.ValueString())
	return ok && item.HasHost(c.Want.Domain.ValueString())
}

// planSuspension plans a suspension or its end. It rejects another reason during a suspension: a second suspend call keeps
// the first reason (§3.1).
func planSuspension(ctx context.Context, c *change) (diags diag.Diagnostics) {
	want, was := c.Want.SuspendReason, c.Was.SuspendReason
	switch {
	case c.Want.Suspended.IsNull():
		return nil
	case !c.Want.Suspended.Equal(c.Was.suspension()):
		c.Want.suspensionModel.makeUnknown()
		return nil
	case !c.Was.suspended() || want.IsUnknown() || want.IsNull() && was.IsNull():
		return nil
	}
	reason, host := reasonNow(ctx, c), c.Was.Domain.ValueString()
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
func reasonNow(ctx context.Context, c *change) types.String {
	if c.Ready() {
		if labels, err := c.Inventory.Labels(ctx, inventory.Cached); err == nil {
			if item, ok := labels.ByID(c.Was.ID.ValueString()); ok && item.Status == client.StatusSuspended {
				return types.StringPointerValue(item.SuspendReason)
			}
		}
	}
	return c.Was.SuspendReason
}

// Check rejects a create that cannot succeed. What an import would need no value for is asked last: a private label that is
// live or gone needs another remedy.
func (c *change) Check(ctx context.Context) diag.Diagnostics {
	if !c.Creates() || c.Applying {
		return nil // the API checks the host name again
	}
	if diags := rejectHost(ctx, c); diags.HasError() {
		return diags
	}
	return requireToProvision(c.Config)
}

// rejectHost rejects a create of a private label that is live, and of one that no longer exists. The list may be old, so that
// a rejection is read again.
func rejectHost(ctx context.Context, c *change) (diags diag.Diagnostics) {
	if !c.Ready() || c.Want.Domain.IsUnknown() {
		return nil
	}
	if c.Live != nil {
		now, err := kind{}.Read(ctx, c.Session, c.Want, inventory.Fresh)
		switch {
		case err != nil:
			return diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryReadLabel, c.Want.name()).Diagnostic(err)}
		case now != nil:
			return diag.Diagnostics{alreadyLive(now.shown)}
		}
	}
	if _, retired := retiredHosts(c.Session).Load(c.Want.Domain.Normal()); retired {
		diags.AddAttributeError(path.Root("domain"), SummaryHostRetired, fmt.Sprintf(hostRetired, c.Want.Domain.ValueString()))
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

// Take makes the call of a step. A private label that was provisioned and not suspended is created: the next plan shows
// the suspension as a change.
func (c *change) Take(ctx context.Context, s effect.Step, now *model) transport.Outcome {
	switch s.Verb {
	case provision:
		return takeProvision(ctx, c, now)
	case deprovision:
		return takeDeprovision(ctx, c)
	case attach:
		attached, o := attachHost(ctx, c.Session, c.Was.ID.ValueString())
		if o.State != transport.Applied {
			return o
		}
		now.domainSetupModel.fill(now.Domain.ValueString(), *attached.DomainSetup)
		if now.detached() {
			c.Warn(diag.NewWarningDiagnostic(SummaryNotAttached, fmt.Sprintf(notAttachedAgain, s.Name)))
		}
		return o
	default:
		o := takeSuspension(ctx, c, s, now)
		if o.State != transport.Applied && c.Creates() {
			c.Warn(diag.NewWarningDiagnostic(summaryNotSuspended, diagnostic.JoinParagraphs(s.Name+" was provisioned"+whetherActive(o)+".",
				diagnostic.Cause(o.Err), "The next plan shows the suspension as a change, and the next apply suspends it.")))
			return transport.Done()
		}
		return o
	}
}

func takeProvision(ctx context.Context, c *change, now *model) transport.Outcome {
	order := c.Want.provisionRequest()
	done := c.Inventory.BeginWrite()
	label, o := c.Client.ProvisionPrivateLabel(ctx, order)
	done()
	if o.State != transport.Applied {
		return o
	}
	c.Inventory.RecordProvisioned(label.TenantID, order.Domain)
	now.Owner = fwtype.ObjectFromAPI(ownerAttrs, &client.Owner{
		UserID: label.OwnerUserID, Email: order.Owner.Email, FirstName: order.Owner.FirstName, LastName: order.Owner.LastName,
	})
	now.detailModel.fill(&shown{isDetail: true, PrivateLabel: client.PrivateLabel{
		TenantID: label.TenantID, PrimaryHost: order.Domain, DomainSetup: label.DomainSetup, Suspension: client.Suspension{Status: client.StatusActive},
	}})
	if o.ResponseLost {
		c.Warn(diag.NewWarningDiagnostic(summaryResponseLost, fmt.Sprintf(foundProvisioned, order.Domain)))
	} else {
		c.Inventory.RecordOwner(label.TenantID, client.Member{ID: label.OwnerUserID, Email: order.Owner.Email, Role: client.RoleOwner})
	}
	if now.detached() {
		c.Warn(diag.NewWarningDiagnostic(SummaryNotAttached, fmt.Sprintf(notAttached, order.Domain)))
	}
	return o
}

func takeDeprovision(ctx context.Context, c *change) transport.Outcome {
	id := c.Was.ID.ValueString()
	done := c.Inventory.BeginWrite(id)
	defer done()
	o := c.Client.DeprovisionPrivateLabel(ctx, id)
	if o.State != transport.Applied {
		return o
	}
	kind{}.Retire(c.Session, c.Was)
	if o.ResponseLost {
		c.Warn(diag.NewWarningDiagnostic(summaryResponseLostGone, fmt.Sprintf(foundDeprovisioned, c.Was.Domain.ValueString())))
	}
	return o
}

func attachHost(ctx context.Context, s *session.Session, id string) (*client.Attached, transport.Outcome) {
	done := s.Inventory.BeginWrite(id)
	defer done()
	return s.Client.AttachDomain(ctx, id)
}

func takeSuspension(ctx context.Context, c *change, s effect.Step, now *model) transport.Outcome {
	subject := cmp.Or(now, c.Was) // a destroy has no new model
	id := subject.ID.ValueString()
	done := c.Inventory.BeginWrite(id)
	defer done()
	var result *client.Suspension
	var o transport.Outcome
	if s.Verb == suspend {
		result, o = c.Client.SuspendPrivateLabel(ctx, id, c.Subject().SuspendReason.ValueString())
	} else {
		result, o = c.Client.UnsuspendPrivateLabel(ctx, id)
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
func (c *change) ReadBack(ctx context.Context, now *model) diag.Diagnostics {
	if !c.Creates() && c.Live == nil {
		return nil
	}
	host := now.Domain.ValueString()
	seen, err := detailOf(ctx, c.Session, now.ID.ValueString(), inventory.Current)
	switch {
	case client.MayBeGone(err) && c.Creates():
		return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryNotRead, fmt.Sprintf(provisionedNotShown, host))}
	case err != nil:
		return diag.Diagnostics{diag.NewWarningDiagnostic(SummaryNotRead,
			diagnostic.JoinParagraphs(host+" is in state. The next plan reads the missing attributes.", diagnostic.Cause(err)))}
	}
	now.fill(seen)
	return append(fwtype.TimeWarning("createdAt", host, seen.CreatedAt), fwtype.TimeWarning("suspendedAt", host, seen.SuspendedAt)...)
}

// Failed explains a step that failed. A host name that is taken may be one of the reseller's own.
func (c *change) Failed(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	if s.Verb == provision && o.State == transport.Absent && transport.IsCode(o.Err, client.CodeHostTaken) {
		if taken, readErr := (kind{}).Read(ctx, c.Session, c.Want, inventory.Fresh); readErr == nil && taken != nil {
			return diag.Diagnostics{alreadyLive(taken.shown)}
		}
	}
	return diag.Diagnostics{failureOf(s, c.Destroys()).Of(o)}
}
