package simulator

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator/page"
)

// asksForPage distinguishes a browser at the root URL from an API call. The page is not an endpoint: a call with a
// token gets the API's response, which is 404 NOT_FOUND (§7.1), and so does every call in process.
func asksForPage(req *http.Request) bool {
	return req.Method == http.MethodGet && req.URL.EscapedPath() == "/" && req.Header.Get("Authorization") == ""
}

// servePage counts toward no limit, is not in the journal, has no faults and changes nothing.
func (s *Simulator) servePage(w http.ResponseWriter, req *http.Request) {
	o, err := s.overview(req.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	page.Serve(w, req, o)
}

// overview copies what the page shows of the first reseller, so that no call waits for the rendering.
func (s *Simulator) overview(ctx context.Context) (*page.Overview, error) {
	var o *page.Overview
	err := s.lookFor(ctx, func(d *data) error {
		r, now := d.Resellers[0], s.clock.Now()
		o = &page.Overview{
			Slug: r.Slug, Period: periodOf(now), Now: now, Ahead: s.clock.shift().Round(time.Second),
			Allowance: s.pageAllowance(r, now),
			Outbox:    page.NewestOf(d.Outbox, Email.onPage),
			Documents: page.NewestOf(d.Signing.Documents, (*document).onPage),
			Minted:    page.NewestOf(d.Signing.Minted, (*mintedDoc).onPage),
			Calls:     page.NewestOf(s.store.live.Journal, Call.onPage),
		}
		labels := d.labelsOf(r.ID)
		for _, l := range labels {
			addLabel(o, l.onPage(r, now))
		}
		o.Catalog = append(r.catalogOnPage(packages, labels), r.catalogOnPage(addons, labels)...)
		return nil
	})
	return o, err
}

func addLabel(o *page.Overview, l page.Label) {
	o.Labels = append(o.Labels, l)
	if l.Status == statusSuspended {
		o.Suspended++
	}
	if !l.Attached || !l.Verified {
		o.Waiting++
	}
}

func (l *label) onPage(r *reseller, now time.Time) page.Label {
	looked := *l // a DNS check is stored, and the page changes nothing
	setup := looked.setup(now)
	out := page.Label{
		ID: l.ID, Host: l.Host, AppName: l.AppName, Status: l.status().Status, Attached: setup.Attached, Verified: setup.Verified,
		Package: r.assignmentOf(l).onPage(), CreatedAt: time.UnixMilli(l.CreatedAt),
	}
	if len(setup.Records) > 0 {
		out.Record = &page.Record{Name: setup.Records[0].Name, Type: setup.Records[0].Type, Value: setup.Records[0].Value}
	}
	if !l.Unbranded {
		out.Colors, out.Logo, out.Banner = l.Colors, l.Logo.png(), l.BannerLogo.png()
	}
	if l.CustomDomain != nil {
		out.CustomDomain = *l.CustomDomain
	}
	out.SuspendedBy, out.Reason = l.suspendedBy()
	for _, m := range l.Members {
		out.Members = append(out.Members, page.Member{Name: strings.TrimSpace(m.FirstName + " " + m.LastName), Email: m.Email, Role: m.Role})
	}
	return out
}

func (a *assignmentFields) onPage() *page.Package {
	if a == nil {
		return nil
	}
	out := &page.Package{Code: a.PackageCode, Name: a.PackageName}
	for _, one := range a.Addons {
		name := one.Name
		if name == "" {
			name = one.Code
		}
		out.Addons = append(out.Addons, page.Addon{Name: name, Quantity: one.Quantity})
	}
	return out
}

func (lo *logo) png() []byte {
	if lo == nil {
		return nil
	}
	return lo.PNG
}

// pageAllowance is what the private labels use together, each at the larger of allocated and used (§1).
func (s *Simulator) pageAllowance(r *reseller, now time.Time) []page.Allowance {
	left := s.remaining(r, now)
	var out []page.Allowance
	for _, code := range itemCodes {
		total := r.Allowance.get(code)
		out = append(out, page.Allowance{Item: code, Total: total, Taken: total - left.get(code)})
	}
	return out
}

func (r *reseller) catalogOnPage(k *kind, labels []*label) []page.Item {
	holders := map[string]int{}
	for _, l := range labels {
		for id := range l.Assignment.items() {
			holders[id]++
		}
	}
	var out []page.Item
	for _, i := range *k.of(r) {
		out = append(out, page.Item{Kind: k.singular, Code: i.Code, Name: i.Name, Currency: i.Currency, Active: i.Active, Labels: holders[i.ID]})
	}
	return out
}

func (e Email) onPage() page.Email {
	return page.Email{Time: e.Time, To: e.To, Subject: e.Subject, Kind: e.Kind, Host: e.Host}
}

func (doc *document) onPage() page.Document {
	v := doc.view()
	out := page.Document{
		Title: v.Title, FileName: v.FileName, Owner: v.OwnerEmail, Domain: v.Domain, Size: v.Size, Complete: v.Complete,
		HasPasscode: v.Passcode != nil, Viewers: v.Viewers, CreatedAt: v.CreatedAt,
	}
	for _, signer := range v.Signers {
		out.Signers = append(out.Signers, page.Signer{Email: signer.Email, Signed: signer.Signed})
	}
	if v.DueDate != nil {
		out.DueDate = *v.DueDate
	}
	return out
}

func (m *mintedDoc) onPage() page.Mint {
	return page.Mint{
		AssetID: m.AssetID, AssetName: m.Metadata.Name, UnitName: m.Metadata.UnitName, Standard: m.Standard,
		OnIPFS: m.PDF.URL != "", CreatedAt: time.UnixMilli(m.CreatedAt),
	}
}

func (c Call) onPage() page.Call {
	route := c.Route
	if route == unknownRoute {
		route = c.Method + " " + route
	}
	return page.Call{Time: c.Time, Route: route, Code: c.Code, Status: c.Status, Fault: c.Fault}
}
