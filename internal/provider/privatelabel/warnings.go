package privatelabel

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/privatelabels/terraform-provider-reseller/internal/client"
	"github.com/privatelabels/terraform-provider-reseller/internal/client/transport"
	"github.com/privatelabels/terraform-provider-reseller/internal/printable"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/diagnostic"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/effect"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/fwtype"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/object"
	"github.com/privatelabels/terraform-provider-reseller/internal/provider/session"
)

const (
	SummaryAttach      = "Error attaching host name"
	summaryDashboard   = "Error reading dashboard"
	summaryDeprovision = "Error deprovisioning private label"
	SummaryProvision   = "Error provisioning private label"
	summarySuspend     = "Error suspending private label"
	summaryUnsuspend   = "Error lifting suspension"
	summaryVerify      = "Error checking domain verification"

	SummaryExists           = "Private label already exists"
	SummaryHostRetired      = "Host name cannot be reused"
	summaryMissingAppName   = "Missing app_name for provisioning"
	summaryMissingOwner     = "Missing owner for provisioning"
	SummaryNotAttached      = "Host name is not attached yet"
	SummaryNotFound         = "Private label not found, removed from state"
	SummaryNotRead          = "Private label created, but not read"
	SummaryNotReplaceable   = "Private labels cannot be replaced"
	summaryNotSuspended     = "Private label created, but not suspended"
	SummaryNotVerified      = "Host name is not verified yet"
	SummaryOtherReason      = "Suspension has another reason"
	SummaryPlatform         = "Private label is suspended by the platform"
	SummaryReasonFixed      = "Suspension reason cannot be changed"
	SummaryRecordedOnly     = "Provisioning attributes are only recorded in state"
	summaryResponseLost     = "Response lost, private label found"
	summaryResponseLostGone = "Response lost, private label deprovisioned"
	SummaryWaits            = "Apply waits for host name"
	SummaryVerificationGone = "Domain verification removed with its private label"
)

// What plans announce.
var (
	TopicProvisioning     = effect.NewTopic("Provisioning is permanent and emails the owner", effect.Permanent, effect.Email)
	TopicDeprovisioning   = effect.NewTopic("Deprovisioning is permanent", effect.Destroyed)
	topicSuspending       = effect.NewTopic("Suspending a private label signs out its members", effect.Suspended)
	topicUnsuspending     = effect.NewTopic("Lifting a suspension lets its members sign in", effect.Suspended)
	TopicSuspendOnly      = effect.NewTopic("Private label is suspended and removed from state", effect.Suspended, effect.Forgotten)
	topicAbandoning       = effect.NewTopic("Private label is only removed from state", effect.Forgotten)
	topicKeptSuspension   = effect.NewTopic("Suspension stays and is no longer managed", effect.Forgotten)
	topicKeptVerification = effect.NewTopic("Domain verification is only removed from state", effect.Forgotten)
)

var (
	hostBound     = effect.Permanent.Event("host name bound to its private label")
	ownerEmailed  = effect.Email.Event("set-password email to the owner")
	deprovisioned = effect.Destroyed.Event("private label deprovisioned with its members")
	signedOut     = effect.Suspended.Event("members signed out by a suspension")
	lifted        = effect.Suspended.Event("suspension lifted: members can sign in again")

	labelLeft        = effect.Forgotten.Event("private label removed from state only")
	suspensionLeft   = effect.Forgotten.Event("suspension no longer managed")
	verificationLeft = effect.Forgotten.Event("domain verification removed from state only")
)

// Warnings announce host names that are bound, members who are signed out, and private labels that go or stay.
func (resource) Warnings(v view, todo []effect.Step) (out effect.Warnings) {
	switch {
	case v.Want == nil && v.Was.DeletionPolicy.ValueString() == effect.PolicyPrevent:
		return nil // an error
	case v.Want == nil:
		return destroyed(v, todo)
	case v.Was == nil:
		out = effect.Warnings{provisioned(v.Want)}
	default:
		out = suspensionKept(v.Was, v.Want)
	}
	for _, s := range todo {
		switch s.Verb {
		case suspend:
			out = append(out, suspended(v.Want, hostOf(v)))
		case unsuspend:
			out = append(out, unsuspended(v.Want, hostOf(v)))
		default:
		}
	}
	return out
}

