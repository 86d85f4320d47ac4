package simulator

import (
	"context"
	"encoding/base64"
	html "html/template"
	"strings"
	"time"
)

// pageRows bounds each list of the page but the portals and their members.
const pageRows = 50

// overview is what the service shows of the first reseller. It holds no key, no
// token, no confirmation key and no passcode.
type overview struct {
	Slug, Period string
	Now          time.Time
	Ahead        time.Duration // how far waits have moved the clock
	Still        bool          // it does not load itself again

	Portals   []portal
	Suspended int // of the portals
	Waiting   int // of the portals, for DNS or to be attached
	Allowance []pageAllowance
	Catalogue []pageItem
	Outbox    newest[Email]
	Documents newest[pageDocument]
	Minted    newest[pageMint]
	Calls     newest[pageCall]
}

// portal is a live label as a card.
type portal struct {
	ID, Host, CustomDomain string
	AppName, Initial       string
	Style                  html.CSS
	Colors                 []swatch
	Logo, Banner           html.URL // empty for none
	Status                 string
	SuspendedBy, Reason    string
	Domain                 domainSetup
	Assignment             *assignmentFields
	Members                []pageMember
	CreatedAt              time.Time
}

type pageMember struct{ Name, Email, Role, Status string }

// pageAllowance is one item of the allowance (§2.6).
type pageAllowance struct {
	Item             string
	Allowance, Taken float64
}

// Left is below 0 where more was confirmed than the allowance has (§3.2).
func (a pageAllowance) Left() float64 { return a.Allowance - a.Taken }

// pageItem is a package or an add-on.
type pageItem struct {
	Kind, Code, Name, Currency string
	Active                     bool
	Portals                    int // that have it
}

type pageDocument struct {
	Title, FileName, Owner, Domain, DueDate string
	Size                                    int // bytes
	Complete, HasPasscode                   bool
	Signers                                 []SignerView
	Viewers                                 []string
	CreatedAt                               time.Time
}

type pageMint struct {
	AssetID                       int64
	AssetName, UnitName, Standard string
	OnIPFS                        bool
	CreatedAt                     time.Time
}

type pageCall struct {
	Time        time.Time
	Route, Code string
	Status      int
	Fault       bool
}

// Failed calls are those that the service refused or lost.
func (c pageCall) Failed() bool { return c.Status >= 400 }

// newest rows of a list, the newest first.
type newest[T any] struct {
	Rows  []T
	Total int
}

// Earlier is how many there are that are not shown.
func (n newest[T]) Earlier() int { return n.Total - len(n.Rows) }

func newestOf[S, T any](all []S, show func(S) T) newest[T] {
	out := newest[T]{Total: len(all)}
	for i := len(all) - 1; i >= max(0, len(all)-pageRows); i-- {
		out.Rows = append(out.Rows, show(all[i]))
	}
	return out
}

// overview copies what the page shows, so that nobody waits for its rendering.
func (s *Simulator) overview(ctx context.Context) (*overview, error) {
	var p *overview
	err := s.lookFor(ctx, func(d *data) error {
		r, now := d.Resellers[0], s.clock.Now()
		p = &overview{
			Slug: r.Slug, Period: periodOf(now), Now: now, Ahead: s.clock.shift().Round(time.Second),
			Allowance: s.pageAllowance(r, now),
			Outbox:    newestOf(d.Outbox, func(e Email) Email { return e }),
			Documents: newestOf(d.Signing.Documents, (*document).onPage),
			Minted:    newestOf(d.Signing.Minted, (*mintedDoc).onPage),
			Calls:     newestOf(s.store.live.Journal, Call.onPage),
		}
		labels := d.labelsOf(r.ID)
		for _, l := range labels {
			p.add(l.onPage(r, now))
		}
		p.Catalogue = append(r.catalogueOnPage(packages, labels), r.catalogueOnPage(addons, labels)...)
		return nil
	})
	return p, err
}

func (p *overview) add(one portal) {
	p.Portals = append(p.Portals, one)
	if one.Status == statusSuspended {
		p.Suspended++
	}
	if !one.Domain.Attached || !one.Domain.Verified {
		p.Waiting++
	}
}

func (l *label) onPage(r *reseller, now time.Time) portal {
	looked := *l // a look at the DNS is remembered, and the page changes nothing
	out := portal{
		ID: l.ID, Host: l.Host, AppName: l.AppName, Initial: initial(l.AppName),
		Status: l.status().Status, Domain: looked.setup(now),
		Assignment: r.assignmentOf(l), CreatedAt: time.UnixMilli(l.CreatedAt),
	}
	if !l.Unbranded {
		out.Style, out.Colors = cardStyle(l.Colors), swatches(l.Colors)
		out.Logo, out.Banner = l.Logo.inPage(), l.BannerLogo.inPage()
	}
	if l.CustomDomain != nil {
		out.CustomDomain = *l.CustomDomain
	}
	if sus := l.Suspension; sus != nil {
		out.SuspendedBy = sus.By
		if sus.Reason != nil {
			out.Reason = *sus.Reason
		}
	}
	for _, m := range l.Members {
		out.Members = append(out.Members, pageMember{strings.TrimSpace(m.FirstName + " " + m.LastName), m.Email, m.Role, m.Status})
	}
	return out
}

// inPage is the image itself in place of an address; empty for none.
func (lo *logo) inPage() html.URL {
	if lo == nil {
		return ""
	}
	return html.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(lo.PNG)) //nolint:gosec // nothing but base64 behind a name of ours
}

// pageAllowance is what the labels take together, each at the greater of
// allocated and used (§1).
func (s *Simulator) pageAllowance(r *reseller, now time.Time) []pageAllowance {
	left := s.remaining(r, now)
	var out []pageAllowance
	for _, code := range itemCodes {
		has := r.Allowance.get(code)
		out = append(out, pageAllowance{Item: code, Allowance: has, Taken: has - left.get(code)})
	}
	return out
}

func (r *reseller) catalogueOnPage(k *kind, labels []*label) []pageItem {
	holders := map[string]int{}
	for _, l := range labels {
		for id := range l.Assignment.items() {
			holders[id]++
		}
	}
	var out []pageItem
	for _, i := range *k.of(r) {
		out = append(out, pageItem{Kind: k.singular, Code: i.Code, Name: i.Name, Currency: i.Currency, Active: i.Active, Portals: holders[i.ID]})
	}
	return out
}

func (doc *document) onPage() pageDocument {
	v := doc.view()
	out := pageDocument{
		Title: v.Title, FileName: v.FileName, Owner: v.OwnerEmail, Domain: v.Domain, Size: v.Size, Complete: v.Complete,
		HasPasscode: v.Passcode != nil, Signers: v.Signers, Viewers: v.Viewers, CreatedAt: v.CreatedAt,
	}
	if v.DueDate != nil {
		out.DueDate = *v.DueDate
	}
	return out
}

func (m *mintedDoc) onPage() pageMint {
	return pageMint{
		AssetID: m.AssetID, AssetName: m.Metadata.Name, UnitName: m.Metadata.UnitName, Standard: m.Standard,
		OnIPFS: m.PDF.URL != "", CreatedAt: time.UnixMilli(m.CreatedAt),
	}
}

func (c Call) onPage() pageCall {
	route := c.Route
	if route == unknownRoute {
		route = c.Method + " " + route
	}
	return pageCall{Time: c.Time, Route: route, Code: c.Code, Status: c.Status, Fault: c.Fault}
}
