package simulator

import (
	"bytes"
	"regexp"
	"strings"
	"time"
)

// summary is an item of the list (§2.3).
type summary struct {
	TenantID        string        `json:"tenantId"`
	PrimaryHost     string        `json:"primaryHost"`
	CustomDomain    *string       `json:"customDomain"`
	AdminEmail      *string       `json:"adminEmail"`
	AssignedPackage *packageName  `json:"assignedPackage"`
	TemplateQuota   templateQuota `json:"templateQuota"`
	Metrics         metrics       `json:"metrics"`
	statusFields
}

type packageName struct {
	PackageID string `json:"packageId"`
	Code      string `json:"code"`
	Name      string `json:"name"`
}

type templateQuota struct {
	Used      float64 `json:"used"`
	Total     float64 `json:"total"`
	Unlimited bool    `json:"unlimited"`
}

type metrics struct {
	Templates     float64 `json:"templates"`
	DocumentsSent float64 `json:"documentsSent"`
	Members       float64 `json:"members"`
}

// statusFields are those of §2.3, shared by list, detail, suspend and unsuspend.
type statusFields struct {
	Status        string  `json:"status"`
	SuspendedAt   *int64  `json:"suspendedAt"`
	SuspendedBy   *string `json:"suspendedBy"`
	SuspendReason *string `json:"suspendReason"`
}

const (
	statusActive    = "Active"
	statusSuspended = "Suspended"
	byReseller      = "Reseller"
	byPlatform      = "Platform"
)

func (l *label) status() statusFields {
	if l.Suspension == nil {
		return statusFields{Status: statusActive}
	}
	sus := *l.Suspension
	return statusFields{Status: statusSuspended, SuspendedAt: &sus.At, SuspendedBy: &sus.By, SuspendReason: sus.Reason}
}

// detail is the object of §2.4.
type detail struct {
	TenantID     string            `json:"tenantId"`
	PrimaryHost  string            `json:"primaryHost"`
	CustomDomain *string           `json:"customDomain"`
	CreatedAt    int64             `json:"createdAt"`
	Owner        *ownerFields      `json:"owner"`
	MemberCount  int               `json:"memberCount"`
	Assignment   *assignmentFields `json:"assignment"`
	DomainSetup  domainSetup       `json:"domainSetup"`
	statusFields
}

type ownerFields struct {
	UserID    string `json:"userId"`
	Email     string `json:"email"`
	FirstName string `json:"firstName"`
	LastName  string `json:"lastName"`
}

type assignmentFields struct {
	ID          string          `json:"id"`
	PackageID   string          `json:"packageId"`
	PackageCode string          `json:"packageCode"`
	PackageName string          `json:"packageName"`
	Currency    string          `json:"currency"`
	AssignedAt  int64           `json:"assignedAt"`
	Addons      []attachedField `json:"addons"`
	Allocated   quantities      `json:"allocated"`
}

type attachedField struct {
	SubscriptionAddonID string  `json:"subscriptionAddonId"`
	AddonID             string  `json:"addonId"`
	Code                string  `json:"code"`
	Name                string  `json:"name"`
	Quantity            float64 `json:"quantity"`
}

const lifetime = "lifetime"

var month = regexp.MustCompile(`^\d{4}-(0[1-9]|1[0-2])$`)

func periodOf(t time.Time) string {
	return t.UTC().Format("2006-01")
}

// listLabels implements §4.8: all private labels in one response.
func (s *Simulator) listLabels(r *request) (any, *apiError) {
	period := r.query.Get("period")
	if period == "" {
		period = periodOf(r.now)
	}
	if period != lifetime && !month.MatchString(period) {
		if s.forms.isForm("bad-period", "invalid-query") {
			return nil, bad("INVALID_QUERY", "period must be YYYY-MM or lifetime.")
		}
		return nil, badRequest("period must be YYYY-MM or lifetime.")
	}
	labels := s.store.data.labelsOf(r.reseller.ID)
	items := make([]summary, 0, len(labels))
	for _, l := range labels {
		items = append(items, s.forms.summary(r.reseller, l, period))
	}
	return map[string]any{"privateLabels": items, "provisionedCount": len(items), "period": period}, nil
}

func (f Forms) summary(r *reseller, l *label, period string) summary {
	out := summary{
		TenantID: l.ID,
		Metrics: metrics{
			Templates:     float64(len(l.Templates)),
			DocumentsSent: inPeriod(l.Documents, period),
			Members:       float64(len(l.Members)),
		},
		statusFields: l.status(),
	}
	out.PrimaryHost, out.CustomDomain = f.hosts(l)
	if a := l.admin(); a != nil {
		out.AdminEmail = &a.Email
	}
	out.TemplateQuota = templateQuota{Used: float64(len(l.Templates)), Total: r.allocated(l).Templates}
	if l.Assignment != nil {
		if p := r.pkg(l.Assignment.PackageID); p != nil {
			out.AssignedPackage = &packageName{p.ID, p.Code, p.Name}
		}
	}
	return out
}