func provisioned(want *model) effect.Warning {
	bound := want.Domain.ValueString() + " can never be used for another private label."
	if want.Domain.IsUnknown() {
		bound = fmt.Sprintf("The host name of %s (known after apply) can never be used for another one.", effect.NameOf(want.AppName, "the private label"))
	}
	who := effect.NameOf(want.owner("email"), "the owner (email address known after apply)")
	return effect.Warning{
		Topic:  TopicProvisioning,
		At:     path.Root("domain"),
		Detail: fmt.Sprintf("%s The apply emails a set-password link to %s and uses allowance until deprovisioning.", bound, who),
		Effects: []effect.Effect{
			{Event: hostBound},
			{Event: ownerEmailed, Email: effect.Text(want.owner("email"))},
		},
	}
}

// hostOf is the host name of a private label: the one in state while another value is known after apply.
func hostOf(v view) fwtype.HostName {
	if v.Was != nil && v.Want.Domain.IsUnknown() {
		return v.Was.Domain
	}
	return v.Want.Domain
}

func suspended(want *model, domain fwtype.HostName) effect.Warning {
	host := effect.NameOf(domain, "The private label")
	will := host + " is suspended. All"
	condition := ""
	if want.Suspended.IsUnknown() {
		condition = "suspended is true"
		will = fmt.Sprintf("suspended of %s is known after apply. If it is true, all", host)
	}
	return effect.Warning{
		Topic:   topicSuspending,
		At:      path.Root("suspended"),
		Detail:  will + " members are signed out immediately and cannot sign in until the suspension is lifted. The private label is kept and still billed.",
		Effects: []effect.Effect{{Event: signedOut, If: condition}},
	}
}

func unsuspended(want *model, domain fwtype.HostName) effect.Warning {
	host := effect.NameOf(domain, "the private label")
	will := fmt.Sprintf("The suspension of %s is lifted.", host)
	condition := ""
	if want.Suspended.IsUnknown() {
		condition = "suspended is false"
		will = fmt.Sprintf("suspended of %s is known after apply. If it is false, the suspension is lifted.", host)
	}
	return effect.Warning{
		Topic:   topicUnsuspending,
		At:      path.Root("suspended"),
		Detail:  will + " All its members can sign in again. To keep the suspension, set suspended = true.",
		Effects: []effect.Effect{{Event: lifted, If: condition}},
	}
}

// suspensionKept announces that the configuration no longer manages a suspension that lasts.
func suspensionKept(was, want *model) effect.Warnings {
	if !want.Suspended.IsNull() || !was.Suspended.ValueBool() || !was.suspended() {
		return nil
	}
	host := was.Domain.ValueString()
	return effect.Warnings{{
		Topic: topicKeptSuspension,
		Detail: fmt.Sprintf("%s stays suspended. The configuration no longer sets suspended, so Terraform no longer manages the suspension. "+
			"To lift it, set suspended = false.", host),
		Effects: []effect.Effect{{Event: suspensionLeft}},
	}}
}

// destroyed announces what deletion_policy does.
func destroyed(v view, todo []effect.Step) effect.Warnings {
	host := v.Was.Domain.ValueString()
	switch value := v.Was.DeletionPolicy.ValueString(); {
	case value == effect.PolicyDeprovision:
		return effect.Warnings{{
			Topic:   TopicDeprovisioning.ForHost(host),
			Detail:  fmt.Sprintf("The private label %s (%s) is deleted with %s. Nobody can provision the host name again.", host, v.Was.ID.ValueString(), lost(v.Live)),
			Effects: []effect.Effect{{Event: deprovisioned}},
		}}
	case len(todo) > 0:
		return effect.Warnings{{
			Topic:   TopicSuspendOnly,
			Detail:  fmt.Sprintf("All members of %s will be signed out, and it is still billed. %s", host, others),
			Effects: []effect.Effect{{Event: signedOut}, {Event: labelLeft}},
		}}
	default:
		stays := map[string]string{effect.PolicySuspend: "suspended", effect.PolicyAbandon: "live"}[value]
		return effect.Warnings{{
			Topic:   topicAbandoning,
			Detail:  fmt.Sprintf("%s stays %s, and is billed while it has a package. %s", host, stays, others),
			Effects: []effect.Effect{{Event: labelLeft}},
		}}
	}
}

