package privatelabel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/dns"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/register"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

// Verification is reseller_domain_verification: an apply that waits for the DNS of a private label, or only looks.
var Verification = object.New[*verificationModel](verificationResource{})

type verificationResource struct{ session.ByLabel }

type (
	verificationChange = object.Change[*verificationModel]
	verificationView   = object.View[*verificationModel]
)

func (verificationResource) Traits() object.Traits {
	return object.Traits{
		Type:             "domain_verification",
		Identity:         []object.Attribute{{Name: "private_label_id", Description: "Private label ID, 32 lowercase hex characters."}},
		Subject:          "domain",
		Validate:         validateTimeouts,
		SummaryRead:      diagnostic.SummaryListLabels,
		Replacing:        []string{"private_label_id"},
		RenamesFreely:    true,
		ReadBeforeCreate: object.DontRead,
		ReadBeforeUpdate: object.DontRead,
	}
}

func (verificationResource) Name(ctx context.Context, s *session.Session, m *verificationModel) string {
	return "domain verification of " + cmp.Or(m.Domain.ValueString(), s.HostOf(ctx, m.PrivateLabelID.ValueString()))
}

// Read reads the list, and the detail of a private label that is not verified in state.
func (verificationResource) Read(ctx context.Context, s *session.Session, m *verificationModel, age inventory.Freshness) (*verificationModel, error) {
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
		switch {
		case err == nil:
			now = examine(ctx, s, detail)
		case !s.Inventory.HidesSuspended(ctx, item.TenantID, err):
			return nil, err
		}
	}
	live := *m
	live.fill(now)
	return &live, nil
}

// setup is the host name of a private label, with its detail and what DNS shows unless it is verified in state.
type setup struct {
	host   string
	detail *client.PrivateLabel // nil: only the list was read
	seen   dns.Check
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

func (verificationResource) Key(*verificationModel) string {
	return register.OnlyOne
}

func (verificationResource) Absence(m *verificationModel) inventory.Absence {
	return inventory.OfLabel(m.PrivateLabelID.ValueString())
}

// verificationOperation is one plan or apply of a domain verification.
type verificationOperation struct{ *verificationChange }

func (verificationResource) Begin(c *verificationChange) object.Operation[*verificationModel] {
	return &verificationOperation{c}
}

// Plan says that the apply waits, and for how long at most.
func (op *verificationOperation) Plan(ctx context.Context) diag.Diagnostics {
	if len(op.Steps) == 0 {
		return nil
	}
	if !op.Creates() {
		op.Want.Verified = types.BoolUnknown()
		op.Want.Observed = types.ListUnknown(observedType)
		op.Want.Problem = types.StringUnknown()
	}
	limit, diags := verificationTime(ctx, op.Want.Timeouts)
	if diags.HasError() || limit == 0 {
		return diags
	}
	host := op.HostOf(ctx, op.Want.PrivateLabelID.ValueString())
	return append(diags, diag.NewWarningDiagnostic(SummaryWaits, fmt.Sprintf(waitsForDNS, host, limit, op.Want.onTimeout())))
}

func (op *verificationOperation) Check(context.Context) diag.Diagnostics {
	return nil
}

// Execute waits on the session's clock, so that a simulator waits in its own time. What is not required is no error.
func (op *verificationOperation) Execute(ctx context.Context, s effect.Step, now *verificationModel) transport.Outcome {
	limit, diags := verificationTime(ctx, op.Want.Timeouts)
	if err := diagnostic.AsError(diags); err != nil {
		return transport.NotDone(err)
	}
	label, err := newVerificationPoller(op.Session).wait(ctx, s.ID, limit)
	if label == nil {
		return transport.NotDone(err)
	}
	seen := &setup{host: label.Host(), detail: label}
	if ctx.Err() == nil { // a canceled run ends at once
		seen = examine(ctx, op.Session, label)
	}
	switch {
	case err == nil:
	case op.Want.isRequired():
		return transport.NotDone(&notVerifiedError{seen, err})
	default:
		op.Warn(seen.notVerified(err))
	}
	now.fill(seen)
	return transport.Done()
}

// notVerifiedError is a wait that ended before the host name was verified.
type notVerifiedError struct {
	*setup
	error
}

func (e *notVerifiedError) Unwrap() error {
	return e.error
}

// ReadBack has nothing to read: Execute has read the private label.
func (op *verificationOperation) ReadBack(context.Context, *verificationModel) diag.Diagnostics {
	return nil
}

// Explain says what is missing.
func (op *verificationOperation) Explain(ctx context.Context, s effect.Step, o transport.Outcome) diag.Diagnostics {
	late, ok := errors.AsType[*notVerifiedError](o.Err)
	if !ok {
		return diagnostic.APIFailure{
			Summary:   summaryVerify,
			Failed:    "The domain verification of " + op.HostOf(ctx, s.ID) + " could not be checked",
			Unchanged: "Nothing was changed. Another apply starts to wait again",
			Remedies:  notALabel,
		}.Of(o)
	}
	remedy := "Apply again to continue to wait, wait longer with timeouts = { create = \"2h\" }, or set required = false to continue without it."
	if !late.detail.DomainSetup.IsAttached() {
		remedy = "Apply reseller_private_label again, or invoke the action reseller_attach_domain, to attach the host name. Then apply again."
	}
	kept := "The private label was not changed, and nothing is in state. "
	if !op.Creates() {
		kept = "The private label was not changed. "
	}
	fact, record := late.missing(o.Err)
	if record != "" {
		fact += " " + diagnostic.Capitalize(o.Err.Error()) // why the wait ended
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(SummaryNotVerified, diagnostic.JoinParagraphs(fact, record, kept+remedy))}
}

// verificationPause: the API checks DNS at most once a minute (§2.5).
const verificationPause = time.Minute

// verificationPoller reads private labels that wait for their DNS: each one at most once a minute for all waiting
// resources.
type verificationPoller struct {
	read  func(context.Context, string) (*client.PrivateLabel, error)
	clock transport.Clock
	reads *session.LabelReads
}

func newVerificationPoller(s *session.Session) *verificationPoller {
	read := func(ctx context.Context, id string) (*client.PrivateLabel, error) {
		label, err := s.Inventory.Label(ctx, id, inventory.Fresh)
		if client.MayBeGone(err) && s.Inventory.IsUnshownLabel(id) {
			return &client.PrivateLabel{TenantID: id, PrimaryHost: s.KnownHost(id)}, nil // not attached as far as is known
		}
		return label, err
	}
	return &verificationPoller{read: read, clock: s.Client.Clock(), reads: s.LabelReads}
}

func verified(l *client.PrivateLabel) bool {
	return l.DomainSetup.IsVerified()
}

// wait returns the private label once it is verified. After a timeout or a cancellation it returns the last read with
// an error.
func (w *verificationPoller) wait(ctx context.Context, labelID string, limit time.Duration) (last *client.PrivateLabel, _ error) {
	began := w.clock.Now()
	for {
		seen, err := w.reads.Read(labelID, w.clock, verificationPause, func() (*client.PrivateLabel, error) { return w.read(ctx, labelID) })
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
			return last, fmt.Errorf("the next DNS check of the API is after the timeout of %s", limit)
		}
		if err := w.clock.Sleep(ctx, verificationPause); err != nil {
			return last, fmt.Errorf("the run was canceled after %s: %w", waited, err)
		}
	}
}
