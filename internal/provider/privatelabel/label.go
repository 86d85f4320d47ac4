// Package privatelabel implements reseller_private_label, reseller_domain_verification, their data sources, and the
// dashboard.
package privatelabel

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

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

// Label describes reseller_private_label.
var Label = &object.Description[*model, *live, *step]{
	Type:   "private_label",
	Schema: schemaOf,
	Policy: &effect.DeletionPolicy{
		Noun:   "private label",
		Values: []string{effect.PolicyPrevent, effect.PolicySuspend, effect.PolicyAbandon, effect.PolicyDeprovision},
		Loss:   "deletes it permanently with its members, and its host name cannot be reused",
	},
	Identity:      []object.Attribute{{Name: "id", Description: "Private label ID, 32 lowercase hex characters."}},
	Subject:       "domain",
	Validate:      validate,
	Name:          nameOf,
	Key:           func(m *model) string { return m.Domain.Normal() },
	Look:          look,
	LookToDestroy: lookToDestroy,
	Presence:      presence,
	Fill:          (*model).fill,
	Import:        session.ImportLabel,
	Steps:         steps,
	Announce:      notices,
	Drift:         drift,
	Plan:          plan,
	Check:         check,
	Take:          take,
	Failed:        failed,
	ReadBack:      readBack,
	Quiet:         func(m *model) bool { return !m.suspended() },
	Texts:         object.Texts[*model]{SummaryRead: diagnostic.SummaryReadLabel, Gone: gone, Replace: replaceRejected},
}

// live is a private label as the API shows it, in the list or in its detail.
type live struct {
	client.PrivateLabel
	whole bool // the detail: the list lacks the creation, the owner and the setup of the host name
	// members of a private label that is to be deprovisioned
	members []client.Member
}

// stepKind is what an apply does with a private label.
type stepKind string

const (
	provision   stepKind = "provision"
	attach      stepKind = "attach"
	suspend     stepKind = "suspend"
	unsuspend   stepKind = "lift the suspension of"
	deprovision stepKind = "deprovision"
)

type step struct {
	kind stepKind
	host string
	lost map[string]int // by a deprovisioning
}

// Key is the kind with the host name.
func (s *step) Key() string { return string(s.kind) + " " + s.host }

// Counts are the members and the package that are deleted with the private label.
func (s *step) Counts() map[string]int { return s.lost }

// steps of a change. The host name of a new private label is attached when it is provisioned. A suspension by the
// platform is never changed.
func steps(was, want *model, now *live) (todo []*step) {
	if was == nil {
		todo = append(todo, want.step(provision))
		if want.Suspended.IsUnknown() || want.Suspended.ValueBool() {
			todo = append(todo, want.step(suspend))
		}
		return todo
	}
	is := *was
	if now != nil {
		is.fill(now)
	}
	if want == nil {
		return is.stepsToDestroy(now)
	}
	if is.detached() {
		todo = append(todo, is.step(attach))
	}
	switch {
	case want.Suspended.IsNull() || is.suspendedByPlatform() || want.Suspended.Equal(is.suspension()):
		return todo
	case is.suspended():
		return append(todo, is.step(unsuspend))
	default:
		return append(todo, is.step(suspend))
	}
}

func (m *model) stepsToDestroy(now *live) []*step {
	switch value := m.DeletionPolicy.ValueString(); {
	case value == effect.PolicySuspend && !m.suspended():
		return []*step{m.step(suspend)}
	case value == effect.PolicyDeprovision:
		s := m.step(deprovision)
		if now != nil {
			s.lost = now.lost()
		}
		return []*step{s}
	default:
		return nil
	}
}

func (m *model) step(kind stepKind) *step { return &step{kind: kind, host: m.Domain.ValueString()} }

// lost is who and what is deleted with the private label.
func (l *live) lost() map[string]int {
	lost := map[string]int{}
	for _, m := range l.members {
		lost["member "+cmp.Or(m.Email, m.ID)] = 1
	}
	if l.Assignment != nil {
		lost["package "+l.Assignment.PackageCode] = 1
	}
	return lost
}

func nameOf(_ context.Context, _ *session.Session, m *model) string {
	return "The private label " + effect.NameOf(m.Domain, m.ID.ValueString())
}

// look finds a private label in the list, a new one by its host name. It reads the detail only for what the list lacks.
func look(ctx context.Context, s *session.Session, m *model, age inventory.Age) (*live, error) {
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
		return detailOf(ctx, s, id, age)
	}
	return listed(item), nil
}

