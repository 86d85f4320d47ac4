package simulator

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// dataVersion is the version of the data that this version writes, and the newest that it reads. A file without one has
// version 1.
const dataVersion = 1

// data is everything that lasts: what the JSON file contains in addition to the live part.
type data struct {
	Version   int                             `json:"version,omitempty"`
	Forms     Forms                           `json:"forms,omitempty"`
	Salt      string                          `json:"salt"`
	Counter   int64                           `json:"counter"`
	Resellers []*reseller                     `json:"resellers"`
	Labels    []*label                        `json:"labels"`
	Burnt     map[string]bool                 `json:"burnt_hosts"`
	Keys      []*apiKey                       `json:"keys"`
	Tokens    map[string]*token               `json:"tokens"`
	Asked     map[string]*pendingConfirmation `json:"confirmations"`
	Outbox    []Email                         `json:"outbox"`
	Books     []Entry                         `json:"books,omitempty"`
	Signing   signingBooks                    `json:"signing"`
	Versions  []version                       `json:"versions,omitempty"` // oldest first, for late reads

	// Indexes, created on load.
	byID   map[string]*label
	byHost map[string]*label
}

// reseller has an allowance and private labels (§1).
type reseller struct {
	ID             string     `json:"id"`
	Slug           string     `json:"slug"`
	Deleted        bool       `json:"deleted,omitempty"`
	NoSubscription bool       `json:"no_subscription,omitempty"`
	Allowance      quantities `json:"allowance"`
	Packages       []*item    `json:"packages"`
	Addons         []*item    `json:"addons"`
	PointsPool     float64    `json:"points_pool,omitempty"`
}

// quantities of the four items (§2.6).
type quantities struct {
	Documents     float64 `json:"documents"`
	Seats         float64 `json:"seats"`
	Templates     float64 `json:"templates"`
	Notarizations float64 `json:"notarizations"`
}

// item is a package or an add-on (§2.11). Included is what one of it uses of the allowance.
type item struct {
	ID        string                     `json:"id"`
	Code      string                     `json:"code"`
	Name      string                     `json:"name"`
	Currency  string                     `json:"currency"`
	Active    bool                       `json:"active"`
	Included  quantities                 `json:"included"`
	Settings  map[string]json.RawMessage `json:"settings,omitempty"`
	CreatedAt int64                      `json:"created_at"`
}

// label is a private label. It is kept after it is deprovisioned, so that its ID stays known.
type label struct {
	ID           string             `json:"id"`
	ResellerID   string             `json:"reseller_id"`
	Host         string             `json:"host"`
	CustomDomain *string            `json:"custom_domain,omitempty"`
	AppName      string             `json:"app_name"`
	Links        map[string]string  `json:"links,omitempty"` // support, website and social, by field name
	Colors       map[string]string  `json:"colors,omitempty"`
	Logo         *logo              `json:"logo,omitempty"`
	BannerLogo   *logo              `json:"banner_logo,omitempty"`
	Unbranded    bool               `json:"unbranded,omitempty"`
	CreatedAt    int64              `json:"created_at"`
	Gone         bool               `json:"gone,omitempty"` // deprovisioned
	Suspension   *suspension        `json:"suspension,omitempty"`
	Domain       domainState        `json:"domain"`
	Members      []*member          `json:"members"`
	Former       []*member          `json:"former,omitempty"` // removed members
	Templates    []*template        `json:"templates,omitempty"`
	Assignment   *assignment        `json:"assignment,omitempty"`
	Documents    map[string]float64 `json:"documents,omitempty"`     // sent, by period
	Notarized    map[string]float64 `json:"notarizations,omitempty"` // by period

	Held   map[string]map[string]float64 `json:"held,omitempty"`   // quantities removed in a period, by item ID
	Points []*pointsRow                  `json:"points,omitempty"` // oldest first
}

// pointsRow is a row of the points ledger of a private label.
type pointsRow struct {
	ID        string  `json:"id"`
	ItemCode  string  `json:"item_code"`
	Amount    float64 `json:"amount"`
	CreatedAt int64   `json:"created_at"`
}

type suspension struct {
	At     int64   `json:"at"`
	By     string  `json:"by"`
	Reason *string `json:"reason"`
}

// domainState is the setup of a host name (§3.3).
type domainState struct {
	Attached   bool  `json:"attached"`
	DNSCorrect bool  `json:"dns_correct,omitempty"`
	DNSWrong   bool  `json:"dns_wrong,omitempty"`  // while it is not correct: a record that points elsewhere, instead of none
	CorrectAt  int64 `json:"correct_at,omitempty"` // when DNS becomes correct by itself; 0 is never
	Verified   bool  `json:"verified,omitempty"`
	LookedAt   int64 `json:"looked_at,omitempty"` // the latest DNS check
}

// Roles of members (§2.8).
const (
	roleOwner  = "owner"
	roleAdmin  = "admin"
	roleMember = "member"
)

