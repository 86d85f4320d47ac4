package client

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/privatelabels/terraform-provider-reseller/internal/anyjson"
)

// A field that a response lacks or has as null is nil, or "" where an empty text says nothing.

// Statuses of a private label (§3.1).
const (
	StatusActive    = "Active"
	StatusSuspended = "Suspended"
)

// Who suspended a private label (§2.3). Only the platform can lift its own suspension.
const (
	SuspendedByPlatform = "Platform"
	suspendedByReseller = "Reseller"
)

// Word is a word of §2.3: a status or who suspended. It is compared without case.
type Word string

// UnmarshalJSON decodes a documented word in any case as it is documented.
func (w *Word) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	*w = Word(text)
	for _, word := range []Word{StatusActive, StatusSuspended, SuspendedByPlatform, suspendedByReseller} {
		if strings.EqualFold(text, string(word)) {
			*w = word
		}
	}
	return nil
}

// Suspension is the status in list items, details and the responses of suspend and unsuspend (§2.3, §4.13, §4.14).
type Suspension struct {
	Status        Word            `json:"status" required:"true"`
	SuspendedAt   *anyjson.Millis `json:"suspendedAt"`
	SuspendedBy   *Word           `json:"suspendedBy"`
	SuspendReason *string         `json:"suspendReason"`
}

// AssignedPackage is the package in the list of private labels (§2.3).
type AssignedPackage struct {
	PackageID string `json:"packageId,omitempty"`
	Code      string `json:"code,omitempty"`
	Name      string `json:"name,omitempty"`
}

// TemplateQuota counts the templates of a private label (§2.3).
type TemplateQuota struct {
	Used      *float64 `json:"used"`
	Total     *float64 `json:"total"`
	Unlimited *bool    `json:"unlimited"`
}

// LabelMetrics are the figures of the requested period (§2.3).
type LabelMetrics struct {
	Templates     *float64 `json:"templates"`
	DocumentsSent *float64 `json:"documentsSent"`
	Members       *float64 `json:"members"`
}

// PrivateLabelSummary is one item of the list of private labels (§2.3).
type PrivateLabelSummary struct {
	TenantID        string                            `json:"tenantId" required:"true"`
	PrimaryHost     string                            `json:"primaryHost" required:"true"`
	CustomDomain    *string                           `json:"customDomain"`
	AdminEmail      *string                           `json:"adminEmail"`
	AssignedPackage anyjson.Nullable[AssignedPackage] `json:"assignedPackage"`
	TemplateQuota   *TemplateQuota                    `json:"templateQuota"`
	Metrics         *LabelMetrics                     `json:"metrics"`
	Suspension
}

