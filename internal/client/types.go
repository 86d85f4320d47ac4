package client

import "github.com/privatelabels/terraform-provider-reseller/internal/anyjson"

// Statuses of a private label (§3.1).
const (
	StatusActive    = "Active"
	StatusSuspended = "Suspended"
)

// SuspendedByPlatform is a suspension that only the platform can lift (§2.3).
const SuspendedByPlatform = "Platform"

// Suspension is the status in list items, details and the responses of suspend and unsuspend (§2.3, §4.13, §4.14).
type Suspension struct {
	Status        string          `json:"status" required:"true"`
	SuspendedAt   *anyjson.Millis `json:"suspendedAt"`
	SuspendedBy   *string         `json:"suspendedBy"`
	SuspendReason *string         `json:"suspendReason"`
}

// AssignedPackage is the package in the list of private labels (§2.3).
type AssignedPackage struct {
	PackageID string `json:"packageId"`
	Code      string `json:"code"`
	Name      string `json:"name"`
}

// TemplateQuota counts the templates of a private label (§2.3).
type TemplateQuota struct {
	Used      float64 `json:"used"`
	Total     float64 `json:"total"`
	Unlimited bool    `json:"unlimited"`
}

// LabelMetrics are the figures of the requested period (§2.3).
type LabelMetrics struct {
	Templates     float64 `json:"templates"`
	DocumentsSent float64 `json:"documentsSent"`
	Members       float64 `json:"members"`
}

// PrivateLabelSummary is one item of the list of private labels (§2.3).
type PrivateLabelSummary struct {
	TenantID        string           `json:"tenantId" required:"true"`
	PrimaryHost     string           `json:"primaryHost" required:"true"`
	CustomDomain    *string          `json:"customDomain"`
	AdminEmail      *string          `json:"adminEmail"`
	AssignedPackage *AssignedPackage `json:"assignedPackage"`
	TemplateQuota   TemplateQuota    `json:"templateQuota"`
	Metrics         LabelMetrics     `json:"metrics"`
	Suspension
}

// PrivateLabelList is the response of §4.8.
type PrivateLabelList struct {
	PrivateLabels    []PrivateLabelSummary `json:"privateLabels" required:"true"`
	ProvisionedCount anyjson.Count         `json:"provisionedCount"`
	Period           string                `json:"period"`
}

// Owner is the owner of a private label (§2.4).
type Owner struct {
	UserID    string `json:"userId"`
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// DNSRecord is one record that a customer may create (§2.5).
type DNSRecord struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// DomainSetup is the state of a private label's host name (§2.5). The first record is the one to show; the others are
// alternatives for the same name.
type DomainSetup struct {
	Attached bool        `json:"attached"`
	Verified bool        `json:"verified"`
	Records  []DNSRecord `json:"records"`
	Note     *string     `json:"note,omitempty"`
}

// Allocated is the part of the reseller's allowance that a private label uses (§2.6).
type Allocated struct {
	Documents     float64 `json:"documents"`
	Seats         float64 `json:"seats"`
	Templates     float64 `json:"templates"`
	Notarizations float64 `json:"notarizations"`
}

// AttachedAddon is an add-on of an assignment (§2.4).
type AttachedAddon struct {
	SubscriptionAddonID string  `json:"subscriptionAddonId" required:"true"`
	AddonID             string  `json:"addonId" required:"true"`
	Code                string  `json:"code" required:"true"`
	Name                string  `json:"name" required:"true"`
	Quantity            float64 `json:"quantity" required:"true"`
}

// Assignment is the package of a private label with its add-ons (§2.4). The detail of a private label may lack fields
// of it.
type Assignment struct {
	ID          string          `json:"id" required:"true"`
	PackageID   string          `json:"packageId" required:"true"`
	PackageCode string          `json:"packageCode" required:"true"`
	PackageName string          `json:"packageName" required:"true"`
	Currency    string          `json:"currency" required:"true"`
	AssignedAt  *anyjson.Millis `json:"assignedAt" required:"true"`
	Addons      []AttachedAddon `json:"addons" required:"true"`
	Allocated   *Allocated      `json:"allocated"`
}

// PrivateLabel is the detail of a private label (§2.4).
type PrivateLabel struct {
	TenantID     string          `json:"tenantId" required:"true"`
	PrimaryHost  string          `json:"primaryHost"`
	CustomDomain *string         `json:"customDomain"`
	CreatedAt    *anyjson.Millis `json:"createdAt"`
	Owner        *Owner          `json:"owner"`
	MemberCount  anyjson.Count   `json:"memberCount"`
	Assignment   *Assignment     `json:"assignment"`
	DomainSetup  DomainSetup     `json:"domainSetup"`
	Suspension
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
	ID        string          `json:"id"`
	Title     string          `json:"title"`
	Slug      string          `json:"slug"`
	IsPrivate bool            `json:"isPrivate"`
	CreatedAt *anyjson.Millis `json:"createdAt"`
}