// lookToDestroy also finds what a deprovisioning deletes, which the detail shows.
func lookToDestroy(ctx context.Context, s *session.Session, m *model, age inventory.Age) (*live, error) {
	if m.DeletionPolicy.ValueString() != effect.PolicyDeprovision {
		return look(ctx, s, m, age)
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
	return found, nil
}

func detailOf(ctx context.Context, s *session.Session, id string, age inventory.Age) (*live, error) {
	detail, err := s.Inventory.Label(ctx, id, age)
	if err != nil {
		return nil, err
	}
	return &live{PrivateLabel: *detail, whole: true}, nil
}

// listed is what the list shows of a private label, nil for nil.
func listed(item *client.PrivateLabelSummary) *live {
	if item == nil {
		return nil
	}
	return &live{PrivateLabel: client.PrivateLabel{
		TenantID: item.TenantID, PrimaryHost: item.PrimaryHost, CustomDomain: item.CustomDomain, Suspension: item.Suspension,
	}}
}

// presence records the host name of a private label that is proven to be absent: it can never be provisioned again.
func presence(ctx context.Context, s *session.Session, m *model, refusal error) (inventory.Presence, error) {
	found, err := s.Inventory.CheckRefusal(ctx, m.ID.ValueString(), m.Reseller.ValueString(), refusal)
	if refusal == nil {
		found, err = s.Inventory.CheckPresence(ctx, m.ID.ValueString(), m.Reseller.ValueString())
	}
	if err == nil && found == inventory.Absent {
		retire(s, m)
	}
	return found, err
}

// retired are the host names of private labels that no longer exist.
type retired struct{ sync.Map }

func retiredHosts(s *session.Session) *retired {
	return session.Shared(s, func(*session.Session) *retired { return &retired{} })
}

func retire(s *session.Session, m *model) { retiredHosts(s).Store(m.Domain.Normal(), true) }

type change = object.Change[*model, *live, *step]

// take makes the call of a step. A private label that was provisioned and not suspended is created: the next plan shows
// the suspension as a change.
func take(ctx context.Context, c *change, s *step, now *model) transport.Outcome {
	switch s.kind {
	case provision:
		return takeProvision(ctx, c, now)
	case deprovision:
		return takeDeprovision(ctx, c)
	case attach:
		attached := attachHost(ctx, c.Session, c.Was.ID.ValueString())
		if attached.State != transport.Applied {
			return attached.Outcome
		}
		now.domainSetupModel.fill(*attached.Value.DomainSetup)
		if now.detached() {
			c.Warn(diag.NewWarningDiagnostic(summaryNotAttached, fmt.Sprintf(notAttachedAgain, s.host)))
		}
		return attached.Outcome
	default:
		o := takeSuspension(ctx, c, s, now)
		if o.State != transport.Applied && c.Creates() {
			c.Warn(diag.NewWarningDiagnostic(summaryNotSuspended, diagnostic.JoinParagraphs(s.host+" was provisioned"+whetherActive(o)+".",
				diagnostic.Cause(o.Err), "The next plan shows the suspension as a change, and the next apply suspends it.")))
			return transport.Done()
		}
		return o
	}
}

func takeProvision(ctx context.Context, c *change, now *model) transport.Outcome {
	order := c.Want.provisionRequest()
	done := c.Inventory.BeginWrite()
	provisioned := c.Client.ProvisionPrivateLabel(ctx, order)
	done()
	if provisioned.State != transport.Applied {
		return provisioned.Outcome
	}
	made := provisioned.Value
	c.Inventory.RecordProvisioned(made.TenantID, order.Domain)
	now.Owner = fwtype.ObjectFromAPI(ownerAttrs, &client.Owner{
		UserID: made.OwnerUserID, Email: order.Owner.Email, FirstName: order.Owner.FirstName, LastName: order.Owner.LastName,
	})
	now.detailModel.fill(&live{whole: true, PrivateLabel: client.PrivateLabel{
		TenantID: made.TenantID, DomainSetup: made.DomainSetup, Suspension: client.Suspension{Status: client.StatusActive},
	}})
	if provisioned.ResponseLost {
		c.Warn(diag.NewWarningDiagnostic(summaryResponseLost, fmt.Sprintf(foundProvisioned, order.Domain)))
	} else {
		c.Inventory.RecordOwner(made.TenantID, client.Member{ID: made.OwnerUserID, Email: order.Owner.Email, Role: client.RoleOwner})
	}
	if now.detached() {
		c.Warn(diag.NewWarningDiagnostic(summaryNotAttached, fmt.Sprintf(notAttached, order.Domain)))
	}
	return provisioned.Outcome
}

func takeDeprovision(ctx context.Context, c *change) transport.Outcome {
	id := c.Was.ID.ValueString()
	done := c.Inventory.BeginWrite(id)
	defer done()
	o := c.Client.DeprovisionPrivateLabel(ctx, id)
	if o.State != transport.Applied {
		return o
	}
	retire(c.Session, c.Was)
	if o.ResponseLost {
		c.Warn(diag.NewWarningDiagnostic(summaryResponseLostGone, fmt.Sprintf(foundDeprovisioned, c.Was.Domain.ValueString())))
	}
	return o
}

func attachHost(ctx context.Context, s *session.Session, id string) transport.Result[*client.Attached] {
	done := s.Inventory.BeginWrite(id)
	defer done()
	return s.Client.AttachDomain(ctx, id)
}

func takeSuspension(ctx context.Context, c *change, s *step, now *model) transport.Outcome {
	subject := cmp.Or(now, c.Was) // a destroy has no new model
	id := subject.ID.ValueString()
	done := c.Inventory.BeginWrite(id)
	defer done()
	var result transport.Result[*client.Suspension]
	if s.kind == suspend {
		result = c.Client.SuspendPrivateLabel(ctx, id, c.Subject().SuspendReason.ValueString())
	} else {
		result = c.Client.UnsuspendPrivateLabel(ctx, id)
	}
	if result.State != transport.Applied {
		return result.Outcome
	}
	subject.suspensionModel.fill(*result.Value)
	if subject.suspended() != (s.kind == suspend) {
		return transport.NotDone(&transport.ContradictedError{
			Op: string(s.kind) + " the private label", Shown: "its response shows the status " + result.Value.Status,
		})
	}
	return result.Outcome
}

// readBack reads the detail of a new private label. The responses of an update show all that it changed, unless one was
// lost.
func readBack(ctx context.Context, c *change, now *model) diag.Diagnostics {
	if !c.Creates() && c.Live == nil {
		return nil
	}
	host := now.Domain.ValueString()
	seen, err := detailOf(ctx, c.Session, now.ID.ValueString(), inventory.Current)
	if err != nil {
		return diag.Diagnostics{diag.NewWarningDiagnostic(summaryNotRead,
			diagnostic.JoinParagraphs(host+" is in state. The next plan reads the missing attributes.", diagnostic.Cause(err)))}
	}
	now.fill(seen)
	return append(fwtype.TimeWarning("createdAt", host, seen.CreatedAt), fwtype.TimeWarning("suspendedAt", host, seen.SuspendedAt)...)
}

// check rejects a create that cannot succeed. What an import would need no value for is asked last: a private label that is
// live or gone needs another remedy.
func check(ctx context.Context, c *change) diag.Diagnostics {
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
		now, err := look(ctx, c.Session, c.Want, inventory.Fresh)
		switch {
		case err != nil:
			return diag.Diagnostics{diagnostic.ReadFailure(diagnostic.SummaryReadLabel, nameOf(ctx, c.Session, c.Want)).Diagnostic(err)}
		case now != nil:
			return diag.Diagnostics{alreadyLive(now)}
		}
	}
	if _, retired := retiredHosts(c.Session).Load(c.Want.Domain.Normal()); retired {
		diags.AddAttributeError(path.Root("domain"), summaryHostRetired, fmt.Sprintf(hostRetired, c.Want.Domain.ValueString()))
	}
	return diags
}

// failed explains a step that failed. A host name that is taken may be one of the reseller's own.
func failed(ctx context.Context, c *change, s *step, o transport.Outcome) diag.Diagnostics {
	if s.kind == provision && o.State == transport.Absent && transport.IsCode(o.Err, client.CodeHostTaken) {
		if own, lookErr := look(ctx, c.Session, c.Want, inventory.Fresh); lookErr == nil && own != nil {
			return diag.Diagnostics{alreadyLive(own)}
		}
	}
	return diag.Diagnostics{s.failure(c.Destroys()).Of(o)}
}
