package privatelabel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// defaultVerificationTime is how long an apply waits by default.
const defaultVerificationTime = 30 * time.Minute

// Verification is reseller_domain_verification: an apply that waits for the DNS of a private label, or only looks.
var Verification = object.New[*verificationModel](verificationKind{})

type verificationKind struct{ session.ByLabel }

type (
	verificationRequest = object.Request[*verificationModel]
	verificationView    = object.View[*verificationModel]
)

func (verificationKind) Describe() object.Description {
	return object.Description{
		Type:             "domain_verification",
		Identity:         []object.Attribute{{Name: "private_label_id", Description: "Private label ID, 32 lowercase hex characters."}},
		Subject:          "domain",
		SummaryRead:      diagnostic.SummaryListLabels,
		Replacing:        []string{"private_label_id"},
		RenamesFreely:    true,
		LookBeforeCreate: object.DontLook,
		LookBeforeUpdate: object.DontLook,
	}
}

func (verificationKind) Name(ctx context.Context, s *session.Session, m *verificationModel) string {
	return "The domain verification of " + cmp.Or(m.Domain.ValueString(), s.HostOf(ctx, m.PrivateLabelID.ValueString()))
}

func (verificationKind) Proof(m *verificationModel) inventory.Proof {
	return inventory.OfLabel(m.PrivateLabelID.ValueString())
}

func (verificationKind) Gone(_ context.Context, _ *session.Session, m *verificationModel) diag.Diagnostic {
	return diag.NewWarningDiagnostic(SummaryVerificationGone, session.GoneText(m.Domain.ValueString(), m.PrivateLabelID.ValueString()))
}

// verificationChange is one plan or apply of a domain verification.
type verificationChange struct{ *verificationRequest }

func (verificationKind) Begin(q *verificationRequest) object.Change[*verificationModel] {
	return &verificationChange{q}
}

type verificationModel struct {
	PrivateLabelID types.String   `tfsdk:"private_label_id"`
	Required       types.Bool     `tfsdk:"required"`
	ID             types.String   `tfsdk:"id"`
	Domain         types.String   `tfsdk:"domain"`
	Verified       types.Bool     `tfsdk:"verified"`
	Observed       types.List     `tfsdk:"observed"`
	Problem        types.String   `tfsdk:"problem"`
	Timeouts       timeouts.Value `tfsdk:"timeouts"`
	object.Base
}

// setup is the host name of a private label, with its detail and what DNS shows unless it is verified in state.
type setup struct {
	host   string
	detail *client.PrivateLabel // nil: only the list was read
	seen   dns.Check
}

var (
	observedAttrs = map[string]attr.Type{"type": types.StringType, "value": types.StringType}
	observedType  = types.ObjectType{AttrTypes: observedAttrs}
)

// fill copies what a read found. After an import, a host name that is not verified is not required to be: a plan that
// requires it then waits.
func (m *verificationModel) fill(now *setup) {
	m.ID, m.Domain = m.PrivateLabelID, types.StringValue(now.host)
	if now.detail == nil {
		return
	}
	m.Verified, m.Problem = types.BoolValue(verified(now.detail)), types.StringNull()
	if m.Required.IsNull() {
		m.Required = m.Verified
	}
	if now.seen.Problem != "" {
		m.Problem = types.StringValue(diagnostic.ShownLine(now.seen.Problem))
	}
	const most = 20
	observed := []attr.Value{}
	for _, r := range now.seen.Records[:min(most, len(now.seen.Records))] {
		observed = append(observed, types.ObjectValueMust(observedAttrs, map[string]attr.Value{
			"type": types.StringValue(r.Type), "value": types.StringValue(diagnostic.ShownLine(r.Value)),
		}))
	}
	m.Observed = types.ListValueMust(observedType, observed)
}

// Read reads the list, and the detail of a private label that is not verified in state.
func (verificationKind) Read(ctx context.Context, s *session.Session, m *verificationModel, age inventory.Age) (*verificationModel, error) {
	labels, err := s.Inventory.Labels(ctx, age)
	if err != nil {
		return nil, err
	}
	item, ok := labels.ByID(m.PrivateLabelID.ValueString())
	if !ok {
		return nil, nil //nolint:nilnil // absence is a result of a read
	}
	now := &setup{host: item.Host()}
	if !m.Verified.ValueBool() {
		detail, err := s.Inventory.Label(ctx, item.TenantID, age)
		if err != nil {
			return nil, err
		}
		now = examine(ctx, s, detail)
	}
	live := *m
	live.fill(now)
	return &live, nil
}

// examine adds what DNS shows to the detail of a private label. The verdict is the API's alone.
func examine(ctx context.Context, s *session.Session, detail *client.PrivateLabel) *setup {
	now := &setup{host: detail.Host(), detail: detail}
	switch {
	case verified(detail):
		now.seen.Answer = s.LookupDNS(ctx, detail.Host())
	case detail.DomainSetup.IsAttached():
		expected := slice.Map(detail.DomainSetup.Records, func(r client.DNSRecord) dns.Record { return dns.Record(r) })
		now.seen = dns.Examine(ctx, s.LookupDNS, detail.Host(), expected)
	default:
		now.seen.Problem = fmt.Sprintf("The API has not attached %s.", detail.Host())
	}
	return now
}

