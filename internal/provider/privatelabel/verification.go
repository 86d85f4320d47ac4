package privatelabel

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-timeouts/resource/timeouts"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-log/tflog"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/inventory"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

// defaultVerificationTime is how long a create waits by default.
const defaultVerificationTime = 30 * time.Minute

// Verification describes reseller_domain_verification: a create that waits for the DNS of a private label. It has no
// Key, since a rename loses nothing.
var Verification = &object.Description[*verificationModel, *live, *step]{
	Type:      "domain_verification",
	Schema:    verificationSchema,
	Identity:  []object.Attribute{{Name: "private_label_id", Description: "Private label ID, 32 lowercase hex characters."}},
	Subject:   "domain",
	Replacing: []string{"private_label_id"},
	Validate:  validateVerification,
	Name: func(ctx context.Context, s *session.Session, m *verificationModel) string {
		return "The domain verification of " + cmp.Or(m.Domain.ValueString(), s.HostOf(ctx, m.PrivateLabelID.ValueString()))
	},
	Look: func(ctx context.Context, s *session.Session, m *verificationModel, age inventory.Age) (*live, error) {
		labels, err := s.Inventory.Labels(ctx, age)
		if err != nil {
			return nil, err
		}
		item, _ := labels.ByID(m.PrivateLabelID.ValueString())
		return listed(item), nil
	},
	Presence: func(ctx context.Context, s *session.Session, m *verificationModel, _ error) (inventory.Presence, error) {
		return s.Inventory.CheckPresence(ctx, m.PrivateLabelID.ValueString(), m.Reseller.ValueString())
	},
	Fill:     (*verificationModel).fill,
	Import:   importVerification,
	Steps:    waitSteps,
	Announce: verificationNotices,
	Take:     wait,
	Failed:   unverified,
	// wait has read the private label.
	ReadBack: func(context.Context, *verificationChange, *verificationModel) diag.Diagnostics { return nil },
	Texts: object.Texts[*verificationModel]{
		SummaryRead: diagnostic.SummaryListLabels,
		Gone: func(_ context.Context, _ *session.Session, m *verificationModel) diag.Diagnostic {
			return diag.NewWarningDiagnostic(summaryVerificationGone, session.GoneText(m.Domain.ValueString(), m.PrivateLabelID.ValueString()))
		},
	},
}

type verificationModel struct {
	PrivateLabelID types.String   `tfsdk:"private_label_id"`
	ID             types.String   `tfsdk:"id"`
	Domain         types.String   `tfsdk:"domain"`
	Timeouts       timeouts.Value `tfsdk:"timeouts"`
	object.Base
}

func (m *verificationModel) fill(now *live) {
	m.ID, m.Domain = m.PrivateLabelID, types.StringValue(now.PrimaryHost)
}

// validateVerification rejects a negative time; 0s reads once.
func validateVerification(ctx context.Context, config tfsdk.Config) diag.Diagnostics {
	var set timeouts.Value
	at := path.Root("timeouts")
	diags := config.GetAttribute(ctx, at, &set)
	limit, more := set.Create(ctx, defaultVerificationTime)
	diags.Append(more...)
	if limit < 0 {
		diags.Append(diagnostic.InvalidValue(at.AtName("create"), limit.String(),
			"set a duration that is not negative, such as 30m; 0s checks once"))
	}
	return diags
}

// waitSteps: only a create waits, and a destroy only removes from state.
func waitSteps(was, want *verificationModel, _ *live) []*step {
	if was != nil {
		return nil
	}
	return []*step{{kind: "wait for", host: want.PrivateLabelID.ValueString()}}
}

type verificationChange = object.Change[*verificationModel, *live, *step]

// wait keeps the last read of the private label in the change, for unverified. It waits on the session's clock, so that
// a simulator waits in its own time.
func wait(ctx context.Context, c *verificationChange, s *step, now *verificationModel) error {
	limit, diags := c.Want.Timeouts.Create(ctx, defaultVerificationTime)
	if err := diagnostic.AsError(diags); err != nil {
		return err
	}
	seen, err := session.Shared(c.Session, newVerificationPoller).wait(ctx, s.host, limit)
	c.Memo = seen
	if err != nil {
		return err
	}
	now.fill(&live{PrivateLabel: *seen, whole: true})
	return nil
}