// others says what a destroy of a private label that stays does not keep.
const others = "Its assignment and members are separate resources, which this plan may remove. To keep them, apply deletion_policy = \"ABANDON\" there first."

// lost lists what is deleted with a private label.
func lost(live *model) string {
	if live == nil {
		return "its members and its package, if it has one"
	}
	now := live.shown
	members := "its members"
	switch count := now.MemberCount; {
	case count == nil:
	case *count == 1:
		members = "1 member"
	default:
		members = fmt.Sprintf("%d members", *count)
	}
	switch held := now.Assignment.Value; {
	case held != nil:
		return fmt.Sprintf("%s and package %s", members, cmp.Or(held.PackageCode, held.PackageID))
	case now.Assignment.IsGiven:
		return members + "; it has no package"
	default:
		return members + " and its package, if it has one"
	}
}

// Warnings announce that a destroy leaves the host name unchanged. A replacement waits again.
func (verificationResource) Warnings(v verificationView, _ []effect.Step) effect.Warnings {
	if v.Want != nil || v.Next != nil {
		return nil
	}
	host := v.Was.Domain.ValueString()
	return effect.Warnings{{
		Topic:   topicKeptVerification,
		Detail:  fmt.Sprintf("No API call is made for the verification of %s, and later applies no longer wait for it.", host),
		Effects: []effect.Effect{{Event: verificationLeft}},
	}}
}

const phraseUnlisted = "no longer in the list of the reseller's private labels: deprovisioned, or moved by the platform"

// What the platform, the console or the client's DNS changes.
var (
	unlisted            = effect.HarmGone.Drift(phraseUnlisted)
	platformSuspended   = effect.HarmUnusable.Drift("suspended by the platform")
	consoleSuspended    = effect.HarmUnusable.Drift("suspended in the console")
	noLongerSuspended   = effect.Drift.Event("no longer suspended")
	hostAttached        = effect.Drift.Event("host name attached")
	hostDetached        = effect.HarmLost.Drift("host name no longer attached")
	dnsVerified         = effect.Drift.Event("DNS verified")
	dnsUnverified       = effect.HarmLost.Drift("DNS no longer verified")
	dnsChanged          = effect.Drift.Event("DNS changed: {after}")
	customDomainChanged = effect.Drift.Event("custom domain changed in the console")
)

// Drift is what has changed outside of Terraform. A private label that moved to a different reseller is no longer in the list,
// like one that was deprovisioned.
func (resource) Drift(was, now *model) (out []effect.Effect) {
	if now == nil {
		return []effect.Effect{{Event: unlisted}}
	}
	add := func(e effect.Event, before, after any) {
		out = append(out, effect.Effect{Event: e, Before: before, After: after})
	}
	before := was.Status.ValueString()
	after := now.Status.ValueString()
	switch {
	case now.suspendedByPlatform() && !was.suspendedByPlatform():
		add(platformSuspended, before, after)
	case now.suspended() && !was.suspended():
		add(consoleSuspended, before, after)
	case was.suspended() && !now.suspended():
		add(noLongerSuspended, before, after)
	}
	switch attached := now.DomainAttached.ValueBool(); {
	case attached && !was.DomainAttached.ValueBool():
		add(hostAttached, false, true)
	case !attached && was.DomainAttached.ValueBool():
		add(hostDetached, true, false)
	}
	switch verified := now.DomainVerified.ValueBool(); {
	case verified && !was.DomainVerified.ValueBool():
		add(dnsVerified, false, true)
	case !verified && was.DomainVerified.ValueBool():
		add(dnsUnverified, true, false)
	}
	if !now.CustomDomain.Equal(was.CustomDomain) {
		add(customDomainChanged, was.CustomDomain.ValueString(), now.CustomDomain.ValueString())
	}
	return out
}