// Validate rejects a negative time; 0s reads once.
func (verificationKind) Validate(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var set timeouts.Value
	at := path.Root("timeouts")
	diags := config.GetAttribute(ctx, at, &set)
	limit, more := verificationTime(ctx, set)
	diags.Append(more...)
	if limit < 0 {
		diags.Append(diagnostic.InvalidValue(at.AtName("create"), limit.String(),
			"set a duration that is not negative, such as 30m; 0s checks once"))
	}
	return diags
}

// verificationTime is the time that an apply waits. The library would log each default at INFO: 600 lines for a plan of 300
// private labels.
func verificationTime(ctx context.Context, set timeouts.Value) (time.Duration, diag.Diagnostics) {
	if create := set.Attributes()["create"]; create == nil || create.IsNull() || create.IsUnknown() {
		return defaultVerificationTime, nil
	}
	return set.Create(ctx, defaultVerificationTime)
}

// Steps: a create waits, and an update that requires what is not verified yet. A destroy only removes from state.
func (verificationKind) Steps(was, want, live *verificationModel) []effect.Step {
	switch {
	case want == nil, was != nil && (was.Verified.ValueBool() || !want.isRequired()):
		return nil
	case was != nil && live != nil && live.Verified.ValueBool():
		return nil
	}
	return []effect.Step{effect.NewStep("wait for", "", want.PrivateLabelID.ValueString())}
}

// Plan says that the apply waits, and for how long at most.
func (c *verificationChange) Plan(ctx context.Context) diag.Diagnostics {
	if len(c.Steps) == 0 {
		return nil
	}
	if !c.Creates() {
		c.Want.Verified, c.Want.Observed, c.Want.Problem = types.BoolUnknown(), types.ListUnknown(observedType), types.StringUnknown()
	}
	limit, diags := verificationTime(ctx, c.Want.Timeouts)
	if diags.HasError() || limit == 0 {
		return diags
	}
	host := c.HostOf(ctx, c.Want.PrivateLabelID.ValueString())
	return append(diags, diag.NewWarningDiagnostic(SummaryWaits, fmt.Sprintf(waitsForDNS, host, limit, c.Want.onTimeout())))
}

// isRequired: a configuration without the attribute has its default.
func (m *verificationModel) isRequired() bool { return m.Required.IsNull() || m.Required.ValueBool() }

// onTimeout says how an apply ends whose time is over.
func (m *verificationModel) onTimeout() string {
	if m.isRequired() {
		return "then it returns an error"
	}
	return "then it continues with a warning"
}

// notVerifiedError is a wait that ended before the host name was verified.
type notVerifiedError struct {
	*setup
	error
}

func (e *notVerifiedError) Unwrap() error { return e.error }

// Take waits on the session's clock, so that a simulator waits in its own time. What is not required is no error.
func (c *verificationChange) Take(ctx context.Context, s effect.Step, now *verificationModel) transport.Outcome {
	limit, diags := verificationTime(ctx, c.Want.Timeouts)
	if err := diagnostic.AsError(diags); err != nil {
		return transport.NotDone(err)
	}
	label, err := session.Shared(c.Session, newVerificationPoller).wait(ctx, s.ID, limit)
	if label == nil {
		return transport.NotDone(err)
	}
	seen := &setup{host: label.Host(), detail: label}
	if ctx.Err() == nil { // a canceled run ends at once
		seen = examine(ctx, c.Session, label)
	}
	switch {
	case err == nil:
	case c.Want.isRequired():
		return transport.NotDone(&notVerifiedError{seen, err})
	default:
		c.Warn(diag.NewWarningDiagnostic(SummaryNotVerified, diagnostic.JoinParagraphs(seen.missing(err), goesOn)))
	}
	now.fill(seen)
	return transport.Done()
}

// missing says what is not in order yet: what DNS shows, and which record is expected.
func (s *setup) missing(err error) string {
	host, detail := printable.OneLine(s.host), s.detail.DomainSetup
	if !detail.IsAttached() {
		return diagnostic.JoinParagraphs("The API has not attached " + host + ". " + diagnostic.Capitalize(err.Error()))
	}
	return diagnostic.JoinParagraphs(host+" is attached, but its DNS is not correct yet. "+diagnostic.Capitalize(err.Error()),
		diagnostic.ShownLine(s.seen.Problem), expectedRecord(host, detail))
}

// ReadBack has nothing to read: Take has read the private label.
func (c *verificationChange) ReadBack(context.Context, *verificationModel) diag.Diagnostics {
	return nil
}

