package privatelabel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
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
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
	"github.com/privatelabels/terraform-provider-reseller/internal/slice"
)

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

// Read reads the list, and the detail of a private label that is not verified in state.
func (verificationKind) Read(ctx context.Context, s *session.Session, m *verificationModel, age inventory.Freshness) (*verificationModel, error) {
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

func (verificationKind) Proof(m *verificationModel) inventory.Absence {
	return inventory.OfLabel(m.PrivateLabelID.ValueString())
}

// verificationChange is one plan or apply of a domain verification.
type verificationChange struct{ *verificationRequest }

func (verificationKind) Begin(q *verificationRequest) object.Change[*verificationModel] {
	return &verificationChange{q}
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

// notVerifiedError is a wait that ended before the host name was verified.
type notVerifiedError struct {
	*setup
	error
}

func (e *notVerifiedError) Unwrap() error { return e.error }

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