// FoldHost returns one spelling of all equal host names: without case and final dot.
func FoldHost(host string) string {
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// hostOf returns the host name of the customer: the custom domain, if there is one. The primary host may be a subdomain of
// the platform then.
func hostOf(primary string, custom *string) string {
	if custom != nil && *custom != "" {
		return *custom
	}
	return primary
}

// Host returns the host name of the customer.
func (l *PrivateLabelSummary) Host() string {
	return hostOf(l.PrimaryHost, l.CustomDomain)
}

// HasHost reports whether a host name is one of the private label's.
func (l *PrivateLabelSummary) HasHost(host string) bool {
	return FoldHost(host) == FoldHost(l.PrimaryHost) || FoldHost(host) == FoldHost(l.Host())
}

// MayHavePackage reports whether the list shows a package, or does not show whether there is one.
func (l *PrivateLabelSummary) MayHavePackage() bool {
	return l.AssignedPackage.Value != nil || !l.AssignedPackage.IsGiven
}

// PrivateLabelList is the response of §4.8.
type PrivateLabelList struct {
	PrivateLabels    anyjson.Rows[PrivateLabelSummary] `json:"privateLabels"`
	ProvisionedCount *anyjson.Count                    `json:"provisionedCount"`
	Period           string                            `json:"period"`
}

// Owner is the owner of a private label (§2.4).
type Owner struct {
	UserID    string `json:"userId,omitempty"`
	Email     string `json:"email,omitempty"`
	FirstName string `json:"firstName,omitempty"`
	LastName  string `json:"lastName,omitempty"`
}

// DNSRecord is one record that a customer may create (§2.5).
type DNSRecord struct {
	Type  string `json:"type,omitempty"`
	Name  string `json:"name,omitempty"`
	Value string `json:"value,omitempty"`
}

// DomainSetup is the state of a private label's host name (§2.5). The first record is the one to show; the others are
// alternatives for the same name.
type DomainSetup struct {
	Attached *bool       `json:"attached"`
	Verified *bool       `json:"verified"`
	Records  []DNSRecord `json:"records"`
	Note     *string     `json:"note,omitempty"`
}

// IsAttached reports whether the host name is attached for certain.
func (s DomainSetup) IsAttached() bool {
	return s.Attached != nil && *s.Attached
}

// IsVerified reports whether the host name is attached and its DNS correct for certain.
func (s DomainSetup) IsVerified() bool {
	return s.IsAttached() && s.Verified != nil && *s.Verified
}

// Allocated is the part of the reseller's allowance that a private label uses (§2.6).
type Allocated struct {
	Documents     *float64 `json:"documents" required:"shown"`
	Seats         *float64 `json:"seats" required:"shown"`
	Templates     *float64 `json:"templates" required:"shown"`
	Notarizations *float64 `json:"notarizations" required:"shown"`
}

// AttachedAddon is an add-on of an assignment (§2.4).
type AttachedAddon struct {
	SubscriptionAddonID string  `json:"subscriptionAddonId" required:"step"`
	AddonID             string  `json:"addonId" required:"step"`
	Code                string  `json:"code" required:"step"`
	Name                string  `json:"name,omitempty" required:"shown"`
	Quantity            float64 `json:"quantity" required:"step"`
}

// Assignment is the package of a private label with its add-ons (§2.4). Steps depend on some of its fields; the others are
// shown.
type Assignment struct {
	ID          string                      `json:"id" required:"shown"`
	PackageID   string                      `json:"packageId" required:"step"`
	PackageCode string                      `json:"packageCode" required:"step"`
	PackageName string                      `json:"packageName,omitempty" required:"shown"`
	Currency    string                      `json:"currency,omitempty" required:"shown"`
	AssignedAt  *anyjson.Millis             `json:"assignedAt" required:"shown"`
	Addons      anyjson.Rows[AttachedAddon] `json:"addons" required:"step"`
	Allocated   *Allocated                  `json:"allocated" required:"shown"`

	// AddonsUnproven: the list of add-ons is empty, which a package read may show instead of the add-ons.
	AddonsUnproven bool `json:"-"`
}

// PrivateLabel is the detail of a private label (§2.4).
type PrivateLabel struct {
	TenantID     string                       `json:"tenantId" required:"true"`
	PrimaryHost  string                       `json:"primaryHost"`
	CustomDomain *string                      `json:"customDomain"`
	CreatedAt    *anyjson.Millis              `json:"createdAt"`
	Owner        *Owner                       `json:"owner"`
	MemberCount  *anyjson.Count               `json:"memberCount"`
	Assignment   anyjson.Nullable[Assignment] `json:"assignment"`
	DomainSetup  DomainSetup                  `json:"domainSetup"`
	Suspension
}

// Host returns the host name of the customer.
func (l *PrivateLabel) Host() string {
	return hostOf(l.PrimaryHost, l.CustomDomain)
}

// HasHost reports whether a host name is one of the private label's.
func (l *PrivateLabel) HasHost(host string) bool {
	return FoldHost(host) == FoldHost(l.PrimaryHost) || FoldHost(host) == FoldHost(l.Host())
}

// Assigned returns the assignment of a private label, nil for none. An assignment that lacks what a step depends on is an
// error that names the field: read as nothing, it would be dropped or sent again.
func (l *PrivateLabel) Assigned() (*Assignment, error) {
	missing := missingField(reflect.ValueOf(l.Assignment.Value), needStep)
	switch {
	case !l.Assignment.IsGiven:
		return nil, errLacks(routeGetLabel, "assignment")
	case missing != "":
		return nil, errLacks(routeGetLabel, "assignment."+missing)
	default:
		return l.Assignment.Value, nil
	}
}

// ProvisionRequest is the body of §4.9, which omits empty optional fields. SocialLinks become further fields of config,
// by their own names.
type ProvisionRequest struct {
	Owner        NewMember
	Domain       string
	AppName      string
	SupportURL   string
	WebsiteURL   string
	ColorPrimary string
	ColorAccent  string
	SocialLinks  map[string]string
}

// Provisioned is the response of §4.9.
type Provisioned struct {
	TenantID    string      `json:"tenantId" required:"id"`
	OwnerUserID string      `json:"ownerUserId"`
	DomainSetup DomainSetup `json:"domainSetup"`
}

// Template is one template of a private label (§2.9).
type Template struct {
	ID        string          `json:"id,omitempty"`
	Title     string          `json:"title,omitempty"`
	Slug      string          `json:"slug,omitempty"`
	IsPrivate *bool           `json:"isPrivate"`
	CreatedAt *anyjson.Millis `json:"createdAt"`
}
