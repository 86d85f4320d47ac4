package simulator

import (
	"context"
	"net/http"
	"time"

	"github.com/privatelabels/terraform-provider-reseller/internal/simulator/page"
)

// asksForPage distinguishes a browser at the root URL from an API call. The page is not an endpoint: a call with a
// token gets the API's response, which is 404 NOT_FOUND (§7.1), and so does every call in process.
func asksForPage(req *http.Request) bool {
	return req.Method == http.MethodGet && req.URL.EscapedPath() == "/" && req.Header.Get("Authorization") == ""
}

// overview is what the page shows of the first reseller. All of it is copied, so that no call waits for the rendering.
type overview struct {
	Slug, Period string
	Now          time.Time
	Ahead        time.Duration // how far waits have moved the clock
	Refreshes    bool          // the page reloads itself

	Labels    []labelCard
	Suspended int // of the private labels
	Waiting   int // of the private labels, for DNS or to be attached
	Allowance []quotaShape
	Catalog   []catalogRow
	Outbox    newest[Email]
	Documents newest[DocumentView]
	Minted    newest[MintedView]
	Calls     newest[Call]
}

type labelCard struct {
	LabelView
	CustomDomain *string
	Setup        domainSetup
	Assignment   *assignmentFields
	Colors       page.Colors
	Logo, Banner []byte // PNG; nil for none
}

type catalogRow struct {
	Kind   string
	Item   item
	Labels int // that use it
}

// maxRows limits each list of the page except private labels and their members.
const maxRows = 50

// newest has the newest rows of a longer list, the newest first.
type newest[T any] struct {
	Rows  []T
	Total int
}

// earlier counts the rows that are not shown.
func (n newest[T]) earlier() int {
	return n.Total - len(n.Rows)
}

func newestOf[S, T any](all []S, show func(S) T) newest[T] {
	out := newest[T]{Total: len(all)}
	for i := len(all) - 1; i >= max(0, len(all)-maxRows); i-- {
		out.Rows = append(out.Rows, show(all[i]))
	}
	return out
}

func asIs[T any](row T) T {
	return row
}

// servePage counts toward no limit, is not in the journal, has no faults and changes nothing. The page reloads itself
// only if the request has ?refresh.
func (s *Simulator) servePage(w http.ResponseWriter, req *http.Request) {
	o, err := s.overview(req.Context())
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	o.Refreshes = req.URL.Query().Has("refresh")
	page.Serve(w, o.html())
}

func (s *Simulator) overview(ctx context.Context) (o overview, err error) {
	err = s.lookFor(ctx, func(d *data) error {
		r := d.Resellers[0]
		now := s.clock.Now()
		o = overview{
			Slug: r.Slug, Period: periodOf(now), Now: now, Ahead: s.clock.shift().Round(time.Second),
			Allowance: s.quotaOf(r, now),
			Outbox:    newestOf(d.Outbox, asIs),
			Documents: newestOf(d.Signing.Documents, (*document).view),
			Minted:    newestOf(d.Signing.Minted, (*mintedDoc).view),
			Calls:     newestOf(s.store.live.Journal, asIs),
		}
		holders := map[string]int{}
		for _, l := range d.labelsOf(r.ID) {
			card := s.forms.card(r, l, now)
			o.Labels = append(o.Labels, card)
			if l.Suspension != nil {
				o.Suspended++
			}
			if !card.Setup.Attached || !card.Setup.Verified {
				o.Waiting++
			}
			for id := range l.Assignment.items() {
				holders[id]++
			}
		}
		for _, k := range []*kind{packages, addons} {
			for _, i := range *k.itemsOf(r) {
				o.Catalog = append(o.Catalog, catalogRow{Kind: k.singular, Item: *i, Labels: holders[i.ID]})
			}
		}
		return nil
	})
	return o, err
}

func (f Forms) card(r *reseller, l *label, now time.Time) labelCard {
	looked := *l // a DNS check is stored, and the page changes nothing
	out := labelCard{LabelView: l.view(r), CustomDomain: l.CustomDomain, Setup: f.setup(&looked, now), Assignment: r.assignmentOf(l)}
	if !l.Unbranded {
		looks := l.branding()
		out.Colors = looks.Colors
		out.Logo = looks.Logo
		out.Banner = looks.BannerLogo
	}
	return out
}