// Failed says what is missing.
func (c *verificationChange) Failed(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	late, ok := errors.AsType[*notVerifiedError](o.Err)
	if !ok {
		return diag.Diagnostics{diagnostic.APIFailure{
			Summary:   summaryVerify,
			Failed:    "The domain verification of " + c.HostOf(ctx, s.ID) + " could not be checked",
			Unchanged: "Nothing was changed. Another apply starts to wait again",
			Remedies:  notALabel,
		}.Of(o)}
	}
	remedy := "Apply again to continue to wait, wait longer with timeouts = { create = \"2h\" }, or set required = false to continue without it."
	if !late.detail.DomainSetup.IsAttached() {
		remedy = "Apply reseller_private_label again, or invoke the action reseller_attach_domain, to attach the host name. Then apply again."
	}
	kept := "The private label was not changed, and nothing is in state. "
	if !c.Creates() {
		kept = "The private label was not changed. "
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryNotVerified, diagnostic.JoinParagraphs(late.missing(o.Err), kept+remedy))}
}

// Announce announces that a destroy leaves the host name unchanged. A replacement waits again.
func (verificationKind) Announce(v verificationView, _ []effect.Step) effect.Notices {
	if v.Want != nil || v.Next != nil {
		return nil
	}
	host := v.Was.Domain.ValueString()
	return effect.Notices{{
		Topic:   topicKeptVerification,
		Detail:  fmt.Sprintf("No API call is made for the verification of %s, and later applies no longer wait for it.", host),
		Effects: []effect.Effect{{Event: verificationLeft}},
	}}
}

// Drift is what has changed in the client's DNS.
func (verificationKind) Drift(was, now *verificationModel) []effect.Effect {
	switch {
	case now == nil:
		return []effect.Effect{{Event: unlisted}}
	case now.Verified.ValueBool() && !was.Verified.ValueBool():
		return []effect.Effect{{Event: dnsVerified, Before: false, After: true}}
	case !now.Problem.Equal(was.Problem) && !now.Problem.IsNull():
		return []effect.Effect{{Event: dnsChanged, Before: was.Problem.ValueString(), After: now.Problem.ValueString()}}
	default:
		return nil
	}
}

// verificationPause: the API checks DNS at most once a minute (§2.5).
const verificationPause = time.Minute

// verificationPoller reads private labels that wait for their DNS: each one at most once a minute for all waiting
// resources.
type verificationPoller struct {
	read  func(context.Context, string) (*client.PrivateLabel, error)
	clock transport.Clock

	mu    sync.Mutex
	polls map[string]*poll // by private label ID
}

// poll is the newest read of a private label, and is locked while it is read.
type poll struct {
	sync.Mutex
	at    time.Time
	label *client.PrivateLabel
}

func newVerificationPoller(s *session.Session) *verificationPoller {
	read := func(ctx context.Context, id string) (*client.PrivateLabel, error) {
		label, err := s.Inventory.Label(ctx, id, inventory.Fresh)
		if client.MayBeGone(err) && s.Inventory.IsUnshownLabel(id) {
			return &client.PrivateLabel{TenantID: id, PrimaryHost: s.KnownHost(id)}, nil // not attached as far as is known
		}
		return label, err
	}
	return &verificationPoller{read: read, clock: s.Client.Clock(), polls: map[string]*poll{}}
}

func verified(l *client.PrivateLabel) bool { return l.DomainSetup.IsVerified() }

// wait returns the private label once it is verified. After a timeout or a cancellation it returns the last read with
// an error.
func (w *verificationPoller) wait(ctx context.Context, labelID string, limit time.Duration) (last *client.PrivateLabel, _ error) {
	began := w.clock.Now()
	for {
		seen, err := w.lookAt(ctx, labelID)
		if err != nil {
			return last, err
		}
		last = seen
		if verified(last) {
			return last, nil
		}
		waited := w.clock.Now().Sub(began).Round(time.Second)
		tflog.Info(ctx, "waiting for the DNS of a private label", map[string]any{
			"host": diagnostic.ShownLine(last.Host()), "attached": last.DomainSetup.IsAttached(), "waited": waited.String(),
			"expected": diagnostic.ShownLine(expectedRecord(last.Host(), last.DomainSetup)),
		})
		if waited+verificationPause > limit {
			return last, fmt.Errorf("the API checks DNS once a minute, and the next check is after the timeout of %s", limit)
		}
		if err := w.clock.Sleep(ctx, verificationPause); err != nil {
			return last, fmt.Errorf("the run was canceled after %s: %w", waited, err)
		}
	}
}

// lookAt reads a private label, or shares a read of it within the last minute.
func (w *verificationPoller) lookAt(ctx context.Context, labelID string) (*client.PrivateLabel, error) {
	w.mu.Lock()
	if w.polls[labelID] == nil {
		w.polls[labelID] = &poll{}
	}
	newest := w.polls[labelID]
	w.mu.Unlock()
	newest.Lock()
	defer newest.Unlock()
	if now := w.clock.Now(); newest.label == nil || now.Sub(newest.at) >= verificationPause {
		label, err := w.read(ctx, labelID)
		if err != nil {
			return nil, err // the next read need not wait a minute
		}
		newest.at, newest.label = now, label
	}
	return newest.label, nil
}
