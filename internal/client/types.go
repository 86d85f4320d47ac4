package client

// Statuses of a private label (§3.1).
const (
	StatusActive    = "Active"
	StatusSuspended = "Suspended"
)

// Who suspended a label (§2.3).
const (
	SuspendedByReseller = "Reseller"
	SuspendedByPlatform = "Platform"
)

// Suspension is the status in list items, details and the responses of suspend and unsuspend (§2.3, §4.13, §4.14).
type Suspension struct {
	Status        string  `json:"status"`
	SuspendedAt   *Millis `json:"suspendedAt"`
	SuspendedBy   *string `json:"suspendedBy"`
	SuspendReason *string `json:"suspendReason"`
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
	TenantID        string           `json:"tenantId"`
	PrimaryHost     string           `json:"primaryHost"`
	CustomDomain    *string          `json:"customDomain"`
	AdminEmail      *string          `json:"adminEmail"`
	AssignedPackage *AssignedPackage `json:"assignedPackage"`
	TemplateQuota   TemplateQuota    `json:"templateQuota"`
	Metrics         LabelMetrics     `json:"metrics"`
	Suspension
}

// PrivateLabelList is the response of §4.8.
type PrivateLabelList struct {
	PrivateLabels    []PrivateLabelSummary `json:"privateLabels"`
	ProvisionedCount Count                 `json:"provisionedCount"`
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
	Note     *string     `json:"note"`
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
	SubscriptionAddonID string  `json:"subscriptionAddonId"`
	AddonID             string  `json:"addonId"`
	Code                string  `json:"code"`
	Name                string  `json:"name"`
	Quantity            float64 `json:"quantity"`
}

// Assignment is the package of a private label with its add-ons (§2.4).
type Assignment struct {
	ID          string          `json:"id"`
	PackageID   string          `json:"packageId"`
	PackageCode string          `json:"packageCode"`
	PackageName string          `json:"packageName"`
	Currency    string          `json:"currency"`
	AssignedAt  *Millis         `json:"assignedAt"`
	Addons      []AttachedAddon `json:"addons"`
	Allocated   *Allocated      `json:"allocated"`
}

// PrivateLabel is the detail of a private label (§2.4).
type PrivateLabel struct {
	TenantID     string      `json:"tenantId"`
	PrimaryHost  string      `json:"primaryHost"`
	CustomDomain *string     `json:"customDomain"`
	CreatedAt    *Millis     `json:"createdAt"`
	Owner        *Owner      `json:"owner"`
	MemberCount  Count       `json:"memberCount"`
	Assignment   *Assignment `json:"assignment"`
	DomainSetup  DomainSetup `json:"domainSetup"`
	Suspension
}

// ProvisionOwner is the owner of a new private label (§4.9).
type ProvisionOwner struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// ProvisionRequest is the body of §4.9, which omits empty optional fields. SocialLinks become further fields of config,
// by their own names.
type ProvisionRequest struct {
	Owner        ProvisionOwner
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
	TenantID    string      `json:"tenantId"`
	OwnerUserID string      `json:"ownerUserId"`
	DomainSetup DomainSetup `json:"domainSetup"`

	// ResponseLost: the POST returned no usable response, and a fresh list showed the private label.
	ResponseLost bool `json:"-"`
}

// SuspendResult is the response of §4.13 and §4.14.
type SuspendResult struct {
	TenantID string `json:"tenantId"`
	Suspension
}

// DashboardDomain is one host name in the dashboard (§2.9).
type DashboardDomain struct {
	Domain      string `json:"domain"`
	CompanyName string `json:"companyName"`
	UserCount   Count  `json:"userCount"`
}

// Dashboard is the response of §4.2.
type Dashboard struct {
	TotalDomains Count             `json:"totalDomains"`
	TotalUsers   Count             `json:"totalUsers"`
	Domains      []DashboardDomain `json:"domains"`
	IsReseller   bool              `json:"isReseller"`
	Slug         *string           `json:"slug"`
}

// Template is one template of a private label (§2.9).
type Template struct {
	ID        string  `json:"id"`
	Title     string  `json:"title"`
	Slug      string  `json:"slug"`
	IsPrivate bool    `json:"isPrivate"`
	CreatedAt *Millis `json:"createdAt"`
}
