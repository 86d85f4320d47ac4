package simulator

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	h "github.com/privatelabels/terraform-provider-reseller/internal/simulator/page"
)

const pageIcon = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E" +
	"%3Crect width='8' height='8' rx='2' fill='%234355c8'/%3E%3C/svg%3E"

// html is the whole page. A data file that was edited may have any text.
func (o *overview) html() h.HTML {
	return "<!DOCTYPE html>\n" + h.Element("html", h.Attribute("lang", "en"),
		h.Element("head", "",
			h.Void("meta", h.Attribute("charset", "utf-8")),
			h.Void("meta", h.Attribute("name", "viewport")+h.Attribute("content", "width=device-width, initial-scale=1")),
			h.If(o.Refreshes, h.Void("meta", h.Attribute("http-equiv", "refresh")+h.Attribute("content", "5"))),
			h.Element("title", "", h.Textf("%s of %s · simulator", numbered(len(o.Labels), "private label"), o.Slug)),
			h.Void("link", h.Attribute("rel", "icon")+h.Attribute("href", pageIcon)),
			h.Styles(),
		),
		h.Element("body", "",
			o.header(),
			h.Element("main", "", o.allowance(), o.cards(), o.catalog(), o.outbox(), o.documents(), o.minted(), o.calls()),
		),
	)
}

func (o *overview) header() h.HTML {
	reload := h.Element("a", h.Attribute("href", "/?refresh"), "Refresh every 5 s")
	if o.Refreshes {
		reload = h.Element("a", h.Attribute("href", "/"), "Stop refreshing")
	}
	entry := func(name h.HTML, value ...h.HTML) h.HTML {
		return h.Element("div", "", h.Element("dt", "", name), h.Element("dd", "", value...))
	}
	return h.Element("header", "",
		h.Element("div", "", h.Element("h1", "", h.Text(o.Slug)),
			h.Element("p", "", "This is the simulator. Nothing here is live: no email is sent and nothing is billed.")),
		h.Element("dl", h.Class("clock"),
			entry("Clock", h.Element("time", "", minute(o.Now)), " UTC", h.If(o.Ahead != 0, small("ahead by %s", o.Ahead))),
			entry("Private labels", h.Textf("%d", len(o.Labels)),
				h.If(o.Suspended > 0, small("%d suspended", o.Suspended)), h.If(o.Waiting > 0, small("%d waiting for DNS", o.Waiting))),
			entry("Page", reload),
		),
	)
}

func (o *overview) allowance() h.HTML {
	return section("allowance", "Allowance", small("%s, by item", o.Period),
		h.Element("ul", h.Class("meters"), h.Each(o.Allowance, func(q quotaShape) h.HTML {
			meter := h.Attribute("min", "0") + h.Attribute("max", number(q.Allowance)) + h.Attribute("value", number(q.Billed))
			return h.Element("li", "", h.Element("b", "", h.Text(q.ItemCode)),
				h.Element("span", "", h.Textf(" %s of %s allocated ", number(q.Billed), number(q.Allowance))),
				h.Element("meter", meter+h.Attribute("aria-label", q.ItemCode+" allocated")),
				h.Element("span", h.Class(either(q.Left() < 0, "bad", "")), h.Textf(" %s remaining", number(q.Left()))))
		})))
}

const noLabels = `<div class="empty">
<p>No private labels yet. This provider configuration uses the simulator, which needs no account and no API key:</p>
<pre>provider "reseller" {
  simulator = {}
}</pre>
<p>After <code>terraform apply</code>, show its data with
<code>terraform-provider-reseller simulate -data .reseller-simulator/default.json</code>.
To apply to this server instead, paste the <code>export</code> lines that <code>simulate</code> printed into a shell and omit <code>simulator</code>.
<code>simulate -seed 12</code> starts with twelve private labels.</p>
</div>`

func (o *overview) cards() h.HTML {
	return section("labels", "Private labels", "", h.If(len(o.Labels) == 0, noLabels), h.Element("div", h.Class("grid"), h.Each(o.Labels, labelCard.html)))
}