type member struct {
	ID        string `json:"id"`
	Email     string `json:"email"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Status    string `json:"status"`
	Role      string `json:"role"`
	CreatedAt int64  `json:"created_at"`
	InvitedAt int64  `json:"invited_at,omitempty"` // the newest set-password email
}

type template struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	Slug      string `json:"slug"`
	IsPrivate bool   `json:"is_private"`
	CreatedAt int64  `json:"created_at"`
}

type assignment struct {
	ID         string      `json:"id"`
	PackageID  string      `json:"package_id"`
	AssignedAt int64       `json:"assigned_at"`
	Addons     []*attached `json:"addons,omitempty"`
}

type attached struct {
	ID       string  `json:"id"` // subscriptionAddonId
	AddonID  string  `json:"addon_id"`
	Quantity float64 `json:"quantity"`
}

// apiKey acts for exactly one reseller (§2.9).
type apiKey struct {
	ID         string   `json:"id"`
	Secret     string   `json:"secret"` // the whole key: the simulator has no secret to protect
	ResellerID string   `json:"reseller_id"`
	Scopes     []string `json:"scopes"`
	CreatedAt  int64    `json:"created_at"`
	LastUsedAt int64    `json:"last_used_at,omitempty"`
	RevokedAt  int64    `json:"revoked_at,omitempty"`
}

type token struct {
	KeyID     string `json:"key_id"`
	ExpiresAt int64  `json:"expires_at"`
}

// pendingConfirmation is a confirmation that was requested (§3.2).
type pendingConfirmation struct {
	LabelID   string    `json:"label_id"`
	ItemID    string    `json:"item_id"`
	Quantity  float64   `json:"quantity"`
	Warnings  []warning `json:"warnings"` // the numbers of the request
	ExpiresAt int64     `json:"expires_at"`
}

// Email is an email that the API would have sent.
type Email struct {
	Time    time.Time `json:"time"`
	To      string    `json:"to"`
	Kind    string    `json:"kind"` // "set-password", "signing-link", "completed-document"
	Host    string    `json:"host"`
	Subject string    `json:"subject"`
}

// live is what every request changes. It is small, so that a read does not write all private labels.
type live struct {
	Offset  time.Duration     `json:"clock_offset"`
	Meters  map[string]*meter `json:"meters"`
	Journal []Call            `json:"journal"`
	Faults  []*keptFault      `json:"faults,omitempty"` // of `simulate do`

	size int // approximate size of the journal in bytes
}

func millis(t time.Time) int64 {
	return t.UnixMilli()
}

// complete creates the maps that the file may lack and the indexes that it does not contain.
func (d *data) complete() {
	d.Version = dataVersion
	if d.Burnt == nil {
		d.Burnt = map[string]bool{}
	}
	if d.Tokens == nil {
		d.Tokens = map[string]*token{}
	}
	if d.Asked == nil {
		d.Asked = map[string]*pendingConfirmation{}
	}
	d.Signing.complete(d)
	d.byID = make(map[string]*label, len(d.Labels))
	d.byHost = make(map[string]*label, len(d.Labels))
	for _, l := range d.Labels {
		d.byID[l.ID] = l
		if !l.Gone {
			d.byHost[strings.ToLower(l.Host)] = l
		}
	}
}

// isIncomplete reports whether a list or map of a file has a null where an object must be, as a file that was edited by
// hand may have.
func (d *data) isIncomplete() bool {
	return slices.Contains(d.Resellers, nil) || slices.ContainsFunc(d.Resellers, (*reseller).isIncomplete) ||
		slices.Contains(d.Labels, nil) || slices.ContainsFunc(d.Labels, (*label).isIncomplete) ||
		slices.Contains(d.Keys, nil) || hasNil(d.Tokens) || hasNil(d.Asked) || d.Signing.isIncomplete()
}

func (r *reseller) isIncomplete() bool {
	return slices.Contains(r.Packages, nil) || slices.Contains(r.Addons, nil)
}

func (l *label) isIncomplete() bool {
	return slices.Contains(l.Members, nil) || slices.Contains(l.Former, nil) || slices.Contains(l.Templates, nil) || slices.Contains(l.Points, nil) ||
		l.Logo.isIncomplete() || l.BannerLogo.isIncomplete() || l.Assignment != nil && slices.Contains(l.Assignment.Addons, nil)
}

// isIncomplete reports a logo without its image. A missing logo is not incomplete.
func (lo *logo) isIncomplete() bool {
	return lo != nil && len(lo.PNG) == 0
}

func hasNil[T any](m map[string]*T) bool {
	for _, value := range m {
		if value == nil {
			return true
		}
	}
	return false
}

func (d *data) add(l *label) {
	d.Labels = append(d.Labels, l)
	d.byID[l.ID] = l
	d.byHost[strings.ToLower(l.Host)] = l
}

func (d *data) reseller(id string) *reseller {
	return first(d.Resellers, func(r *reseller) bool { return r.ID == id })
}

// first returns the first of a list that is what is wanted; nil for none.
func first[T any](all []*T, wanted func(*T) bool) *T {
	if i := slices.IndexFunc(all, wanted); i >= 0 {
		return all[i]
	}
	return nil
}

// labelsOf are the private labels of a reseller, in order of creation.
func (d *data) labelsOf(resellerID string) []*label {
	return slices.DeleteFunc(slices.Clone(d.Labels), func(l *label) bool { return l.Gone || l.ResellerID != resellerID })
}

func (r *reseller) pkg(id string) *item {
	return find(r.Packages, id)
}

func (r *reseller) addon(id string) *item {
	return find(r.Addons, id)
}

func find(items []*item, id string) *item {
	return first(items, func(i *item) bool { return i.ID == id })
}

func (l *label) owner() *member {
	return first(l.Members, byRole(roleOwner))
}

func (l *label) admin() *member {
	return cmp.Or(l.owner(), first(l.Members, byRole(roleAdmin)))
}

func byRole(role string) func(*member) bool {
	return func(m *member) bool { return m.Role == role }
}