func inPeriod(counts map[string]float64, period string) float64 {
	if period != lifetime {
		return counts[period]
	}
	sum := 0.0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// getLabel implements §4.10.
func (s *Simulator) getLabel(r *request, l *label) (any, *apiError) {
	if l.Suspension != nil && s.forms.isForm("suspended-detail", "rejected") {
		return nil, errTarget
	}
	out := detail{
		TenantID:     l.ID,
		CreatedAt:    l.CreatedAt,
		MemberCount:  len(l.Members),
		Assignment:   r.reseller.assignmentOf(l),
		DomainSetup:  s.forms.setup(l, r.now),
		statusFields: l.status(),
	}
	out.PrimaryHost, out.CustomDomain = s.forms.hosts(l)
	if o := l.owner(); o != nil {
		out.Owner = &ownerFields{o.ID, o.Email, o.FirstName, o.LastName}
	}
	return out, nil
}

func (r *reseller) assignmentOf(l *label) *assignmentFields {
	a := l.Assignment
	if a == nil {
		return nil
	}
	out := &assignmentFields{ID: a.ID, PackageID: a.PackageID, AssignedAt: a.AssignedAt, Addons: []attachedField{}, Allocated: r.allocated(l)}
	if p := r.pkg(a.PackageID); p != nil {
		out.PackageCode = p.Code
		out.PackageName = p.Name
		out.Currency = p.Currency
	}
	for _, at := range a.Addons {
		field := attachedField{SubscriptionAddonID: at.ID, AddonID: at.AddonID, Quantity: at.Quantity}
		if addon := r.addon(at.AddonID); addon != nil {
			field.Code = addon.Code
			field.Name = addon.Name
		}
		out.Addons = append(out.Addons, field)
	}
	return out
}

// listTemplates implements §4.15.
func (s *Simulator) listTemplates(_ *request, l *label) (any, *apiError) {
	type field struct {
		ID        string `json:"id"`
		Title     string `json:"title"`
		Slug      string `json:"slug"`
		IsPrivate bool   `json:"isPrivate"`
		CreatedAt int64  `json:"createdAt"`
	}
	out := make([]field, 0, len(l.Templates))
	for _, t := range l.Templates {
		out = append(out, field(*t))
	}
	return map[string]any{"templates": out}, nil
}

// dashboard implements §4.2: a key sees only the private labels of its reseller.
func (s *Simulator) dashboard(r *request) (any, *apiError) {
	type entry struct {
		Domain      string `json:"domain"`
		CompanyName string `json:"companyName"`
		UserCount   int    `json:"userCount"`
	}
	labels := s.store.data.labelsOf(r.reseller.ID)
	entries := make([]entry, 0, len(labels))
	users := 0
	for _, l := range labels {
		host, _ := s.forms.hosts(l)
		entries = append(entries, entry{host, l.AppName, len(l.Members)})
		users += len(l.Members)
	}
	return map[string]any{
		"totalDomains": len(entries),
		"totalUsers":   users,
		"domains":      entries,
		"isReseller":   true,
		"slug":         r.reseller.Slug,
	}, nil
}

// attachDomain implements §4.11.
func (s *Simulator) attachDomain(r *request, l *label) (any, *apiError) {
	l.Domain.Attached = l.Domain.Attached || s.attachWorks()
	return map[string]any{"domainSetup": s.forms.setup(l, r.now)}, nil
}

// attachWorks consumes one of the failures that a test set.
func (s *Simulator) attachWorks() bool {
	if s.attachFailures > 0 {
		s.attachFailures--
		return false
	}
	return true
}

// deprovision implements §4.12: the host name can never be provisioned again.
func (s *Simulator) deprovision(r *request) (any, *apiError) {
	l, rejection := s.target(r)
	if rejection != nil {
		return nil, errForbidden // also for an ID without a private label (§4)
	}
	if rejection := decodeNothing(r.body); rejection != nil {
		return nil, rejection
	}
	s.removeLabel(l, r.now)
	return map[string]string{"status": "deprovisioned"}, nil
}

func (s *Simulator) removeLabel(l *label, now time.Time) {
	d := s.store.data
	s.book(Entry{Kind: EntryDeprovisioned, Host: l.Host}, now)
	l.Gone = true
	d.Burnt[strings.ToLower(l.Host)] = true
	delete(d.byHost, strings.ToLower(l.Host))
}

const maxReason = 500

// suspend implements §4.13: an existing suspension stays unchanged.
func (s *Simulator) suspend(r *request, l *label) (any, *apiError) {
	var body struct {
		Reason *string `json:"reason"`
	}
	if len(bytes.TrimSpace(r.body)) > 0 {
		if rejection := decodeStrict(r.body, &body); rejection != nil {
			return nil, rejection
		}
	}
	if body.Reason != nil && len([]rune(*body.Reason)) > maxReason {
		return nil, badRequest("reason must have at most 500 characters.")
	}
	if l.Suspension == nil {
		s.suspendLabel(l, byReseller, body.Reason, r.now)
	}
	return l.statusAnswer(), nil
}

func (s *Simulator) suspendLabel(l *label, by string, reason *string, now time.Time) {
	if l.Suspension == nil {
		s.book(Entry{Kind: EntrySuspended, Host: l.Host}, now)
	}
	l.Suspension = &suspension{At: millis(now), By: by, Reason: reason}
}

// unsuspend implements §4.14.
func (s *Simulator) unsuspend(r *request, l *label) (any, *apiError) {
	if l.Suspension != nil && l.Suspension.By == byPlatform {
		return nil, bad("SUSPENDED_BY_PLATFORM", "The platform suspended this private label. Only the platform can lift the suspension.")
	}
	if l.Suspension != nil {
		s.book(Entry{Kind: EntryUnsuspended, Host: l.Host}, r.now)
	}
	l.Suspension = nil
	return l.statusAnswer(), nil
}

func (l *label) statusAnswer() any {
	return struct {
		TenantID string `json:"tenantId"`
		statusFields
	}{l.ID, l.status()}
}