func (l labelCard) html() h.HTML {
	logo := h.Element("span", h.Class("initial")+h.Attribute("aria-hidden", "true"), h.Text(initial(l.AppName)))
	if len(l.Logo) > 0 {
		logo = h.Void("img", embedded("", l.Logo))
	}
	host := h.Element("b", "", h.Text(l.Host))
	if l.CustomDomain != nil {
		host += "<br>" + h.Text(*l.CustomDomain)
	}
	record := l.Setup.Records[0]
	return h.Element("article", h.Class("card")+h.Attribute("style", l.Colors.CardStyle())+h.Attribute("id", l.ID),
		h.Element("div", h.Class("bar"), logo, h.Element("h3", "", h.Text(l.AppName))),
		h.If(len(l.Banner) > 0, h.Void("img", embedded("banner", l.Banner))),
		h.Element("p", h.Class("host"), host),
		h.Element("p", h.Class("badges"), badge(l.SuspendedBy == "", "good", "bad", l.Status), " ",
			badge(l.Setup.Attached, "good", "wait", either(l.Setup.Attached, "attached", "not attached")), " ",
			badge(l.Setup.Verified, "good", "wait", either(l.Setup.Verified, "verified", "not verified"))),
		h.If(l.SuspendedBy != "", h.Element("p", h.Class("reason"), h.Text("Suspended by "+l.SuspendedBy+either(l.SuspendReason != "", ": "+l.SuspendReason, "")))),
		h.Element("p", h.Class("dns"), small("DNS"), " ", code(record.Name+" "+record.Type+" "+record.Value)),
		h.Element("p", h.Class("plan"), l.Assignment.html()),
		h.Element("ul", h.Class("members"), h.Each(l.People, func(p PersonView) h.HTML {
			who := h.Element("span", "", h.Textf("%s %s ", p.FirstName, p.LastName), small("%s", p.Email))
			return h.Element("li", "", who, " ", h.Element("em", "", h.Text(p.Role)))
		}), h.If(len(l.People) == 0, h.Element("li", "", small("no members")))),
		h.Element("p", h.Class("foot"), h.Element("span", "", "since ", minute(l.CreatedAt)),
			h.Element("span", h.Class("swatches"), h.Each(l.Colors.Swatches(), func(s h.Swatch) h.HTML {
				return h.Element("i", h.Attribute("style", s.Style)+h.Attribute("title", s.Field+" "+s.Color))
			}))),
	)
}

func (a *assignmentFields) html() h.HTML {
	if a == nil {
		return small("no package")
	}
	return h.Element("span", h.Class("package"), h.Text(a.PackageName), h.If(a.PackageName != a.PackageCode, " "+small("%s", a.PackageCode))) +
		h.Each(a.Addons, func(f attachedField) h.HTML {
			return " " + h.Element("span", h.Class("addon"), h.Textf("%s × %s", number(f.Quantity), cmp.Or(f.Name, f.Code)))
		})
}

func (o *overview) catalog() h.HTML {
	if len(o.Catalog) == 0 {
		return ""
	}
	return section("catalog", "Packages and add-ons", "", table(
		[]string{"Kind", "Code", "Name", "Currency", "State", "Private labels"},
		h.Each(o.Catalog, func(row catalogRow) h.HTML {
			return h.Element("tr", "", cell("", row.Kind), h.Element("td", "", code(row.Item.Code)), cell("", row.Item.Name), cell("", row.Item.Currency),
				cell("", either(row.Item.Active, "active", "deactivated")), cell("n", strconv.Itoa(row.Labels)))
		})))
}

func (o *overview) outbox() h.HTML {
	about := fmt.Sprintf("%d %s, newest first", o.Outbox.Total, either(o.Outbox.Total == 1, "email, not sent", "emails, none of them sent"))
	return newestRows("outbox", "Outbox", about, []string{"At", "To", "Subject", "Kind", "Host name"}, o.Outbox, func(e Email) h.HTML {
		return h.Element("tr", "", at(e.Time), cell("", e.To), cell("", e.Subject), cell("kind", e.Kind), cell("", e.Host))
	})
}

