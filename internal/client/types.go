package client

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"
)

// Millis is a point in time as the service writes it: whole milliseconds since
// the Unix epoch, in UTC (§2.1).
type Millis int64

// Time converts to a time.Time in UTC.
func (m Millis) Time() time.Time { return time.UnixMilli(int64(m)).UTC() }

// Count is a whole number.
type Count int64

// UnmarshalJSON reads a number in any notation of JSON.
func (c *Count) UnmarshalJSON(raw []byte) error { return readWhole(raw, (*int64)(c)) }

// readWhole reads a JSON number without its fraction; null leaves n as it is.
// 1700000000000, 1.7e12 and 1700000000000.0 are one number, and which of them an
// API writes depends on the language it is written in.
func readWhole(raw []byte, n *int64) error {
	if string(raw) == "null" {
		return nil
	}
	var number json.Number
	if raw[0] == '"' || json.Unmarshal(raw, &number) != nil {
		return fmt.Errorf("%.40s is not a number", raw)
	}
	if whole, err := strconv.ParseInt(number.String(), 10, 64); err == nil {
		*n = whole
		return nil
	}
	f, err := number.Float64()
	if err != nil || math.Abs(f) >= math.MaxInt64 {
		return fmt.Errorf("%s is out of range", number)
	}
	*n = int64(f)
	return nil
}

// RFC3339 renders the time the way Terraform attributes carry it.
func (m Millis) RFC3339() string { return m.Time().Format(time.RFC3339) }

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

// Suspension is the status part that list items, details and the answers of
// suspend and unsuspend share (§2.3, §4.13, §4.14).
type Suspension struct {
	Status        string  `json:"status"`
	SuspendedAt   *Millis `json:"suspendedAt"`
	SuspendedBy   *string `json:"suspendedBy"`
	SuspendReason *string `json:"suspendReason"`
}

// AssignedPackage is the package as the list of labels names it (§2.3).
type AssignedPackage struct {
	PackageID string `json:"packageId"`
	Code      string `json:"code"`
	Name      string `json:"name"`
}

// TemplateQuota counts templates of a label (§2.3).
type TemplateQuota struct {
	Used      float64 `json:"used"`
	Total     float64 `json:"total"`
	Unlimited bool    `json:"unlimited"`
}

// LabelMetrics are the figures of the period asked for (§2.3).
type LabelMetrics struct {
	Templates     float64 `json:"templates"`
	DocumentsSent float64 `json:"documentsSent"`
	Members       float64 `json:"members"`
}

// PrivateLabelSummary is one item of the list of labels (§2.3).
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

// PrivateLabelList is the answer of §4.8.
type PrivateLabelList struct {
	PrivateLabels    []PrivateLabelSummary `json:"privateLabels"`
	ProvisionedCount Count                 `json:"provisionedCount"`
	Period           string                `json:"period"`
}

// Owner of a label (§2.4).
type Owner struct {
	UserID    string `json:"userId"`
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// DNSRecord is one record a customer may create (§2.5).
type DNSRecord struct {
	Type  string `json:"type"`
	Name  string `json:"name"`
	Value string `json:"value"`
}

// DomainSetup tells how far a label's host is (§2.5). The first record is the
// one to give; the others are alternatives for the same name.
type DomainSetup struct {
	Attached bool        `json:"attached"`
	Verified bool        `json:"verified"`
	Records  []DNSRecord `json:"records"`
	Note     *string     `json:"note"`
}

// Allocated is what a label takes of the reseller's allowance (§2.6).
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

// Assignment is a label's package with its add-ons (§2.4).
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

// PrivateLabel is the detail of a label (§2.4).
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

// ProvisionOwner is the person a new label is made for (§4.9).
type ProvisionOwner struct {
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

// ProvisionRequest is the body of §4.9. Empty optional fields are left out of
// the body. SocialLinks become further fields of config, by their own names.
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

// Provisioned is the answer of §4.9.
type Provisioned struct {
	TenantID    string      `json:"tenantId"`
	OwnerUserID string      `json:"ownerUserId"`
	DomainSetup DomainSetup `json:"domainSetup"`

	// ResponseLost is true when the answer to the POST never arrived (or was a
	// server failure) and the label was found in a fresh list instead.
	ResponseLost bool `json:"-"`
}

// SuspendResult is the answer of §4.13 and §4.14.
type SuspendResult struct {
	TenantID string `json:"tenantId"`
	Suspension
}

// DashboardDomain is one host of the dashboard (§2.9).
type DashboardDomain struct {
	Domain      string `json:"domain"`
	CompanyName string `json:"companyName"`
	UserCount   Count  `json:"userCount"`
}

// Dashboard is the answer of §4.2.
type Dashboard struct {
	TotalDomains Count             `json:"totalDomains"`
	TotalUsers   Count             `json:"totalUsers"`
	Domains      []DashboardDomain `json:"domains"`
	IsReseller   bool              `json:"isReseller"`
	Slug         *string           `json:"slug"`
}

// Template is one template of a label (§2.9).
type Template struct {
	ID        string  `json:"id"`
	Title     string  `json:"title"`
	Slug      string  `json:"slug"`
	IsPrivate bool    `json:"isPrivate"`
	CreatedAt *Millis `json:"createdAt"`
}