// Drift is what has changed in the client's DNS.
func (verificationResource) Drift(was, now *verificationModel) []effect.Effect {
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

// provisionRemedies are those of the codes of §4.9.
var provisionRemedies = map[string]diagnostic.Remedy{
	client.CodeHostTaken:          {At: path.Root("domain")},
	client.CodeHostReserved:       {At: path.Root("domain")},
	client.CodeDomainInvalid:      {At: path.Root("domain")},
	client.CodeInvalidColor:       {Advice: "Write color_primary and color_accent as #rgb or #rrggbb."},
	client.CodeTooManySocialLinks: {At: path.Root("social_links")},
	client.CodeOwnerInvalidEmail:  {At: path.Root("owner").AtName("email")},
	client.CodeOwnerInvalidName:   {At: path.Root("owner")},
	client.CodeInvalidRequest:     {Advice: "A value is blank or longer than its field; the API documentation gives no lengths. Shorten app_name, the owner's names or the URLs, and check the names in social_links."},
}

var suspendRemedies = map[string]diagnostic.Remedy{
	client.CodeSuspendedByPlatform: {At: path.Root("suspended")},
	client.CodeInvalidRequest:      {At: path.Root("suspend_reason"), Advice: "A reason has at most 500 characters."},
}

// failures are those of the steps; the host name precedes Failed.
var failures = map[string]diagnostic.APIFailure{
	provision:   {Summary: SummaryProvision, Failed: " was not provisioned", Unchanged: "Nothing was created, and no email was sent", Remedies: provisionRemedies},
	attach:      {Summary: SummaryAttach, Failed: " was not attached", Unchanged: "The next apply retries"},
	suspend:     {Summary: summarySuspend, Failed: " was not suspended", Unchanged: "It stays live", Remedies: suspendRemedies},
	unsuspend:   {Summary: summaryUnsuspend, Failed: " is still suspended", Unchanged: "Nothing was changed", Remedies: suspendRemedies},
	deprovision: {Summary: summaryDeprovision, Failed: " was not deprovisioned", Unchanged: "It is still in state"},
}

// failureOf describes a step that failed.
func failureOf(s effect.Step, destroys bool) diagnostic.APIFailure {
	f := failures[s.Verb]
	f.Failed = s.Name + f.Failed
	if s.Verb != provision { // which has the host name in its call
		f.Object = s.Name
	}
	if s.Verb == suspend && destroys {
		f.Unchanged += " and is still in state"
	}
	return f
}

// whetherActive is what is known of a new private label that was to be suspended.
func whetherActive(o transport.Outcome) string {
	if o.State == transport.Absent {
		return " and is active"
	}
	return ", and its suspension could not be confirmed"
}

// alreadyLive rejects a create of a private label that exists.
func (op *operation) alreadyLive(s *shown) diag.Diagnostic {
	const typeName = "reseller_private_label"
	fact := fmt.Sprintf("%s already exists (ID %s)", s.Host(), s.TenantID)
	toImport := fmt.Sprintf(".\n\nIf you renamed the resource, add a moved block. If it is tainted, run terraform untaint. Otherwise, import it:\n\n%s",
		session.ClientImportBlock(typeName, s.TenantID, s.Host(), typeName+".this"))
	return diag.NewAttributeErrorDiagnostic(path.Root("domain"), SummaryExists, fact+cmp.Or(op.ExistsInState(session.TypePrivateLabel, s.TenantID), toImport))
}

var notReplaceable = &object.Rejection{
	Summary: SummaryNotReplaceable,
	Detail: "Replacing %s would fail, because its host name can never be provisioned again.\n\n" +
		"Run the plan without -replace, and remove replace_triggered_by. If the resource is tainted, run terraform untaint.",
}

// notALabel is the remedy of an ID in the configuration that is of no private label.
var notALabel = map[string]diagnostic.Remedy{client.CodeInvalidTarget: session.NotALabel}

// Texts that begin with, or are about, a host name.
const (
	hostRetired = "%s is still in the configuration, and the host name of a deprovisioned private label can never be provisioned again.\n\n" +
		"Remove the resource or the client's file, or set a different host name. To destroy the other resources, run terraform destroy -refresh=false. " +
		"If the platform moved it by mistake, contact the API provider's support."
	appNameMissing = "%[1]s is not among the reseller's private labels. Provisioning it requires an app name (app_name), such as \"Acme Sign\".\n\n" + orGone
	ownerMissing   = "%[1]s is not among the reseller's private labels. Provisioning it requires an owner with email, first_name and last_name. The owner receives a set-password email.\n\n" + orGone
	orGone         = "If it existed before, it was deprovisioned or moved: remove its block, or the client's file. If it exists, import it."
	recordedOnly   = "%s is already provisioned, so no API call sends %s. Terraform only records the change in state. To change what the portal shows, use the reseller console."
	reasonFixed    = "%s is suspended with the reason %q, and the API keeps the reason while the suspension lasts.\n\n" +
		"Restore suspend_reason. For a different reason, apply suspended = false first, which lets members sign in, and then suspend it again."
	otherReason         = "%s is suspended with the reason %q, set outside of Terraform; the configuration has %q. The API keeps the reason while the suspension lasts, so no change is planned."
	foundProvisioned    = "The response to provisioning %s was lost. The list of private labels shows it with this owner, so it was provisioned once and is in state. The owner was emailed once."
	foundDeprovisioned  = "The response to deprovisioning %s was lost. The list of private labels no longer shows it, so it was deprovisioned and removed from state."
	notAttached         = "%s was provisioned, but the API could not attach its host name. The next apply attaches it."
	notAttachedAgain    = "The API accepted the call, but shows %s as not attached. The next apply retries."
	provisionedNotShown = "%s was provisioned and is in state, and the API does not show it yet. The next plan reads the missing attributes."
	waitsForDNS         = "The apply waits until the API has verified the DNS of %s, for at most %s; %s. It does not wait for a host name that is verified already."
	goesOn              = "The resource is in state with verified = false. Each plan looks again."
	acceptedNotAttached = "The API accepted the call, but shows %s as not attached. Nothing else was changed. Invoke the action again later. If the error persists, contact the API provider's support."
)

func (resource) Gone(_ context.Context, _ *session.Session, m *model) (removed, left diag.Diagnostic) {
	return diag.NewWarningDiagnostic(SummaryNotFound, session.GoneText(m.Domain.ValueString(), m.ID.ValueString())), nil
}

func (verificationResource) Gone(_ context.Context, _ *session.Session, m *verificationModel) (removed, left diag.Diagnostic) {
	return diag.NewWarningDiagnostic(SummaryVerificationGone, session.GoneText(m.Domain.ValueString(), m.PrivateLabelID.ValueString())), nil
}

func suspendedByPlatform(m *model) diag.Diagnostic {
	since := ""
	if at, diags := m.SuspendedAt.ValueRFC3339Time(); !diags.HasError() {
		since = " on " + at.UTC().Format(time.DateOnly)
	}
	return diag.NewWarningDiagnostic(SummaryPlatform,
		fmt.Sprintf("The platform suspended %s%s. Only the platform can lift this suspension, so the provider plans no change.", m.Domain.ValueString(), since))
}

// onTimeout says how an apply ends whose time is over.
func (m *verificationModel) onTimeout() string {
	if m.isRequired() {
		return "then it returns an error"
	}
	return "then it continues with a warning"
}

// missing says what is not in order yet: what DNS shows, and which record is expected.
func (s *setup) missing(err error) (fact, record string) {
	host, detail := printable.OneLine(s.host), s.detail.DomainSetup
	if !detail.IsAttached() {
		return "The API has not attached " + host + ". " + diagnostic.Capitalize(err.Error()), ""
	}
	return strings.TrimSpace("The DNS of " + host + " is not correct yet. " + diagnostic.ShownLine(s.seen.Problem)), expectedRecord(host, detail)
}

// notVerified warns about an apply that continues.
func (s *setup) notVerified(err error) diag.Diagnostic {
	fact, record := s.missing(err)
	return diag.NewWarningDiagnostic(SummaryNotVerified, diagnostic.JoinParagraphs(fact, record, goesOn))
}

func expectedRecord(host string, setup client.DomainSetup) string {
	setup = setupOf(host, setup)
	if len(setup.Records) == 0 {
		return "The API returns no DNS record to create. Contact the API provider's support."
	}
	record := setup.Records[0]
	return "  " + printable.OneLine(fmt.Sprintf("Create this DNS record: type %s, name %s, value %s", record.Type, record.Name, record.Value))
}