func (o *overview) documents() h.HTML {
	if o.Documents.Total == 0 {
		return ""
	}
	columns := []string{"Uploaded", "Title", "Owner", "Domain", "Signers", "State"}
	return newestRows("documents", "Documents", fmt.Sprintf("%d uploaded for signing", o.Documents.Total), columns, o.Documents, func(d DocumentView) h.HTML {
		about := fmt.Sprintf("%s, %d bytes", d.FileName, d.Size) + either(d.Passcode != nil, ", with a passcode", "")
		if d.DueDate != nil {
			about += ", due " + *d.DueDate
		}
		signers := h.Each(d.Signers, func(s SignerView) h.HTML {
			return h.Element("div", "", h.Textf("%s ", s.Email), small("%s", either(s.Signed, "signed", "to sign")))
		})
		viewers := h.Each(d.Viewers, func(email string) h.HTML { return h.Element("div", "", h.Textf("%s ", email), small("viewer")) })
		title := h.Element("td", "", h.Textf("%s ", d.Title), small("%s", about))
		return h.Element("tr", "", at(d.CreatedAt), title, cell("", d.OwnerEmail), cell("", cmp.Or(d.Domain, "personal")),
			h.Element("td", "", signers, viewers), h.Element("td", "", badge(d.Complete, "good", "wait", either(d.Complete, "complete", "open"))))
	})
}

func (o *overview) minted() h.HTML {
	if o.Minted.Total == 0 {
		return ""
	}
	columns := []string{"Minted", "Asset", "Name", "Unit", "Standard", "IPFS"}
	return newestRows("minted", "Minted documents", strconv.Itoa(o.Minted.Total), columns, o.Minted, func(m MintedView) h.HTML {
		return h.Element("tr", "", at(m.CreatedAt), cell("", strconv.FormatInt(m.AssetID, 10)), cell("", m.AssetName), cell("", m.UnitName), cell("", m.Standard),
			cell("", either(m.PDFURL != "", "stored", "no")))
	})
}

func (o *overview) calls() h.HTML {
	about := fmt.Sprintf("%d in the journal, newest first", o.Calls.Total)
	return newestRows("calls", "API calls", about, []string{"At", "Endpoint", "Outcome"}, o.Calls, func(c Call) h.HTML {
		endpoint := either(c.Route == unknownRoute, c.Method+" ", "") + c.Route
		return h.Element("tr", "", at(c.Time), h.Element("td", "", code(endpoint)), h.Element("td", "",
			badge(c.Status < http.StatusBadRequest, "good", "bad", strconv.Itoa(c.Status)), h.Textf(" %s", c.Code),
			h.If(c.Fault, " "+badge(true, "wait", "", "injected fault"))))
	})
}

// newestRows is a section with a table of the newest rows.
func newestRows[T any](id string, title h.HTML, about string, columns []string, rows newest[T], row func(T) h.HTML) h.HTML {
	return section(id, title, small("%s", about),
		h.If(len(rows.Rows) > 0, table(columns, h.Each(rows.Rows, row))+
			h.If(rows.earlier() > 0, h.Element("p", "", small("and %d earlier", rows.earlier())))))
}

func section(id string, title, about h.HTML, content ...h.HTML) h.HTML {
	return h.Element("section", h.Attribute("id", id), h.Element("h2", "", title, " ", about), h.Join(content...))
}

func table(columns []string, rows h.HTML) h.HTML {
	head := h.Each(columns, func(name string) h.HTML { return h.Element("th", "", h.Text(name)) })
	return h.Element("div", h.Class("scroll"), h.Element("table", "", h.Element("tr", "", head), rows))
}

func cell(class, text string) h.HTML {
	return h.Element("td", h.Class(class), h.Text(text))
}

func at(t time.Time) h.HTML {
	return cell("t", t.UTC().Format(minuteFormat))
}

func minute(t time.Time) h.HTML {
	return h.Text(t.UTC().Format(minuteFormat))
}

const minuteFormat = "2006-01-02 15:04"

func code(text string) h.HTML {
	return h.Element("code", "", h.Text(text))
}

func small(format string, values ...any) h.HTML {
	return h.Element("small", "", h.Textf(format, values...))
}

func badge(condition bool, class, otherwise, text string) h.HTML {
	return h.Element("span", h.Class(either(condition, class, otherwise)), h.Text(text))
}

func embedded(class string, png []byte) h.Attributes {
	return h.Class(class) + h.Attribute("src", "data:image/png;base64,"+base64.StdEncoding.EncodeToString(png)) + h.Attribute("alt", "")
}

func either(condition bool, yes, no string) string {
	if condition {
		return yes
	}
	return no
}

// number writes a quantity without an exponent.
func number(f float64) string {
	return strconv.FormatFloat(f, 'f', -1, 64)
}

func numbered(n int, noun string) string {
	return fmt.Sprintf("%d %s%s", n, noun, either(n == 1, "", "s"))
}

// initial replaces a missing logo.
func initial(name string) string {
	for _, r := range name {
		return strings.ToUpper(string(r))
	}
	return ""
}