// unverified says what is missing.
func unverified(ctx context.Context, c *verificationChange, s *step, err error) diag.Diagnostics {
	seen, _ := c.Memo.(*client.PrivateLabel)
	if seen == nil {
		return diag.Diagnostics{diagnostic.APIFailure{
			Summary:   summaryVerify,
			Failed:    "The domain verification of " + c.HostOf(ctx, s.host) + " could not be checked",
			Unchanged: "Nothing was changed. Another apply starts to wait again",
			Remedies:  notALabel,
		}.Diagnostic(err)}
	}
	host, remedy := transport.OneLine(seen.PrimaryHost), "Apply again to continue to wait, or wait longer with timeouts = { create = \"2h\" }."
	detail := diagnostic.JoinParagraphs(
		host+" is attached, but its DNS is not correct yet. "+diagnostic.Capitalize(err.Error()), expectedRecord(seen.DomainSetup))
	if !seen.DomainSetup.Attached {
		detail = diagnostic.JoinParagraphs("The API has not attached " + host + ". " + diagnostic.Capitalize(err.Error()))
		remedy = "Apply reseller_private_label again, or invoke the action reseller_attach_domain, to attach the host name. Then apply again."
	}
	return diag.Diagnostics{diag.NewErrorDiagnostic(summaryNotVerified,
		diagnostic.JoinParagraphs(detail, "The private label was not changed, and nothing is in state. "+remedy))}
}

// verificationNotices announces that a destroy leaves the host name unchanged. A replacement waits again.
func verificationNotices(v object.View[*verificationModel, *live], _ []*step) effect.Notices {
	if v.Want != nil || v.Next != nil {
		return nil
	}
	host := v.Was.Domain.ValueString()
	return effect.Notices{{
		Topic:   topicKeptVerification,
		Detail:  fmt.Sprintf("No API call is made for the verification of %s, and later applies no longer wait for it.", host),
		Effects: []effect.Effect{{Kind: effect.Forgotten, What: "domain verification removed from state only", Subject: host}},
	}}
}

// importVerification resolves a private label ID or a host name of a private label whose host name is verified.
func importVerification(ctx context.Context, s *session.Session, given string) ([]string, diag.Diagnostics) {
	id, diags := s.LookUp(ctx, given)
	if diags.HasError() {
		return nil, diags
	}
	now, err := s.Inventory.Label(ctx, id, inventory.Current)
	switch {
	case err != nil:
		diags.Append(diagnostic.ReadFailure(diagnostic.SummaryReadLabel, "The private label "+given).Diagnostic(err))
	case !verified(now):
		diags.AddError(summaryNotVerified, diagnostic.JoinParagraphs(now.PrimaryHost+" is not verified yet. Nothing was imported",
			expectedRecord(now.DomainSetup), "Remove the import block. An apply of the resource then waits for the verification."))
	}
	return []string{id}, diags
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
		return s.Inventory.Label(ctx, id, inventory.Fresh)
	}
	return &verificationPoller{read: read, clock: s.Client.Clock(), polls: map[string]*poll{}}
}

func verified(l *client.PrivateLabel) bool { return l.DomainSetup.Attached && l.DomainSetup.Verified }

// wait returns the private label once it is verified. After a timeout or a cancellation it returns the last read with
// an error.
func (w *verificationPoller) wait(ctx context.Context, tenantID string, limit time.Duration) (last *client.PrivateLabel, _ error) {
	began := w.clock.Now()
	for {
		seen, err := w.lookAt(ctx, tenantID)
		if err != nil {
			return last, err
		}
		last = seen
		if verified(last) {
			return last, nil
		}
		waited := w.clock.Now().Sub(began).Round(time.Second)
		tflog.Info(ctx, "waiting for the DNS of a private label", map[string]any{
			"host": diagnostic.ShownLine(last.PrimaryHost), "attached": last.DomainSetup.Attached, "waited": waited.String(),
			"expected": diagnostic.ShownLine(expectedRecord(last.DomainSetup)),
		})
		if waited+verificationPause > limit {
			return last, fmt.Errorf("the provider waited %s; the next check, one minute later, would exceed the timeout of %s", waited, limit)
		}
		if err := w.clock.Sleep(ctx, verificationPause); err != nil {
			return last, fmt.Errorf("the run was canceled after %s: %w", waited, err)
		}
	}
}

// lookAt reads a private label, or shares a read of it within the last minute.
func (w *verificationPoller) lookAt(ctx context.Context, tenantID string) (*client.PrivateLabel, error) {
	w.mu.Lock()
	if w.polls[tenantID] == nil {
		w.polls[tenantID] = &poll{}
	}
	newest := w.polls[tenantID]
	w.mu.Unlock()
	newest.Lock()
	defer newest.Unlock()
	if now := w.clock.Now(); newest.label == nil || now.Sub(newest.at) >= verificationPause {
		label, err := w.read(ctx, tenantID)
		if err != nil {
			return nil, err // the next read need not wait a minute
		}
		newest.at, newest.label = now, label
	}
	return newest.label, nil
}
